/**
 * `I got fired`, where a collection has a property `role`: which of its values are over by what is
 * over in a life. A property is known by its slots, or by its name. Unsure = none. English.
 */
import type { Collection, CollectionProperty } from '../../model/manifest.ts';
import { isDietWithout } from '../compare/body-ended.ts';
import type { LifeEnd } from '../compare/life-ends.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { ANIMALS } from '../slots/things.ts';
import type { TypedClaim } from '../state.ts';
import { saysSlot } from './typed-patterns.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const WORK_SLOTS = ['employer', 'occupation'];
const WORK =
  /^(?:(?:current|job|work) )?(?:role|job|title|employer|occupation|company|workplace|position|profession|employment)$|^works? (?:at|for|as)$/;
const SPOUSES = set('spouse wife husband');
const PARTNERS = set('partner girlfriend boyfriend gf bf fiance fiancé fiancee fiancée');
const isMate = (word: string): boolean => SPOUSES.has(word) || PARTNERS.has(word);
const isPet = (noun: string): boolean => ANIMALS.has(noun) || noun === 'pets';
const STATUS = /^(?:marital|relationship|civil) status$/;
/** Of others, `phone` or `name`, what is sold or finished says nothing of the value. */
const THINGS = {
  owned: set('car vehicle bike bicycle motorcycle motorbike boat van truck laptop computer camera'),
  held: set('subscription membership plan gym lease contract'),
  doing: set('course class degree school university college studies training project thesis'),
  dwelling: set('flat apartment house home room'),
} as const;

const spoken = ({ name }: Pick<CollectionProperty, 'name'>): string => name.replaceAll('_', ' ');
const nounOf = (property: CollectionProperty): string =>
  spoken(property)
    .replace(/ name$/, '')
    .split(' ')
    .at(-1) ?? '';

/** Of each property that has a value which may be over: what is known tells whether it has one. */
export function typedLifeEnds(
  ends: LifeEnd,
  collections: readonly Collection[],
): readonly TypedClaim[] {
  const found = collections.flatMap(({ name: collection, properties }) =>
    Object.values(properties)
      .filter((property) => mayEndOf(property, ends))
      .map((property) => ({ collection, property })),
  );
  // `We broke up`, where there are a wife and a girlfriend.
  const mates = new Set(found.map(({ property }) => nounOf(property)).filter(isMate));
  if (mates.size > 1 && !ends.words.some(isMate)) return [];
  const isSole = found.length === 1;
  return found.map(({ collection, property: { name: property } }) => ({
    ...{ collection, property, value: null, isEnd: true, life: ends, isSole },
  }));
}

function mayEndOf(property: CollectionProperty, { of, words }: LifeEnd): boolean {
  if (property.type !== 'text' && property.type !== 'option') return false;
  const noun = nounOf(property);
  if (of === 'work')
    return WORK.test(spoken(property)) || WORK_SLOTS.some((slot) => saysSlot(property, slot));
  if (of === 'animal') return isPet(noun);
  if (of === 'diet') return noun === 'diet';
  // A list of allergies is of several; which entry is over is told by its denial.
  if (of === 'allergy') return noun === 'allergy' || noun === 'allergies';
  if (of === 'couple' || of === 'marriage')
    return STATUS.test(spoken(property)) || isOfMate(noun, { of, words });
  // Nothing typed is counted, planned or used by such words.
  if (of === 'several' || of === 'event' || of === 'use' || of === 'activity') return false;
  const isVehicle = of === 'owned' && noun === 'car';
  return THINGS[of].has(noun) && (isVehicle || words.at(-1) === noun);
}

/** `My girlfriend and I split up` is of no husband, and `I got divorced` of no new partner. */
function isOfMate(noun: string, { of, words }: Pick<LifeEnd, 'of' | 'words'>): boolean {
  if (!isMate(noun) || (of === 'marriage' && !SPOUSES.has(noun))) return false;
  return words
    .filter(isMate)
    .every(
      (word) => word === noun || noun === 'partner' || (noun === 'spouse' && SPOUSES.has(word)),
    );
}

/** `I got laid off from Bosch`, where `welder` is all that is known of the work. */
export const isRoleOnly = (
  { of, words, isOffice }: LifeEnd,
  property: string,
  value: unknown,
): boolean =>
  of === 'work' &&
  !isOffice &&
  words.length > 0 &&
  typeof value === 'string' &&
  ROLE.test(spoken({ name: property })) &&
  // `Welder at Lidl` names another firm.
  !/ (?:at|for|with|by) |\p{Lu}/u.test(value);
const ROLE = /\b(?:role|job|title|occupation|position|profession)$/;

/** What is named stands in the value, or is the property itself: `my dog Rex`. */
export function isOverBy({ of, words }: LifeEnd, property: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const held = wordsOf(value.replaceAll('_', ' '));
  const name = spoken({ name: property });
  if (STATUS.test(name)) return words.length === 0 && STANDING[of]?.test(held.join(' ')) === true;
  if (of === 'diet') return isDietWithout(words, held.join(' '));
  const isOfCouple = of === 'couple' || of === 'marriage';
  const named = isOfCouple ? words.filter((word) => !isMate(word)) : words;
  return named.every((word) => held.includes(word) || name.split(' ').includes(word));
}
const STANDING: Readonly<Partial<Record<LifeEnd['of'], RegExp>>> = {
  marriage: /^(?:happily )?married$/,
  couple: /^(?:(?:happily )?married|engaged|dating|partnered|in a relationship|taken)$/,
};
