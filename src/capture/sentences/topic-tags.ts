/**
 * Tags of what is learnt: its class, and the words that it is about, so that a task which names
 * them finds it (`tag_matches`).
 */
import { isFunctionWord } from '../../text/function-words.ts';
import { isStopWord } from '../../text/terms.ts';
import type { FactCandidate } from '../state.ts';
import { wordsOf } from './sentence.ts';

const OF_CLASS: Readonly<Partial<Record<FactCandidate['class'], readonly string[]>>> = {
  lesson: ['lesson'],
  procedure: ['procedure'],
  rule: [],
};
/** Words of any instruction. */
const OF_ANY: ReadonlySet<string> = new Set(
  'always never next time future forward henceforth make sure ensure avoid stop check verify double lesson lessons learned learnt takeaway post mortem postmortem root cause retro turns gotcha wrong broke missed failed instead please again whenever every each before after without until unless only must should first then remember note using used does done going'.split(
    ' ',
  ),
);
const MOST_TOPICS = 4;
const LEAST_CHARS = 4;

export function topicTags(memory: FactCandidate['class'], text: string): readonly string[] {
  const own = OF_CLASS[memory];
  if (!own) return [];
  const topics = wordsOf(text).filter(
    (word) =>
      word.length >= LEAST_CHARS &&
      /^\p{L}+$/u.test(word) &&
      !OF_ANY.has(word) &&
      !isStopWord(word) &&
      !isFunctionWord(word),
  );
  return [...new Set([...own, ...topics.slice(0, MOST_TOPICS)])];
}
