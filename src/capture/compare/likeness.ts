/**
 * Whether two statements say the same. Measured with the built-in embedder, the cosine of `before`
 * and `after` is .997, of Monday and Thursday .960, of `likes` and `does not like` .931, and of a
 * true paraphrase .737: likeness alone drops updates. So numbers, names, negations, dates, function
 * words and the order of all words must agree as well.
 */
import { PLAIN_MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { isStopWord, stemOf } from '../../text/terms.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { signedWords } from '../slots/signs.ts';
import { withPlainDays } from '../times/day-spelling.ts';

export interface Marks {
  readonly numbers: readonly string[];
  readonly names: readonly string[];
  readonly negations: readonly string[];
  readonly dates: readonly string[];
  readonly units: readonly string[];
  readonly functionWords: readonly string[];
  readonly contentWords: readonly string[];
  /** Words with a sign: `a-`, `-18`, `c++`. */
  readonly signed: readonly string[];
}

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never none nobody nothing nowhere neither nor without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't stopped quit longer anymore hates hate dislikes dislike avoids avoid unable refuses".split(
    ' ',
  ),
);
const DATES: ReadonlySet<string> = new Set([
  ...WEEKDAY_NAMES,
  ...WEEKDAY_NAMES.map((name) => `${name}s`),
  ...PLAIN_MONTH_NAMES,
  ...'spring summer autumn fall winter morning afternoon evening night noon midnight weekly daily monthly yearly hourly today tomorrow yesterday'.split(
    ' ',
  ),
]);
export const isDateWord = (word: string): boolean => DATES.has(word);
export const NUMBER_WORDS: ReadonlySet<string> = new Set(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
    'fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ' +
    'ninety hundred thousand million dozen half double twice once first second third fourth ' +
    'fifth sixth seventh eighth ninth tenth eleventh twelfth last both'
  ).split(' '),
);
/** Prepositions, quantifiers and comparisons: a small word that turns a meaning. */
const TURNING: ReadonlySet<string> = new Set(
  'before after over under above below with without more less most least all some any only except always never often rarely sometimes from to into out up down on off in by until since and or but if unless than between against for at near far left right high low small large big new old'.split(
    ' ',
  ),
);
/** Of these a slot is told in one as in the other: `lives in Oslo`, `moved to Oslo`. */
const PLACING: ReadonlySet<string> = new Set(
  'to into in at on from off out up down by near for and or but far since new old big'.split(' '),
);
/** What a number is counted in, and how often. */
const UNITS: ReadonlySet<string> = new Set(
  (
    'second seconds minute minutes hour hours hourly day days daily week weeks weekly fortnight ' +
    'month months monthly quarter quarterly year years yearly annually mm cm m km mile miles ' +
    'metre metres meter meters inch inches foot feet yards mg g gram grams kg kilo kilos pound ' +
    'pounds stone lb lbs oz ml cl l litre litres liter liters cup cups euro euros eur dollar ' +
    'dollars usd gbp cent cents pence percent degrees celsius fahrenheit kb mb gb tb'
  ).split(' '),
);
/** Say nothing by themselves: a paraphrase is free to have them or not. */
const EMPTY: ReadonlySet<string> = new Set(
  'a an the is are was be been being am has have had do does did really very quite just also so that this it its his her their them they he she him of as too will would'.split(
    ' ',
  ),
);

export function marksOf(text: string): Marks {
  const words = wordsOf(text);
  const of = (set: ReadonlySet<string>): readonly string[] =>
    words.filter((word) => set.has(word)).sort();
  return {
    numbers: words.filter((word) => /\d/.test(word) || NUMBER_WORDS.has(word)).sort(),
    names: namesIn(text),
    negations: of(NEGATIONS),
    dates: of(DATES),
    units: of(UNITS),
    functionWords: words
      .filter(
        (word) =>
          TURNING.has(word) || (isStopWord(word) && !EMPTY.has(word) && !NEGATIONS.has(word)),
      )
      .sort(),
    contentWords: words.filter((word) => !isStopWord(word) && !EMPTY.has(word)),
    signed: signedWords(text),
  };
}

/** A statement is compared with many others of its batch: it is read once. */
const read = new WeakMap<Said, Reading>();
export interface Said {
  readonly content: string;
}
export interface Reading extends Marks {
  readonly words: readonly string[];
  /** The words in a row. */
  readonly plain: string;
}

export function readingOf(said: Said): Reading {
  const known = read.get(said);
  if (known) return known;
  const content = withPlainDays(said.content);
  const words = wordsOf(content);
  const reading = { ...marksOf(content), words, plain: words.join(' ') };
  read.set(said, reading);
  return reading;
}

/** Words with a capital that do not begin the text, and words of marks: `v2`, `#ops`, `a/b`. */
function namesIn(text: string): readonly string[] {
  const tokens = text.split(/\s/).filter((token) => token !== '');
  return tokens
    .filter(
      (token, index) => (index > 0 && /^["'“(]?\p{Lu}/u.test(token)) || /[/@#_\\`]/.test(token),
    )
    .map((token) => wordsOf(token).join('.'))
    .filter((name) => name !== '')
    .sort();
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, index) => word === b[index]);

/** What must be equal for two statements to be one. */
export const agree = (a: Reading, b: Reading): boolean =>
  same(a.numbers, b.numbers) &&
  same(a.names, b.names) &&
  same(a.negations, b.negations) &&
  same(a.dates, b.dates) &&
  same(a.functionWords, b.functionWords) &&
  isSignedAlike(a, b) &&
  isOfSameTime(a, b) &&
  isInOrder(a, b);

/** `My blood group is A-` after `A+`: their words are the same. */
export const isSignedAlike = (a: Pick<Marks, 'signed'>, b: Pick<Marks, 'signed'>): boolean =>
  same(a.signed, b.signed);

/** `I use Python` after `I used Python`; `has used` goes on. */
function isOfSameTime({ words: a }: Reading, { words: b }: Reading): boolean {
  const past = (words: readonly string[]): ReadonlyMap<string, boolean> =>
    new Map(
      words.map((word, at) => [
        stemOf(word),
        word.endsWith('ed') &&
          !/^(?:has|have|had|is|are|was|were|been|be)$/.test(words[at - 1] ?? ''),
      ]),
    );
  const [ofA, ofB] = [past(a), past(b)];
  return (
    same(a.filter(isPast), b.filter(isPast)) &&
    [...ofA].every(([stem, isOver]) => (ofB.get(stem) ?? isOver) === isOver)
  );
}
const isPast = (word: string): boolean => word === 'was' || word === 'were' || word === 'had';

/**
 * Whether what both name stands in one order: `tea to coffee` is not `coffee to tea`, nor `Ben 50
 * and Ana 20` the other way round.
 */
function isInOrder({ words: a }: Reading, { words: b }: Reading): boolean {
  const [ofA, ofB] = [new Set(a), new Set(b)];
  const named = (words: readonly string[], others: ReadonlySet<string>): readonly string[] =>
    words.filter((word) => others.has(word) && !EMPTY.has(word) && !isStopWord(word));
  return same(named(a, ofB), named(b, ofA));
}

/** Whether a statement names nothing that the known one does not name. */
export const saysNoMore = (said: Said, known: Said): boolean =>
  readingOf(said).contentWords.length === 0 ||
  (containment(stemsOf(said), stemsOf(known)) === 1 &&
    endsAlike(readingOf(said), readingOf(known)));

/** `Allergic to peanuts` after `allergic to peanut oil`: of the word that it ends with is more. */
function endsAlike({ contentWords, words: own }: Reading, { words, ...known }: Reading): boolean {
  const last = stemOf(contentWords.at(-1) ?? '');
  const at = words.findLastIndex((word) => stemOf(word) === last);
  const next = words[at + 1];
  return next === undefined || own.includes(next) || !known.contentWords.includes(next);
}
/**
 * Whether a statement of a slot and a value that are known names no number, name, negation, date,
 * unit or turning word that the known one does not name. Less said is nothing new: `I live in Oslo`
 * after `I have lived in Oslo since 2016`.
 */
export function addsNothing(said: Said, known: Said): boolean {
  const [a, b] = [readingOf(said), readingOf(known)];
  const words = new Set(b.words);
  const isNamed = (name: string): boolean =>
    name.split('.').every((word) => words.has(word) || words.has(word.replace(/'s$/, '')));
  const turning = a.functionWords.filter((word) => TURNING.has(word) && !PLACING.has(word));
  return (
    a.names.every(isNamed) &&
    [...a.numbers, ...a.negations, ...a.dates, ...a.units, ...turning].every((word) =>
      words.has(word),
    )
  );
}
const stemsOf = (said: Said): readonly string[] => readingOf(said).contentWords.map(stemOf);

/** The same words in the same order, whatever the punctuation. */
export const isSameText = (a: string, b: string): boolean =>
  wordsOf(a).join(' ') === wordsOf(b).join(' ');

/** Share of the words of `part` that stand in `whole`, each as often as it does there. */
export function containment(part: readonly string[], whole: readonly string[]): number {
  if (part.length === 0) return 0;
  const left = new Map<string, number>();
  for (const word of whole) left.set(word, (left.get(word) ?? 0) + 1);
  const found = part.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count > 0;
  });
  return found.length / part.length;
}

export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
