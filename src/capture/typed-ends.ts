/**
 * `I'm not vegetarian any more`, where a property is said by `i am {value}`: its value ends where
 * it is the one that is denied. The same pattern reads the sentence without its denial.
 */
import type { Collection, CollectionProperty } from '../model/manifest.ts';
import type { Day } from './dates.ts';
import { type Sentence, sentenceOf } from './sentence.ts';
import type { SaidSlot } from './slots/slot.ts';
import type { TypedClaim } from './state.ts';
import { saidIn, saysSlot } from './typed-patterns.ts';
import { readValue } from './typed-values.ts';

/** `Not only vegetarian`, `not yet on it`: it denies less than that, or nothing. */
const NOT =
  /^((?:I['’]?m|I am|we['’]re|we are|my [^,;.]{1,40}? is|our [^,;.]{1,40}? is|it is) )(?:no longer|not (?!only|just|yet|always|all|even|really|quite|so|very|too|necessarily|merely|simply|entirely|strictly|that|because|sure)) ?/iu;
const DOES_NOT = /^((?:I|we) )(?:no longer |(?:don['’]?t|do not) )/iu;
const OVER: readonly string[] = ['anymore', 'any more', 'any longer', 'now'];
const MOST_CHARS = 200;

/** As if it were so; null = it denies nothing plainly. */
function withoutDenial(text: string): Sentence | null {
  if (text.length > MOST_CHARS || text.includes('?')) return null;
  const [lead = '', who = ''] = NOT.exec(text) ?? DOES_NOT.exec(text) ?? [];
  const rest = withoutOver(text.slice(lead.length));
  return lead === '' || rest === '' ? null : sentenceOf(`${who}${rest}`, 0);
}

function withoutOver(text: string): string {
  let end = text.length;
  while (end > 0 && '.!,; '.includes(text.charAt(end - 1))) end -= 1;
  const bare = text.slice(0, end);
  const over = OVER.find((word) => bare.toLowerCase().endsWith(` ${word}`));
  return over === undefined ? bare : withoutOver(bare.slice(0, -over.length));
}

export function typedEnds(
  {
    sentence,
    slot,
    today,
  }: { readonly sentence: Sentence; readonly slot: SaidSlot | null; readonly today: Day },
  collections: readonly Collection[],
): readonly TypedClaim[] {
  const positive = withoutDenial(sentence.text);
  return collections.flatMap(({ name: collection, properties }) =>
    Object.values(properties).flatMap((property) => {
      if (!ENDING.has(property.type)) return [];
      const said =
        slot?.isEnd === true && slot.name !== '' && saysSlot(property, slot.name)
          ? slot.said
          : positive && saidIn(positive, property);
      const value = said === null ? null : wholeValue(said, property, today);
      return value === null ? [] : [{ collection, property: property.name, value, isEnd: true }];
    }),
  );
}
const ENDING: ReadonlySet<CollectionProperty['type']> = new Set(['option', 'text', 'int']);

/** A name with more behind it, `Acme on Mondays`, is of a part. */
function wholeValue(said: string, property: CollectionProperty, today: Day): unknown {
  const value = readValue(said, property, today);
  const isNamed = Object.hasOwn(property.words, said.toLowerCase());
  return property.type === 'text' && value !== said && !isNamed ? null : value;
}
