/**
 * What every entry of a scope's journal must be by itself, beside the others and beside the rows.
 */
import type { AnyRow } from '../model/block.ts';
import type { JournalRecord } from '../model/journal.ts';
import { brokenHistory, type IndexedHistory } from './indexed-history.ts';

/**
 * The first sequence numbers of a scope may be restored: its rows came without a journal. After
 * them each number has one entry, and one for each row that fell with it.
 */
export function checkJournal(journal: readonly JournalRecord[], history: IndexedHistory): void {
  const restoredTo = restoredHead(journal, history.head);
  checkOrder(journal);
  checkKeys(journal);
  for (const entry of journal) {
    if (entry.seq < 1 || entry.seq > history.head)
      throw broken(entry, `is beyond the head \`${history.head}\``);
    if ((entry.operation === 'RESTORE') !== entry.seq <= restoredTo)
      throw broken(entry, 'is restored after what was written');
    if (entry.operation !== 'RESTORE') checkOrdinal(entry, history);
    checkEntry(entry, history);
  }
  const written = journal.filter(
    ({ operation, ordinal }) => operation !== 'RESTORE' && ordinal === 0,
  ).length;
  if (written !== history.head - restoredTo)
    throw brokenHistory(
      `the journal has \`${written}\` numbers for \`${history.head - restoredTo}\` writes`,
    );
  for (const { row } of history.rows) {
    const own = history.entriesAt(row.recorded_seq).filter(({ uuid }) => uuid === row.uuid);
    if (row.recorded_seq <= restoredTo && own.length !== 1)
      throw brokenHistory(`the row \`${row.uuid}\` was restored \`${own.length}\` times`);
  }
}

function checkOrdinal(entry: JournalRecord, history: IndexedHistory): void {
  const { seq, ordinal, operation, caused_by: cause } = entry;
  const isInPlace = history.entriesAt(seq)[ordinal] === entry;
  const isOfOther = operation === 'CASCADE' || operation === 'RETURN';
  if (!isInPlace || (ordinal !== 0 && (!isOfOther || cause === null)))
    throw broken(entry, `has the ordinal \`${ordinal}\``);
  if (!isOfOther && operation !== 'UNDO' && cause !== null)
    throw broken(entry, 'was caused by another operation');
}

/** The last sequence number before the first entry that is a write. */
export function restoredHead(journal: readonly JournalRecord[], head: number): number {
  const first = journal.find(({ operation }) => operation !== 'RESTORE');
  return first === undefined ? head : first.seq - 1;
}

const broken = ({ seq }: JournalRecord, what: string): Error =>
  brokenHistory(`the journal entry \`${seq}\` ${what}`, 'journal');

function checkOrder(journal: readonly JournalRecord[]): void {
  let last: JournalRecord | null = null;
  for (const entry of journal) {
    if (last) {
      const isAfter =
        entry.seq > last.seq || (entry.seq === last.seq && entry.ordinal > last.ordinal);
      if (!isAfter) throw broken(entry, `stands after \`${last.seq}\``);
      if (entry.recorded_at < last.recorded_at)
        throw broken(entry, 'is earlier than the one before');
    }
    last = entry;
  }
}

function checkKeys(journal: readonly JournalRecord[]): void {
  const seen = new Set<string>();
  for (const entry of journal) {
    const { idempotency_key: key, payload_digest: digest } = entry;
    // The digest of what was erased is erased.
    if (key === null && digest !== null) throw broken(entry, 'has a digest without a key');
    if (key === null) continue;
    if (seen.has(key)) throw broken(entry, `repeats the idempotency key \`${key}\``);
    seen.add(key);
  }
}

function checkEntry(entry: JournalRecord, history: IndexedHistory): void {
  const { operation, outcome, uuid, root_uuid: root, table } = entry;
  const named = uuid === null ? undefined : history.byUuid.get(uuid);
  if (uuid !== null && (named?.table !== table || named?.row.root_uuid !== root))
    throw broken(entry, `names \`${uuid}\`, which is not what it says`);
  if (uuid === null && root !== null && history.versionsOf(root)[0]?.table !== table)
    throw broken(entry, `names the root \`${root}\`, which is not there`);
  if (operation === 'NOOP' ? table !== null || entry.reason === null : table === null)
    throw broken(entry, `is a \`${operation}\` of the table \`${table}\``);
  if (outcome === 'quarantined' || outcome === 'rejected')
    throw broken(entry, `has the outcome \`${outcome}\``);
  if (operation === 'RESTORE' && (outcome !== 'stored' || named?.row.recorded_seq !== entry.seq))
    throw broken(entry, 'restores a row of another sequence number');
  if (operation === 'CASCADE' && (outcome !== 'stored' || named?.row.retired_seq !== entry.seq))
    throw broken(entry, 'withdraws a row that was not withdrawn');
  if (operation === 'RETURN' && (outcome !== 'stored' || named?.row.recorded_seq !== entry.seq))
    throw broken(entry, 'brings a row back that did not come');
  if (operation === 'UNDO' && (uuid !== null || root === null))
    throw broken(entry, 'takes nothing back');
  if (outcome === 'conflict' && (uuid !== null || root === null))
    throw broken(entry, 'is a conflict over nothing');
  if (outcome === 'duplicate' && named && named.row.recorded_seq >= entry.seq)
    throw broken(entry, 'repeats what came later');
  if (entry.said_again && !isSaidAgain(entry, named?.row))
    throw broken(entry, 'says again what is not there, or was said then');
}

const isSaidAgain = (
  { operation, table, outcome, said_again: said }: JournalRecord,
  row: AnyRow['row'] | undefined,
): boolean =>
  outcome === 'duplicate' &&
  (operation === 'ADD' || operation === 'UPDATE') &&
  (table === 'memory_schema_typed' || table === 'memory_open_set') &&
  row !== undefined &&
  said !== undefined &&
  row.valid_from < said.from;
