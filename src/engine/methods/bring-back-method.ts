/**
 * `erasure.bringBack`: what was forgotten comes back, as long as its grace period lasts; at T2 and
 * T3 it waits for another principal.
 */
import { notAnyMore, redactionMissing } from '../../ledger/refusals.ts';
import type { RedactionReach } from '../../model/erasure.ts';
import { parseUuid, type Uuid } from '../../model/ids.ts';
import { type Grant, holds, strictest, type Tier } from '../../model/permission.ts';
import type { PermissionDoor } from '../../permission/door.ts';
import { embedPending } from '../../write/embed-rows.ts';
import type { CallOptions } from '../call-options.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { undoFollowed } from '../follow-forgetting.ts';
import { toldCounts } from '../propose-forget.ts';
import type { ReturnAnswer } from './forget-surface.ts';

/** Receipts on their way are written first: they come without words, and stay so. */
export async function bringBack(
  parts: EngineParts,
  redaction: string,
  options?: CallOptions,
): Promise<ReturnAnswer> {
  const { authority, permission, embedder } = parts;
  const uuid = parseUuid(redaction, 'redaction');
  const grant = await grantOf(parts, options, 'bring_back');
  const tier = tierOf(grant, parts);
  const entrance = { door: 'bring_back', field: 'permission_profile' };
  if (tier === 'excluded')
    await permission.deny(grant, { tier, key: 'redactions', scope: null }, entrance);
  await parts.settled();
  if (tier === 'T2' || tier === 'T3') return proposeReturn(uuid, { grant, tier }, parts);
  const { tenant, principal, onBehalfOf, scopes } = grant;
  const followed = await undoFollowed({ redaction: uuid, grant }, parts, options);
  const back = await parts.outage
    .watch(
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
    )
    .catch(async (error: unknown) => {
      await followed.stays();
      throw error;
    });
  await followed.isBack();
  if (embedder) await embedPending(tenant, { authority, embedder, ...signalOf(options) });
  return back;
}

async function proposeReturn(
  uuid: Uuid,
  { grant, tier }: { readonly grant: Grant; readonly tier: 'T2' | 'T3' },
  { authority, permission, now }: EngineParts,
): Promise<ReturnAnswer> {
  const { tenant } = grant;
  const [kept] = await authority.listRedactions(tenant, { limit: 1, id: uuid });
  const held = kept && { ...kept, counts: toldCounts(kept.counts, grant) };
  const reach = await authority.reachOfRedaction(tenant, uuid);
  if (!held || (reach ? !holdsAll(grant, reach) : !grant.scopes.all)) throw redactionMissing();
  if (reach && !(await readsAll(grant, reach.scopes, permission))) throw redactionMissing();
  if (held.state === 'brought_back') return held;
  if (!reach || held.erase_after <= now())
    throw notAnyMore(held.state === 'erased' ? 'is erased' : 'is to be erased: its grace is over');
  const { proposal_uuid, digest, action } = await permission.propose(grant, {
    kind: 'return',
    key: 'redactions',
    tier,
    writer: 'undo',
    scopes: reach.scopes,
    bring_back: {
      redaction: uuid,
      target_kind: held.target_kind,
      reach: { counts: toldCounts(reach.counts, grant), digest: reach.digest },
    },
  });
  const { tier: waits, expires_at } = action;
  return { ...held, proposal: { proposal_uuid, tier: waits, digest, expires_at } };
}

async function readsAll(
  grant: Grant,
  scopes: readonly Uuid[],
  permission: PermissionDoor,
): Promise<boolean> {
  const blocks = await permission.blocksOf(grant, scopes);
  return scopes.every((scope) => permission.mayReadHeld(grant, blocks.get(scope)));
}

/** Whether it may be told of it: all that the redaction reached lies in scopes that are held. */
export const holdsAll = (grant: Grant, { is_whole: isWhole, scopes }: RedactionReach): boolean =>
  grant.scopes.all || (!isWhole && scopes.every((scope) => holds(grant, scope)));

/**
 * `redactions`, by the strictest manifest there is: what lies in a scope that was forgotten is not
 * read to find its type.
 */
export const tierOf = (grant: Grant, { permission }: EngineParts): Tier =>
  strictest(
    grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.redactions,
    permission.policy.strictestOf('redactions'),
  );
