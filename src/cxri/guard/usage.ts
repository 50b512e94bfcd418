/**
 * The guard of the usage port: events name their scope and root, and the answer has their scopes.
 */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { UsagePort } from '../ports/usage.ts';

export const guardUsage = (port: UsagePort): UsagePort => ({
  recordUsage: async (tenant, usage) => {
    checkTenant(tenant);
    for (const event of usage.events) checkRequest('usage_event', event, 'events');
    const position = await port.recordUsage(tenant, usage);
    const scopes = new Set(usage.events.map((event) => event.scope_uuid));
    assertThat(
      position.every(({ scope }) => scopes.has(scope)),
      'a usage position is of the scopes of its events',
    );
    return position;
  },
  readOutcomes: async (request) => {
    checkRequest('scope_page', request);
    const outcomes = await port.readOutcomes(request);
    for (const { usage_seq: seq } of outcomes)
      assertThat(seq <= request.head, 'outcomes are read up to the one that was asked for');
    return outcomes;
  },
});
