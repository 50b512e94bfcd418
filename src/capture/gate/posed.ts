/**
 * Sums that a turn poses: `I have 12 apples. I give 5 to Tom. How many do I have?` What they are
 * made of is supposed, and nothing that the speaker has. Of one number nothing can be summed, and
 * what one earns or pays by the month is one's own: those stay.
 */
import { isAsking } from './unstated.ts';

/** Of a sentence. */
interface Said {
  readonly text: string;
  readonly plain: string;
  readonly start: number;
}

const NUMBER =
  /(?<![\p{L}\p{N}.])(?:[$€£]?\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|twice|double|triple)(?![\p{L}\p{N}])/giu;
/** What makes more or fewer of it. */
const CHANGES =
  / (?:gives?|gave|buys?|bought|sells?|sold|eats?|ate|lose|loses|lost|finds?|found|takes?|took|adds?|added|removes?|removed|drops?|dropped|spends?|spent|shares?|shared|breaks?|broke|throws?|threw|receives?|received|picks?|picked|returns?|returned|borrows?|borrowed|each|every|more|less|fewer|another|times as|twice|half|away|cost|costs) /;
const LEFT =
  / (?:left|remain|remaining|altogether|in total|in all|now|then|after (?:that|this)|at the end) /;
const HOW_MANY =
  /^ (?:(?:so|and|then|now|ok|question|quick question) )*how (?:many|much) (\p{L}+) /u;
const HOW_FAR =
  /^ (?:(?:so|and|then|now|ok) )*(?:how (?:far|fast|long)|what(?:'s| is) (?:the|my) (?:distance|speed|average|total|sum)) /;
const RATE =
  / (?:mph|kmh|kph|km h|m s|miles (?:per|an) hour|km (?:per|an) hour|kilometers? (?:per|an) hour|meters? per second|per (?:hour|minute|second)) /;
const HOW_OLD = /^ (?:(?:so|and|then|now|ok) )*how old (?:am|is|are|was|were|will) /;
const AGES = / (?:twice|half|times|older|younger|double) /;
/** A household, and no sum. */
const OF_LIFE =
  / (?:month|monthly|year|yearly|annually|salary|earn|earns|income|rent|mortgage|loan|invest|calories|protein|weigh|kg|pounds|diet|doses?|mg|pills?|budget|save|saving|savings|debt|tax|taxes) /;
const MOST_STATEMENTS = 8;
const MOST_READ = 300;

/** By its start, each statement of the turn that a sum is made of. */
export function posedIn(pieces: readonly Said[]): ReadonlySet<number> {
  const posed = new Set<number>();
  for (const [at, { text, plain }] of pieces.entries()) {
    if (text.length > MOST_READ || !isAsking(text)) continue;
    const before = pieces.slice(Math.max(0, at - MOST_STATEMENTS), at);
    const given = before.filter((each) => isGiven(each));
    if (given.length > 0 && isSum(plain, given)) for (const { start } of given) posed.add(start);
  }
  return posed;
}

const isGiven = ({ text, plain }: Said): boolean =>
  text.length <= MOST_READ && !isAsking(text) && (numbersIn(text) > 0 || AGES.test(plain));

function isSum(question: string, given: readonly Said[]): boolean {
  if (given.some(({ plain }) => OF_LIFE.test(plain)) || OF_LIFE.test(question)) return false;
  const numbers = given.reduce((sum, { text }) => sum + numbersIn(text), 0);
  const has = (form: RegExp): boolean => given.some(({ plain }) => form.test(plain));
  if (HOW_OLD.test(question)) return has(AGES);
  if (numbers < 2) return false;
  if (HOW_FAR.test(question)) return has(RATE);
  const [, asked = ''] = HOW_MANY.exec(question) ?? [];
  if (asked === '' || !(has(CHANGES) || LEFT.test(question))) return false;
  return ELLIPTIC.test(asked) || given.some(({ plain }) => plain.includes(` ${stemOf(asked)}`));
}
/** `How many do I have?` */
const ELLIPTIC = /^(?:do|does|did|are|is|will|have|has|left|remain|in|altogether|now)$/;
const stemOf = (noun: string): string => noun.replace(/(?:ies|es|s)$/, '');

const numbersIn = (text: string): number => text.match(NUMBER)?.length ?? 0;
