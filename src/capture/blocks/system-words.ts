/**
 * The engine's own default instructions, as they come back in a turn: whole or cut anywhere, with
 * the names of a manifest's layers in them.
 */
import { BUILT_IN_TEXTS } from '../../layers/system.ts';
import { type Sentence, wordsOf } from '../sentences/sentence.ts';

/** Fewer words in a row are anybody's. */
const LEAST_RUN = 6;
/** So many in a row are ours, whatever stands beside them. */
const SURE_RUN = 8;

const runAt = (words: readonly string[], at: number): string =>
  words.slice(at, at + LEAST_RUN).join(' ');
const RUNS: ReadonlySet<string> = new Set(
  BUILT_IN_TEXTS.flatMap((text) => {
    const words = wordsOf(text);
    return words.slice(LEAST_RUN - 1).map((_, at) => runAt(words, at));
  }),
);

/**
 * Of sentences in their order, those that are a slice of them. A run goes on from one to the next,
 * so a scrap beside a slice is of it.
 */
export function systemTextIn(sentences: readonly Sentence[]): ReadonlySet<Sentence> {
  const words = sentences.flatMap((sentence) => sentence.words);
  const isOurs = new Uint8Array(words.length);
  for (let at = 0; at + LEAST_RUN <= words.length; at += 1)
    if (RUNS.has(runAt(words, at))) isOurs.fill(1, at, at + LEAST_RUN);
  let from = 0;
  const found = sentences.filter((sentence) => {
    const own = isOurs.subarray(from, from + sentence.words.length);
    from += sentence.words.length;
    return isSlice(own);
  });
  return new Set(found);
}

/** Half of its words at least, or many in a row. */
function isSlice(isOurs: Uint8Array): boolean {
  let shared = 0;
  let run = 0;
  let longest = 0;
  for (const is of isOurs) {
    shared += is;
    run = is === 1 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return shared > 0 && (shared * 2 >= isOurs.length || longest >= SURE_RUN);
}
