/**
 * One form for what is said in many: `I've been living in Rome`, `I ended up living in Rome` and,
 * of somebody else, `my sister lives in Rome` are all `i live in Rome`.
 */
import { isKin } from '../voices/people.ts';
import type { Token } from './match.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const VERBS =
  'live reside move work drive ride report bank study train use pay charge earn make weigh take drink eat read learn play watch date get wake go commute travel share rent sleep wear sit start begin finish leave teach run manage write edit track keep attend exercise see have bring stay drive code cycle walk run swim bike row climb dance sing paint cook do teach order shop bank deploy host play volunteer park store log pay invest save donate lease coach tutor publish ship stream listen build test book subscribe compete train';
const DOUBLED = set('get run sit');
const gerundOf = (verb: string): string =>
  DOUBLED.has(verb)
    ? `${verb}${verb.at(-1) ?? ''}ing`
    : verb.endsWith('e') && !verb.endsWith('ee')
      ? `${verb.slice(0, -1)}ing`
      : `${verb}ing`;
const thirdOf = (verb: string): string =>
  /(?:s|sh|ch|x|z|o)$/.test(verb)
    ? `${verb}es`
    : /[^aeiou]y$/.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;
const GERUNDS: ReadonlyMap<string, string> = new Map(
  VERBS.split(' ').map((verb) => [gerundOf(verb), verb] as const),
);
const BASES: ReadonlySet<string> = set(VERBS);
export const isBase = (word: string): boolean => BASES.has(word);
const THIRDS: ReadonlyMap<string, string> = new Map([
  ...VERBS.split(' ').map((verb) => [thirdOf(verb), verb] as const),
  ['has', 'have'],
  ['is', 'am'],
  ['are', 'am'],
  ['was', 'was'],
  ["doesn't", 'do'],
  ['does', 'do'],
]);

/** Before a gerund they say that it begins, or has gone on. */
const BEFORE_GERUND: readonly (readonly [words: string, how: 'is' | 'begins' | 'ends'])[] = [
  ['have been', 'is'],
  ['am', 'is'],
  ['are', 'is'],
  ['am back to', 'begins'],
  ['are back to', 'begins'],
  ['ended up', 'begins'],
  ['have ended up', 'begins'],
  ['started', 'begins'],
  ['have started', 'begins'],
  ['began', 'begins'],
  ['resumed', 'begins'],
  ['took up', 'begins'],
  ['have taken up', 'begins'],
  ['switched to', 'begins'],
  ['have switched to', 'begins'],
  ['went back to', 'begins'],
  ['have gone back to', 'begins'],
  ['moved on to', 'begins'],
  ['stopped', 'ends'],
  ['have stopped', 'ends'],
  ['quit', 'ends'],
  ['gave up', 'ends'],
  ['have given up', 'ends'],
  ['am done', 'ends'],
  ['am not', 'ends'],
  ['am no longer', 'ends'],
];
const BEFORE_VERB: readonly (readonly [words: string, how: 'is' | 'begins' | 'ends'])[] = [
  ['did', 'begins'],
  ['started to', 'begins'],
  ['began to', 'begins'],
  ['no longer', 'ends'],
  ['do not', 'ends'],
];

export interface Plain {
  readonly tokens: readonly Token[];
  readonly isChange: boolean;
  readonly isEnd: boolean;
}

/** Of one that changed something, once and for all. */
const PASTS: ReadonlyMap<string, string> = new Map([
  ['upgraded', 'upgrade'],
  ['downgraded', 'downgrade'],
  ['switched', 'switch'],
  ['changed', 'change'],
]);

/** Without aspect; null = it has none. */
export function plainVerb(tokens: readonly Token[]): Plain | null {
  const [who, ...rest] = tokens;
  if (who?.word !== 'i' && who?.word !== 'we') return null;
  const [first, ...others] = rest[0]?.word === 'have' ? rest.slice(1) : rest;
  const past = PASTS.get(first?.word ?? '');
  if (first && past !== undefined)
    return { tokens: [who, { ...first, word: past }, ...others], isChange: true, isEnd: false };
  for (const [forms, baseOf] of [
    [BEFORE_GERUND, (word: string) => GERUNDS.get(word)],
    [BEFORE_VERB, (word: string) => (BASES.has(word) ? word : undefined)],
  ] as const)
    for (const [words, how] of forms) {
      const count = words.split(' ').length;
      const isThere = words.split(' ').every((word, index) => rest[index]?.word === word);
      const verb = rest[count];
      const base = isThere && verb ? baseOf(verb.word) : undefined;
      // `I'm moving to Rome`: not yet.
      if (how === 'is' && base === 'move') continue;
      if (!verb || base === undefined) continue;
      return {
        tokens: [who, { ...verb, word: base }, ...rest.slice(count + 1)],
        isChange: how === 'begins',
        isEnd: how === 'ends',
      };
    }
  return null;
}

const BESIDE_KIN = set(
  'older younger elder little big best eldest oldest youngest twin ex step half old new good close',
);
const PRONOUNS = set('he she they');

export interface OfKin {
  /** `older brother`, `son Max`. */
  readonly who: string;
  /** `brother`. */
  readonly kin: string;
  /** As if the speaker said it of themselves. */
  readonly tokens: readonly Token[];
}

/** What is said of one of the speaker's people; null = it is of none. */
export function ofKin(tokens: readonly Token[], text: string): OfKin | null {
  const [own] = tokens;
  const isOwned = own?.word === 'my' || own?.word === 'our';
  // `Daughter changed schools`: whose goes without saying.
  if (!own || !(isOwned || isKin(own.word))) return null;
  let at = isOwned ? 1 : 0;
  while (at < 3 && BESIDE_KIN.has(tokens[at]?.word ?? '')) at += 1;
  if (!isKin(tokens[at]?.word ?? '')) return null;
  const who = tokens.slice(isOwned ? 1 : 0, at + 1).map(({ word }) => word);
  const name = tokens[at + 1];
  // `my sister Anna works at Acme`
  const isNamed =
    name !== undefined &&
    /^\p{Lu}/u.test(text.slice(name.start, name.end)) &&
    !THIRDS.has(name.word);
  const rest = tokens.slice(at + (isNamed ? 2 : 1));
  const said: Token[] = [{ word: 'i', start: own.start, end: own.start }];
  let isVerb = true;
  for (const token of rest) {
    if (PRONOUNS.has(token.word)) {
      said.push({ ...token, word: 'i' });
      isVerb = true;
      continue;
    }
    said.push(isVerb ? { ...token, word: THIRDS.get(token.word) ?? token.word } : token);
    isVerb = false;
  }
  // `My son Max`: another one is another person.
  const named = isNamed ? [...who, text.slice(name.start, name.end)] : who;
  return { who: named.join(' '), kin: tokens[at]?.word ?? '', tokens: said };
}
