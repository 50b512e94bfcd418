/** A row as it stood at a head: what was closed or retired later is not yet. */
import type { AnyRow, Versioned } from '../model/block.ts';

/**
 * `isSupersededLater`: whether the version that `superseded_by` names came after the head; it
 * matters where a row was closed before the head and retired after it.
 */
export function rowAtHead(entry: AnyRow, head: number, isSupersededLater: boolean): AnyRow {
  const { row } = entry;
  const isClosed = row.closed_seq !== null && row.closed_seq <= head;
  const isRetired = row.retired_seq !== null && row.retired_seq <= head;
  if (isRetired || (isClosed && row.retired_seq === null)) return entry;
  const isOpen = row.closed_seq !== null && !isClosed;
  const settled: Partial<Versioned> = {
    retired_seq: null,
    ...(isOpen && { valid_until: null, closed_seq: null }),
    cause: isClosed ? 'change' : null,
    superseded_by: isClosed && !isSupersededLater ? row.superseded_by : null,
  };
  // The pair stays a pair: only columns that every table has are set.
  return { table: entry.table, row: { ...row, ...settled } } as AnyRow;
}

/** Whether the answer to `isSupersededLater` is needed. */
export const isHalfSettled = ({ row }: AnyRow, head: number): boolean =>
  row.superseded_by !== null &&
  row.closed_seq !== null &&
  row.closed_seq <= head &&
  row.retired_seq !== null &&
  row.retired_seq > head;
