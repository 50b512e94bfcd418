/** What a redaction reached, in words for people: rows by kind, and copies beside them. */
import { withCommas } from './table.ts';

const WORDS: Readonly<Record<string, string>> = {
  blocks: 'turns, documents and scopes',
  subtree_summaries: 'summaries',
  memory_open_set: 'facts',
  memory_schema_typed: 'typed values',
  context_links: 'links',
  receipts: 'receipts of compositions',
  proposals: 'proposals',
  postings: 'search words',
};

/** Name and number of each copy that was reached; the JSON has the names of the tables. */
export const copyCounts = (
  counts: Readonly<Record<string, number>>,
): readonly (readonly [name: string, count: string])[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([copy, count]) => [WORDS[copy] ?? copy.replaceAll('_', ' '), withCommas(count)]);

/** The same below one another, the numbers aligned. */
export function copyLines(counts: Readonly<Record<string, number>>): readonly string[] {
  const rows = copyCounts(counts);
  const names = Math.max(0, ...rows.map(([name]) => name.length));
  const digits = Math.max(0, ...rows.map(([, count]) => count.length));
  return rows.map(([name, count]) => `  ${name.padEnd(names)}  ${count.padStart(digits)}`);
}
