/** The words whose meaning the built-in table knows: all others are compared by their letters. */
import { readFileSync } from 'node:fs';
import { ContextEngineError } from '../codes/errors.ts';

/** One list for the vectors and for this: a word has either a row there or its letters here. */
const list = (): URL => new URL('../inference/word-vectors/vocab.txt', import.meta.url);

let words: ReadonlySet<string> | undefined;

/** Takes a lower-case word. The list is read at the first call (about 6 ms, 2 MB that stay). */
export function isKnownWord(word: string): boolean {
  words ??= readWords();
  return words.has(word);
}

function readWords(): ReadonlySet<string> {
  try {
    return new Set(readFileSync(list(), 'utf8').trimEnd().split('\n'));
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
