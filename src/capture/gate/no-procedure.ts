/** Lists that are no way to do something: errands, options, questions, errors. */
import type { DeclineReason } from '../../model/capture.ts';

const TO_DO = '(?:my |our |the )?(?:to-?dos?|to do|errands|shopping|groceries|tasks?|reminders)';
const NOTED =
  '(?:my |our |the |some |open |possible )?(?:options?|choices|alternatives|candidates|questions?|errors?|warnings?|issues?|problems?|bugs?|ideas?|pros|cons|topics?|agenda|findings?|results?|symptoms?)';
const OF = '(?: list)?(?: (?:for|of|about|on|so far|today|tomorrow|this|next|i|we) ?[^:]{0,40})?';
const heading = (words: string): RegExp =>
  new RegExp(`^\\s*(?:#{1,4} |\\*\\*)?${words}${OF}(?:\\*\\*)?:(?:\\*\\*)?\\s*$`, 'i');
const TO_DO_LIST = heading(TO_DO);
const NOTED_LIST = heading(NOTED);
export const headsNoProcedure = (line: string): boolean =>
  TO_DO_LIST.test(line) || NOTED_LIST.test(line);

export const ITEM = /^\s{0,8}(?:\d{1,2}[.)]|[-*•–]|step \d{1,2}[:.)]?)\s+/i;
/** What one does once, for oneself. */
const ERRAND =
  /^(?:buy|call|phone|ring|pay|pick up|drop off|book|get|grab|water|feed|walk|return|renew|visit|see|meet|e-?mail|text|order|fetch|collect|wash|cancel|schedule|clean|do the|go to|make an appointment)\b/i;
const OF_WORK = /[`$/]|\b(?:npm|git|docker|deploy|build|tests?|merge|commit|push|branch|server)\b/i;

/** Why the steps are none; null = they are. */
export function noProcedure(text: string): DeclineReason | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (TO_DO_LIST.test(first)) return 'task';
  if (NOTED_LIST.test(first)) return 'no_claim';
  const items = lines.flatMap((line) => {
    const [mark] = ITEM.exec(line) ?? [];
    return mark === undefined ? [] : [line.slice(mark.length).trim()];
  });
  if (items.length > 0 && items.every((item) => item.endsWith('?'))) return 'question';
  const isBare = ITEM.test(first);
  return isBare && items.every((item) => ERRAND.test(item) && !OF_WORK.test(item)) ? 'task' : null;
}
