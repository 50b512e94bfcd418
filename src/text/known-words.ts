/** The words whose meaning the built-in table knows: all others are compared by their letters. */
import { readFileSync } from 'node:fs';
import { ContextEngineError } from '../codes/errors.ts';

/** One list for the vectors and for this: a word has either a row there or its letters here. */
const list = (): URL => new URL('../inference/word-vectors/vocab.txt', import.meta.url);

/** By word, its rank: the list begins with the commonest. */
let words: ReadonlyMap<string, number> | undefined;

/** Takes a lower-case word. The list is read at the first call (about 6 ms, 2 MB that stay). */
export function isKnownWord(word: string): boolean {
  words ??= readWords();
  return words.has(word);
}

/** 0 = the commonest word, 1 = the rarest that is known, or one that is not. */
export function wordRarity(word: string): number {
  words ??= readWords();
  const rank = words.get(word);
  return rank === undefined ? 1 : (Math.log1p(rank) / Math.log1p(words.size)) ** 2;
}

function readWords(): ReadonlyMap<string, number> {
  try {
    const read = readFileSync(list(), 'utf8').trimEnd().split('\n');
    return new Map(read.map((word, rank) => [word, rank]));
  } catch (cause) {
    throw new ContextEngineError('INFERENCE.UNAVAILABLE', {
      message:
        'The word list cannot be read: ' +
        `\`${cause instanceof Error ? cause.message : String(cause)}\`.`,
      fix: 'Install contextengine again. In a bundle, mark contextengine as external.',
      cause,
    });
  }
}
