/**
 * One thing done and not done: `I don't drink coffee any more`, `I drink coffee every morning`. The
 * other words may differ, so the clause is read: verb, object, and what restricts them. English.
 */

import { wordsOf } from '../sentences/sentence.ts';
import { thirdPerson } from '../sentences/statement.ts';
import { STAYS_DENIED } from '../slots/restricted.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { isDateWord, NUMBER_WORDS } from './likeness.ts';
import { remainder } from './remainder.ts';

interface Clause {
  readonly isDenied: boolean;
  /** As one person does it: `drinks`. Of `gave up coffee`, all that it may be. */
  readonly verbs: ReadonlySet<string>;
  readonly object: string;
  /** `to the gym`, where it follows at once. */
  readonly place: string;
  /** What stands behind them. */
  readonly rest: readonly string[];
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const NOT = wordSet("not never don't doesn't");
const PASSED_OVER = wordSet(
  'still now really always usually also just actually currently often regularly even again do does simply mostly',
);
/** `Is drinking coffee again`, `went back to smoking`. */
const TAKEN_UP =
  /^(?:now |just |recently )*(?:(?:is|are|has started|has begun|started|began|resumed) (?=.*\bagain\b)|(?:has )?(?:went|gone|got|gotten) back (?:to|into) )(?:now |just )*(\p{L}{2,}ing\b.*)$/u;
const GIVEN_UP = /^(?:has |have )?(?:stopped|quit|given up|gave up) /;
/** What `gave up coffee` can speak of. */
const TAKING = wordSet('drinks eats smokes uses takes plays watches does');
/** What a person would do, or did: another time, or none. */
const NO_VERB = wordSet(
  "is isn't has have had was were am are be been will won't would should must may might could can can't cannot shall used rarely hardly seldom barely sometimes only once twice likes loves enjoys hates prefers wants needs thinks knows",
);
const SMALL = wordSet(
  'a an the any some my our his her their its your more much of that those this these',
);
const PREPOSITIONS = wordSet('to at in on with for from about into by');
/** End an object. */
const BEHIND = wordSet(
  'in on at to with without for from after before during by because since until till when while if unless but and or than as instead except every each daily weekly once twice anymore any again now today tonight always often sometimes usually regularly only ever nowadays who which that',
);

/** Both can be so: of one day, of a kind of it, or in a case. */
const OF_ONE_DAY =
  /\b(?:today|tonight|tomorrow|yesterday|this|next|last|when|if|unless|without|instead|except|only)\b/;

const readings = new WeakMap<object, Clause | null>();

/**
 * How a statement stands to a known fact of the same subject. `beside`: it is denied in a case, or
 * of a part, so both are so. null = the two are not read as opposites.
 */
export function opposition(
  candidate: FactCandidate,
  fact: KnownFact,
): 'certain' | 'doubtful' | 'beside' | null {
  const [said, stored] = [clauseOf(candidate), clauseOf(fact)];
  if (!said || !stored || said.isDenied === stored.isDenied) return null;
  // What is done in a part of the time leaves the rest as it is.
  if (candidate.isBeside && !said.isDenied) return null;
  const [denied, told] = said.isDenied ? [said, stored] : [stored, said];
  if (![...denied.verbs].some((verb) => told.verbs.has(verb))) return null;
  // `Doesn't smoke`, `smokes ten cigarettes a day`.
  if (denied.object === '' && isCounted(told.object)) return 'doubtful';
  if (denied.object !== told.object) return null;
  if (denied.place !== '' && denied.place !== told.place) return BESIDE;
  const [without, how] = [denied.rest, told.rest].map((words) => words.join(' '));
  const isListed = [denied, told].some(({ rest }) => rest[0] === 'and' || rest[0] === 'or');
  if (isListed) return remainder(candidate, fact) === null ? 'doubtful' : 'certain';
  // `Gave up coffee`, `drinks coffee again`: of what else it could be, nobody says `again`.
  const isAgain = said === told && AGAIN.test(candidate.content);
  if (!STAYS_DENIED.test(without ?? '')) return BESIDE;
  const isOfPart = OF_ONE_DAY.test(how ?? '') || denied.place !== told.place;
  return isOfPart || (denied.verbs === TAKING && !isAgain) ? 'doubtful' : 'certain';
}
const AGAIN = /\bagain\b|\bback (?:to|into) \p{L}+ing\b/iu;

/** Kept of what is known to be denied alone: `I smoke again`. */
export const isOnlyTakenUp = ({ content, slot, isElseNone }: FactCandidate): boolean =>
  isElseNone === true && !slot?.instead && !slot?.isOfKnown && AGAIN.test(content);

const BESIDE = 'beside';

const isCounted = (object: string): boolean => {
  const [first = ''] = object.split(' ');
  return /^\d/.test(first) || NUMBER_WORDS.has(first);
};

type Said = Pick<FactCandidate, 'content'> & { readonly subject: string | null };

function clauseOf(said: Said): Clause | null {
  const known = readings.get(said);
  if (known !== undefined) return known;
  const clause = readClause(said);
  readings.set(said, clause);
  return clause;
}

function readClause({ content, subject }: Said): Clause | null {
  // Two clauses are two statements.
  if (subject === null || /[;:?!]|\. \S/.test(content)) return null;
  const words = afterSubject(wordsOf(content), subject);
  if (words === null) return null;
  const plain = words.join(' ');
  const again = TAKEN_UP.exec(plain)?.[1];
  if (again !== undefined) {
    const clause = afterEnd(again.split(' '));
    return clause && { ...clause, isDenied: false };
  }
  const over = GIVEN_UP.exec(plain)?.[0];
  if (over !== undefined) return afterEnd(plain.slice(over.length).split(' '));
  // `Used to play tennis`: what is known of it is over.
  const before = words[0] === 'used' && words[1] === 'to' ? words[2] : undefined;
  if (before !== undefined && !NO_VERB.has(thirdPerson(before)))
    return { isDenied: true, verbs: new Set([thirdPerson(before)]), ...behind(words.slice(3)) };
  let at = 0;
  let isDenied = false;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const isLonger = word === 'no' && words[at + 1] === 'longer';
    if (isLonger || NOT.has(word)) isDenied = !isDenied;
    else if (!PASSED_OVER.has(word)) break;
    if (isLonger) at += 1;
  }
  const verb = words[at] ?? '';
  if (verb === '' || NO_VERB.has(verb) || isDateWord(verb) || NUMBER_WORDS.has(verb)) return null;
  const isBase = words
    .slice(0, at)
    .some((word) => ["don't", "doesn't", 'do', 'does'].includes(word));
  // `Drank`: what was done once is no habit.
  if (!isBase && !verb.endsWith('s')) return null;
  const verbs = new Set([isBase ? thirdPerson(verb) : verb]);
  return { isDenied, verbs, ...behind(words.slice(at + 1)) };
}

/** `Stopped drinking coffee`, `gave up coffee`. */
function afterEnd([first = '', ...rest]: readonly string[]): Clause | null {
  const stem = /^(\p{L}{2,})ing$/u.exec(first)?.[1];
  if (stem === undefined) return { isDenied: true, verbs: TAKING, ...behind([first, ...rest]) };
  const bases = [stem, `${stem}e`, stem.replace(/(\p{L})\1$/u, '$1')];
  return { isDenied: true, verbs: new Set(bases.map(thirdPerson)), ...behind(rest) };
}

function afterSubject(words: readonly string[], subject: string): readonly string[] | null {
  for (const name of [subject, 'The user']) {
    const lead = wordsOf(name);
    if (lead.length > 0 && lead.every((word, at) => words[at] === word))
      return words.slice(lead.length);
  }
  return null;
}

const isBehind = (word: string): boolean => BEHIND.has(word) || isDateWord(word);

function behind(words: readonly string[]): Pick<Clause, 'object' | 'place' | 'rest'> {
  const object = nounOf(words);
  const after = words.slice(object.length);
  const [first = '', ...others] = after;
  const noun = object.length === 0 && PREPOSITIONS.has(first) ? nounOf(others) : [];
  const place = noun.length === 0 ? '' : [first, ...bare(noun)].join(' ');
  return {
    object: bare(object).join(' '),
    place,
    rest: noun.length === 0 ? after : others.slice(noun.length),
  };
}
function nounOf(words: readonly string[]): readonly string[] {
  // `Any coffee`, but `any more` is behind.
  const isLonger = words[0] === 'any' && ['more', 'longer'].includes(words[1] ?? '');
  const start = words[0] === 'any' && !isLonger ? 1 : 0;
  const end = words.findIndex(
    (word, at) => at >= start && (isBehind(word) || (word === 'a' && at > start)),
  );
  return words.slice(0, end === -1 ? words.length : end);
}
const bare = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !SMALL.has(word));
