/**
 * Documents that a gold file points at, cut as `ingest` cuts them, and evidence in them: a path, or
 * a path and words (`docs/refunds.md#Within 30 days`) that stand in the heading or text of a chunk.
 */
import type { KeyedTurn } from '../suite.ts';
import type { ChunkedFile } from '../suites/documents.ts';
import type { Fields, Place } from './fields.ts';
import { dataError, fieldsOf, optionalText, present, textOf, timeOf } from './fields.ts';

/** By the path as the gold file writes it; of a folder, the files below it. */
export type DocumentFiles = ReadonlyMap<string, readonly ChunkedFile[]>;

/** An entry of `documents`: a path, or a mapping with one. */
const fieldsOfEntry = (entry: unknown, place: Place): Fields =>
  typeof entry === 'string' ? { path: entry } : fieldsOf(entry, ['path', 'at', 'type'], place);

export const pathOfEntry = (entry: unknown, place: Place): string =>
  textOf(fieldsOfEntry(entry, place), 'path', place);

/** A chunk is a turn: its key is its file, a number sign and its place. */
export function documentTurns(
  entry: unknown,
  place: Place,
  files: DocumentFiles,
): readonly KeyedTurn[] {
  const fields = fieldsOfEntry(entry, place);
  const written = timeOf(fields, 'at', place);
  const block_type = optionalText(fields, 'type', place) ?? 'chunk';
  const shown = textOf(fields, 'path', place);
  const found = files.get(shown) ?? [];
  if (found.length === 0)
    throw dataError(
      `\`${shown}\` holds no document.`,
      'Name a file that `ingest` reads, or a folder with some, by its path from the gold file.',
      place,
    );
  return found.flatMap(({ path, title, chunks }) =>
    chunks.map(({ text, heading }, index) =>
      present({
        key: `${path}#${index + 1}`,
        content: text,
        block_type,
        title,
        occurred_at: written,
        metadata: { path, ...(heading !== null && { heading }) },
      }),
    ),
  );
}

/**
 * The chunks that a piece of evidence names; null = it names no document. Throws `EVAL.DATA` where
 * the words stand in no chunk of the document.
 */
export function chunksNamed(
  evidence: string,
  turns: readonly KeyedTurn[],
  place: Place,
): readonly string[] | null {
  const sign = evidence.indexOf('#');
  const path = sign < 0 ? evidence : evidence.slice(0, sign);
  const chunks = turns.filter(({ metadata }) => metadata?.['path'] === path);
  if (chunks.length === 0) return null;
  const words = sign < 0 ? '' : evidence.slice(sign + 1).trim();
  const holding = chunks.filter(
    ({ content, metadata }) =>
      content.includes(words) || String(metadata?.['heading'] ?? '').includes(words),
  );
  if (holding.length > 0) return holding.map(({ key }) => key);
  throw dataError(
    `No chunk of \`${path}\` holds \`${words}\`.`,
    'Write a heading, or words as they stand on one line of the document.',
    place,
  );
}
