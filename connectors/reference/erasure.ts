/** Forgetting in memory: what the sealed functions of a database do, written a second time. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import { nothingNamed } from '../../src/ledger/refusals.ts';
import type { AnyRow } from '../../src/model/block.ts';
import {
  type CopyCounts,
  type ForgetRequest,
  NAMED_BY_WORDS,
  type Redaction,
} from '../../src/model/erasure.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import type { ProposedAction } from '../../src/model/proposal.ts';
import { appendAudit } from './audit.ts';
import { endMoved } from './lapse-proposals.ts';
import { derivedFrom } from './lineage.ts';
import {
  allSlots,
  type KeptProposal,
  type Slot,
  type Store,
  type TenantState,
  tenantOf,
} from './store.ts';
import { maskedReceipt, tombstonesOf } from './tombstones.ts';

/** What is asked for of a redaction. */
export type Target = Pick<ForgetRequest, 'kind' | 'value' | 'scopes'>;

const WHOLE: ReadonlySet<string> = new Set(['root', 'block', 'scope', 'tenant']);

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
  const texts = tombstonesOf(tenant, slots);
  tenant.redacted.set(request.redaction, { slots, receipts, reasons, proposals, texts });
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

export const notAnyMore = (why: string): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message: `What it named ${why}.`,
    fix: 'Forget it again, if it is to be erased.',
  });

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

/**
 * What is named, what was derived from it, what stands below it, and its links. Grows as walked.
 */
export function namedSlots(tenant: TenantState, request: Target): ReadonlySet<Slot> {
  const all = [...tenant.scopes.values()].flatMap((scope) => allSlots(scope));
  const open = all.filter(({ entry }) => entry.row.status !== 'erased');
  const named = new Set<Slot>(
    open.filter(
      (slot) => isHeld(request.scopes, slot.entry.row.scope_uuid) && isNamed(slot, request, tenant),
    ),
  );
  for (const slot of named)
    for (const next of fallingWith(slot, open, { request, tenant })) named.add(next);
  return named;
}

function fallingWith(
  slot: Slot,
  open: readonly Slot[],
  { request, tenant }: { readonly request: Target; readonly tenant: TenantState },
): readonly Slot[] {
  const { entry } = slot;
  const { uuid, root_uuid: root } = entry.row;
  if (entry.table === 'context_links') return [];
  const isWhole = request.kind !== 'version' || uuid !== request.value;
  const derived = new Set(derivedFrom(tenant, slot));
  const isScope = entry.table === 'blocks' && entry.row.is_scope && WHOLE.has(request.kind);
  const isTree = request.kind === 'block' || request.kind === 'scope' || request.kind === 'tenant';
  return open.filter((other) => {
    const { table, row } = other.entry;
    if (derived.has(other)) return true;
    if (isScope && row.scope_uuid === root) return true;
    if (isTree && entry.table === 'blocks' && table === 'blocks' && row.parent_uuid === uuid)
      return true;
    if (table !== 'context_links' || (row.from_uuid !== uuid && row.to_uuid !== uuid)) return false;
    return isWhole || (row.link_type === 'derived_from' && row.to_uuid === uuid);
  });
}

function isNamed({ entry }: Slot, { kind, value }: Target, tenant: TenantState): boolean {
  const { table, row } = entry;
  // A scope is not named by what it says or who made it.
  if (NAMED_BY_WORDS.has(kind) && table === 'blocks' && row.is_scope) return false;
  const isAuthor = (): boolean => 'author' in row && row.author === value;
  const isSubject = (): boolean => 'subject' in row && row.subject === value;
  const isWriter = (): boolean =>
    tenant.scopes
      .get(row.scope_uuid)
      ?.journal.some(
        (told) =>
          told.uuid === row.uuid && (told.principal === value || told.on_behalf_of === value),
      ) ?? false;
  switch (kind) {
    case 'version':
      return row.uuid === value;
    case 'root':
      return row.root_uuid === value;
    case 'block':
      return table === 'blocks' && row.root_uuid === value;
    case 'scope':
      return row.scope_uuid === value;
    case 'tenant':
      return true;
    case 'author':
      return isAuthor();
    case 'subject':
      return isSubject();
    case 'writer':
      return isWriter();
    case 'person':
      return isAuthor() || isSubject() || isWriter();
    case 'text':
      return saysText(wordsOf(row), value);
  }
}

/** What people wrote: not the names of columns, states, ids or times. */
const wordsOf = (row: AnyRow['row']): unknown =>
  'is_scope' in row
    ? [row.content, row.title, row.author, row.tags, row.metadata]
    : 'category' in row
      ? [row.content, row.subject, row.category, row.tags, row.metadata]
      : 'collection' in row
        ? [row.subject, row.value, JSON.stringify(row.value)]
        : 'content' in row
          ? [row.content]
          : [row.metadata];

const TIME_OR_ID = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Whether a string of the value says it, in either case. */
export function saysText(said: unknown, text: string): boolean {
  if (typeof said === 'string')
    return !TIME_OR_ID.test(said) && said.toLowerCase().includes(text.toLowerCase());
  if (typeof said !== 'object' || said === null) return false;
  return Object.values(said).some((inner) => saysText(inner, text));
}

/** Of an operation that is proposed, what somebody wrote. */
function wordsOfOperation(operation: ProposedAction['operations'][number]): unknown {
  const reason = 'reason' in operation ? operation.reason : null;
  if (!('content' in operation) || typeof operation.content !== 'object') return [reason];
  const said: Readonly<Record<string, unknown>> = { ...operation.content };
  return [
    reason,
    ...['content', 'title', 'author', 'subject', 'category', 'tags', 'value', 'metadata'].map(
      (field) => said[field],
    ),
  ];
}

const contentOf = ({ row }: AnyRow): readonly string[] =>
  'content' in row && row.content !== '' ? [row.content] : [];

export const isHeld = (scopes: ForgetRequest['scopes'], scope: Uuid): boolean =>
  scopes?.includes(scope) ?? true;

export function namedReceipts(
  tenant: TenantState,
  { kind, value, scopes }: Target,
  slots: ReadonlySet<Slot>,
): readonly Uuid[] {
  const uuids = new Set<string>([...slots].map(({ entry }) => entry.row.uuid));
  const texts = new Set([...slots].flatMap(({ entry }) => contentOf(entry)));
  const isWriter = kind === 'writer' || kind === 'person';
  // One that was masked is judged by what it said, as long as that is kept.
  return [...tenant.receipts]
    .map(([uuid, receipt]) => tenant.saidBefore.get(uuid) ?? receipt)
    .filter(
      (receipt) =>
        kind === 'tenant' ||
        uuids.has(receipt.scope_uuid) ||
        (isHeld(scopes, receipt.scope_uuid) &&
          isWriter &&
          [receipt.request.principal, receipt.request.on_behalf_of].includes(value)) ||
        texts.has(receipt.request.query) ||
        receipt.items.some(({ uuid }) => uuid !== null && uuids.has(uuid)) ||
        (kind === 'text' &&
          isHeld(scopes, receipt.scope_uuid) &&
          saysText([receipt.request.query, receipt.request.inputs], value)),
    )
    .map(({ composition_id: id }) => id);
}

const namedReasons = (
  tenant: TenantState,
  { kind, value, scopes }: ForgetRequest,
): ReadonlySet<Uuid> =>
  new Set(
    [...tenant.scopes.values()]
      .flatMap(({ uuid, journal }) => (kind === 'text' && isHeld(scopes, uuid) ? journal : []))
      .filter(({ reason }) => saysText(reason, value))
      .map(({ operation_id: id }) => id),
  );

export function namedProposals(
  tenant: TenantState,
  { kind, value, scopes }: Target,
  slots: ReadonlySet<Slot>,
): ReadonlyMap<Uuid, KeptProposal> {
  const uuids = [...slots].map(({ entry }) => entry.row.uuid);
  const isWriter = kind === 'writer' || kind === 'person';
  const known = [...tenant.redacted.values()].flatMap(({ proposals }) => [...proposals]);
  return new Map(
    [...known, ...tenant.proposals].filter(
      ([
        ,
        {
          proposal: { action, target },
        },
      ]) => {
        const said = JSON.stringify(action.operations);
        if (kind === 'tenant' || uuids.some((uuid) => said.includes(uuid))) return true;
        if (!action.scopes.every((scope) => isHeld(scopes, scope))) return false;
        if (target !== null && (scopes === null || action.scopes.length > 0))
          return kind === 'text' ? saysText(target, value) : target === value;
        return (
          (isWriter && (action.proposer === value || action.on_behalf_of === value)) ||
          (kind === 'text' &&
            action.operations.some((each) => saysText(wordsOfOperation(each), value)))
        );
      },
    ),
  );
}

export const listRedactions = (
  store: Store,
  tenant: TenantId,
  { limit, id }: { readonly limit: number; readonly id?: Uuid },
): readonly Redaction[] =>
  [...(store.tenants.get(tenant)?.redactions ?? [])]
    .filter(({ redaction_uuid: uuid }) => id === undefined || uuid === id)
    .reverse()
    .slice(0, limit);
