/** A text as the word table reads it: unstemmed words, and what is left of the rest. */
import { termsOf } from '../text/terms.ts';

/** Read this far (UTF-16 units), as `termsOf` does. */
const READ_UNITS = 131_072;
const LONGEST_WORD = 64;
const NOT_ASCII = /[^\0-\x7f]/;
/** With what an apostrophe shortened: `don't`, `Anna's`, `we'll`. */
const WORD = /[\p{L}\p{M}\p{N}_$]+(?:['’](?:s|t|ll|re|ve|m|d)(?![\p{L}\p{N}_$]))?/giu;
const ASCII_WORD = /[a-z0-9_$]+(?:'(?:s|t|ll|re|ve|m|d)(?![a-z0-9_$]))?/gi;
const SHORTENED = /['’]\p{L}+$/u;
const NEGATED = /n['’]t$/i;
/** `parseHTTPRequest2` is `parse`, `HTTP`, `Request`, `2`. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

export interface ReadWord {
  /** In the table. */
  readonly row: number | null;
  /**
   * What the word is looked up by elsewhere: its stem, the joined identifier, a pair of characters.
   */
  readonly term: string;
}

/** The words as they stand, in order, repeats included. */
export function rawWords(text: string): readonly string[] {
  const clipped = text.slice(0, READ_UNITS);
  if (!NOT_ASCII.test(clipped)) return clipped.match(ASCII_WORD) ?? [];
  return clipped.normalize('NFKC').slice(0, READ_UNITS).match(WORD) ?? [];
}

/**
 * One raw word as the table knows it: whole; else without marks and `'s`; else an identifier's
 * parts, each in the table or not, and the identifier itself; else the terms it is looked up by.
 * Single letters of English (`a`, `I`, the rest of `don't`) are nothing.
 */
export function readWord(raw: string, rows: ReadonlyMap<string, number>): readonly ReadWord[] {
  const word = raw.slice(0, LONGEST_WORD);
  const known = inTable(word, rows);
  if (known) return [known];
  if (NEGATED.test(word)) return readWord('not', rows);
  if (SHORTENED.test(word)) return readWord(word.replace(SHORTENED, ''), rows);
  if (NOT_ASCII.test(word)) {
    const plain = inTable(word.normalize('NFD').replace(/\p{M}/gu, ''), rows);
    return plain ? [plain] : outside(word);
  }
  const parts = word.match(PARTS) ?? [];
  if (parts.length < 2) return outside(word);
  return [
    ...parts.flatMap((part) => inTable(part, rows) ?? outside(part)),
    { row: null, term: parts.join('').toLowerCase() },
  ];
}

function inTable(word: string, rows: ReadonlyMap<string, number>): ReadWord | null {
  const lower = word.toLowerCase();
  const row = rows.get(lower);
  return row === undefined ? null : { row, term: termsOf(lower)[0] ?? lower };
}

const outside = (word: string): readonly ReadWord[] =>
  termsOf(word).map((term) => ({ row: null, term }));
