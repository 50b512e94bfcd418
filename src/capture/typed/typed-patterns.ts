/**
 * Property patterns, declared in a collection: `my name is {value}`. A pattern is words and one
 * `{value}`; what stands there is read by the type of the property. Contractions are written out,
 * and `please` and `now` are passed over: `I'm now on the pro plan` is `i am on the {value} plan`.
 */
import type { Collection, CollectionProperty } from '../../model/manifest.ts';
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { type Token, tokensOf } from '../slots/match.ts';
import { isNoValue } from '../slots/no-value.ts';
import { type SaidSlot, slotOf } from '../slots/slot.ts';
import type { TypedClaim } from '../state.ts';
import type { Day } from '../times/dates.ts';
import { dayBehind, readValues, type SaidValue } from './typed-values.ts';

/** `slot`: what the sentence speaks of; a property that is said by the same has its value too. */
export function typedClaims(
  stated: {
    readonly sentence: Sentence;
    readonly slot: SaidSlot | null;
    /** Its day is that of the words. */
    readonly today: number;
  },
  collections: readonly Collection[],
): readonly SaidClaim[] {
  return collections.flatMap((collection) =>
    Object.values(collection.properties).flatMap((property) =>
      claimed(stated, property).map(({ value, from }) => ({
        claim: { collection: collection.name, property: property.name, value },
        from,
      })),
    ),
  );
}

/** A value of a property, and the day from which it holds where one is named; else null. */
export interface SaidClaim {
  readonly claim: TypedClaim;
  readonly from: Day | null;
}

function claimed(
  { sentence, slot, today }: Parameters<typeof typedClaims>[0],
  property: CollectionProperty,
): readonly SaidValue[] {
  const isSlot = slot !== null && !slot.isEnd && slotsOf(property).has(slot.name);
  if (isSlot) {
    const said = readValues(slot.said, property, today);
    // `Answer briefly` has the value `brief`; `2.5` is no `25`.
    return said.length > 0 || /\d/.test(slot.value)
      ? said
      : readValues(slot.value, property, today);
  }
  // `Call me on 555 0101` says another thing than `call me Ada`.
  const slots = slotsOf(property);
  if (slots.size > 0 && slotOf(sentence) !== null) return [];
  for (const pattern of patternsOf(property)) {
    const said = valueAt(sentence, pattern);
    const isNone = said === null || isIdiom(said, property, slots);
    const values = isNone ? [] : readValues(said, withManner(property, pattern), today);
    if (values.length === 0 || said === null) continue;
    if (pattern.trail.length === 0 || property.type === 'date') return values;
    const behind = dayBehind(
      sentence.text.slice(sentence.text.lastIndexOf(said) + said.length),
      today,
    );
    return values.map((each) => ({ ...each, from: each.from ?? behind }));
  }
  return [];
}

/** What stands in the place of the value, by the first pattern that has one there; else null. */
export function saidIn(sentence: Sentence, property: CollectionProperty): string | null {
  for (const pattern of patternsOf(property)) {
    const said = valueAt(sentence, pattern);
    if (said !== null && !isIdiom(said, property, slotsOf(property))) return said;
  }
  return null;
}

/** `A project called Search and Rescue` is one: an article before the value says so. */
const withManner = (property: CollectionProperty, { lead }: Pattern): CollectionProperty =>
  property.cardinality === 'many' && lead.some((word) => word === 'a' || word === 'an')
    ? { ...property, cardinality: 'one' }
    : property;

/** `My name is not important`: words, and no value. */
const isIdiom = (
  said: string,
  { type, words }: CollectionProperty,
  slots: ReadonlySet<string>,
): boolean => {
  if (type !== 'text' && type !== 'array') return false;
  if (Object.hasOwn(words, said.toLowerCase())) return false;
  return ['', ...slots].some((slot) => isNoValue(slot, said));
};

/** Whether what is said of the slot has the value of the property. */
export const saysSlot = (property: CollectionProperty, slot: string): boolean =>
  slotsOf(property).has(slot);

const known = new WeakMap<CollectionProperty, ReadonlySet<string>>();
/** The slots that its patterns speak of; of many values none. */
function slotsOf(property: CollectionProperty): ReadonlySet<string> {
  const found = known.get(property);
  if (found) return found;
  const spoken = property.patterns.flatMap((pattern) =>
    EXAMPLES.flatMap((example) => {
      const said = slotOf(sentenceOf(pattern.replace('{value}', example), 0));
      return said?.said === example ? [said.name] : [];
    }),
  );
  const slots = new Set(property.cardinality === 'many' ? [] : spoken);
  known.set(property, slots);
  return slots;
}
/** A value of no meaning; and one each of the slots that hold languages or lengths alone. */
const EXAMPLES = ['Xyzzy', 'English', 'short'];

interface Pattern {
  /** Words before the value, and after it. */
  readonly lead: readonly string[];
  readonly trail: readonly string[];
}
const patterns = new WeakMap<CollectionProperty, readonly Pattern[]>();
function patternsOf(property: CollectionProperty): readonly Pattern[] {
  const found = patterns.get(property);
  if (found) return found;
  const read = property.patterns.map((pattern): Pattern => {
    const [before = '', after = ''] = pattern.split('{value}');
    return { lead: withoutAsking(plainWords(before)), trail: plainWords(after) };
  });
  patterns.set(property, read);
  return read;
}

const plainWords = (text: string): readonly string[] => tokensOf(text).map(({ word }) => word);

/** A sentence is read without `please`: its pattern as well. */
function withoutAsking(lead: readonly string[]): readonly string[] {
  const at = lead.findIndex((word) => !ASKING.has(word));
  return at > 0 ? lead.slice(at) : lead;
}
const ASKING: ReadonlySet<string> = new Set(['please', 'pls', 'plz', 'kindly']);
/** Passed over between the words of a pattern: `I am now on the pro plan`. */
const PASSED: ReadonlySet<string> = new Set(
  'now currently still also actually just already please'.split(' '),
);

/** Every pattern of every collection reads the same sentence. */
const split = new WeakMap<Sentence, readonly Token[]>();
function tokensIn(sentence: Sentence): readonly Token[] {
  const found = split.get(sentence);
  if (found) return found;
  const read = tokensOf(sentence.text);
  split.set(sentence, read);
  return read;
}

/** The words in the place of `{value}`, as they were written. */
function valueAt(sentence: Sentence, { lead, trail }: Pattern): string | null {
  const tokens = tokensIn(sentence);
  const led = behindWords(tokens, 0, lead);
  if (led === null) return null;
  let first = led;
  while (first < tokens.length - 1 && PASSED.has(tokens[first]?.word ?? '')) first += 1;
  const last = trail.length === 0 ? tokens.length : placeOfWords(tokens, first + 1, trail);
  if (last === null || last <= first) return null;
  if (trail.length > 0 && isBounded(tokens, last, trail)) return null;
  // What is no word belongs to the value: `C++`, `+49 30`.
  const from = tokens[first - 1]?.end ?? 0;
  return withoutEnd(sentence.text.slice(from, tokens[last]?.start).trim());
}

/** `I am on the pro plan for work`, `... if it rains`: not of all, so no value of the property. */
function isBounded(tokens: readonly Token[], at: number, trail: readonly string[]): boolean {
  const [first, second] = tokens
    .slice(behindWords(tokens, at, trail) ?? at)
    .map(({ word }) => word);
  return first !== undefined && BOUNDING.has(first) && !(second && UNBOUNDED.has(second));
}
const BOUNDING: ReadonlySet<string> = new Set(
  'in for when whenever if unless only while during within except'.split(' '),
);
/** `For now`, `in general`, `for good`, `for a year`, `in 2026`. */
const UNBOUNDED: ReadonlySet<string> = new Set(
  'now general good the a an total fact practice sure ever years months weeks days'.split(' '),
);

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.!,;: '.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Behind the words, where these stand at that place; null = they do not. */
function behindWords(
  tokens: readonly Token[],
  at: number,
  words: readonly string[],
): number | null {
  let next = at;
  for (const [index, word] of words.entries()) {
    while (index > 0 && tokens[next]?.word !== word && PASSED.has(tokens[next]?.word ?? ''))
      next += 1;
    if (tokens[next]?.word !== word) return null;
    next += 1;
  }
  return next;
}

function placeOfWords(
  tokens: readonly Token[],
  from: number,
  words: readonly string[],
): number | null {
  for (let at = from; at < tokens.length; at += 1)
    if (behindWords(tokens, at, words) !== null) return at;
  return null;
}
