/**
 * What each write did to the rows must be what such a write does: the history is gone through by
 * sequence number, and at each the rows that close, retire and come are compared with what
 * `placing.ts` says of the interval that the write speaks of.
 *
 * Causes are compared loosely, and a correction counts as a change over its interval: an export of
 * an earlier version, which chose another cause for the same effect, stays importable.
 */
import type { AnyRow, Cause } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { JournalRecord } from '../model/journal.ts';
import { Believed } from './believed.ts';
import { restoredHead } from './check-journal.ts';
import { checkReturned, returnedAt, undoProblem } from './check-undo.ts';
import { brokenHistory, type IndexedHistory } from './indexed-history.ts';
import {
  type BelievedVersion,
  type Placement,
  placeChange,
  placeCorrection,
  placeDelete,
} from './placing.ts';
import { isSameContent } from './same-content.ts';

/** What happened at one sequence number. Withdrawals are judged apart, by lineage. */
interface Step {
  readonly seq: number;
  readonly recorded: readonly AnyRow[];
  readonly closed: readonly AnyRow[];
  readonly retired: readonly AnyRow[];
  readonly believed: Believed;
  readonly history: IndexedHistory;
}

export function checkEffects(history: IndexedHistory, journal: readonly JournalRecord[]): void {
  const believed = new Believed();
  const restoredTo = restoredHead(journal, history.head);
  const brought = new Map<number, Uuid>();
  for (const seq of history.seqs()) {
    const retired = history.retiredAt(seq).filter(({ row }) => row.cause !== 'cascade');
    const returned = returnedAt(history, seq);
    checkReturned(returned, history, seq);
    const recorded = history.recordedAt(seq).filter((entry) => !returned.includes(entry));
    const step = { seq, recorded, closed: history.closedAt(seq), retired, believed, history };
    const main = seq <= restoredTo ? restored(step) : journaled(step, history.entriesAt(seq)[0]);
    if (main) brought.set(seq, main.row.uuid);
    const all = history.recordedAt(seq);
    believed.apply({ ...step, recorded: all, retired: history.retiredAt(seq) });
    const twice = believed.overlapAmong(all);
    if (twice) throw brokenHistory(`\`${twice}\` is believed twice at one time after \`${seq}\``);
  }
  for (const entry of history.rows) checkSuperseded(entry, brought);
}

/** `superseded_by` names what was brought when the version closed, else when it was retired. */
function checkSuperseded({ row }: AnyRow, brought: ReadonlyMap<number, Uuid>): void {
  const atClose = row.closed_seq === null ? undefined : brought.get(row.closed_seq);
  const isReplaced = row.retired_seq !== null && row.cause !== 'cascade';
  const atRetirement = isReplaced ? brought.get(row.retired_seq) : undefined;
  if (row.superseded_by !== (atClose ?? atRetirement ?? null))
    throw brokenHistory(`\`${row.uuid}\` is not superseded by \`${row.superseded_by}\``);
}

const broken = ({ seq }: Step, what: string): Error =>
  brokenHistory(`at \`${seq}\` ${what}`, 'rows');

/** The version that the write brought; null = none. */
function journaled(step: Step, entry: JournalRecord | undefined): AnyRow | null {
  if (!entry) throw broken(step, 'nothing was written');
  const { operation, outcome, uuid, root_uuid: root } = entry;
  const isEffective = outcome === 'stored' || outcome === 'superseded';
  if (operation === 'UNDO' && isEffective) return checkUndo(step, entry);
  const isIdle = operation === 'NOOP' || operation === 'CASCADE' || operation === 'RETURN';
  if (!isEffective || isIdle) return checkIdle(step);
  const main = step.recorded.find(({ row }) => row.uuid === uuid) ?? null;
  if (operation === 'DELETE') {
    if (uuid !== null || root === null || outcome !== 'stored')
      throw broken(step, 'a deletion brings a version, or is of nothing');
    checkDelete(step, root);
    return null;
  }
  if (main?.row.operation !== operation)
    throw broken(step, `no version came by the \`${operation}\``);
  checkBringing(step, main);
  const hasGivenWay = step.closed.length > 0 || step.retired.length > 0;
  if (hasGivenWay !== (outcome === 'superseded'))
    throw broken(step, `the outcome is \`${outcome}\``);
  return main;
}

/** It took back what its operation had done to the rows as they stood. */
function checkUndo(step: Step, entry: JournalRecord): null {
  const problem = undoProblem(step, entry);
  if (problem !== null) throw broken(step, problem);
  return null;
}

/** Without a journal the rows themselves say what was written. */
function restored(step: Step): AnyRow | null {
  const { recorded, closed, retired } = step;
  if (recorded.length === 0 || recorded.some(({ row }) => row.operation === 'DELETE')) {
    const [touched] = [...recorded, ...closed, ...retired];
    if (touched) checkDelete(step, touched.row.root_uuid);
    return null;
  }
  const failures: unknown[] = [];
  for (const candidate of recorded) {
    try {
      checkBringing(step, candidate);
      return candidate;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

function checkIdle(step: Step): null {
  if (step.recorded.length + step.closed.length + step.retired.length > 0)
    throw broken(step, 'rows changed, and nothing was written that changes rows');
  return null;
}

/** An ADD or UPDATE: its version, links to its sources, and what gave way to it. */
function checkBringing(step: Step, main: AnyRow): void {
  const { row } = main;
  if (row.recut_of !== null) throw broken(step, `\`${row.uuid}\` is new and cut from another`);
  const recuts = step.recorded.filter((entry) => entry !== main && !isSourceOf(entry, main));
  if (recuts.some((entry) => entry.row.operation !== row.operation))
    throw broken(step, `a row came by another operation than \`${row.uuid}\``);
  checkSourceOrder(step, step.recorded.length - 1 - recuts.length, main);
  const peers = peersOf(step, main);
  const until = endAsWritten(main);
  const isPlaced = row.operation === 'UPDATE' || isOfOneKey(main) || row.uuid !== row.root_uuid;
  const placement: Placement = isPlaced
    ? placeChange(peers, { uuid: row.uuid, from: row.valid_from, until })
    : {
        close: [],
        retire: [],
        append: [{ kind: 'new', valid_from: row.valid_from, valid_until: until }],
      };
  const problem = misplaced(step, { placement, recuts, main });
  const correction = isPlaced
    ? placeCorrection(peers, row.valid_from, { uuid: row.uuid, until })
    : null;
  // A correction that ends earlier leaves nothing of the version that was never so; a change leaves
  // the rest of it.
  const isCorrection =
    correction !== null && misplaced(step, { placement: correction, recuts, main }) === null;
  if (problem !== null && !isCorrection) throw broken(step, problem);
  checkCauses(step, ['change', 'merge', 'correction']);
}

const isOfOneKey = (entry: AnyRow): boolean =>
  entry.table === 'memory_schema_typed' && entry.row.cardinality === 'one';

/**
 * Whom the version takes its place among. An UPDATE: its root. A value of a key that holds one: the
 * key. Of a key that holds many, a value goes on with the root that says the same.
 */
function peersOf({ believed, history, seq }: Step, main: AnyRow): readonly BelievedVersion[] {
  const { uuid, root_uuid: root, operation } = main.row;
  if (operation === 'UPDATE') {
    const isKnown = history.versionsOf(root).some(({ row }) => row.recorded_seq < seq);
    if (!isKnown || uuid === root) throw brokenHistory(`\`${uuid}\` updates nothing`, 'root_uuid');
    return believed.ofRoot(root);
  }
  const ofKey = main.table === 'memory_schema_typed' ? believed.ofKeyOf(main) : [];
  const ofRoot = (peer: BelievedVersion): boolean =>
    history.byUuid.get(peer.uuid)?.row.root_uuid === root;
  const peers = isOfOneKey(main) ? ofKey : ofKey.filter((peer) => uuid !== root && ofRoot(peer));
  const saysTheSame = ({ uuid: of }: BelievedVersion): boolean =>
    isOfOneKey(main) || isSameValue(history.byUuid.get(of), main);
  const isOwnRoot = uuid === root || peers.some((peer) => ofRoot(peer) && saysTheSame(peer));
  if (!isOwnRoot) throw brokenHistory(`\`${uuid}\` is put under the root \`${root}\``, 'root_uuid');
  return peers;
}

const isSameValue = (one: AnyRow | undefined, other: AnyRow): boolean =>
  one?.table === 'memory_schema_typed' &&
  other.table === 'memory_schema_typed' &&
  JSON.stringify(one.row.value) === JSON.stringify(other.row.value);

/** A link that came with its row. */
const isSourceOf = (entry: AnyRow, main: AnyRow): boolean =>
  entry.table === 'context_links' &&
  entry.row.link_type === 'derived_from' &&
  entry.row.from_uuid === main.row.uuid &&
  entry.row.uuid === entry.row.root_uuid &&
  entry.row.operation === 'ADD' &&
  entry.row.valid_from === main.row.valid_from &&
  endAsWritten(entry) === null;

function checkSourceOrder(step: Step, count: number, main: AnyRow): void {
  const links = step.recorded.flatMap((entry) =>
    entry !== main && entry.table === 'context_links' && isSourceOf(entry, main) ? [entry.row] : [],
  );
  const ordinals = new Set(links.map(({ ordinal }) => ordinal));
  const targets = new Set(links.map((link) => `${link.to_uuid} ${link.from_seq} ${link.to_seq}`));
  const isDense = [...ordinals].every((ordinal) => ordinal >= 0 && ordinal < count);
  if (ordinals.size !== count || targets.size !== count || !isDense)
    throw broken(step, `the sources of \`${main.row.uuid}\` are not in order`);
}

/** From some instant on it is no more, or no version of it is believed any longer. */
function checkDelete(step: Step, root: Uuid): void {
  const { recorded, closed, retired, believed } = step;
  if (recorded.some(({ row }) => row.operation !== 'DELETE'))
    throw broken(step, 'a deletion brings a version');
  const all = believed.ofRoot(root);
  const causes = new Set(retired.map(({ row }) => row.cause));
  const isWhole = closed.length === 0 && recorded.length === 0 && causes.size <= 1;
  if (isWhole && !causes.has('change') && retired.length === all.length && !causes.has('merge')) {
    checkPlacement(step, { placement: placeDelete(all, 'prune', FIRST_INSTANT), recuts: [] });
    checkCauses(step, ['correction', 'prune']);
    return;
  }
  const at =
    closed[0]?.row.valid_until ?? recorded[0]?.row.valid_until ?? earliest(retired) ?? null;
  if (at === null) return;
  checkPlacement(step, { placement: placeDelete(all, 'change', at), recuts: recorded });
  checkCauses(step, ['change', 'correction']);
}

/** Any instant: what is not a change retires whatever the time is. */
const FIRST_INSTANT = '0001-01-01T00:00:00.000Z' as Instant;

const earliest = (entries: readonly AnyRow[]): Instant | undefined =>
  entries.map(({ row }) => row.valid_from).sort()[0];

/** The end that a version was written with: a close came later. */
const endAsWritten = ({ row }: AnyRow): Instant | null =>
  row.closed_seq === null ? row.valid_until : null;

interface Placed {
  readonly placement: Placement;
  readonly recuts: readonly AnyRow[];
  /** The version that the write brought; absent = a deletion. */
  readonly main?: AnyRow;
}

function checkPlacement(step: Step, placed: Placed): void {
  const problem = misplaced(step, placed);
  if (problem !== null) throw broken(step, problem);
}

/** What is not as the placement has it; null = nothing. */
function misplaced(step: Step, { placement, recuts, main }: Placed): string | null {
  const fresh = placement.append.find(({ kind }) => kind === 'new');
  if (main && fresh?.valid_until !== endAsWritten(main))
    return `\`${main.row.uuid}\` reaches into what begins later`;
  if (main && fresh?.valid_from !== main.row.valid_from)
    return `\`${main.row.uuid}\` begins elsewhere than it was placed`;
  const closed = step.closed.map(({ row }) => `${row.uuid} ${row.valid_until}`);
  const expected = placement.close.map((close) => `${close.uuid} ${close.valid_until}`);
  if (!isSameSet(closed, expected)) return 'other versions close than give way';
  const retired = step.retired.map(({ row }) => row.uuid);
  if (
    !isSameSet(
      retired,
      placement.retire.map(({ uuid }) => uuid),
    )
  )
    return 'other versions are retired than give way';
  const left = [...recuts];
  for (const item of placement.append) {
    if (item.kind !== 'recut') continue;
    const whole = step.history.byUuid.get(item.copy_of);
    const index = left.findIndex(
      (part) =>
        whole !== undefined &&
        part.row.valid_from === item.valid_from &&
        endAsWritten(part) === item.valid_until &&
        part.row.root_uuid === whole.row.root_uuid &&
        part.row.uuid !== part.row.root_uuid &&
        part.row.recut_of === item.copy_of &&
        isSameContent(part, whole),
    );
    if (index < 0) return `what is left of \`${item.copy_of}\` is missing`;
    left.splice(index, 1);
  }
  const [stray] = left;
  if (stray) return `\`${stray.row.uuid}\` came from nowhere`;
  return null;
}

function checkCauses(step: Step, causes: readonly Cause[]): void {
  const stray = step.retired.find(({ row }) => row.cause === null || !causes.includes(row.cause));
  if (stray) throw broken(step, `\`${stray.row.uuid}\` is retired by a \`${stray.row.cause}\``);
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join('\n') === [...b].sort().join('\n');
