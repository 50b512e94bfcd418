/**
 * Property patterns, declared in a collection: `my name is {value}`. A pattern is words and one
 * `{value}`; what stands there is read by the type of the property.
 */
import type { Collection, CollectionProperty } from '../model/manifest.ts';
import { dayText, timesIn } from './dates.ts';
import { type Sentence, sentenceOf, wordsOf } from './sentence.ts';
import { isNoValue } from './slots/no-value.ts';
import { type SaidSlot, slotOf } from './slots/slot.ts';
import type { TypedClaim } from './state.ts';

/** `slot`: what the sentence speaks of; a property that is said by the same has its value too. */
export function typedClaims(
  stated: {
    readonly sentence: Sentence;
    readonly slot: SaidSlot | null;
    /** Its day is that of the words. */
    readonly today: number;
  },
  collections: readonly Collection[],
): readonly TypedClaim[] {
  return collections.flatMap((collection) =>
    Object.values(collection.properties).flatMap((property) => {
      const value = claimed(stated, property);
      return value === null
        ? []
        : [{ collection: collection.name, property: property.name, value }];
    }),
  );
}

function claimed(
  { sentence, slot, today }: Parameters<typeof typedClaims>[0],
  property: CollectionProperty,
): unknown {
  const isSlot = slot !== null && !slot.isEnd && slotsOf(property).has(slot.name);
  if (isSlot) return readValue(slot.said, property, today);
  // `Call me on 555 0101` says another thing than `call me Ada`.
  const slots = slotsOf(property);
  if (slots.size > 0 && slotOf(sentence) !== null) return null;
  for (const pattern of patternsOf(property)) {
    const said = valueAt(sentence, pattern);
    const isNone = said === null || isIdiom(said, property, slots);
    const value = isNone ? null : readValue(said, property, today);
    if (value !== null) return value;
  }
  return null;
}

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

const known = new WeakMap<CollectionProperty, ReadonlySet<string>>();
/** The slots that its patterns speak of; of many values none. */
function slotsOf(property: CollectionProperty): ReadonlySet<string> {
  const found = known.get(property);
  if (found) return found;
  const spoken = property.patterns.flatMap((pattern) => {
    const said = slotOf(sentenceOf(pattern.replace('{value}', EXAMPLE), 0));
    return said?.said === EXAMPLE ? [said.name] : [];
  });
  const slots = new Set(property.cardinality === 'many' ? [] : spoken);
  known.set(property, slots);
  return slots;
}
const EXAMPLE = 'Xyzzy';

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
    return { lead: wordsOf(before), trail: wordsOf(after) };
  });
  patterns.set(property, read);
  return read;
}

interface Parts {
  /** Words, and what stands between them, by turns. */
  readonly parts: readonly string[];
  readonly words: readonly string[];
}
/** Every pattern of every collection reads the same sentence. */
const split = new WeakMap<Sentence, Parts>();
function partsOf(sentence: Sentence): Parts {
  const found = split.get(sentence);
  if (found) return found;
  const parts = sentence.text.split(/([\p{L}\p{M}\p{N}'’_+-]+)/u);
  const read = { parts, words: parts.map((part) => part.toLowerCase().replaceAll('’', "'")) };
  split.set(sentence, read);
  return read;
}

/** The words in the place of `{value}`, as they were written. */
function valueAt(sentence: Sentence, { lead, trail }: Pattern): string | null {
  const { parts, words } = partsOf(sentence);
  const at = (index: number): string => words[index * 2 + 1] ?? '';
  if (!lead.every((word, index) => at(index) === word)) return null;
  const count = (parts.length - 1) / 2;
  const last = trail.length === 0 ? count : endOf(at, { from: lead.length + 1, count, trail });
  if (last === null || last <= lead.length) return null;
  const text = parts.slice(lead.length * 2 + 1, last * 2).join('');
  return withoutEnd(text.trim());
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.!,;: '.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function endOf(
  at: (index: number) => string,
  of: { readonly from: number; readonly count: number; readonly trail: readonly string[] },
): number | null {
  for (let index = of.from; index + of.trail.length <= of.count; index += 1)
    if (of.trail.every((word, offset) => at(index + offset) === word)) return index;
  return null;
}

const MOST_TEXT_WORDS = 12;
const YES: ReadonlySet<string> = new Set(['yes', 'true', 'on', 'always']);
const NO: ReadonlySet<string> = new Set(['no', 'false', 'off', 'never']);

/** Null where it is no value of the type. */
export function readValue(said: string, property: CollectionProperty, today: number): unknown {
  const plain = wordsOf(said).join(' ');
  if (plain === '') return null;
  const named = Object.hasOwn(property.words, plain) ? property.words[plain] : undefined;
  if (named !== undefined) return named;
  switch (property.type) {
    case 'option':
      return property.options.find((option) => wordsOf(option).join(' ') === plain) ?? null;
    case 'int': {
      const digits = said.replaceAll(/[,_ ]/g, '');
      return /^-?\d{1,15}$/.test(digits) ? Number(digits) : null;
    }
    case 'bool':
      return YES.has(plain) ? true : NO.has(plain) ? false : null;
    case 'date': {
      const [time] = timesIn(said, today);
      return time?.unit === 'day' ? dayText(time.from) : null;
    }
    case 'array':
      return itemsOf(said);
    case 'text':
      return shortText(said);
  }
}

/** One name or phrase; a clause after it is cut off. */
function shortText(said: string): string | null {
  const cut = /[,;(]| because | but | and I | so /.exec(said);
  const text = (cut ? said.slice(0, cut.index) : said).trim();
  return text !== '' && wordsOf(text).length <= MOST_TEXT_WORDS ? text : null;
}

function itemsOf(said: string): readonly string[] | null {
  const items = said
    .replaceAll(' and ', ',')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.length > 0 && items.every((item) => wordsOf(item).length <= 4) ? items : null;
}
