/** Postings: what the words of a text are found by. Written with the row, in its transaction. */

import type { LedgerRow, Table } from '../../src/model/block.ts';
import { indexText, WORD_RULES } from '../../src/text/bm25.ts';
import { isDocument, type SearchableRow, searchText } from '../../src/text/search-text.ts';
import type { SqlSession } from './driver/sql.ts';

/** A text as the schema's functions take it. */
export interface PostedText {
  readonly scope: string;
  readonly uuid: string;
  readonly length: number;
  readonly is_document: boolean;
  readonly terms: Readonly<Record<string, number>>;
}
export type PostedRow = SearchableRow & Pick<LedgerRow, 'scope_uuid' | 'uuid'>;

/** None for a row without words. */
export function postedText(row: PostedRow): readonly PostedText[] {
  const { counts, length, isDocument: document } = indexText(searchText(row), isDocument(row));
  if (length === 0) return [];
  return [
    {
      scope: row.scope_uuid,
      uuid: row.uuid,
      length,
      is_document: document,
      terms: Object.fromEntries(counts),
    },
  ];
}

export const postingsOf = (texts: readonly PostedText[]): number =>
  texts.reduce((sum, { terms }) => sum + Object.keys(terms).length, 0);

/** Gives how many there are. */
export async function insertPostings(
  tx: SqlSession,
  table: Table,
  of: { readonly tenant: string; readonly rows: readonly LedgerRow[] },
): Promise<number> {
  const texts = of.rows.flatMap(postedText);
  if (texts.length === 0) return 0;
  await tx.query('select context_ops.add_postings($1, $2, $3::jsonb, $4)', [
    of.tenant,
    table,
    JSON.stringify(texts),
    WORD_RULES,
  ]);
  return postingsOf(texts);
}
