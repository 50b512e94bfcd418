/**
 * What waits for a review already. A statement that corrects one of capture's own proposals takes
 * its place, and one that tells what became of it since is proposed together with it: a reviewer
 * who met both would decide by the order of their answers which one holds.
 */
import type { Authority } from '../../cxri/authority.ts';
import { isSlotted, SLOT, type SlottedOperation, slotOf } from '../../model/fact-slot.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import { type Operation, rootOf } from '../../model/operation.ts';
import type { Grant, PermissionProfile } from '../../model/permission.ts';
import type { Proposal } from '../../model/proposal.ts';
import { isSameText } from '../compare/likeness.ts';
import type { Slot } from '../slots/slot.ts';
import type { FactCandidate, KnownFact, PlannedWrite } from '../state.ts';

type OfFacts = Extract<Operation, { table: 'memory_open_set' }>;
type FactOperation = Extract<OfFacts, { content: unknown }>;

export interface WaitingFact {
  readonly proposal: Uuid;
  /** Of one root, in order. */
  readonly operations: readonly OfFacts[];
}
export interface WaitingFacts {
  /** By scope, of all who propose. */
  readonly texts: ReadonlyMap<Uuid, readonly string[]>;
  /** Facts of slots, of all who propose. */
  readonly slotted: readonly SlottedOperation[];
  /** Of the proposer, the newest first. */
  readonly own: readonly WaitingFact[];
}
export const WAITS = 'waits for a review already';
export const NOTHING_WAITS: WaitingFacts = { texts: new Map(), slotted: [], own: [] };

/** As many as are listed at once; beyond them a reviewer has other worries. */
const MOST_WAITING = 1000;

export async function readWaiting(
  {
    grant,
    proposer,
    now,
    gone,
  }: {
    readonly grant: Grant;
    readonly proposer: PermissionProfile;
    readonly now: Instant;
    /** Proposals that the batch itself withdraws. */
    readonly gone: ReadonlySet<Uuid>;
  },
  authority: Pick<Authority, 'listProposals'>,
): Promise<WaitingFacts> {
  const asked = { state: 'pending', limit: MOST_WAITING } as const;
  const listed = await authority.listProposals(grant.tenant, asked, grant.scopes);
  const proposals = listed.filter(({ proposal_uuid: uuid }) => !gone.has(uuid));
  const texts = new Map<Uuid, string[]>();
  const own: WaitingFact[] = [];
  for (const { proposal_uuid: proposal, action } of proposals) {
    const facts = action.operations.filter(isFact);
    for (const { scope, content } of facts)
      texts.set(scope, [...(texts.get(scope) ?? []), content.content]);
    const operations = action.operations.filter(isOfFacts);
    const isWhole = operations.length === action.operations.length;
    const roots = new Set(operations.map(rootOf));
    if (isProposedBy(proposer, action) && isWhole && roots.size === 1 && action.expires_at > now)
      own.push({ proposal, operations });
  }
  const slotted = proposals.flatMap(({ action }) => action.operations.filter(isSlotted));
  return { texts, slotted, own };
}

/**
 * Whether something waits that would end what holds since `from`, had its approval not to leave
 * alone what is said at `at`.
 */
export const waitsBetween = (
  {
    target: scope,
    subject,
    slot,
  }: { readonly target: Uuid; readonly subject: string } & {
    readonly slot: Slot;
  },
  [from, at]: readonly [Instant, Instant],
  waits: readonly Operation[],
): boolean =>
  waits.some((operation) => {
    if (!isSlotted(operation)) return false;
    const { scope: in_, subject: of, name } = slotOf(operation);
    const isSame = in_ === scope && of === subject && name === slot.name;
    return isSame && from < operation.valid_from && operation.valid_from <= at;
  });

/** Who alone may withdraw it. */
export const isProposedBy = (
  { principal, on_behalf_of: onBehalfOf }: PermissionProfile,
  action: Proposal['action'],
): boolean =>
  action.proposer === principal && action.on_behalf_of === (onBehalfOf?.principal ?? null);

const isOfFacts = (operation: Operation): operation is OfFacts =>
  'table' in operation && operation.table === 'memory_open_set';
export const isFact = (operation: Operation): operation is FactOperation =>
  'content' in operation && operation.table === 'memory_open_set';

/** Whether both are said of the same slot of the same subject. */
const isOfSameSlot = (said: Operation, meant: Operation): boolean =>
  isFact(said) &&
  isFact(meant) &&
  meant.scope === said.scope &&
  meant.content.subject === said.content.subject &&
  said.content.metadata?.[SLOT] !== undefined &&
  meant.content.metadata?.[SLOT] === said.content.metadata[SLOT];

/** Whether a correction is of what would be written: of its slot, or of its root by its words. */
export const isMeant = (said: Operation, meant: Operation): boolean =>
  isOfSameSlot(said, meant) ||
  (said.operation === 'UPDATE' &&
    said.cause === 'correction' &&
    isFact(meant) &&
    rootOf(said) === rootOf(meant));

/**
 * Whether a correction is of a statement that waits: it waits in its place, or that one would
 * hold once it is approved.
 */
export function correctsWaiting(
  { isCorrection, slot, subject, valid_from }: FactCandidate,
  writes: readonly PlannedWrite[],
  { own }: Pick<WaitingFacts, 'own'>,
): boolean {
  if (!isCorrection || slot === null) return false;
  const planned = writes.flatMap(({ operation, isDirect }) => (isDirect ? [] : [operation]));
  return [...planned, ...own.flatMap(({ operations }) => operations)].some((operation) => {
    if (!isSlotted(operation) || operation.valid_from !== valid_from) return false;
    const { subject: of, name } = slotOf(operation);
    return of === subject && name === slot.name;
  });
}

/** By an earlier capture, or by this one. */
export function waitsAlready(
  { content }: FactCandidate,
  { target, writes }: { readonly target: Uuid; readonly writes: readonly PlannedWrite[] },
  { texts }: Pick<WaitingFacts, 'texts'>,
): boolean {
  const isSaid = (text: string): boolean => isSameText(text, content);
  return (
    (texts.get(target) ?? []).some(isSaid) ||
    writes.some(
      ({ operation, isDirect }) =>
        !isDirect &&
        isFact(operation) &&
        operation.scope === target &&
        isSaid(operation.content.content),
    )
  );
}

/** The facts of a scope as they will be once all that waits is approved. */
export function withWaiting(
  stored: readonly KnownFact[],
  writes: readonly PlannedWrite[],
  { target, own }: { readonly target: Uuid } & Pick<WaitingFacts, 'own'>,
): readonly KnownFact[] {
  const planned = writes.flatMap(({ operation, isDirect }) => (isDirect ? [] : [operation]));
  const waits = [...own.toReversed().flatMap(({ operations }) => operations), ...planned];
  const last = new Map<Uuid, OfFacts>();
  for (const operation of waits.filter(isOfFacts)) {
    const root = rootOf(operation);
    if (root === null || operation.scope !== target) continue;
    // The newest comes first.
    last.delete(root);
    last.set(root, operation);
  }
  if (last.size === 0) return stored;
  const ahead = [...last].toReversed().flatMap(([root, operation]) => factOf(operation, root));
  return [...ahead, ...stored.filter((fact) => !last.has(fact.root_uuid))];
}

function factOf(operation: OfFacts, root_uuid: Uuid): readonly KnownFact[] {
  if (!isFact(operation)) return [];
  const { uuid, scope: scope_uuid, content, valid_from = null, valid_until = null } = operation;
  if (valid_from === null) return [];
  const { content: text, subject, importance, metadata, provenance, class: memory } = content;
  const said = {
    content: text,
    subject,
    importance,
    metadata,
    provenance,
    class: memory,
    valid_from,
    valid_until,
  };
  return [{ ...said, uuid, root_uuid, scope_uuid }];
}

/** The correction does what the words that it corrects were going to do, with its own content. */
export function inPlaceOf(meant: Operation, said: PlannedWrite): PlannedWrite {
  if (!isFact(meant) || !isFact(said.operation)) return said;
  const { idempotency_key = '', uuid, content, sources = [] } = said.operation;
  const own = { idempotency_key, uuid, content, sources };
  return { ...said, operation: { ...meant, ...own } };
}

/** In the place of the proposal that it corrects or goes on with; itself where none is meant. */
export function besideWaiting(
  said: PlannedWrite,
  { isCorrection }: { readonly isCorrection: boolean },
  own: WaitingFacts['own'],
): PlannedWrite {
  const { operation } = said;
  if (isCorrection) {
    for (const { proposal, operations } of own) {
      const meant = operations.at(-1);
      const root = meant && rootOf(meant);
      if (!root || !isMeant(operation, meant)) continue;
      const before = operations.slice(0, -1).map(proposedBefore);
      return { ...inPlaceOf(meant, said), instead: { proposal, root, before } };
    }
  }
  const root = rootOf(operation);
  const found = own.find(({ operations: [first] }) => first && rootOf(first) === root);
  if (!found || root === null) return said;
  const { proposal, operations } = found;
  const before = operations.map(proposedBefore);
  return { ...said, instead: { proposal, root, before, isLater: true } };
}

/** It was judged against less than what is known when it is proposed again. */
const proposedBefore = (operation: OfFacts): OfFacts =>
  isSlotted(operation) ? { ...operation, yields: true } : operation;
