/**
 * A name by itself: above a text it says who wrote it, below it who signed. Names have no list, so
 * a name is one word, or words in capitals, that no rule knows as talk.
 */
import * as rules from '../gate/gate-rules.ts';
import { begins, sentenceOf } from '../sentences/sentence.ts';
import { isOwnLabel } from './labels.ts';

const WORD = /^\p{L}[\p{L}\p{M}'’-]{0,30}\.?$/u;
const MOST_WORDS = 3;
const KNOWN: readonly string[] = [
  ...rules.LEAD_INS,
  ...rules.SMALL_TALK_STARTS,
  ...rules.TASK_STARTS,
  ...rules.QUESTION_STARTS,
  ...rules.STATUS_STARTS,
  ...rules.UNCERTAIN,
  ...rules.CORRECTIONS,
  ...rules.REMEMBER,
  ...rules.CHECK_STARTS,
  ...'yay yo sup yup woohoo hooray finally guess danke bitte hallo moin servus super tschüss merci gracias grazie ciao bye cheers best love later greetings intro introduction claude everyone everybody team all folks guys there summarize summary proofread help'.split(
    ' ',
  ),
];

export function isNameAlone(text: string): boolean {
  if (text.length > MOST_UNITS) return false;
  const bare = text.trim().replace(/^[*_~@[(<]{1,4}|[\])>*_~]{1,4}$/g, '');
  const words = bare.split(/\s+/u);
  if (words.length > MOST_WORDS || !words.every((word) => WORD.test(word))) return false;
  const isWritten = words.length === 1 || words.every((word) => /^\p{Lu}/u.test(word));
  if (!isWritten || /ly$/i.test(bare)) return false;
  return !isOwnLabel(bare) && !begins(sentenceOf(bare, 0), KNOWN);
}
const MOST_UNITS = 80;
