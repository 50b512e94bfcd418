import type { AnyRow, Table } from '../model/block.ts';

/**
 * A table and a row that was built for it. The pair cannot be expressed without a cast: a union of
 * tables does not narrow its row.
 */
export const toEntry = (table: Table, row: object): AnyRow => {
  const pair: unknown = { table, row };
  return pair as AnyRow;
};
