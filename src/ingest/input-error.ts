/** Refusals of input: always `CLI.INPUT`, always with the place. */
import { isUtf8 } from 'node:buffer';
import { ContextEngineError } from '../codes/errors.ts';

export interface InputPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string;
}

export const inputError = (message: string, fix: string, where: InputPlace): ContextEngineError =>
  new ContextEngineError('CLI.INPUT', { message, fix, where });

/** One content. A longer turn is no turn but a document, which is cut into chunks. */
export const MAX_CONTENT_BYTES = 1024 * 1024;
/**
 * JSON may need six bytes for one (`\u0041`); a longer line cannot hold a content within the limit.
 */
export const MAX_LINE_BYTES = 6 * MAX_CONTENT_BYTES + 64 * 1024;
/**
 * A document is read whole and written in one commit: some 8,000 chunks at this size, within the
 * 10,000 operations that a write takes.
 */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** JSON characters of a metadata object; the write path has the same limit. */
const MAX_METADATA_CHARS = 262_144;

/**
 * Bytes as UTF-8 text without its byte order mark. Throws `CLI.INPUT` with the offset of the first
 * byte that is not UTF-8.
 */
export function decodeUtf8(bytes: Buffer, where: InputPlace & { readonly offset: number }): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const at = firstInvalidByte(bytes);
  const { offset, ...place } = where;
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0');
  throw inputError(
    `Invalid UTF-8: byte \`0x${byte}\` at offset ${offset + at}.`,
    'Convert the file to UTF-8, for example with `iconv -f latin1 -t utf-8`.',
    place,
  );
}

/** Where decoding had to put a U+FFFD that the bytes do not hold themselves. */
export function firstInvalidByte(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let offset = 0;
  for (let at = 0; ; at += 1) {
    const next = text.indexOf('\ufffd', at);
    if (next < 0) return bytes.length;
    offset += Buffer.byteLength(text.slice(at, next));
    if (!bytes.subarray(offset, offset + 3).equals(REPLACEMENT)) return offset;
    offset += REPLACEMENT.length;
    at = next;
  }
}

const REPLACEMENT = Buffer.from('\ufffd');

/** Text that the ledger cannot hold: NUL, or half of a surrogate pair. */
export function assertStorable(text: string, where: InputPlace): void {
  if (text.includes('\u0000'))
    throw inputError(
      'The text holds a NUL character.',
      'Remove U+0000; the ledger cannot store it.',
      where,
    );
  if (/\p{Surrogate}/u.test(text))
    throw inputError(
      'The text holds half of a surrogate pair.',
      'Write characters beyond U+FFFF as whole pairs.',
      where,
    );
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_CONTENT_BYTES)
    throw inputError(
      `The content is ${bytes} bytes; the limit is ${MAX_CONTENT_BYTES}.`,
      'Split it, or ingest it as a document, which is cut into chunks.',
      where,
    );
}

/** The same for a JSON value: no NUL and no half pair in any key or text of it. */
export function assertStorableJson(value: unknown, where: InputPlace): void {
  const text = JSON.stringify(value) ?? '';
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(text))
    throw inputError(
      'The metadata holds a NUL character or half of a surrogate pair.',
      'Remove it; the ledger cannot store it.',
      where,
    );
  if (text.length > MAX_METADATA_CHARS)
    throw inputError(
      `The metadata is ${text.length} characters as JSON; the limit is ${MAX_METADATA_CHARS}.`,
      'Leave out what is not needed.',
      where,
    );
}
