/** Work that is done: with its day an artifact of the tools of its trade, else a status. */
import { PLAIN_MONTH_NAMES } from '../text/calendar.ts';
import * as rules from './gate-rules.ts';
import { begins, hasAny, type Sentence } from './sentence.ts';

export const isDoneWork = (sentence: Sentence): boolean =>
  begins(sentence, rules.STATUS_STARTS) &&
  hasAny(sentence, rules.WORK_WORDS) &&
  !hasAny(sentence, ['always', 'never', 'from now on', 'deadline', 'freeze', 'until']);

const MONTHS: ReadonlySet<string> = new Set(PLAIN_MONTH_NAMES);
export const isDatedWork = (sentence: Sentence): boolean =>
  sentence.words.some(
    (word) => MONTHS.has(word) || /^\d{4}$|^\d{1,2}(?:st|nd|rd|th)$/.test(word),
  ) ||
  /\b(?:\d{1,2} may|may \d{1,2})\b/.test(sentence.plain) ||
  hasAny(sentence, ['yesterday', 'last week', 'last month', 'this morning', 'today']);
