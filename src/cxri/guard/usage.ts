/**
 * The guard of the usage port: events name their scope and root, and the answer has their scopes.
 */
import { assertThat } from '../../codes/errors.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { UsagePort } from '../ports/usage.ts';

export const guardUsage = (port: UsagePort): UsagePort => ({
  recordUsage: async (tenant, usage) => {
    checkTenant(tenant);
    checkUuids(
      usage.events.flatMap((event) => [event.scope_uuid, event.root_uuid, event.composition_id]),
      'events',
    );
    const position = await port.recordUsage(tenant, usage);
    const scopes = new Set(usage.events.map((event) => event.scope_uuid));
    assertThat(
      position.every(({ scope }) => scopes.has(scope)),
      'a usage position is of the scopes of its events',
    );
    return position;
  },
  readOutcomes: async (request) => {
    checkTenant(request.tenant);
    checkUuids([request.scope], 'scope');
    const outcomes = await port.readOutcomes(request);
    for (const { usage_seq: seq } of outcomes)
      assertThat(seq <= request.head, 'outcomes are read up to the one that was asked for');
    return outcomes;
  },
});
