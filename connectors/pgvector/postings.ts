/** Postings: what the words of a text are found by. Written with the row, in its transaction. */

import type { LedgerRow, Table } from '../../src/model/block.ts';
import { indexText } from '../../src/model/bm25.ts';
import type { SqlSession } from './sql.ts';

/** A scope itself is not searched. */
const textOf = (row: LedgerRow): string => ('content' in row && !('is_scope' in row && row.is_scope) ? row.content : '');

/** Gives how many there are. */
export async function insertPostings(
  tx: SqlSession,
  table: Table,
  of: { readonly tenant: string; readonly rows: readonly LedgerRow[] },
): Promise<number> {
  const texts = of.rows.flatMap((row) => {
    const { counts, length } = indexText(textOf(row));
    return length === 0 ? [] : [{ scope: row.scope_uuid, uuid: row.uuid, length, terms: Object.fromEntries(counts) }];
  });
  if (texts.length === 0) return 0;
  await tx.query('select context_ops.add_postings($1, $2, $3::jsonb)', [of.tenant, table, JSON.stringify(texts)]);
  return texts.reduce((sum, { terms }) => sum + Object.keys(terms).length, 0);
}
