/** The guard of the reach port: what is told lies in the scopes that were asked for. */
import { assertThat } from '../../codes/errors.ts';
import type { RedactionReach } from '../../model/erasure.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ReachPort } from '../ports/reach.ts';

export const guardReach = (port: ReachPort): ReachPort => ({
  reachOf: async (request) => {
    checkTenant(request.tenant);
    const reach = await port.reachOf(request);
    const { scopes: held } = request;
    assertThat(
      held === null || (!reach.is_whole && reach.scopes.every((scope) => held.includes(scope))),
      'what is reached lies in scopes that were asked for',
    );
    assertReach(reach);
    return reach;
  },
  reachOfRedaction: async (tenant, redaction) => {
    checkRequest('redaction', { tenant, redaction });
    const reach = await port.reachOfRedaction(tenant, redaction);
    if (reach) assertReach(reach);
    return reach;
  },
  lapseProposals: async (tenant, at) => {
    checkTenant(tenant);
    return port.lapseProposals(tenant, at);
  },
});

const assertReach = ({ scopes, digest }: RedactionReach): void => {
  assertThat([...scopes].sort().join() === scopes.join(), 'scopes that are reached are sorted');
  assertThat(/^[0-9a-f]{64}$/.test(digest), 'a digest is 64 hexadecimal digits');
};
