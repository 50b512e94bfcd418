/**
 * One event, told of with two days: `My flight to Oslo is on 3 May`, then `… on 5 May`. It takes
 * place once, so the day that was told last is its day. English.
 */
import { PLAIN_MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { namesSameDays, withPlainDays } from '../times/day-spelling.ts';

const MONTH = `(?:may|${PLAIN_MONTH_NAMES.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?`;
const NUMBER = '\\d{1,2}(?:st|nd|rd|th)?';
const YEAR = '(?:,? (?:19|20)\\d\\d)?';
const ISO = '\\(?(?:19|20)\\d\\d-\\d\\d-\\d\\d\\)?';
/** A weekday alone comes every week. */
const WEEKDAY = `(?:(?:next |this )?(?:${WEEKDAY_NAMES.join('|')}),? )?`;
const DAY = new RegExp(
  `\\b${WEEKDAY}(?:(?:the )?${NUMBER} (?:of )?${MONTH}${YEAR}|${MONTH} (?:the )?${NUMBER}${YEAR})` +
    `(?![\\p{L}\\d])(?: ${ISO})?|${WEEKDAY}(?<!\\d)${ISO}`,
  'giu',
);
const TIME = /\bat \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m\b)?/giu;
const TAKES_PLACE =
  /^(?:\p{L}[\p{L}\p{N}'’-]* ){1,8}?(?:is|starts|begins|leaves|departs|takes place|ends) /u;
/** Of several. */
const ONE_OF_MANY = /\b(?:an?|another|other|next|second|third|also|too|every|each)\b/i;

interface Told {
  readonly content: string;
  readonly subject: string | null;
}

/** Whether both tell of one event of the same person, and of different days. */
export function isOtherDay(said: Told, known: Told): boolean {
  const a = eventOf(said);
  const b = a && eventOf(known);
  return a !== null && b !== null && a.event === b.event && !namesSameDays(a.days, b.days);
}

interface DatedEvent {
  readonly event: string;
  readonly days: string;
}

const read = new WeakMap<Told, DatedEvent | null>();
/** null = no event of the subject with a day. A statement meets many others: it is read once. */
function eventOf(told: Told): DatedEvent | null {
  const known = read.get(told);
  if (known !== undefined) return known;
  const event = readEvent(told);
  read.set(told, event);
  return event;
}

function readEvent({ content, subject }: Told): DatedEvent | null {
  const owner = [subject, 'The user']
    .flatMap((name) => (name === null ? [] : [`${name}'s `, `${name}' `]))
    .find((lead) => content.startsWith(lead));
  if (owner === undefined) return null;
  const told = withPlainDays(content.slice(owner.length));
  const days = told.match(DAY);
  if (days === null || !TAKES_PLACE.test(told) || ONE_OF_MANY.test(told)) return null;
  const event = wordsOf(told.replaceAll(DAY, ' ').replaceAll(TIME, ' ')).join(' ');
  return { event, days: days.join(' ') };
}
