/** Which diet or allergy is over: `is vegan` by `I eat meat again`, `is allergic to nuts`. */
import { SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import { isStopWord, stemOf } from '../../text/terms.ts';
import { wordsOf } from '../sentences/sentence.ts';
import type { KnownFact } from '../state.ts';

type Held = Pick<KnownFact, 'content' | 'metadata'>;

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const MEAT = set('meat chicken beef pork steak steaks bacon');
const FISH = set('fish seafood sushi salmon tuna');
const OF_ANIMALS = set('dairy cheese milk butter yoghurt yogurt egg eggs');

/** What nobody eats who has such a diet. */
const NOT_EATEN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    vegan: new Set([...MEAT, ...FISH, ...OF_ANIMALS]),
    'plant-based': new Set([...MEAT, ...FISH, ...OF_ANIMALS]),
    vegetarian: new Set([...MEAT, ...FISH]),
    pescatarian: MEAT,
    pescetarian: MEAT,
    'dairy-free': set('dairy cheese milk butter yoghurt yogurt'),
    'lactose-free': set('dairy milk'),
    'gluten-free': set('gluten wheat'),
    keto: set('carbs bread pasta'),
    'low-carb': set('carbs bread pasta'),
  }),
);

/** A value that holds: one that says of a part (`mostly vegan`, `vegan at home`) is another. */
export function dietEnded<Fact extends Held>(
  words: readonly string[],
  known: readonly Fact[],
): readonly Fact[] {
  return known.filter(({ metadata }) => metadata[SLOT] === 'diet' && isDietOver(words, metadata));
}
const isDietOver = (words: readonly string[], metadata: Held['metadata']): boolean =>
  isDietWithout(words, String(metadata[SLOT_VALUE] ?? ''));

/** Whether the value names a diet that is given up, or that has none of the food. */
export function isDietWithout(words: readonly string[], value: string): boolean {
  const diet = value
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/ (?:diet|food)$/, '');
  return words.includes(diet) || words.some((word) => NOT_EATEN.get(diet)?.has(word) === true);
}

const ALLERGIC =
  /\b(?:is|are) (?:(?:very|severely|highly|deathly|mildly|slightly) )?allergic to (.+)$/iu;
const ALLERGY = /\b(?:has|have) an? (?:(?:severe|mild|bad|strong) )?([\p{L}' -]+?) allergy$/iu;
const NO_LONGER = /\b(?:not|no longer|never|was|were|used to)\b|n['’]t\b/iu;
const stems = (text: string): readonly string[] =>
  wordsOf(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);

/** Of two that are known, which one is not told unless it is named. */
export function allergyEnded<Fact extends Held>(
  words: readonly string[],
  known: readonly Fact[],
): readonly Fact[] {
  const named = stems(words.join(' '));
  const held = known.flatMap((fact) => {
    const text = fact.content.replace(/\.$/, '');
    const to = NO_LONGER.test(text) ? undefined : (ALLERGIC.exec(text) ?? ALLERGY.exec(text))?.[1];
    return to === undefined ? [] : [{ fact, to }];
  });
  const meant = named.length === 0 ? held : held.filter(({ to }) => isSame(stems(to), named));
  const [only, more] = meant;
  // Of `nuts and eggs`, a part is left.
  return only && !more && (named.length > 0 || !/,| and | or /.test(only.to)) ? [only.fact] : [];
}
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word) => b.includes(word));
