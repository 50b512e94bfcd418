/**
 * `My rent will be 950 from April` is of one slot with `my rent is 900`: from that day on it is so,
 * and the old value holds until then. A number alone is read so; without a day nothing is.
 */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';

const DAY = `(?:the \\d{1,2}(?:st|nd|rd|th)?\\b|\\d{1,2}(?:st|nd|rd|th)? (?:of )?\\p{L}+|\\d{4}|next (?:week|month|year)|${[...MONTH_NAMES, ...WEEKDAY_NAMES].join('|')})`;
const WILL_BE = new RegExp(
  `^((?:my|our) (?:[\\p{L}-]+ ){1,3}?)(?:will|is going to) (?:be|become|rise to|go up to|go down to|drop to) ([$€£]?\\d[\\d.,]*[€$£%]?(?: \\p{L}+)?,? (?:from|starting|beginning|effective|as of|as from)(?: on| from)? ${DAY}.{0,30})$`,
  'iu',
);
const MOST_UNITS = 120;

/** As it is said then; null = it says no such thing. */
export function fromThenOn(text: string): string | null {
  if (text.length > MOST_UNITS || text.includes('?')) return null;
  const [, whose, value] = WILL_BE.exec(text) ?? [];
  return whose === undefined || value === undefined ? null : `${whose}is ${value}`;
}
