/** What was learnt: a lesson, or what to do from now on. */

import { beginning, begins, dropWords, type Sentence } from '../sentences/sentence.ts';
import { slotOf } from '../slots/slot.ts';
import * as rules from './gate-rules.ts';
import { isComfort } from './momentary.ts';
import { isAsking } from './unstated.ts';

export function learntClass(sentence: Sentence): 'lesson' | 'procedure' | 'rule' | null {
  if (isAsking(sentence.text) || sentence.words.length < 4) return null;
  // `Retro is on Thursdays from now on` is a meeting.
  const isState = begins(sentence, ['retro']) && slotOf(sentence) !== null;
  if (isState) return null;
  if (begins(sentence, rules.LESSONS) && !WRONG_ASKED.test(sentence.text))
    return isLesson(sentence) ? 'lesson' : null;
  if (!begins(sentence, rules.NEXT_TIME)) return null;
  const rest = restAfter(sentence, rules.NEXT_TIME);
  if (begins(rest, ['i']) || isComfort(rest)) return null;
  return begins(sentence, ['next time', 'in the future', 'in future']) ? 'procedure' : 'rule';
}

/** `What broke the build`, without a colon or `was`, is asked. */
const WRONG_ASKED =
  /^(?:what|why) (?:went wrong|broke|bit us|we missed|it failed)(?! ?(?:[:–—-]|(?:was|is) (?!it|that\b)))/i;

/** `Turns out she had no family` and `I learned that the hard way` teach nobody else. */
function isLesson(sentence: Sentence): boolean {
  const rest = restAfter(sentence, rules.LESSONS);
  return !begins(rest, [
    'the hard way',
    'she',
    'he',
    'they',
    'it was',
    'i',
    "i'm",
    'you',
    "you're",
  ]);
}

const restAfter = (sentence: Sentence, phrases: readonly string[]): Sentence => {
  const phrase = beginning(sentence, phrases);
  return phrase === null ? sentence : dropWords(sentence, phrase.split(' ').length);
};
