/**
 * An estimate from above for models whose tokenizer does not run offline: linear, no vocabulary.
 * Every weight is what uniformly random text of its script costs in cl100k_base, the hungrier of
 * the two that can be measured, rounded up; prose of that script costs less. Measured against
 * o200k_base: English prose 1.7×, source code 1.9×. It does not bound text made to defeat it.
 */
import type { CountedPiece } from './piece.ts';

/** Costs are 64ths: sums of them are exact in doubles, whatever the order. */
const sixtyFourths = (tokens: number): number => Math.ceil(tokens * 64) / 64;

/** Prose: one token per 3.2 letters, the blank before a word counted as a letter. */
const PER_PROSE_LETTER = sixtyFourths(1 / 3.2);
/**
 * Letters at random cost 0.58 each in cl100k_base; more, because half of the random words pass for
 * prose.
 */
const PER_NOISE_LETTER = 1;
/** Capitals at random cost 0.64 each. */
const PER_CAPITAL = sixtyFourths(0.75);
/** A run of one symbol, as in a ruler: known vocabularies have it whole or in halves. */
const PER_REPEATED_SYMBOL = 0.5;
/** Words longer than this are noise or compounds. */
const MAX_PROSE_LETTERS = 16;

const WORD_LIKE = /[A-Z]?[a-z]+|[A-Z]+|[ \t]+|([!-/:-@[-`{-~])\1{3,}|[^A-Za-z \t]/gu;
/** What prose has hardly ever: four consonants or four vowels in a row, or no vowel at all. */
const NOISE = /[bcdfghjklmnpqrstvwxz]{4}|[aeiou]{4}|^[^aeiouy]{2,}$/i;

/**
 * First and last code point, tokens for one character. What is in no range costs its UTF-8 bytes
 * and a blank's share.
 */
const SCRIPTS: readonly (readonly [first: number, last: number, tokens: number])[] = [
  [0x0000, 0x007f, 1],
  [0x0080, 0x00ff, 1.5],
  [0x0370, 0x03ff, 1.75],
  [0x0400, 0x052f, 1.25],
  [0x0590, 0x05ff, 1.75],
  [0x0600, 0x06ff, 1.25],
  [0x0900, 0x0cff, 2.125],
  [0x0d00, 0x0dff, 2.25],
  [0x0e00, 0x0e7f, 1.75],
  [0x3040, 0x30ff, 1.75],
  [0x4e00, 0x9fff, 2.5],
  [0xac00, 0xd7a3, 2.75],
  [0xff00, 0xff5f, 2],
];

/** Words, blanks and characters of a text with their estimated cost. */
export function* estimatePieces(text: string): Generator<CountedPiece> {
  for (const { 0: piece, 1: symbol, index } of text.matchAll(WORD_LIKE)) {
    yield {
      units: piece.length,
      tokens:
        symbol === undefined
          ? pieceTokens(piece, text.charCodeAt(index + piece.length))
          : piece.length * PER_REPEATED_SYMBOL,
    };
  }
}

/**
 * For vocabularies of 32,000 tokens, which write more of a text in bytes: measured against those of
 * Llama 2 and Mistral, random capitals cost 1.04 and Latin prose 1.08 of the estimate above,
 * fullwidth letters 1.38, Tamil, Malayalam and Han up to 1.3.
 */
export function* estimateSmallPieces(text: string): Generator<CountedPiece> {
  let start = 0;
  for (const { units, tokens } of estimatePieces(text)) {
    const isAscii = text.charCodeAt(start) < 0x80;
    yield { units, tokens: tokens * (isAscii ? 1.125 : 1.5) };
    start += units;
  }
}

/** `after` is the unit that follows, NaN at the end. */
function pieceTokens(piece: string, after: number): number {
  const first = piece.codePointAt(0) ?? 0;
  if (isLetter(first)) return wordTokens(piece);
  if (first !== 0x20 && first !== 0x09) return characterTokens(first);
  // the last blank before a word belongs to the word; indentation costs by its length
  return piece === ' ' ? (isLetter(after) ? 0 : 1) : 1 + piece.length / 4;
}

const isLetter = (code: number): boolean =>
  (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

function wordTokens(word: string): number {
  const letters = word.length;
  const isCapitals = letters > 1 && word.charCodeAt(1) <= 0x5a;
  if (isCapitals) return Math.max(1, letters * PER_CAPITAL);
  if (letters > MAX_PROSE_LETTERS || NOISE.test(word))
    return Math.max(1, letters * PER_NOISE_LETTER);
  return Math.max(1, (letters + 1) * PER_PROSE_LETTER);
}

function characterTokens(code: number): number {
  for (const [first, last, tokens] of SCRIPTS) if (code >= first && code <= last) return tokens;
  return code < 0x800 ? 2.25 : code < 0x10000 ? 3.25 : 4;
}
