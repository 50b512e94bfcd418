/**
 * What counts the tokens of an encoding, and the vocabularies of OpenAI, read from the files of the
 * package when first asked for: an application loads only the encoding it counts with.
 */
import { readFile } from 'node:fs/promises';
import { ContextEngineError } from '../codes/errors.ts';
import { countBytePairs, type Ranks } from './byte-pairs.ts';

export interface Vocabulary {
  /**
   * Cuts a text into the pieces that are encoded one by one; global, so use it through `matchAll`.
   */
  readonly pieces: RegExp;
  /** What the encoding writes before every text that is not empty: nothing, or a blank. */
  readonly prefix: '' | ' ';
  /** The text as the encoding reads it, unit by unit. */
  readonly read: (text: string) => string;
  /** Tokens of one piece of fewer than 2^20 units. */
  readonly countPiece: (piece: string) => number;
}

/** An encoding that merges bytes. */
export interface ByteVocabulary extends Vocabulary {
  readonly ranks: Ranks;
}

/** Where the build leaves them: `dist/vocabularies`, seen from sources and from `dist/` alike. */
function fileOf(encoding: string): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist' : '../..';
  return new URL(`${folder}/vocabularies/${encoding}.bin`, import.meta.url);
}

/** Reads a vocabulary of OpenAI; scripts/build-vocabularies.mjs states the form of its file. */
export async function loadVocabulary(
  encoding: 'o200k_base' | 'cl100k_base',
): Promise<ByteVocabulary> {
  const file = await readFile(fileOf(encoding)).catch((cause: unknown) => {
    throw new ContextEngineError('INFERENCE.UNAVAILABLE', {
      message: `The vocabulary \`${encoding}\` of the package cannot be read.`,
      fix: 'Install the package again; in the repository, run `npm run build`.',
      cause,
    });
  });
  const head = file.indexOf('\n');
  const tokens = file.readUInt32LE(head + 1);
  const lengths = file.subarray(head + 5, head + 5 + tokens);
  const texts = file.toString('latin1', head + 5 + tokens);
  const ranks = new Map<string, number>();
  let start = 0;
  for (let rank = 0; rank < tokens; rank++) {
    const end = start + (lengths[rank] ?? 0);
    // The holes of unused ranks are empty.
    if (end > start) ranks.set(texts.slice(start, end), rank);
    start = end;
  }
  return byteVocabulary(ranks, new RegExp(file.toString('utf8', 0, head), 'gu'));
}

/** A piece that is a token is one token; the others are merged from their bytes. */
export function byteVocabulary(ranks: Ranks, pieces: RegExp): ByteVocabulary {
  return {
    ranks,
    pieces,
    prefix: '',
    read: (text) => text,
    countPiece: (piece) => {
      const bytes = toByteString(piece);
      return ranks.has(bytes) ? 1 : countBytePairs(bytes, ranks);
    },
  };
}

/**
 * A text's UTF-8 bytes, one per character; a lone surrogate becomes U+FFFD, as in every UTF-8
 * encoder.
 */
export function toByteString(text: string): string {
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) > 127) return Buffer.from(text, 'utf8').toString('latin1');
  return text;
}
