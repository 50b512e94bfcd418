/** Patterns of words against a sentence: what `rules.ts` writes as `i live in %`. */

import { wordsOf } from '../sentences/sentence.ts';
import { timesIn } from '../times/dates.ts';
import * as nouns from './nouns.ts';
import * as rules from './rules.ts';

export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const LONG: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    "i'm": ['i', 'am'],
    "i've": ['i', 'have'],
    "i'd": ['i', 'would'],
    "we're": ['we', 'are'],
    "we've": ['we', 'have'],
    "it's": ['it', 'is'],
    "he's": ['he', 'is'],
    "she's": ['she', 'is'],
    "they're": ['they', 'are'],
    "name's": ['name', 'is'],
    "that's": ['that', 'is'],
    "they've": ['they', 'have'],
    "don't": ['do', 'not'],
    "doesn't": ['does', 'not'],
    "can't": ['can', 'not'],
    "isn't": ['is', 'not'],
    "aren't": ['are', 'not'],
  }),
);

/** Verbs that a chat begins with, where the speaker goes without saying: `moved to Rome`. */
const SAID_WITHOUT_I: ReadonlySet<string> = new Set(
  'moved relocated adopted joined started switched changed got bought found been living working quit became traded swapped replaced transferred enrolled upgraded downgraded raised upped lowered sold cancelled canceled ditched dropped reading learning using dating studying training driving down gave finished ended took picked hired broke lost fired swapped taking going getting seeing drinking eating paying watching playing wearing back signed handed opened ordered subscribed went finally ended doing had cycling renting'.split(
    ' ',
  ),
);
/** Of these what else goes without saying. */
export const PARTICIPLES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    been: ['i', 'have'],
    living: ['i', 'am'],
    working: ['i', 'am'],
    reading: ['i', 'am'],
    learning: ['i', 'am'],
    using: ['i', 'am'],
    dating: ['i', 'am'],
    studying: ['i', 'am'],
    training: ['i', 'am'],
    driving: ['i', 'am'],
    taking: ['i', 'am'],
    going: ['i', 'am'],
    getting: ['i', 'am'],
    seeing: ['i', 'am'],
    drinking: ['i', 'am'],
    eating: ['i', 'am'],
    paying: ['i', 'am'],
    watching: ['i', 'am'],
    playing: ['i', 'am'],
    wearing: ['i', 'am'],
    doing: ['i', 'am'],
    renting: ['i', 'am'],
    back: ['i', 'am'],
    down: ['i', 'am'],
  }),
);

const VERBS: ReadonlySet<string> = new Set(
  'work live use drive ride own play drink eat go have take train study'.split(' '),
);
const isVerb = (word: string): boolean => VERBS.has(word);
/** `Training is on Mondays`, `Living in Rome means trams`: there it is a noun. */
const IS: ReadonlySet<string> = new Set(
  'is was are were has moved changed starts got means costs makes takes helps'.split(' '),
);
const MOST_OF_NOUN = 6;
const isNoun = ([first = '', ...rest]: readonly string[]): boolean =>
  first.endsWith('ing') &&
  (IS.has(rest[0] ?? '') ||
    rest.slice(1, MOST_OF_NOUN).some((word) => /^(?:means|costs|makes|takes|helps)$/.test(word)));
/** The speaker goes without saying: `moved to Rome`, `now work at Acme`. */
export function isWithoutI(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  if (first === 'now') return isVerb(second) || PARTICIPLES.has(second);
  return SAID_WITHOUT_I.has(first) && !isNoun(words);
}

/** Words with their places; a contraction is several words in one place. */
export function tokensOf(text: string): readonly Token[] {
  const tokens = readTokens(text);
  const [first, second] = tokens;
  // `now work at Acme`, of `I quit and now work at Acme`
  const isShort = isWithoutI(tokens.slice(0, MOST_OF_NOUN).map(({ word }) => word));
  if (!first || !isShort) return withoutGot(tokens);
  const lead = (PARTICIPLES.get((first.word === 'now' ? second : first)?.word ?? '') ?? ['i']).map(
    (word) => ({ word, start: 0, end: 0 }),
  );
  return withoutGot([...lead, ...tokens]);
}

/** `I have got` is `I have`, `I got myself a bike` is `I got a bike`. */
const withoutGot = (tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(
    ({ word }, index) =>
      !(word === 'got' && tokens[index - 1]?.word === 'have') &&
      !FILLERS.has(word) &&
      !((word === 'myself' || word === 'ourselves') && tokens[index - 1]?.word === 'got'),
  );

const FILLERS: ReadonlySet<string> = new Set(['um', 'uh', 'erm', 'uhm']);

/** `my boss's Ada` is `my boss is Ada`, `my boss's name is Ada` as well. */
function nounWith(tokens: Token[], match: RegExpMatchArray, bare: string): boolean {
  if (!bare.endsWith("'s") || tokens.length === 0 || tokens.length > 4) return false;
  const [first] = tokens;
  if (first?.word !== 'my' && first?.word !== 'our') return false;
  const rest = (match.input ?? '').slice((match.index ?? 0) + match[0].length);
  const clause = /^[^,;.!?]*/.exec(rest)?.[0] ?? '';
  const isNamed = /^ name(?:'s|’s| is) /i.test(rest);
  if (!isNamed && /\b(?:is|are|was|were|has|have|does|did|'s|’s)\b/i.test(clause)) return false;
  const start = match.index ?? 0;
  const end = start + match[0].length;
  tokens.push({ word: bare.slice(0, -2), start, end });
  if (!isNamed) tokens.push({ word: 'is', start, end });
  return true;
}

/** An address of mail is one word. */
const WORDS =
  /(?<![\p{L}\p{N}._+-])[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*|[\p{L}\p{M}\p{N}'’_]+/gu;
function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORDS)) {
    const [read = ''] = wordsOf(match[0]);
    const bare = match[0].includes('@') ? match[0].toLowerCase() : read;
    if (bare === '') continue;
    const before = tokens.at(-1);
    if (bare === 'name' && before && /['’]s$/.test(text.slice(before.start, before.end))) continue;
    if (nounWith(tokens, match, bare)) continue;
    const [, count = '', unit = ''] = MASS.exec(bare) ?? [];
    if (unit !== '') {
      const middle = match.index + count.length;
      tokens.push({ word: count, start: match.index, end: middle });
      tokens.push({ word: unit, start: middle, end: middle + unit.length });
      continue;
    }
    const place = { start: match.index, end: match.index + match[0].length };
    for (const word of LONG.get(bare) ?? [nouns.SPELLED.get(bare) ?? bare])
      tokens.push({ word, ...place });
  }
  return tokens;
}

/** `80kg` is `80 kg`. */
const MASS = /^(\d{1,3})(kg|kilos?|lbs?)$/;

export const BEFORE_TIMES: ReadonlySet<string> = new Set(
  'on since as of from in starting at the back already'.split(' '),
);

interface Read {
  readonly tokens: readonly Token[];
  readonly isNow: boolean;
}

/** Without adverbs, days and what only says when. */
export function plainTokens(text: string): Read {
  const all = tokensOf(text);
  const gone = new Set<number>();
  let isNow = false;
  for (const time of timesIn(text, 0)) {
    const first = all.findIndex(({ start }) => start >= time.start);
    if (first === -1 || all.length - first <= 0) continue;
    let end = first;
    for (; (all[end]?.end ?? Infinity) <= time.end; end += 1) gone.add(end);
    // `from next month on`
    if (all[first - 1]?.word === 'from' && /^on(?:wards?)?$/.test(all[end]?.word ?? ''))
      gone.add(end);
    for (let at = first - 1; BEFORE_TIMES.has(all[at]?.word ?? ''); at -= 1) gone.add(at);
    // `In 2012`: long ago, and no day of a change.
    isNow ||= gone.size > 0 && (time.isRelative || time.unit === 'day');
  }
  for (const phrase of rules.TIME_PHRASES) {
    const words = phrase.split(' ');
    for (let at = 0; at + words.length <= all.length; at += 1)
      if (words.every((word, offset) => all[at + offset]?.word === word)) {
        for (let offset = 0; offset < words.length; offset += 1) gone.add(at + offset);
        isNow = true;
      }
  }
  for (const phrase of rules.PASSED_PHRASES) {
    const [first, second] = phrase.split(' ');
    for (const [at, { word }] of all.entries())
      if (word === first && all[at + 1]?.word === second) gone.add(at).add(at + 1);
  }
  for (const [at, { word }] of all.entries())
    if (rules.ADVERBS.has(word)) {
      gone.add(at);
      isNow ||= word === 'now' || word === 'currently';
    }
  return { tokens: all.filter((_, at) => !gone.has(at)), isNow };
}

type Step = readonly string[] | '%' | '@' | 'N' | 'M' | 'W';
const isPlace = (word: string): word is '%' | '@' | 'N' | 'M' | 'W' => /^[%@NMW]$/.test(word);
const compiled = new Map<string, readonly Step[]>();
export function stepsOf(form: string): readonly Step[] {
  const known = compiled.get(form);
  if (known) return known;
  const steps = form.split(' ').map((word): Step => (isPlace(word) ? word : word.split('/')));
  compiled.set(form, steps);
  return steps;
}

interface Matched {
  readonly value: readonly Token[];
  readonly noun: string | null;
}
const MOST_PASSED = 8;
const MOST_NOUN_WORDS = 4;

/** Where several ends are possible, the nearest. */
export function match(tokens: readonly Token[], steps: readonly Step[], at = 0): Matched | null {
  const [step] = steps;
  if (step === undefined) return { value: [], noun: null };
  // Most forms fail at their first word: what follows it is not looked at.
  if (typeof step === 'object' && !step.includes(tokens[at]?.word ?? '')) return null;
  const rest = steps.slice(1);
  if (step === '%') {
    if (rest.length === 0)
      return at < tokens.length ? { value: tokens.slice(at), noun: null } : null;
    for (let end = at + 1; end <= tokens.length - rest.length; end += 1) {
      const found = match(tokens, rest, end);
      if (found) return { ...found, value: tokens.slice(at, end) };
    }
    return null;
  }
  if (step === '@') {
    for (let end = at + 1; end <= Math.min(tokens.length, at + MOST_PASSED); end += 1) {
      const found = match(tokens, rest, end);
      if (found) return found;
    }
    return null;
  }
  if (step === 'N') {
    for (let count = MOST_NOUN_WORDS; count > 0; count -= 1) {
      const words = tokens.slice(at, at + count).map(({ word }) => word);
      if (isBroken(tokens, at, count)) continue;
      // `in the Lima time zone`: there the words before the noun are the value.
      const isWhole = tokens[at - 1]?.word !== 'my' && tokens[at - 1]?.word !== 'our';
      if (rest.length === 0 && isCutShort(tokens, at + count)) continue;
      const noun = slotOfNoun(words, isWhole);
      const found = noun === null ? null : match(tokens, rest, at + count);
      if (found) return { ...found, noun };
    }
    return null;
  }
  if (step === 'M' || step === 'W') {
    for (let count = step === 'M' ? MOST_OPEN_WORDS : 1; count > 0; count -= 1) {
      if (
        at + count > tokens.length ||
        isBroken(tokens, at, count) ||
        (rest.length === 0 && isCutShort(tokens, at + count))
      )
        continue;
      const noun = openNoun(tokens.slice(at, at + count).map(({ word }) => word));
      const found = noun === null ? null : match(tokens, rest, at + count);
      if (found) return { ...found, noun };
    }
    return null;
  }
  return match(tokens, rest, at + 1);
}
const MOST_OPEN_WORDS = 5;
/** A noun runs over no mark: in `a new snack: rice cakes` it is the snack. */
const isBroken = (tokens: readonly Token[], at: number, count: number): boolean =>
  tokens
    .slice(at, at + count)
    .some(({ start }, index, words) => index > 0 && start > (words[index - 1]?.end ?? start) + 1);

const LINKS: ReadonlySet<string> = new Set(['for', 'of', 'on', 'at']);

/** Any noun phrase: `budget for the kitchen` is `kitchen budget`; null = it is none. */
export function openNoun(words: readonly string[]): string | null {
  const own = words
    .filter((word) => !nouns.SAME_THING.has(word))
    .map((word) => word.replace(/'s$/, ''));
  if (nouns.isMain(words)) return nouns.SLOT_OF_NOUN.get(`main ${own.at(-1) ?? ''}`) ?? null;
  const link = own.findIndex((word) => LINKS.has(word));
  const [head, rest] = link === -1 ? [own, []] : [own.slice(0, link), own.slice(link + 1)];
  const of = nouns.DETERMINERS.has(rest[0] ?? '') ? rest.slice(1) : rest;
  const phrase = [...of, ...head].filter((word) => word !== 'there' && word !== 'here');
  if (head.length === 0 || (link !== -1 && of.length === 0) || phrase.length > MOST_NOUN_WORDS)
    return null;
  if (phrase.some((word) => !/^\p{L}[\p{L}\d-]+$/u.test(word) || nouns.NO_NOUN.has(word)))
    return null;
  const noun = nouns.SLOT_OF_NOUN.get(phrase.join(' ')) ?? phrase.join(' ');
  return phrase.length < of.length + head.length && OF_PLACE.has(noun) ? null : noun;
}

/** In `my number one goal` the number is no noun of its own. */
function isCutShort(tokens: readonly Token[], at: number): boolean {
  const [last, next] = [tokens[at - 1], tokens[at]];
  if (!last || !next) return false;
  return next.start === last.end + 1 && !AFTER_NOUN.has(next.word);
}
const AFTER_NOUN: ReadonlySet<string> = new Set(
  'every each daily twice once and but or for in at on of since because so as to too again please sorry if while until when with by though anymore instead either is i we it he she they who'.split(
    ' ',
  ),
);

/** `My title there` is `my title`; what one is called there is said of that place alone. */
const withoutPlace = (words: readonly string[]): readonly string[] =>
  words.length > 1 && /^(?:there|here)$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : words;
const OF_PLACE: ReadonlySet<string> = new Set('name nickname username language'.split(' '));

/** `new phone number` is `phone`; what somebody else has is a slot of its own. */
export function slotOfNoun(words: readonly string[], isWhole = false): string | null {
  const said = words.filter((word) => !nouns.SAME_THING.has(word));
  const own = withoutPlace(said);
  if (own.length === 0) return null;
  const whole = nouns.SLOT_OF_NOUN.get(own.join(' '));
  if (own !== said && OF_PLACE.has(whole ?? 'name')) return null;
  if (nouns.LIKED.has(own[0] ?? '')) return own.length > 1 ? (whole ?? own.join(' ')) : null;
  if (whole !== undefined || isWhole) return whole ?? null;
  for (let from = 1; from < own.length; from += 1) {
    if (nouns.NO_NOUN.has(own[from - 1] ?? '')) return null;
    const noun = nouns.SLOT_OF_NOUN.get(own.slice(from).join(' '));
    if (noun !== undefined) return `${own.slice(0, from).join(' ')} ${noun}`;
  }
  return null;
}
