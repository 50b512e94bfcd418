/**
 * Two statements of one frame that are of different things: `I play tennis now` after `I play
 * guitar`, `my home laptop is a ThinkPad now` after `my work laptop is a Mac`. What is shared is
 * the verb or the head of the noun alone, so both stand.
 */
import { stemOf } from '../../text/terms.ts';
import { isDateWord, NUMBER_WORDS, type Said } from '../compare/likeness.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { isDay, WRITTEN_DAYS } from './reading.ts';

type Stated = Said & { readonly subject: string | null };

/** What stands behind a word of place, aim or time; the object is behind `''`. */
interface Part {
  readonly words: ReadonlySet<string>;
  /** Of a number, what it counts. */
  readonly unit: string;
}
interface Clause {
  /** By stem. */
  readonly verb: string;
  readonly isOver: boolean;
  readonly parts: ReadonlyMap<string, Part>;
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Says that one thing came for another. */
const IN_PLACE =
  /\b(?:instead|rather|chang\w+|switch\w*|swap\w*|replac\w+|mov(?:ed|ing)|went|became)\b/i;
/** More than one clause is not read. */
const CLAUSES = /[,;:?!–—]|\. \S|\b(?:but|so|because|while|when|if|that|who|which)\b/i;
const PASSED = wordSet(
  'now nowadays currently still also just actually usually always really mostly only again today lately these',
);
const SMALL = wordSet(
  'a an the my our his her their its your some any this that of and or now nowadays currently anymore again today more lately these',
);
const PLACING = wordSet(
  'in on at to with for from about by as during until after before under over into every each',
);
/** Count nothing by themselves. */
const TIMES = wordSet('day week month year hour minute time days weeks months years hours times');
/** Of what one is there is one at a time. */
const BEING = wordSet("is are am was were isn't aren't will");
/** `Has an account at ING`: another one can be had. */
const HAVING: ReadonlySet<string> = new Set(['has', 'owns', 'keeps', 'holds'].map(stemOf));

/** Whether neither says anything of what the other is of. Unsure is false. */
export function isApart(said: Stated, before: Stated): boolean {
  if (IN_PLACE.test(said.content)) return false;
  return isOfOtherNoun(said, before) || isOfOtherObject(said, before);
}

/**
 * In one slot, of what the slot does not tell: `my Friday standup` after `my Monday standup`, `I
 * take aspirin for my heart` after `I take ibuprofen for my back`.
 */
export function isApartInSlot(said: Stated, before: Stated, value: string): boolean {
  if (IN_PLACE.test(said.content)) return false;
  const nouns = [nounOf(said), nounOf(before)];
  if (nouns.every((noun) => noun?.some(isDay)) && isOfOtherNoun(said, before)) return true;
  const [a, b] = [clauseOf(said), clauseOf(before)];
  if (!a || !b || b.isOver) return false;
  const [of, was] = [a.parts.get('for'), b.parts.get('for')];
  // `I work for Acme`: there it is the value.
  const isValue = wordsOf(value).some((word) => of?.words.has(stemOf(word)));
  const hasObject = [a, b].every(({ parts }) => (parts.get('')?.words.size ?? 0) > 0);
  if (!of || !was || isValue || !hasObject || of.words.size === 0 || was.words.size === 0)
    return false;
  return ![...of.words].some((word) => was.words.has(word));
}

const textOf = ({ content }: Stated): string =>
  content.replaceAll(WRITTEN_DAYS, '').trim().replace(/[.!]$/, '');

function subjectsOf(subject: string | null): readonly (readonly string[])[] {
  return [subject ?? '', 'The user'].map(wordsOf).filter(({ length }) => length > 0);
}

/** `My Friday standup` is not `my Monday standup`: one head, and each has words of its own. */
export function isOfOtherNoun(said: Stated, before: Stated): boolean {
  const [a, b] = [nounOf(said), nounOf(before)];
  if (!a || !b || a.length < 2 || b.length < 2) return false;
  const isLabelled = a.length === b.length && [a.at(-1), b.at(-1)].every(isLabel);
  if (isLabelled && a.at(-1) !== b.at(-1))
    return a.slice(0, -1).join(' ') === b.slice(0, -1).join(' ');
  if (a.at(-1) !== b.at(-1)) return false;
  const [own, other] = [a.slice(0, -1), b.slice(0, -1)];
  return own.every((word) => !other.includes(word));
}
/** `Plan A`, `room 2`. */
const isLabel = (word = ''): boolean => /^(?:[a-z]|\d{1,3})$/.test(word);
const SAME_THING = wordSet('new current old latest own next usual');
const LINKING = wordSet('is are was costs cost weighs runs starts begins has takes goes needs');

function nounOf(said: Stated): readonly string[] | null {
  const words = wordsOf(textOf(said));
  const start = words.findIndex((word) => !PASSED.has(word));
  const lead = subjectsOf(said.subject).find((name) =>
    name.every((part, at) => {
      const word = words[start + at];
      const isLast = at === name.length - 1;
      return isLast ? word === `${part}'s` || word === `${part}'` : word === part;
    }),
  );
  if (!lead) return null;
  const rest = words.slice(start + lead.length);
  const verb = rest.findIndex((word) => LINKING.has(word));
  if (verb < 1 || verb > MOST_NOUN_WORDS) return null;
  return rest.slice(0, verb).filter((word) => !SAME_THING.has(word));
}
const MOST_NOUN_WORDS = 4;

function isOfOtherObject(said: Stated, before: Stated): boolean {
  const [a, b] = [clauseOf(said), clauseOf(before)];
  if (!a || !b || b.isOver) return false;
  if (a.verb !== b.verb) return isOtherDoing(a, b) || endsOther(a, b);
  const pairs = [...new Set([...a.parts.keys(), ...b.parts.keys()])].map(
    (name) => [name, a.parts.get(name), b.parts.get(name)] as const,
  );
  let shared = 0;
  let other = 0;
  const oneSided = new Set<'said' | 'before'>();
  for (const [name, of, was] of pairs) {
    const isSaid = (of?.words.size ?? 0) > 0;
    const wasSaid = (was?.words.size ?? 0) > 0;
    if (!of || !was || !isSaid || !wasSaid) {
      if (isSaid !== wasSaid) oneSided.add(isSaid ? 'said' : 'before');
      continue;
    }
    const isShared = [...of.words].some((word) => was.words.has(word));
    if (!isShared) other += 1;
    // That one has an account says nothing of which.
    else if (name !== '' || !HAVING.has(a.verb)) shared += 1;
  }
  if (a.isOver) return other > 0 || (shared === 0 && oneSided.size === 2);
  if (other > 0) return shared === 0 || other > 1;
  return shared === 0 && oneSided.size === 2;
}

/** `I swim 1 km now` after `I run 5 km`. */
function isOtherDoing(a: Clause, b: Clause): boolean {
  const [of, was] = [a.parts.get(''), b.parts.get('')];
  if (!of || !was || of.unit === '' || of.unit !== was.unit || a.isOver) return false;
  return (
    ![a.verb, b.verb].some((verb) => ANY_DOING.has(verb)) && of.words.size + was.words.size === 0
  );
}
/** `I get 8 hours now` may be said of what one sleeps. */
const ANY_DOING: ReadonlySet<string> = new Set(
  ['has', 'gets', 'does', 'makes', 'takes', 'needs', 'wants', 'goes'].map(stemOf),
);

/** `I no longer work in Rome` after `I live in Rome`. */
const endsOther = (a: Clause, b: Clause): boolean =>
  a.isOver && [a.verb, b.verb].every((verb) => OF_ITS_OWN.has(verb));
const OF_ITS_OWN: ReadonlySet<string> = new Set(
  ['lives', 'works', 'studies', 'teaches', 'plays', 'speaks', 'trains', 'sleeps'].map(stemOf),
);

function clauseOf(said: Stated): Clause | null {
  const text = textOf(said);
  if (CLAUSES.test(text)) return null;
  const words = wordsOf(text);
  const start = words.findIndex((word) => !PASSED.has(word));
  const lead = subjectsOf(said.subject).find((name) =>
    name.every((word, at) => words[start + at] === word),
  );
  if (!lead) return null;
  let at = start + lead.length;
  let isOver = /\b(?:any ?more|any longer)$/i.test(text);
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === 'no' && words[at + 1] === 'longer') at += 1;
    else if (!OVER.has(word) && !PASSED.has(word)) break;
    isOver ||= !PASSED.has(word);
  }
  const verb = words[at] ?? '';
  if (verb === '' || BEING.has(verb)) return null;
  return { verb: stemOf(verb), isOver, parts: partsOf(words.slice(at + 1)) };
}
const OVER = wordSet("stopped quit doesn't don't");

function partsOf(words: readonly string[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  let name = '';
  let held: string[] = [];
  const put = (): void => void parts.set(name, partOf(held));
  for (const word of words) {
    if (!PLACING.has(word)) {
      held.push(word);
      continue;
    }
    put();
    name = word;
    held = [];
  }
  put();
  return parts;
}

function partOf(words: readonly string[]): Part {
  const kept = new Set<string>();
  let unit = '';
  for (const [at, word] of words.entries()) {
    const isUnit = isNumber(words[at - 1] ?? '');
    if (isUnit) unit = stemOf(word);
    if (isUnit || isNumber(word) || isDay(word) || SMALL.has(word)) continue;
    if (!TIMES.has(word) && !isDateWord(word)) kept.add(stemOf(word));
  }
  return { words: kept, unit };
}
const isNumber = (word: string): boolean => /^\d/.test(word) || NUMBER_WORDS.has(word);
