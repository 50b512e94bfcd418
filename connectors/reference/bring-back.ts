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
import { isEitherOr } from '../../src/model/fact-slot.ts';
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
import { operationsAt, slotsAround } from './undo.ts';
import { clashes, type Held, meets } from './undo-ends.ts';

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
  const times = coming.map((slot) => ({ slot, out: named?.outSince.get(slot) ?? 0 }));
  tenant.redacted.delete(id);
  showWhatStands(store, tenant, coming);
  for (const [uuid, kept] of named?.proposals ?? []) waitAgain(tenant, { uuid, kept, at });
  tenant.epoch += 1;
  for (const { slot, out } of times) {
    const { head: back } = tenant.scopes.get(slot.entry.row.scope_uuid) ?? { head: out };
    tenant.returned.push({ epoch: tenant.epoch, redaction: id, slot, out, back });
  }
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
    return [
      ...slotsAround(tenant, root).filter((other) => isBelieved(other) && clashes(held, other)),
      ...valuesSince(tenant, { id, slot }),
    ];
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

/**
 * What holds in the slot of a captured fact, of some of the same time, and was never weighed
 * against it: one of the two was written while the other was out of sight.
 */
function valuesSince(
  tenant: TenantState,
  { id, slot }: { readonly id: Uuid; readonly slot: Slot },
): readonly Slot[] {
  const { valid_from: from, valid_until: until, scope_uuid: scope } = slot.entry.row;
  const wasOut = (one: Slot, { entry }: Slot): boolean =>
    timesOut(tenant, { id, slot: one }).some(
      ({ out, back }) => out < entry.row.recorded_seq && entry.row.recorded_seq <= back,
    );
  return (tenant.scopes.get(scope)?.slots.memory_open_set ?? []).filter(
    (other) =>
      isBelieved(other) &&
      isEitherOr(slot.entry, other.entry) &&
      meets({ from, until }, other) &&
      (wasOut(slot, other) || wasOut(other, slot)),
  );
}

const timesOut = (
  { redacted, returned }: TenantState,
  { id, slot }: { readonly id: Uuid; readonly slot: Slot },
): readonly { readonly out: number; readonly back: number }[] => {
  const since = redacted.get(id)?.outSince.get(slot);
  const before = returned.filter((each) => each.slot === slot);
  return since === undefined ? before : [...before, { out: since, back: Infinity }];
};

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
