/**
 * What taking an operation back does to the rows: what it brought is retired, what it closed or
 * retired comes back as a copy over the same time. Pure; what was withdrawn because of it comes
 * back by lineage, in the connector.
 *
 * A row that came back by an earlier undo stands for the one that it is a copy of. Where neither
 * stands as the operation left it, a later operation built on it, and the undo is refused.
 */
import type { AnyRow, Cause } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { JournalRecord } from '../model/journal.ts';
import type { UndoEffect } from '../model/undo.ts';
import { WITHDRAWING } from './withdrawal.ts';

export interface Undoing {
  readonly retire: readonly { readonly uuid: Uuid; readonly cause: Cause }[];
  readonly append: readonly Returned[];
  /** Sequence numbers of the scope at which something was built on the operation. */
  readonly builtAt: readonly number[];
}
export interface Returned {
  readonly copy_of: Uuid;
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
}

type Row = AnyRow['row'];

/** `rows`: every version of the roots and keys that the operation at `seq` touched. */
export function placeUndo(
  rows: readonly AnyRow[],
  { seq, operation }: Pick<JournalRecord, 'seq' | 'operation'>,
): Undoing {
  const live = rows.filter(({ row }) => row.status === 'live').map(({ row }) => row);
  const isForgotten =
    (operation === 'ADD' || operation === 'UPDATE') &&
    !live.some((row) => row.recorded_seq === seq && row.recut_of === null);
  const retire: { uuid: Uuid; cause: Cause }[] = [];
  const append: Returned[] = [];
  const builtAt = new Set<number>();
  const take = (row: Row, cause: Cause): Row | null => {
    const standing = standingFor(row, live, seq);
    if (standing) retire.push({ uuid: standing.uuid, cause });
    else builtAt.add(lastChangeOf(row, live));
    return standing;
  };
  const going = new Set(
    live.flatMap((row) =>
      row.recorded_seq === seq ? (standingFor(row, live, seq)?.uuid ?? []) : [],
    ),
  );
  const staying = rows.filter(({ row }) => !going.has(row.uuid));
  for (const row of live) {
    const { valid_from } = row;
    if (row.recorded_seq === seq) take(row, causeFor(row, live));
    else if (row.closed_seq === seq) {
      const next = isForgotten ? nextOf(row, row.valid_until, staying) : null;
      // Where the next one begins at once, it has ended all the same.
      if (next !== null && next === row.valid_until) continue;
      const standing = take(row, 'change');
      if (standing) append.push({ copy_of: standing.uuid, valid_from, valid_until: next });
    } else if (row.retired_seq === seq && row.cause !== 'cascade') {
      const next = isForgotten ? nextOf(row, valid_from, staying) : null;
      const valid_until = earlier(row.valid_until, next);
      if (next !== valid_from) append.push({ copy_of: row.uuid, valid_from, valid_until });
    }
  }
  if (isForgotten)
    for (const item of goingOn({ live, staying, retire, append })) {
      retire.push({ uuid: item.copy_of, cause: 'change' });
      append.push(item);
    }
  const retired = new Set(retire.map(({ uuid }) => uuid));
  const kept = rows.filter(({ row }) => isBelieved(row) && !retired.has(row.uuid));
  for (const item of append)
    for (const { row } of overlapping(rows, kept, item)) builtAt.add(row.recorded_seq);
  return { retire, append, builtAt: [...builtAt].sort((a, b) => a - b) };
}

/**
 * What brought the end was forgotten, and what was said after it stands: that ends the row, from
 * where it begins. null = nothing does.
 */
function nextOf(row: Row, end: Instant | null, rows: readonly AnyRow[]): Instant | null {
  if (end === null) return null;
  const own = rows.find((entry) => entry.row.uuid === row.uuid);
  const later = rows.flatMap((other) =>
    own && isBelieved(other.row) && isPeer(own, other) && other.row.valid_from >= end
      ? [other.row.valid_from]
      : [],
  );
  return later.sort()[0] ?? null;
}

interface Held {
  readonly live: readonly Row[];
  readonly staying: readonly AnyRow[];
  readonly retire: Undoing['retire'];
  readonly append: readonly Returned[];
}

/**
 * What came back up to where the next one begins, of which nothing is in sight any more: it goes on
 * up to the one behind that, or to its own end.
 */
function goingOn({ live, staying, retire, append }: Held): readonly Returned[] {
  const taken = new Set(retire.map(({ uuid }) => uuid));
  return staying.flatMap((entry) => {
    const { uuid, valid_from, valid_until: end } = entry.row;
    const isOver = !isBelieved(entry.row) || taken.has(uuid) || !isEndedByNext(entry.row, live);
    if (end === null || isOver) return [];
    const peers = staying.filter((other) => isPeer(entry, other));
    if (peers.some(({ row }) => row.status === 'live' && row.valid_from === end)) return [];
    const coming = append.flatMap(({ copy_of: of, valid_from: from }) =>
      from >= end && peers.some(({ row }) => row.uuid === of) ? [from] : [],
    );
    const next = [nextOf(entry.row, end, staying), ...coming].reduce(earlier);
    const until = earlier(ownEnd(entry.row, live), next);
    return until === end ? [] : [{ copy_of: uuid, valid_from, valid_until: until }];
  });
}

const wholeOf = ({ recut_of: whole }: Row, live: readonly Row[]): Row | undefined =>
  live.find(({ uuid }) => uuid === whole);

/** A copy by an undo that ends elsewhere than its whole did, or what is out of sight closed it. */
function isEndedByNext(row: Row, live: readonly Row[]): boolean {
  if (row.closed_seq !== null) return isClosedUnseen(row, live);
  const { valid_until: end } = wholeOf(row, live) ?? row;
  return row.operation === 'UNDO' && row.valid_until !== null && row.valid_until !== end;
}

const isClosedUnseen = ({ superseded_by: next }: Row, live: readonly Row[]): boolean =>
  next !== null && !live.some(({ uuid }) => uuid === next);

/** The end that the row has where nothing follows on it. */
function ownEnd(row: Row, live: readonly Row[]): Instant | null {
  const whole = wholeOf(row, live);
  if (!isEndedByNext(row, live)) return row.valid_until;
  if (!whole || row.closed_seq !== null) return null;
  if (whole.closed_seq === null && isEndedByNext(whole, live)) return ownEnd(whole, live);
  // Of what the undo itself retired the end was taken back.
  return whole.retired_seq === row.recorded_seq ? null : whole.valid_until;
}

const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || (other !== null && other < one) ? other : one;

const isBelieved = (row: Row): boolean => row.retired_seq === null && row.status === 'live';

/** The end that a row had at a head. */
const endAt = (row: Row, head: number): Instant | null =>
  row.closed_seq !== null && row.closed_seq > head ? null : row.valid_until;

/** The believed version that has the content of the row over the time that it had at a head. */
function standingFor(row: Row, live: readonly Row[], head: number): Row | null {
  const until = endAt(row, head);
  const found = partsOf(row, live).find(
    (part) => isBelieved(part) && part.valid_from === row.valid_from && part.valid_until === until,
  );
  return found ?? null;
}

/** The version, and those that were cut from it. */
function partsOf(row: Row, live: readonly Row[]): readonly Row[] {
  const parts = new Set([row]);
  for (const { uuid } of parts)
    for (const other of live) if (other.recut_of === uuid) parts.add(other);
  return [...parts];
}

const lastChangeOf = (row: Row, live: readonly Row[]): number =>
  Math.max(...partsOf(row, live).flatMap((part) => [part.closed_seq ?? 0, part.retired_seq ?? 0]));

/** What is new was wrong; a copy is as wrong as what it is a copy of was found to be. */
function causeFor({ recut_of: whole }: Row, live: readonly Row[]): Cause {
  if (whole === null) return 'correction';
  const cut = live.find(({ uuid }) => uuid === whole);
  return WITHDRAWING.has(cut?.cause ?? null) ? 'correction' : 'change';
}

/** Those of `others` that say something else over some of the same time, of one root or key. */
export function overlapping(
  rows: readonly AnyRow[],
  others: readonly AnyRow[],
  item: Returned,
): readonly AnyRow[] {
  const own = rows.find(({ row }) => row.uuid === item.copy_of);
  return others.filter(
    (other) =>
      own !== undefined &&
      isPeer(own, other) &&
      isBefore(other.row.valid_from, item.valid_until) &&
      isBefore(item.valid_from, other.row.valid_until),
  );
}

function isPeer(one: AnyRow, other: AnyRow): boolean {
  if (one.row.root_uuid === other.row.root_uuid) return true;
  if (one.table !== 'memory_schema_typed' || other.table !== 'memory_schema_typed') return false;
  return (
    one.row.cardinality === 'one' &&
    other.row.cardinality === 'one' &&
    one.row.scope_uuid === other.row.scope_uuid &&
    one.row.subject === other.row.subject &&
    one.row.collection === other.row.collection &&
    one.row.property === other.row.property
  );
}

const isBefore = (at: Instant, end: Instant | null): boolean => end === null || at < end;

export function effectsOf(rows: readonly AnyRow[], undoing: Undoing): readonly UndoEffect[] {
  const byUuid = new Map(rows.map((entry) => [entry.row.uuid, entry]));
  const retired = new Set(undoing.retire.map(({ uuid }) => uuid));
  const effects = new Map<Uuid, UndoEffect>();
  for (const uuid of touchedBy(undoing)) {
    const entry = byUuid.get(uuid);
    if (!entry) continue;
    const root = entry.row.root_uuid;
    const versions = rows.filter(({ row }) => row.root_uuid === root && isBelieved(row));
    const comes = undoing.append.some(({ copy_of: of }) => byUuid.get(of)?.row.root_uuid === root);
    const is = comes || versions.some(({ row }) => !retired.has(row.uuid));
    effects.set(root, { entry, was: versions.length > 0, is });
  }
  return [...effects.values()];
}

/** Sorted; what `expected` of the operation is compared with. */
export const touchedBy = ({ retire, append }: Undoing): readonly Uuid[] =>
  [...new Set([...retire.map(({ uuid }) => uuid), ...append.map(({ copy_of: of }) => of)])].sort();

/** Roots of which nothing is left. */
export const endedRoots = (effects: readonly UndoEffect[]): readonly Uuid[] =>
  effects.flatMap(({ entry, was, is }) => (was && !is ? [entry.row.root_uuid] : []));
