/**
 * Bringing back in memory, by definition: the redaction names nothing any more, and what no other
 * one names stands again. The database brings each row and copy back by what it kept instead.
 */
import {
  builtOn,
  notAnyMore,
  redactionMissing,
  unfoundedReturn,
} from '../../src/ledger/refusals.ts';
import type { BringBackRequest, Redaction, ReturnedVersion } from '../../src/model/erasure.ts';
import type { Instant, TenantId, Uuid } from '../../src/model/ids.ts';
import { appendAudit } from './audit.ts';
import { showWhatStands } from './erasure.ts';
import { isFounded } from './lineage.ts';
import {
  isBelieved,
  type KeptProposal,
  type Slot,
  type Store,
  type TenantState,
  tenantOf,
} from './store.ts';
import { clashes, type Held, operationsAt, slotsAround } from './undo.ts';

export function bringBack(store: Store, request: BringBackRequest): Redaction {
  const tenant = tenantOf(store, request.tenant);
  const { redaction: id, at } = request;
  const index = tenant.redactions.findIndex(({ redaction_uuid: uuid }) => uuid === id);
  const held = tenant.redactions[index];
  if (!held || !reachedOnly(tenant, held, request.scopes)) throw redactionMissing();
  if (held.state === 'brought_back') return held;
  if (held.state === 'erased') throw notAnyMore('is erased');
  if (held.erase_after <= at) throw notAnyMore('is to be erased: its grace period is over');
  const named = tenant.redacted.get(id);
  const others = [...tenant.redacted].flatMap(([other, { slots }]) =>
    other === id ? [] : [slots],
  );
  const coming = [...(named?.slots ?? [])].filter(
    (slot) => slot.entry.row.status === 'suppressed' && !others.some((slots) => slots.has(slot)),
  );
  checkComing(tenant, id, coming);
  tenant.redacted.delete(id);
  showWhatStands(store, tenant, coming);
  for (const [uuid, kept] of named?.proposals ?? []) waitAgain(tenant, { uuid, kept, at });
  tenant.epoch += 1;
  for (const slot of coming) tenant.returned.push({ epoch: tenant.epoch, redaction: id, slot });
  const back: Redaction = { ...held, state: 'brought_back', brought_back_at: at };
  tenant.redactions[index] = back;
  const { principal, on_behalf_of, tier } = request;
  const action = `bring_back.${held.target_kind}`;
  const by = { principal, on_behalf_of, tier, at, action };
  appendAudit(tenant, [{ ...by, scope_uuid: null, decision: 'allowed', detail: id }]);
  return back;
}

/** Whether all that it reached lies in scopes that are held. */
function reachedOnly(
  tenant: TenantState,
  { redaction_uuid: id, target_kind: kind }: Redaction,
  scopes: readonly Uuid[] | null,
): boolean {
  if (scopes === null) return true;
  const named = tenant.redacted.get(id);
  const slots = [
    ...(named?.slots ?? []),
    ...tenant.returned.flatMap(({ redaction, slot }) => (redaction === id ? [slot] : [])),
  ];
  const places = [
    ...slots.map(({ entry }) => entry.row.scope_uuid),
    ...[...(named?.receipts ?? [])].map((uuid) => tenant.receipts.get(uuid)?.scope_uuid),
    ...[...(named?.proposals.values() ?? [])].map(({ proposal }) => proposal.action.scopes[0]),
  ];
  return (
    kind !== 'tenant' && places.every((place) => place !== undefined && scopes.includes(place))
  );
}

/** The place of each is free, and none of its sources is lost. */
function checkComing(tenant: TenantState, id: Uuid, coming: readonly Slot[]): void {
  const standing = coming.filter(({ entry }) => entry.row.retired_seq === null);
  const taken = standing.flatMap((slot) => {
    const { valid_from: from, valid_until: until, root_uuid: root } = slot.entry.row;
    const held: Held = { slot, from, until };
    return slotsAround(tenant, root).filter((other) => isBelieved(other) && clashes(held, other));
  });
  if (taken.length > 0)
    throw builtOn(
      id,
      operationsAt(
        tenant,
        taken.map(({ entry: { row } }) => ({ scope: row.scope_uuid, seq: row.recorded_seq })),
      ),
    );
  if (!standing.every((slot) => isFounded(tenant, slot, new Set()))) throw unfoundedReturn(id);
}

/** One that waited waits again, unless it is late, or another one of the same waits. */
function waitAgain(
  tenant: TenantState,
  { uuid, kept, at }: { readonly uuid: Uuid; readonly kept: KeptProposal; readonly at: Instant },
): void {
  if ([...tenant.redacted.values()].some(({ proposals }) => proposals.has(uuid))) return;
  const isSame = [...tenant.proposals.values()].some(
    ({ proposal, fingerprint }) => proposal.state === 'pending' && fingerprint === kept.fingerprint,
  );
  const { proposal } = kept;
  // One with words does not wait again: they went with it.
  const isOver =
    proposal.state === 'pending' &&
    (isSame || proposal.target !== null || proposal.action.expires_at <= at);
  tenant.proposals.set(
    uuid,
    isOver ? { ...kept, proposal: { ...proposal, state: 'rejected', target: null } } : kept,
  );
}

export const readReturned = (
  store: Store,
  tenant: TenantId,
  asked: { readonly epoch: number; readonly after: Uuid | null; readonly limit: number },
): readonly ReturnedVersion[] => {
  const rows = (store.tenants.get(tenant)?.returned ?? [])
    .filter(({ epoch }) => epoch > asked.epoch)
    .map(({ slot }) => slot.entry.row);
  return [...new Map(rows.map((row) => [row.uuid, row])).values()]
    .filter(({ uuid }) => asked.after === null || uuid > asked.after)
    .sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
    .slice(0, asked.limit)
    .map(({ scope_uuid: scope, uuid, root_uuid }) => ({ scope, uuid, root_uuid }));
};
