/** A day in a name: `Next Friday Studios`, `Taco Tuesday`, `The Day After Tomorrow`. */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';

const DAYS: ReadonlySet<string> = new Set([...WEEKDAY_NAMES, ...MONTH_NAMES]);
/** No day is written so, but where a sentence begins. */
const RAISED = /^(?:Today|Tonight|Tomorrow|Yesterday|Next|Last)\b/u;
const NAME_BEFORE = /(?<=[\p{L}\p{N}'’] )\p{Lu}[\p{L}'’]{1,30} $/u;
const NAME_BEHIND = /^ (\p{Lu}\p{L}{2,30})/u;

export function isInName(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - MOST_BEFORE), start);
  if (before.trim() === '' || /[.!?:"“(]\s*$/u.test(before)) return false;
  const said = text.slice(start, end);
  if (!/^\p{Lu}/u.test(said)) return false;
  const [, behind = ''] = NAME_BEHIND.exec(text.slice(end)) ?? [];
  const isNamed = behind !== '' && !DAYS.has(behind.toLowerCase());
  return RAISED.test(said) || isNamed || NAME_BEFORE.test(before);
}
const MOST_BEFORE = 40;

/** `My band is called Until May`: nothing ends there. */
export const isEndInName = (text: string): boolean =>
  /\p{L} (?:Until|Till|Through|Thru) \p{L}/u.test(text);
