/** What an undo did to the rows of an imported history must be what such an undo does. */
import type { AnyRow } from '../model/block.ts';
import type { JournalRecord } from '../model/journal.ts';
import { brokenHistory, type IndexedHistory, typedKeyOf } from './indexed-history.ts';
import { rowAtHead } from './row-at-head.ts';
import { isSameContent } from './same-content.ts';
import { placeUndo } from './undoing.ts';

/** Rows that came back with an undo, of this scope or of another. */
export const returnedAt = (history: IndexedHistory, seq: number): readonly AnyRow[] =>
  history.entriesAt(seq).flatMap(({ operation, uuid }) => {
    const entry = operation === 'RETURN' && uuid !== null ? history.byUuid.get(uuid) : undefined;
    return entry ? [entry] : [];
  });

/** Each is a copy, over the same time, of a row that was withdrawn before. */
export function checkReturned(
  returned: readonly AnyRow[],
  history: IndexedHistory,
  seq: number,
): void {
  for (const entry of returned) {
    const { row } = entry;
    const whole = row.recut_of === null ? undefined : history.byUuid.get(row.recut_of);
    const wasDown =
      whole?.row.cause === 'cascade' && (whole.row.retired_seq ?? Number.POSITIVE_INFINITY) < seq;
    if (!whole || !wasDown || !isCopy(entry, whole, whole.row.valid_until))
      throw brokenHistory(`\`${row.uuid}\` comes back at \`${seq}\`, and was not withdrawn`);
  }
}

const isCopy = (copy: AnyRow, whole: AnyRow, until: AnyRow['row']['valid_until']): boolean =>
  copy.row.operation === 'UNDO' &&
  copy.row.root_uuid === whole.row.root_uuid &&
  copy.row.valid_from === whole.row.valid_from &&
  (copy.row.closed_seq === null ? copy.row.valid_until : null) === until &&
  isSameContent(copy, whole);

interface UndoStep {
  readonly seq: number;
  readonly recorded: readonly AnyRow[];
  readonly closed: readonly AnyRow[];
  readonly retired: readonly AnyRow[];
  readonly history: IndexedHistory;
}

/** What is not as the undo has it; null = nothing. */
export function undoProblem(step: UndoStep, undo: JournalRecord): string | null {
  const { history, seq } = step;
  const undone = history.journal.find(
    ({ operation_id: id, outcome }) =>
      id === undo.caused_by && (outcome === 'stored' || outcome === 'superseded'),
  );
  if (!undone || undone.seq >= seq || undone.root_uuid !== undo.root_uuid)
    return `no operation \`${undo.caused_by}\` could be taken back`;
  const rows = rowsAround(history, undone).flatMap((entry) =>
    entry.row.recorded_seq < seq ? [rowAtHead(entry, seq - 1, false)] : [],
  );
  const { retire, append, builtAt } = placeUndo(rows, undone);
  if (builtAt.length > 0) return `\`${builtAt[0]}\` builds on what is taken back`;
  const goes = step.retired.map(({ row }) => `${row.uuid} ${row.cause}`).sort();
  const expected = retire.map(({ uuid, cause }) => `${uuid} ${cause}`).sort();
  if (step.closed.length > 0 || goes.join() !== expected.join())
    return 'other versions go than were brought';
  const isComing = (entry: AnyRow): boolean =>
    append.some(({ copy_of: of, valid_until }) => {
      const whole = history.byUuid.get(of);
      return entry.row.recut_of === of && whole !== undefined && isCopy(entry, whole, valid_until);
    });
  const copies = new Set(step.recorded.map(({ row }) => row.recut_of));
  const isWhole = step.recorded.length === append.length && copies.size === append.length;
  return isWhole && step.recorded.every(isComing) ? null : 'other versions come than had gone';
}

/** Every version of the root; of a value, of its key. */
function rowsAround(
  history: IndexedHistory,
  { root_uuid: root }: JournalRecord,
): readonly AnyRow[] {
  const own = root === null ? [] : history.versionsOf(root);
  const [first] = own;
  if (first?.table !== 'memory_schema_typed') return own;
  const key = typedKeyOf(first.row);
  return history.rows.filter(
    (entry) => entry.table === 'memory_schema_typed' && typedKeyOf(entry.row) === key,
  );
}
