/** `From April`, `goes up in July`: a month by its name alone, which is the next one. */
import { MONTH_NAMES } from '../../text/calendar.ts';
import type { Day } from './dates.ts';

const MONTH = MONTH_NAMES.join('|');
const FROM = new RegExp(
  `\\b(?:from|starting|starting in|starting from|beginning in|effective|as of) (${MONTH})\\b(?! (?:\\d|to\\b|until\\b|till\\b|through\\b))`,
  'i',
);
/** What is told of as going to be otherwise then. */
const BECOMES = new RegExp(
  `\\b(?:goes|go|rises?|drops?|increases?|decreases?|changes?|becomes?|will (?:be|become|go|rise|drop|cost|change))\\b[^,;.!?]{1,60}? in (${MONTH})\\b(?! \\d)`,
  'i',
);
/** Each year, and of what was. */
const OF_MORE = /\b(?:every|each|always|usually|last|since|was|were|had|went)\b/i;

/** Its first day; null = none is named, or the one that is named has begun. */
export function monthToCome(text: string, today: Day): Day | null {
  if (text.length > MOST_CHARS || OF_MORE.test(text)) return null;
  const name = (FROM.exec(text) ?? BECOMES.exec(text))?.[1]?.toLowerCase();
  const month = name === undefined ? -1 : MONTH_NAMES.indexOf(name);
  const now = new Date(today);
  if (month === -1 || month === now.getUTCMonth()) return null;
  const year = now.getUTCFullYear() + Number(month < now.getUTCMonth());
  return Date.UTC(year, month, 1);
}
const MOST_CHARS = 300;
