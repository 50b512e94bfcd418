/** Forgetting in memory: what the sealed functions of a database do, written a second time. */
import { toEntry } from '../../src/ledger/entry.ts';
import { nothingNamed } from '../../src/ledger/refusals.ts';
import type {
  CopyCounts,
  ForgetRequest,
  Redaction,
  RedactionQuery,
} from '../../src/model/erasure.ts';
import { type TenantId, toEpochMs, type Uuid } from '../../src/model/ids.ts';
import { appendAudit } from './audit.ts';
import { endMoved } from './lapse-proposals.ts';
import { namedProposals, namedReasons, namedReceipts, namedSlots } from './named.ts';
import { type Slot, type Store, type TenantState, tenantOf } from './store.ts';
import { maskedReceipt, tombstonesOf } from './tombstones.ts';

export function forget(store: Store, request: ForgetRequest): CopyCounts {
  const tenant = tenantOf(store, request.tenant);
  const slots = namedSlots(tenant, request);
  const receipts = new Set(namedReceipts(tenant, request, slots));
  dropServed(tenant, request, slots);
  tenant.sharedVectors.clear();
  if (request.kind === 'tenant') tenant.embeddingUse.clear();
  const proposals = namedProposals(tenant, request, slots);
  const reasons = namedReasons(tenant, request);
  if (slots.size + receipts.size + proposals.size + reasons.size === 0) throw nothingNamed();
  // A question is no forgotten text itself, but where a text is forgotten wherever it stands.
  const texts = tombstonesOf(tenant, slots, request.kind === 'text' ? receipts : []);
  const outSince = new Map([...slots].map((slot) => [slot, outSinceOf(tenant, slot)] as const));
  tenant.redacted.set(request.redaction, {
    ...{ slots, outSince, receipts, reasons, proposals, texts },
  });
  for (const uuid of receipts) {
    const receipt = tenant.receipts.get(uuid);
    if (receipt && receipt.is_masked !== true) tenant.saidBefore.set(uuid, receipt);
  }
  showWhatStands(store, tenant, slots);
  const counts: Record<string, number> = {};
  for (const { entry } of slots) counts[entry.table] = (counts[entry.table] ?? 0) + 1;
  if (receipts.size > 0) counts['receipts'] = receipts.size;
  if (proposals.size > 0) counts['proposals'] = proposals.size;
  if (reasons.size > 0) counts['operations'] = reasons.size;
  tenant.epoch += 1;
  endMoved(tenant, request);
  tenant.redactions.push(redactionOf(request, counts));
  appendAudit(tenant, [
    {
      principal: request.principal,
      on_behalf_of: request.on_behalf_of,
      action: `forget.${request.kind}`,
      scope_uuid: request.kind === 'scope' ? (request.value as Uuid) : null, // checked by the guard
      decision: 'allowed',
      tier: request.tier,
      detail: request.redaction,
      at: request.at,
    },
  ]);
  return counts;
}

/** Of what another redaction took out of sight before, the head of then. */
function outSinceOf(tenant: TenantState, slot: Slot): number {
  const { head } = tenant.scopes.get(slot.entry.row.scope_uuid) ?? { head: 0 };
  const before = [...tenant.redacted.values()].map(({ outSince }) => outSince.get(slot) ?? head);
  return Math.min(head, ...before);
}

const redactionOf = (request: ForgetRequest, counts: CopyCounts): Redaction => ({
  redaction_uuid: request.redaction,
  target_kind: request.kind,
  state: 'suppressed',
  principal: request.principal,
  on_behalf_of: request.on_behalf_of,
  suppressed_at: request.at,
  erase_after: request.erase_after,
  erased_at: null,
  brought_back_at: null,
  counts,
});

/**
 * By definition: a row is live, and a copy says what it said, while no redaction names it.
 * `touched` are the rows of which that may have changed.
 */
export function showWhatStands(store: Store, tenant: TenantState, touched: Iterable<Slot>): void {
  const all = [...tenant.redacted.values()];
  for (const slot of touched) {
    const { table, row } = slot.entry;
    if (row.status !== 'live' && row.status !== 'suppressed') continue;
    const status = all.some(({ slots }) => slots.has(slot)) ? 'suppressed' : 'live';
    slot.entry = toEntry(table, { ...row, status });
    slot.indexed = null;
    if (status === 'suppressed')
      for (const { vectors } of store.spaces.values()) vectors.get(tenant.tenant)?.delete(row.uuid);
  }
  for (const [uuid, said] of tenant.saidBefore) {
    const isNamed = all.some(({ receipts }) => receipts.has(uuid));
    tenant.receipts.set(uuid, isNamed ? maskedReceipt(said) : said);
    if (!isNamed) tenant.saidBefore.delete(uuid);
  }
  for (const { proposals } of all)
    for (const uuid of proposals.keys()) tenant.proposals.delete(uuid);
}

/** Of roots of which something goes, of sessions that go, and of whoever is named. */
function dropServed(
  tenant: TenantState,
  { kind, value }: Pick<ForgetRequest, 'kind' | 'value'>,
  slots: ReadonlySet<Slot>,
): void {
  const gone = new Set<string>(
    [...slots].flatMap(({ entry: { row } }) => [row.uuid, row.root_uuid]),
  );
  for (const [key, { principal, session_uuid: session, root_uuid: root }] of tenant.served)
    if (
      kind === 'tenant' ||
      ((kind === 'writer' || kind === 'person') && principal === value) ||
      gone.has(session) ||
      gone.has(root)
    )
      tenant.served.delete(key);
}

export const listRedactions = (
  store: Store,
  tenant: TenantId,
  { limit, id, due_by: dueBy }: RedactionQuery,
): readonly Redaction[] => {
  const named = [...(store.tenants.get(tenant)?.redactions ?? [])]
    .filter(({ redaction_uuid: uuid }) => id === undefined || uuid === id)
    .reverse();
  if (dueBy === undefined) return named.slice(0, limit);
  return named
    .filter(({ state, erase_after: after }) => state === 'suppressed' && after <= dueBy)
    .sort((a, b) => toEpochMs(a.erase_after) - toEpochMs(b.erase_after))
    .slice(0, limit);
};
