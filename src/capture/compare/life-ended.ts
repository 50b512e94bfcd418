/** Which facts are over by what ended: `drives a Golf` by `I sold my car`. Unsure = none. */
import { SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { isAnimalNoun } from '../slots/things.ts';
import { isUnnamed } from '../slots/unnamed.ts';
import type { KnownFact } from '../state.ts';
import { isPerson } from '../voices/people.ts';
import { activityEnded, wordsOfActivity } from './activity-ended.ts';
import { allergyEnded, dietEnded } from './body-ended.ts';
import { eventEnded } from './event-ended.ts';
import type { LifeEnd } from './life-ends.ts';
import { severalHeld } from './one-of-several.ts';
import { saidOf } from './said-of.ts';
import { thingsUsed } from './used-before.ts';

type Told = Pick<KnownFact, 'content' | 'subject'>;
type Held = Told & Pick<KnownFact, 'metadata' | 'valid_from'>;

const MATES =
  /\b(?:wife|husband|spouse|partner|girlfriend|boyfriend|gf|bf|fianc[eé]e?|other half|better half)\b/u;
const MARRIED_SLOT = /^(?:spouse|wife|husband|marital status)$/;
const COUPLE_SLOT = /^(?:partner|girlfriend|boyfriend|fianc[eé]e?)$/u;
const MARRIED =
  /^(?:is|has been|are) (?:happily )?married\b|^has an? (?:wife|husband|spouse)\b|^'s (?:wife|husband|spouse)(?:'s name)? is\b/;
const COUPLED =
  /^(?:is|are) (?:engaged to|dating|seeing|in a relationship|going out with|together with)\b|^(?:is|are) engaged$|^has an? (?:partner|girlfriend|boyfriend|fianc[eé]e?)\b|^'s (?:partner|girlfriend|boyfriend|fianc[eé]e?)(?:'s name)? is\b/u;
const NO_LONGER =
  /\b(?:no longer|not|never|ex|former|late|used to|was|were|divorced|single|widowed|closed|shut|bust|bankrupt|stolen|gone|dead|died)\b|n't\b/;

/** Of what one has, does or lives in: the verb, before its object. */
const VERBS: Readonly<Record<string, RegExp>> = {
  animal: /^(?:has|have|owns?|keeps?|got|has got|adopted) /,
  owned: /^(?:has|have|owns?|drives?|rides?|uses?|plays?|keeps?|bought|adopted|got|has got) /,
  held: /^(?:has|have|pays for|is on|is paying for|uses|keeps|owns|bought|got|has got) /,
  doing:
    /^(?:is|are|has been) (?:currently |still )?(?:\p{L}+ing(?: (?:on|for|at))?|in|on|enrolled (?:in|on)) |^(?:takes|attends|does|studies|reads|has started|started|has|joined) /u,
  dwelling: /^(?:lives in|rents|is renting|has|have|shares|is living in|stays in|live in|rent) /,
};
const ARTICLE = /^(?:an?|the|their|his|her|its|our|my|one) /;
/** The noun before it ends a phrase: `has a car wash` is no car. */
const PHRASE_ENDS =
  '(?=$|[.,;(]| (?:in|at|with|from|for|to|of|on|near|by|about|named|called|that|which|who|since|until|till|now|this|these)\\b)';

/** By which words the facts that it may end are found. */
export const lifeWords = ({ of, words }: LifeEnd): string =>
  [...words, ...(of === 'activity' ? wordsOfActivity(words) : [WORDS[of] ?? ''])].join(' ').trim();
const WORDS: Readonly<Record<string, string>> = {
  work: 'works employer job employed',
  marriage: 'married wife husband spouse',
  couple: 'married wife husband partner girlfriend boyfriend engaged dating',
  diet: 'vegan vegetarian diet eats',
  allergy: 'allergic allergy',
  event: 'flying going getting married booked',
  use: 'uses',
};

/** All of them are over; none = what is over is not known, or two could be meant. */
export function lifeEnded<Fact extends Held>(
  ends: LifeEnd,
  known: readonly Fact[],
): readonly Fact[] {
  if (ends.of === 'work') return workEnded(ends.words, known);
  if (ends.of === 'couple' || ends.of === 'marriage') return coupleEnded(ends, known);
  if (ends.of === 'diet') return dietEnded(ends.words, known);
  if (ends.of === 'allergy') return allergyEnded(ends.words, known);
  if (ends.of === 'event') return eventEnded(ends.words, known);
  if (ends.of === 'several') return severalHeld(ends.words, known);
  if (ends.of === 'activity') return activityEnded(ends.words, known);
  if (ends.of === 'use') return useEnded(ends.words, known);
  const ended = thingEnded(ends, known);
  // `Tom died`, of whom one is married to.
  const isOfOne = ends.of === 'animal' && ends.isDeath === true && ends.words.length === 1;
  return ended.length > 0 || !isOfOne ? ended : coupleEnded({ ...ends, of: 'couple' }, known);
}

/** `Uses vim`, by `I uninstalled vim`. */
const useEnded = <Fact extends Held>(
  words: readonly string[],
  known: readonly Fact[],
): readonly Fact[] =>
  onlyOne(
    known.filter(
      (fact) =>
        !NO_LONGER.test(saidOf(fact) ?? 'not') && thingsUsed(fact).includes(words.join(' ')),
    ),
  );

function workEnded<Fact extends Held>(
  words: readonly string[],
  known: readonly Fact[],
): readonly Fact[] {
  const held = known.filter(
    (fact) =>
      fact.metadata[SLOT] === 'employer' &&
      !NO_LONGER.test(saidOf(fact) ?? fact.content.toLowerCase()),
  );
  const named = held.filter((fact) => hasAll(fact, words));
  return held.length === 1 && named.length === 1 ? named : words.length > 0 ? onlyOne(named) : [];
}
const onlyOne = <Fact>(facts: readonly Fact[]): readonly Fact[] =>
  facts.length === 1 ? facts : [];

const hasAll = ({ content }: Held, words: readonly string[]): boolean => {
  const own = new Set(wordsOf(content).map((word) => word.replace(/'s$/, '')));
  return words.every((word) => own.has(word) || own.has(`${word}s`));
};

/** Whoever is named is meant, whenever that was: `Tom and I got divorced last year`. */
export const isOfNamed = ({ of, words }: LifeEnd): boolean =>
  (of === 'couple' || of === 'marriage' || of === 'animal') &&
  words.some((word) => !MATES.test(word) && !isAnimalNoun(word));

/** `Married to Ben` and `my husband is Ben` are one; of two persons, which one is not told. */
function coupleEnded<Fact extends Held>(
  { of, words }: LifeEnd,
  known: readonly Fact[],
): readonly Fact[] {
  const kin = words.filter((word) => MATES.test(word));
  const names = words.filter((word) => !MATES.test(word));
  const isMarriage = of === 'marriage' || kin.some((word) => MARRIED_SLOT.test(word));
  const held = known.filter((fact) => {
    const said = saidOf(fact);
    if (said === null || NO_LONGER.test(said)) return false;
    const slot = String(fact.metadata[SLOT] ?? '');
    const isMarried = MARRIED_SLOT.test(slot) || MARRIED.test(said);
    if (isMarriage) return isMarried;
    const isCouple = COUPLE_SLOT.test(slot) || COUPLED.test(said);
    return isCouple || (kin.length === 0 && isMarried);
  });
  const partners = new Set(held.map(partnerOf).filter((name) => name !== ''));
  if (partners.size > 1) return [];
  const [partner] = partners;
  return names.every((name) => partner?.split(' ').includes(name)) ? held : [];
}

/** Behind `to`, `is`, `with`; '' = it names nobody. */
function partnerOf(fact: Held): string {
  const value = fact.metadata[SLOT_VALUE];
  const isNamed = typeof value === 'string' && fact.metadata[SLOT] !== 'marital status';
  if (isNamed) return wordsOf(value).join(' ');
  const [, name = ''] =
    /(?:\bto|\bis|\bwith|\bdating|\bseeing|\bnamed|\bcalled|,) (\p{Lu}[\p{L}'-]*)/u.exec(
      fact.content.slice((fact.subject ?? '').length),
    ) ?? [];
  return name.toLowerCase();
}

function thingEnded<Fact extends Held>(
  { of, words }: LifeEnd,
  known: readonly Fact[],
): readonly Fact[] {
  const head = words.at(-1) ?? '';
  const isAnimal = of === 'animal';
  if (isAnimal && words.length === 1 && !isAnimalNoun(head)) return animalNamed(head, known);
  if (isAnimal && !words.some(isAnimalNoun)) return [];
  // `My dog Rex died`: the noun, and the name.
  const at = isAnimal ? words.findIndex(isAnimalNoun) : words.length - 1;
  const noun = words[at] ?? '';
  const rest = words.filter((_, index) => index !== at);
  const meant = known.map((fact) => ({ fact, how: holds(fact, { of, noun, rest }) }));
  if (meant.some(({ how }) => how === 'several')) return [];
  const held = meant.filter(({ how }) => how === 'named' || how === 'slot');
  const [only, more] = held;
  if (!only || more) return [];
  // `Has an Audi`: it may be the car that was sold.
  const isUnsure =
    only.how === 'slot' && known.some((fact) => fact !== only.fact && hasNamed(fact));
  return isUnsure ? [] : [only.fact];
}

/** `Has a dog named Rex`, `'s dog is called Rex`. Whose people die is not told so. */
function animalNamed<Fact extends Held>(name: string, known: readonly Fact[]): readonly Fact[] {
  const has = new RegExp(
    `^(?:has|have|owns?|keeps?|got|has got|adopted) (?:an?|the|their|one) ((?:[\\p{L}-]+ ){0,3}?[\\p{L}-]+),? (?:(?:named|called) )?${name}(?=$|[.,(]| )`,
    'u',
  );
  const is = new RegExp(
    `^'s ([\\p{L}-]+(?: [\\p{L}-]+)?)(?:'s name)? is (?:named |called )?${name}$`,
    'u',
  );
  const held = known.filter((fact) => {
    const said = saidOf(fact);
    // Of two dogs in one statement, what is left is told by no rule here.
    if (said === null || NO_LONGER.test(said) || / and /.test(said)) return false;
    const noun = (has.exec(said) ?? is.exec(said))?.[1];
    return noun !== undefined && !noun.split(' ').some(isPerson);
  });
  return onlyOne(held);
}

const hasNamed = (fact: Held): boolean =>
  isUnnamed(fact.metadata[SLOT]) ||
  / (?:has|have|owns?|drives?|rides?|bought|got) (?:an?|the|another) \p{Lu}/u.test(fact.content);

/** `slot`: the noun is what the fact is kept under, and does not stand in it. */
type How = 'named' | 'slot' | 'several' | null;
interface Thing {
  readonly of: LifeEnd['of'];
  readonly noun: string;
  readonly rest: readonly string[];
}

function holds(fact: Held, { of, noun, rest }: Thing): How {
  const said = saidOf(fact);
  if (said === null || NO_LONGER.test(said)) return null;
  const verb = VERBS[of]?.exec(said)?.[0];
  const isSlot = fact.metadata[SLOT] === noun && of !== 'doing' && of !== 'dwelling';
  if (verb === undefined) {
    const isOwn = new RegExp(`^'s (?:[\\p{L}-]+ )?${noun}(?:'s name)? (?:is|has) `, 'u');
    return (isSlot || isOwn.test(said)) && hasAll(fact, rest) ? 'named' : null;
  }
  const object = said.slice(verb.length);
  const phrase = object.replace(ARTICLE, '');
  const several = new RegExp(`^(?:[\\p{L}\\d-]+ ){0,4}?${noun}s\\b`, 'u');
  if (several.test(object)) return 'several';
  const head = new RegExp(`^(?:(?!${SMALL})[\\p{L}\\p{N}'-]+ ){0,3}?${noun}${PHRASE_ENDS}`, 'u');
  if (/ and /.test(phrase)) return head.test(phrase.split(' and ')[0] ?? '') ? 'several' : null;
  if (head.test(phrase)) return hasAll(fact, rest) ? 'named' : null;
  return isSlot && rest.length === 0 ? 'slot' : null;
}
/** `Never had a dog`, `doesn't have a nut allergy`: of whatever name, where one is known. */
export function deniedHaving<Fact extends Held>(said: Told, known: readonly Fact[]): Fact | null {
  const words = DENIED_HAVING.exec(saidOf(said) ?? '')?.[1]?.split(' ') ?? [];
  const noun = words.at(-1);
  if (noun === undefined) return null;
  const rest = words.slice(0, -1);
  const how = known
    .filter(({ subject }) => subject === said.subject)
    .map((fact) => ({ fact, how: holds(fact, { of: 'animal', noun, rest }) }));
  const [only, more] = how.filter((each) => each.how === 'named');
  return only && !more && !how.some((each) => each.how === 'several') ? only.fact : null;
}
const DENIED_HAVING =
  /^(?:(?:has )?never had|does not have|doesn't have|has no|no longer has) (?:an? |any )?((?:[\p{L}'-]+ ){0,2}?[\p{L}'-]+?)(?:,? (?:any ?more|any longer|at all|now))*$/u;

const SMALL = '(?:in|at|with|from|for|to|of|on|near|by|about|named|called|that|which|who) ';
