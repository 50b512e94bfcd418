/** What a redaction names and reaches: rows, questions, reasons and proposals. */

import type { AnyRow } from '../../src/model/block.ts';
import { type ForgetRequest, NAMED_BY_WORDS } from '../../src/model/erasure.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { ProposedAction } from '../../src/model/proposal.ts';
import { comparableName, comparableText } from '../../src/text/visible-text.ts';
import { sha256 } from './ids.ts';
import { derivedFrom } from './lineage.ts';
import { allSlots, type KeptProposal, type Slot, type TenantState } from './store.ts';

/** What is asked for of a redaction. */
export type Target = Pick<ForgetRequest, 'kind' | 'value' | 'scopes'>;

const WHOLE: ReadonlySet<string> = new Set(['root', 'block', 'scope', 'tenant']);

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
  const isAuthor = (): boolean => 'author' in row && isName(row.author, value);
  const isSubject = (): boolean => 'subject' in row && isName(row.subject, value);
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

const isName = (name: string | null, named: string): boolean =>
  name !== null && comparableName(name) === comparableName(named);

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

/** Whether a string of the value says it, as a reader compares the two. */
export function saysText(said: unknown, text: string): boolean {
  const looked = comparableText(text);
  if (looked === '') return false;
  if (typeof said === 'string')
    return !TIME_OR_ID.test(said) && comparableText(said).includes(looked);
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

/** Of an operation that is proposed, whether the author or the subject is named. */
function isOfPerson(
  operation: ProposedAction['operations'][number],
  { kind, value }: Pick<Target, 'kind' | 'value'>,
): boolean {
  if (!('content' in operation) || typeof operation.content !== 'object') return false;
  const { author, subject }: Readonly<Record<string, unknown>> = { ...operation.content };
  return [
    ...(kind === 'author' || kind === 'person' ? [author] : []),
    ...(kind === 'subject' || kind === 'person' ? [subject] : []),
  ].some((name) => typeof name === 'string' && isName(name, value));
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

export const namedReasons = (
  tenant: TenantState,
  { kind, value, scopes }: Target,
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
          action.operations.some((each) => isOfPerson(each, { kind, value })) ||
          (kind === 'text' &&
            action.operations.some((each) => saysText(wordsOfOperation(each), value)))
        );
      },
    ),
  );
}

/** The live rows in the scopes that are asked for. */
export const reachedRows = (tenant: TenantState, target: Target): readonly Slot[] =>
  [...namedSlots(tenant, target)].filter(
    ({ entry: { row } }) => row.status === 'live' && isHeld(target.scopes, row.scope_uuid),
  );

export const reachDigest = (tenant: TenantState, target: Target): string =>
  digestOf(reachedRows(tenant, target));

export const digestOf = (slots: Iterable<Slot>): string =>
  sha256(
    [...slots]
      .map(({ entry }) => entry.row.uuid)
      .sort()
      .join(),
  );
