/**
 * Where a fact of a slot falls among the believed facts of that slot, whichever roots these are of:
 * a statement was judged before others of the same slot were written or approved. What is known to
 * hold later stays; the fact is then true until that begins. Pure.
 *
 * Invariant: of a slot of one value no two are believed of the same instant
 * (test/property/slot-orders.test.ts).
 */
import type { AnyRow, FactRow } from '../model/block.ts';
import { isSlotted, SLOT_VALUE, type SlottedOperation } from '../model/fact-slot.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import {
  type DeleteOperation,
  type Operation,
  rootOf,
  type UpdateOperation,
} from '../model/operation.ts';
import { nextOf } from './placing.ts';

export interface SlotReading {
  /** Of the write, in order. */
  readonly operations: readonly Operation[];
  /** Of the slot, live and not retired. */
  readonly believed: (operation: SlottedOperation) => readonly AnyRow[];
  /** All versions. */
  readonly rootRows: (root: Uuid) => readonly AnyRow[];
  /** Instants from which on the version was said again. */
  readonly saidAgain: (row: FactRow) => readonly Instant[];
  readonly moved: Map<Uuid, Moved>;
}

/** Where the facts of a root went that the operations so far were to make. */
export interface Moved {
  readonly root: Uuid;
  /** An end that the same write gives to them is theirs already. */
  readonly isEnded: boolean;
}

export type SlotPlacement =
  | { readonly kind: 'goes'; readonly operation: Operation }
  /** A version says the same of all that time. */
  | { readonly kind: 'known'; readonly uuid: Uuid; readonly root: Uuid }
  /** Another value holds from that instant on. */
  | { readonly kind: 'yields'; readonly root: Uuid };

/** The operation as it is carried out. */
export function placeInSlot(given: Operation, reading: SlotReading): SlotPlacement {
  if (given.operation === 'DELETE') return goes(endInSlot(given, reading));
  if (!isSlotted(given)) return goes(given);
  const judged = judgedRoot(given, reading);
  const operation = asTold(given, judged, reading);
  const isCorrection = operation.operation === 'UPDATE' && operation.cause === 'correction';
  // It takes the interval of what it corrects, and no more.
  if (judged !== null && isCorrection) return goes(operation);
  const peers = peersOf(operation, judged, reading);
  const { valid_from: from } = operation;
  const root = operation.operation === 'UPDATE' ? operation.root_uuid : operation.uuid;
  const end = endOf(root, operation, reading);
  const isSame = (row: FactRow): boolean => isSameValue(operation, row);
  const next = nextOf(peers, { from, isSame, saidAgain: reading.saidAgain });
  const until = earliest(operation.valid_until ?? end, next);
  const holding = peers.filter((row) => holdsAt(row, from)).sort(latestFirst);
  const holder = holding.find((row) => row.root_uuid === judged) ?? holding[0];
  const isKnown = holder && isSame(holder) && coversTo(holder, until);
  // What its own root says already is said again on purpose.
  if (isKnown && holder.root_uuid !== judged) {
    const isEnded = end !== null && nextStart(peers, end) !== null;
    reading.moved.set(root, { root: holder.root_uuid, isEnded });
    return { kind: 'known', uuid: holder.uuid, root: holder.root_uuid };
  }
  if (holder && !isCorrection && yieldsTo(holder, operation, reading))
    return { kind: 'yields', root: holder.root_uuid };
  const of = (holder ?? firstAfter(peers, from))?.root_uuid ?? judged;
  if (of === null) return goes(asFirst(operation));
  // Where nothing is known of later, the end that follows in the write ends it: with a bound of its
  // own, what held before it would be back from then on.
  const isOpen = next === null && (operation.valid_until ?? null) === null;
  if (of !== root) reading.moved.set(root, { root: of, isEnded: end !== null && !isOpen });
  // Of another root it was not judged against any version.
  const placed = of === root ? operation : withoutVersion(operation);
  const cause = isCorrection && holder ? 'correction' : 'change';
  return goes(asChange(placed, { root_uuid: of, cause, until: isOpen ? null : until }));
}

/**
 * `I moved to Lyon on the 5th`, told on the 12th by who said on the 10th that they live in Graz:
 * from the 12th on. What is told last is what holds now.
 */
function asTold(
  operation: SlottedOperation,
  judged: Uuid | null,
  reading: SlotReading,
): SlottedOperation {
  const { told_at: told, valid_from: from } = operation;
  const isCorrection = operation.operation === 'UPDATE' && operation.cause === 'correction';
  if (told === undefined || told <= from || isCorrection) return operation;
  const isSaidSince = peersOf(operation, judged, reading).some(
    (row) =>
      !isSameValue(operation, row) &&
      reading.saidAgain(row).some((at) => from < at && at <= told && holdsAt(row, at)),
  );
  return isSaidSince ? { ...operation, valid_from: told } : operation;
}

/** Of a version that was there when it was judged; null = it begins one, or that is not there. */
const judgedRoot = (operation: SlottedOperation, { rootRows }: SlotReading): Uuid | null =>
  operation.operation === 'UPDATE' && rootRows(operation.root_uuid).length > 0
    ? operation.root_uuid
    : null;

/** What it takes its place among: of the slot, and of the root whose slot had another name. */
function peersOf(
  operation: SlottedOperation,
  judged: Uuid | null,
  { believed, rootRows }: SlotReading,
): readonly FactRow[] {
  const inSlot = believed(operation).flatMap(factIn);
  const own = judged === null ? [] : rootRows(judged).flatMap(factIn).filter(isStanding);
  const beside = inSlot.filter((row) => row.root_uuid !== judged);
  const isOne = operation.in_slot === 'one';
  return [...own, ...beside.filter((row) => isOne || isSameValue(operation, row))];
}

/** To another value of the same instant, which it was not judged against. */
const yieldsTo = (
  holder: FactRow,
  operation: SlottedOperation,
  { operations }: SlotReading,
): boolean =>
  operation.yields === true &&
  holder.valid_from === operation.valid_from &&
  !operations.some((each) => 'uuid' in each && each.uuid === holder.uuid);

const goes = (operation: Operation): SlotPlacement => ({ kind: 'goes', operation });

const factIn = (entry: AnyRow): readonly FactRow[] =>
  entry.table === 'memory_open_set' ? [entry.row] : [];
const isStanding = ({ retired_seq: gone, status }: FactRow): boolean =>
  gone === null && status === 'live';

function asFirst(operation: SlottedOperation): Operation {
  if (operation.operation === 'ADD') return operation;
  const { root_uuid: _root, cause: _cause, expected_version: _version, ...version } = operation;
  return { ...version, operation: 'ADD' };
}

function withoutVersion<O extends SlottedOperation | DeleteOperation>(operation: O): O {
  if (operation.operation === 'ADD' || operation.expected_version === undefined) return operation;
  const { expected_version: _version, ...unjudged } = operation;
  // The same operation: the version is optional.
  return unjudged as O;
}

/** Of its receipt: why it is not what holds now. */
const PAST = 'holds until the next value of its slot that is known';

function asChange(
  { operation: _kind, valid_until: _until, ...version }: SlottedOperation,
  to: Pick<UpdateOperation, 'root_uuid' | 'cause'> & { readonly until: Instant | null },
): Operation {
  const { until, ...of } = to;
  if (until === null || of.cause === 'correction')
    return { ...version, ...of, operation: 'UPDATE' };
  const { reason = PAST } = version;
  return { ...version, ...of, valid_until: until, reason, operation: 'UPDATE' };
}

/** It ends the fact that it was meant for, and not what is known to hold later. */
function endInSlot(operation: DeleteOperation, { moved }: SlotReading): Operation {
  const went = moved.get(operation.root_uuid);
  if (went === undefined) return operation;
  if (!went.isEnded) return { ...withoutVersion(operation), root_uuid: went.root };
  const { scope, idempotency_key: key, reason = 'ended' } = operation;
  return { operation: 'NOOP', scope, reason, ...(key !== undefined && { idempotency_key: key }) };
}

/** The end that the same write gives to what it says of the root. */
function endOf(
  root: Uuid,
  operation: SlottedOperation,
  { operations }: SlotReading,
): Instant | null {
  const own = operations.filter((each) => rootOf(each) === root);
  const at = own.findIndex((each) => 'uuid' in each && each.uuid === operation.uuid);
  const next = own[at + 1];
  const isEnd = next?.operation === 'DELETE' && next.cause === 'change';
  return isEnd && next.valid_from > operation.valid_from ? next.valid_from : null;
}

const isSameValue = ({ content }: SlottedOperation, { metadata }: FactRow): boolean =>
  content.metadata?.[SLOT_VALUE] === metadata[SLOT_VALUE];
const holdsAt = ({ valid_from, valid_until }: FactRow, at: Instant): boolean =>
  valid_from <= at && (valid_until === null || at < valid_until);
const coversTo = ({ valid_until }: FactRow, until: Instant | null): boolean =>
  valid_until === null || (until !== null && until <= valid_until);

const latestFirst = (a: FactRow, b: FactRow): number =>
  compare(b.valid_from, a.valid_from) || compare(a.uuid, b.uuid);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const firstAfter = (rows: readonly FactRow[], from: Instant): FactRow | undefined =>
  rows
    .filter(({ valid_from }) => valid_from > from)
    .sort(latestFirst)
    .at(-1);
const nextStart = (rows: readonly FactRow[], from: Instant): Instant | null =>
  firstAfter(rows, from)?.valid_from ?? null;
const earliest = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b;
