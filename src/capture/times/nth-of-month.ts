/** `My exam is on the 15th`: the next one, where it comes once. Rent is due on one each month. */
import { isHabit, isOneOff } from '../gate/passing-form.ts';

const NTH =
  /\bon (the (\d{1,2})(?:st|nd|rd|th))(?=$|[.,;!?]| (?:at|for|with|in|to|from|and (?:i|we|it))\b)/;
const BEGINS =
  /^(?:(?:i|we)(?:'m|'re|'ll| am| are| will)?|my [a-z][a-z ]{1,30}) (?:starts?|starting|begins?|beginning|join|joining|move|moving|leave|leaving|quit|quitting)\b/;
/** `My exam is at 10 on the 15th` */
const HOUR = / at \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?$/;
const MOST_CHARS = 300;

export interface NthDay {
  readonly start: number;
  readonly end: number;
  readonly day: number;
  /** It is a thing on that day, and nothing that begins. */
  readonly isEvent: boolean;
}

export function nthOfMonth(said: string, today: number): NthDay | null {
  if (said.length > MOST_CHARS) return null;
  const text = said.toLowerCase().replaceAll('’', "'");
  const found = NTH.exec(text);
  if (found === null || isHabit(text)) return null;
  const [, words = '', number = ''] = found;
  const before = text.slice(0, found.index).trimEnd().replace(HOUR, '');
  const isEvent = isOneOff(before);
  const day = isEvent || BEGINS.test(before) ? nextOf(Number(number), today) : null;
  const start = found.index + 'on '.length;
  return day === null ? null : { start, end: start + words.length, day, isEvent };
}

/** Of today's number, nobody knows which. */
function nextOf(number: number, today: number): number | null {
  const now = new Date(today);
  if (number < 1 || number === now.getUTCDate()) return null;
  const of = (month: number): number => Date.UTC(now.getUTCFullYear(), month, number);
  const isOf = (at: number): boolean => new Date(at).getUTCDate() === number && at > today;
  const month = now.getUTCMonth();
  return [of(month), of(month + 1), of(month + 2)].find(isOf) ?? null;
}
