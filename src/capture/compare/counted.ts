/**
 * Whether the numbers in which two statements differ count the same thing. `Three kids` is not so
 * where there are four; `a BMW 320`, `project P1`, `a son who is 7` are each one of several, so
 * another one stands beside them. English.
 */
import { NUMBER_WORDS, readingOf, type Said } from './likeness.ts';

/** Glued to a number: `80kg`, `9am`, `5%`. */
const MEASURE = /^[$€£¥]?\d[\d.,:]*(?:\p{L}{1,3}|[%€$£°]\p{L}?)?$/u;
/** Behind these a number is what is said. */
const BEFORE_COUNT =
  /^(?:about|around|roughly|approximately|nearly|almost|over|under|only|just|exactly|least|most|than|at|to|for|every|from|by|until|till|after|before|and|or|not|no|now|me|is|are|has|have|a|an|the|my|our|his|her|their|these|of|in|on|with|within|up|down|another|all|per|since|between)$/;
/** What is counted begins with a small letter: behind them nothing is counted. */
const NOT_COUNTED =
  /^(?:and|or|but|in|on|at|to|for|from|with|by|of|as|now|today|because|since|so|which|who|that|if|when|while|than|too|also|again|is|are|was|were|has)$/;
/** One of several, which what follows tells from the others. */
const ONE_OF = /^(?:an|a|another)$/;
const OF_ONE = /^(?:with|who|that|which|called|named|in|on|from|of|at|whose|for)$/;
/** Of these there is one, however it is told. */
const ONE_AT_A_TIME =
  /^(?:salary|wage|income|budget|allowance|rent|fee|mortgage|limit|quota|target|pension|rate|temperature|pressure|weight|height|size|score|commute|speed|lease|contract|deposit|debt|loan)$/;

type Role = 'count' | 'label';

interface NumberSaid {
  readonly number: string;
  readonly role: Role;
}

/** Whether a difference in number is one of a count or a measure, and in nothing else. */
export function areCountsApart(said: Said, stored: Said): boolean {
  const [a, b] = [numbersOf(said), numbersOf(stored)];
  const labels = [a, b].map((numbers) =>
    numbers.flatMap(({ number, role }) => (role === 'label' ? [number] : [])).toSorted(),
  );
  return String(labels[0]) === String(labels[1]);
}

/** `I don't have 4 kids` after `I have 3 kids`: both are so. */
export function deniesOtherNumber(said: Said, stored: Said): boolean {
  // `Three kids, not four` tells how many there are.
  if (/, not [\p{L}\d]/iu.test(said.content)) return false;
  const [of, was] = [readingOf(said), readingOf(stored)];
  const denied = of.negations.length > was.negations.length ? of : was;
  const told = (denied === of ? was : of).numbers.map(inDigits);
  return denied.numbers.length > 0 && !denied.numbers.some((each) => told.includes(inDigits(each)));
}

const ONES = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const inDigits = (number: string): string => {
  const at = ONES.indexOf(number);
  return at === -1 ? number : String(at);
};

function numbersOf({ content }: Said): readonly NumberSaid[] {
  const tokens = content
    .split(/\s+/u)
    .map((token) => token.replace(/^["'“(]{1,4}|["'”).,;:!?]{1,4}$/gu, ''));
  return tokens.flatMap((token, at) => {
    const isNumber = /\d/.test(token) || NUMBER_WORDS.has(token.toLowerCase());
    return isNumber ? [{ number: inDigits(token.toLowerCase()), role: roleOf(tokens, at) }] : [];
  });
}

function roleOf(tokens: readonly string[], at: number): Role {
  const [token = '', before = '', next = ''] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (/\d/.test(token) && !MEASURE.test(token)) return 'label';
  if (isOfOne(tokens, at)) return 'label';
  // `An iPhone 13`: the name of a thing.
  if (at > 1 && /\p{Lu}/u.test(before) && before !== 'I') return 'label';
  if (BEFORE_COUNT.test(before.toLowerCase()) || isVerb(tokens, at - 1)) return 'count';
  return /^\p{Ll}/u.test(next) && !NOT_COUNTED.test(next) ? 'count' : 'label';
}

/** `A kid in grade 2`, `a flat with 3 rooms`, `a 2 year old`: what tells which one. */
function isOfOne(tokens: readonly string[], at: number): boolean {
  const article = tokens.findIndex((token) => ONE_OF.test(token));
  if (article === -1 || article > at) return false;
  if (tokens.slice(article, at).some((token) => ONE_AT_A_TIME.test(token))) return false;
  return (
    tokens.slice(article + 1, at).some((token) => OF_ONE.test(token)) &&
    !tokens.slice(article + 1, article + 2).some((token) => /^(?:day|week|month|year)$/.test(token))
  );
}

/** As one person does it, behind the name of who does it: `costs 9`, `weighs 80`. */
const isVerb = (tokens: readonly string[], at: number): boolean =>
  at > 0 && /^\p{Ll}{2,}s$/u.test(tokens[at] ?? '') && /^\p{Lu}|^user$/u.test(tokens[at - 1] ?? '');
