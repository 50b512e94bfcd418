/**
 * Counts what a SentencePiece vocabulary makes of a text: it merges characters rather than bytes,
 * reads a blank as a letter of the word that follows, and writes a character that no token has as
 * its UTF-8 bytes.
 */
import { countBytePairs, type Ranks } from './byte-pairs.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface SentencePieces {
  /** Tokens that merges may reach, by rank: neither controls nor the bytes. */
  readonly tokens: Iterable<readonly [token: string, rank: number]>;
  readonly pieces: RegExp;
  readonly prefix: Vocabulary['prefix'];
  /** Whether a piece is one token whatever the ranks say. */
  readonly isWhole?: (piece: string) => boolean;
}

/** For vocabularies with no token that has a blank behind another sign, or a line break. */
export const BLANKS_AND_WORD = / +[^ \n]*|[^ \n]+|\n+/gu;
/** How such a vocabulary prints a blank. */
const BLANK = '\u2581';
/** Has characters that a vocabulary may lack. */
const NOT_PRINTABLE_ASCII = /[^ -~]/;
/** Behind every rank: runs of blanks merge last in the vocabularies that rank them at all. */
const LAST_RANK = 2 ** 18 - 1;

export function sentencePieceVocabulary({
  tokens,
  pieces,
  prefix,
  isWhole = () => false,
}: SentencePieces): Vocabulary {
  const ranks = new Map<string, number>();
  for (const [token, rank] of tokens) {
    const text = token.replaceAll(BLANK, ' ');
    ranks.set(text, text.startsWith('  ') ? LAST_RANK : rank);
  }
  const count = (piece: string): number =>
    isWhole(piece) ? 1 : countBytePairs(piece, ranks) + unknownBytes(piece, ranks);
  // A word that is a token can be out of reach of the merges, so its count is found out once.
  const known = new Uint8Array(LAST_RANK);
  return {
    pieces,
    prefix,
    read: (text) => text.toWellFormed().replaceAll(BLANK, ' '),
    countPiece: (piece) => {
      const rank = ranks.get(piece) ?? LAST_RANK;
      if (rank === LAST_RANK) return count(piece);
      return (known[rank] ||= count(piece));
    },
  };
}

/** What characters without a token cost beyond one token each. */
function unknownBytes(piece: string, ranks: Ranks): number {
  if (!NOT_PRINTABLE_ASCII.test(piece)) return 0;
  let more = 0;
  for (const character of piece)
    if (!ranks.has(character)) more += Buffer.byteLength(character, 'utf8') - 1;
  return more;
}
