/**
 * Which event is called off: `has a trip to Oslo in May` by `they cancelled my trip`. What comes
 * back every week goes on, whichever day of it is cancelled. English.
 */
import { PLAIN_MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { wordsOf } from '../sentences/sentence.ts';
import type { KnownFact } from '../state.ts';
import { EVENTS, JOURNEYS } from './events.ts';
import { saidOf } from './said-of.ts';

type Held = Pick<KnownFact, 'content' | 'subject'>;

const IS_EVENT = new RegExp(`^(?:${EVENTS})$`);
const IS_JOURNEY = new RegExp(`^(?:${JOURNEYS})$`);
const SMALL = /^(?:to|in|at|with|for|on|from|the|a|an|my|our|big|whole|entire)$/;

const PLANS =
  '(?:has|have|is having|are having|is planning|are planning|is organi[sz]ing|are organi[sz]ing|is hosting|are hosting|has booked|have booked|booked|has planned|plans|is going on|are going on|is looking forward to)';
const BEHIND =
  '(?=$|[.,;(]| (?:in|at|with|from|for|to|on|next|this|tomorrow|of|starting|until|during)\\b)';
const OVER = /\b(?:no longer|not|never|was|were|cancell?ed|called off|went|used to)\b|n't\b/;
const AGAIN =
  /\b(?:every|each|weekly|monthly|daily|usually|always|often|twice|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends)\b/;
const MARRYING = /^(?:is|are) (?:getting married|marrying)\b/;
const GOING =
  / (?:is|are) (?:flying|travell?ing|going|driving|sailing) to (?:\p{Lu}|the \p{Lu}).{0,60} (?:in|on|next|this|for|tomorrow)\b/u;
const DAYS: ReadonlySet<string> = new Set([...PLAIN_MONTH_NAMES, ...WEEKDAY_NAMES, 'may']);

/** All that is over; none = nothing is known of it, or two could be meant. */
export function eventEnded<Fact extends Held>(
  words: readonly string[],
  known: readonly Fact[],
): readonly Fact[] {
  const noun = words.find((word) => IS_EVENT.test(word));
  if (noun === undefined) return [];
  const rest = words.filter((word) => word !== noun && !SMALL.test(word));
  const held = known.filter((fact) => {
    const own = new Set(wordsOf(fact.content).map((word) => word.replace(/'s$/, '')));
    return isPlanOf(fact, noun) && rest.every((word) => own.has(word));
  });
  if (held.length < 2 || noun === 'wedding') return held;
  const places = held.map(placesOf);
  const isOneJourney =
    IS_JOURNEY.test(noun) && places.every((place) => place !== '' && place === places[0]);
  return isOneJourney ? held : [];
}

function isPlanOf(fact: Held, noun: string): boolean {
  const said = saidOf(fact);
  if (said === null || OVER.test(said) || AGAIN.test(said)) return false;
  const own = new RegExp(
    `^'s (?:[\\p{L}-]+ ){0,2}${noun}(?: (?:to|in|at|with|for|of) [\\p{L}\\d' .-]{2,40}?)? (?:is|starts|begins|takes place|will be|has been moved)\\b`,
    'u',
  );
  const has = new RegExp(
    `^${PLANS} (?:an?|the|their|our|his|her|my|another) (?:[\\p{L}-]+ ){0,2}?${noun}${BEHIND}`,
    'u',
  );
  if (own.test(said) || has.test(said)) return true;
  if (noun === 'wedding') return MARRYING.test(said);
  return IS_JOURNEY.test(noun) && GOING.test(fact.content);
}

/** `Oslo`, of `is flying to Oslo in May`. */
const placesOf = ({ content }: Held): string =>
  [...content.matchAll(/ (?:to|in) (?:the )?(\p{Lu}[\p{L}'-]+)/gu)]
    .map(([, place = '']) => place.toLowerCase())
    .filter((place) => !DAYS.has(place))
    .join(' ');
