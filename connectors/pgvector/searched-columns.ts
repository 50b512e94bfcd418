/** The columns that `searchText` and `isDocument` read, for statements over several tables. */
import { SLOT } from '../../src/model/fact-slot.ts';
import type { SearchableRow } from '../../src/text/search-text.ts';
import type { JsonObject } from './rows.ts';

const columns = (of: Readonly<Record<string, string>>): string =>
  ['title', 'heading', 'subject', 'slot', 'block_type', 'role']
    .map((name) => `${of[name] ?? 'null::text'} as ${name}`)
    .join(', ');

/** Of a table `r`; the same names of each. */
export const SEARCHED_COLUMNS = {
  blocks: columns({
    title: 'r.title',
    heading: `r.metadata ->> 'heading'`,
    block_type: 'r.block_type',
    role: 'r.role',
  }),
  memory_open_set: columns({
    heading: `r.metadata ->> 'heading'`,
    subject: 'r.subject',
    slot: `r.metadata ->> '${SLOT}'`,
  }),
  subtree_summaries: columns({}),
} as const;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A row that was read with these columns and its content. */
export function toSearchable(row: JsonObject): SearchableRow {
  const type = textOrNull(row['block_type']);
  return {
    content: textOrNull(row['content']) ?? '',
    title: textOrNull(row['title']),
    subject: textOrNull(row['subject']),
    metadata: { heading: row['heading'], [SLOT]: row['slot'] },
    role: textOrNull(row['role']),
    ...(type !== null && { block_type: type }),
  };
}
