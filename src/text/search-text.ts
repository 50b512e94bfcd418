/**
 * What a row is searched by. Every connector, the embedder and the ranking read rows through this
 * one function, so that a word that finds a row also counts for it.
 */

import { SLOT } from '../model/fact-slot.ts';
import { slotWords } from './slot-words.ts';

/** A ledger row of any table, or the columns of one that matter here. */
export interface SearchableRow {
  readonly content?: string;
  readonly title?: string | null;
  readonly subject?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly is_scope?: boolean;
  readonly block_type?: string;
  readonly role?: string | null;
}

/** Longer ones are no titles, and would outweigh what stands below them. */
const LONGEST_TITLE = 300;

/**
 * Title, heading and content of a block; subject, slot and text of a fact. Empty where nothing is
 * to be found: scopes, typed values, links, and documents whose text is in their chunks. Measured
 * on four sets of documents: titles and headings give 3 to 7 points of recall@5.
 */
export function searchText(row: SearchableRow): string {
  const { content = '', title, subject, metadata } = row;
  if (content === '' || row.is_scope === true) return '';
  const heading = metadata?.['heading'];
  const slot = metadata?.[SLOT];
  return [
    title,
    typeof heading === 'string' ? heading : null,
    subject,
    typeof slot === 'string' ? slotWords(slot) : null,
    content,
  ]
    .flatMap((part) => (part === content ? [part] : part ? [part.slice(0, LONGEST_TITLE)] : []))
    .join('\n');
}

/**
 * Whether a row is a text that was written to be read (a document, a chunk, code, a note), not
 * said: a block without a role that is no turn. Facts and summaries are as short as turns.
 */
export const isDocument = ({ block_type: type, role }: SearchableRow): boolean =>
  type !== undefined && type !== 'turn' && (role === null || role === undefined);
