/** What stands in the place of `{value}`, read by the type of its property. */
import type { CollectionProperty } from '../../model/manifest.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { signedWords } from '../slots/signs.ts';
import { type Day, dayText, dayToCome, pastDay, timesIn } from '../times/dates.ts';

export interface SaidValue {
  readonly value: unknown;
  /** The day from which it holds, where one is named behind it; null = none is. */
  readonly from: Day | null;
}

/** Of a list each item by itself, where the property holds many; none = it is no value. */
export function readValues(
  said: string,
  property: CollectionProperty,
  today: Day,
): readonly SaidValue[] {
  const whole = readValue(said, property, today);
  // An option that has such words is that option; of free words they say when.
  const isFree = property.type === 'text' || property.type === 'array';
  if (property.type === 'date' || (whole !== null && !isFree))
    return whole === null ? [] : [{ value: whole, from: null }];
  const { bare, time } = withoutTime(said, isFree);
  const read = time === '' ? whole : readValue(bare, property, today);
  if (read === null) return [];
  const from = pastDay(time, today) ?? dayToCome(time, today);
  const items = property.type === 'text' && property.cardinality === 'many' ? listed(bare) : null;
  return (items ?? [read]).map((value) => ({ value, from }));
}

/** Behind a value: when it came to be so, or that it did. In small letters: a name has others. */
const WHEN =
  /,? (?:now|right now|currently|again|instead|too|as well|these days|at the moment|at present|from now on|as of (?:now|today)|already|please|by now|yesterday|today|this morning|since then|(?:since |as of |effective |starting |on |earlier )?(?:last|this|next) (?:week|weekend|month|year|quarter|spring|summer|autumn|fall|winter|\p{Lu}?\p{Ll}+day)|(?:(?:\d{1,2}|a|an|one|two|three|four|five|six|a few|a couple of) (?:days?|weeks?|months?|years?)|a while) ago|since [\p{L}\d][^,;]{1,20})$/u;
/** What an option is not, is told of it. */
const WHEN_OF_OPTION =
  /,? (?:tomorrow|(?:on|in|from|since|as of|effective|starting) [\p{L}\d][^,;]{1,20})$/u;
const MOST_TIMES = 3;

function withoutTime(
  said: string,
  isFree: boolean,
): { readonly bare: string; readonly time: string } {
  let bare = said;
  for (let count = 0; count < MOST_TIMES; count += 1) {
    const found = WHEN.exec(bare) ?? (isFree ? null : WHEN_OF_OPTION.exec(bare));
    if (!found || found.index === 0) break;
    bare = bare.slice(0, found.index);
  }
  return { bare, time: said.slice(bare.length) };
}

/** The day that stands at the end, behind the words of a pattern; null = none does. */
export function dayBehind(text: string, today: Day): Day | null {
  const { time } = withoutTime(withoutMarks(text), false);
  return pastDay(time, today) ?? dayToCome(time, today);
}

function withoutMarks(text: string): string {
  let end = text.length;
  while (end > 0 && '.!,; '.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const MOST_ITEM_WORDS = 4;
const NO_ITEM =
  /^(?:i|it|them|me|my|we|you|he|she|they|not|also|then|so|but|sometimes)\b|\b(?:it|them|me)$/i;
/** `Chess, go and tea`; null = one value. What begins with a small letter is no name in a list. */
function listed(said: string): readonly string[] | null {
  const items = said
    .split(/,(?: and| or|) | and | & | plus /)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const [first = ''] = items;
  const isName = /^\p{Lu}/u.test(first);
  const isList =
    items.length > 1 &&
    items.every(
      (item) =>
        wordsOf(item).length <= MOST_ITEM_WORDS &&
        !NO_ITEM.test(item) &&
        (!isName || /^[\p{Lu}\d]/u.test(item)),
    );
  return isList ? items : null;
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
      return optionOf(said, plain, property.options);
    case 'int': {
      const number = said.replace('−', '-').trim();
      if (!INTEGER.test(number)) return null;
      return Number(number.replaceAll(/[,_ ]/g, ''));
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

/** `1,500`, but neither `2.5` nor `2,5`. */
const INTEGER = /^[-+]?(?:\d{1,15}|\d{1,3}(?:[,_ ]\d{3}){1,4})$/;

/** `A-` is not `A+`, though their words are the same. */
function optionOf(said: string, plain: string, options: readonly string[]): string | null {
  const alike = options.filter((option) => wordsOf(option).join(' ') === plain);
  const signs = signedWords(said).join(' ');
  return alike.find((option) => signedWords(option).join(' ') === signs) ?? null;
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
