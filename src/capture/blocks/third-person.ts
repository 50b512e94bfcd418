/** Whose words a line is that begins as an item of a composition does. */
import { wordsOf } from '../sentences/sentence.ts';

const OWN: ReadonlySet<string> = new Set(
  "i i'm i've i'd i'll me my mine myself ich mein meine je yo".split(' '),
);
const OURS: ReadonlySet<string> = new Set("we we're we've our us".split(' '));
const QUOTED = /"[^"]{1,300}"|“[^”]{1,300}”/g;
/** A rule stays an order in memory, whoever gave it: `Never touch my calendar`. */
const ORDER =
  /^(?:never|always|don['’]t|do not|next time|before|after|when|whenever|if|use|avoid|make sure|keep|ask|check|stop|only|please)\b/i;
/** `#3 is the best one`, `#412 blocks the release`: of a thing with a number. */
const OF_A_NUMBER =
  /^(?:is|isn['’]t|are|was|wasn['’]t|has|had|will|won['’]t|can|should|does|did|would|could|may|might|must|and|or|but|of|in|for|from|to|on|with|at|by|as|than|if|needs?|wins?|looks?|seems?|sounds?|works?|fixe[sd]|block(?:s|ed)|close[sd]|broke|breaks|got|went|also|priority|rule|choice|option|fan|reason|thing|pick|please|the|a|an|that|this|which|who)\b/;
const STATES =
  "(?:is|isn['’]t|are|was|were|has|had|does|doesn['’]t|did|didn['’]t|will|can|can['’]t|cannot|no longer|\\p{Ll}{2,30}s)";
const NAME =
  '(?:The user|[\\p{Lu}\\p{Lo}][\\p{L}\\p{M}.’-]{0,40}(?: [\\p{Lu}\\p{Lo}][\\p{L}\\p{M}.’-]{0,40}){0,3})';
const STATEMENT = new RegExp(
  `^${NAME}(?:['’]s? | (?:\\p{Ll}{2,15}ly )?${STATES}(?: |[.,]|$))`,
  'u',
);

/** Somebody speaks of themselves in it. */
export const isOwnSaying = (text: string): boolean =>
  wordsOf(text.replace(QUOTED, ' ')).some((word) => OWN.has(word) || OURS.has(word));

/** It says something of somebody who is named. */
export const isStatementOf = (text: string): boolean => {
  const words = wordsOf(text.replace(QUOTED, ' '));
  return STATEMENT.test(text) && !words.some((word) => OWN.has(word));
};

/** It reads as memory is written: a statement or an order, and of nobody who speaks. */
export function readsAsItemText(text: string): boolean {
  if (ORDER.test(text)) return true;
  if (wordsOf(text.replace(QUOTED, ' ')).some((word) => OWN.has(word))) return false;
  return !OF_A_NUMBER.test(text);
}
