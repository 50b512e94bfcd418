/** `erasure.bringBack`: what was forgotten comes back, as long as its grace period lasts. */
import type { Redaction } from '../model/erasure.ts';
import { parseUuid } from '../model/ids.ts';
import { type Grant, strictest, type Tier } from '../model/permission.ts';
import { embedPending } from '../write/embed-rows.ts';
import type { CallOptions } from './call-options.ts';
import { type EngineParts, grantOf, signalOf } from './engine-parts.ts';

/** Receipts on their way are written first: they come without words, and stay so. */
export async function bringBack(
  parts: EngineParts,
  redaction: string,
  options?: CallOptions,
): Promise<Redaction> {
  const { authority, permission, embedder } = parts;
  const uuid = parseUuid(redaction, 'redaction');
  const grant = await grantOf(parts, options, 'bring_back');
  const tier = tierOf(grant, parts);
  const entrance = { door: 'bring_back', field: 'permission_profile' };
  if (tier !== 'T1')
    await permission.deny(grant, { tier, key: 'redactions', scope: null }, entrance);
  await parts.settled();
  const { tenant, principal, onBehalfOf, scopes } = grant;
  const back = await parts.outage.watch(
    () =>
      authority.bringBack({
        tenant,
        redaction: uuid,
        scopes: scopes.all ? null : [...scopes.uuids],
        at: parts.now(),
        principal,
        on_behalf_of: onBehalfOf,
        tier,
      }),
    () => true,
  );
  if (embedder) await embedPending(tenant, { authority, embedder, ...signalOf(options) });
  return back;
}

/**
 * `redactions`, by the strictest manifest there is: what lies in a scope that was forgotten is not
 * read to find its type.
 */
export const tierOf = (grant: Grant, { manifests, permission }: EngineParts): Tier =>
  strictest(
    grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.redactions,
    ...manifests.manifests.map(
      ({ scopeBlockType }) => permission.policy.tierOf(scopeBlockType, 'redactions') ?? 'T1',
    ),
  );
