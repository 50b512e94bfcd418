/**
 * That something was not told before: `I moved to Bern, forgot to tell you`. The clause is about
 * the talk, and no part of the statement. English.
 */
const WHOM =
  '(?: (?:you|u|this|that|it|about (?:this|that|it)|so|here|before|earlier|yet|sooner))*';
const TELLS = '(?:say|tell|mention|add|note|update|inform|report|include|share|bring)';
const TOLD = '(?:say|said|tell|told|mention|mentioned|updated?)';
const HOW =
  "(?:(?:i|i['’]ve|have|had|but|just|so|oh|totally|completely|almost|nearly|clean|somehow|" +
  'apparently|probably|also|simply|even) )*';
const FORGOT = `(?:forgot|forgotten|neglected|omitted|failed)(?: about (?:that|this|it)| to ${TELLS}${WHOM}(?: up)?)`;
const NEVER = `(?:never|didn['’]?t|did not|haven['’]?t|have not) ${TOLD}${WHOM}`;
const SHOULD = `should(?: have|['’]ve) ${TOLD}${WHOM}`;
const REST = '(?:,? (?:until now|till now|sorry|lol|haha|oops|btw|my bad))*';
/** Behind a mark or `and`, to the end: `forgot to tell my boss` is a statement of its own. */
const TAIL = new RegExp(
  `(?:[,;]|\\s[-–—]|\\s\\()\\s*(?:and )?${HOW}(?:${FORGOT}|${NEVER}|${SHOULD})${REST}[.!)…]*$` +
    `|\\sand ${HOW}${FORGOT}${REST}[.!…]*$`,
  'iu',
);
const MOST_TAIL = 80;

/** UTF-16 units of the statement alone; all of the text where it has no such tail. */
export function lengthWithoutTail(text: string): number {
  const from = Math.max(0, text.length - MOST_TAIL);
  const found = TAIL.exec(text.slice(from));
  return found === null || from + found.index === 0 ? text.length : from + found.index;
}
