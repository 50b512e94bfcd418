/**
 * `I'm not vegetarian any more`, where a property is said by `i am {value}`: its value ends where
 * it is the one that is denied. The same pattern reads the sentence without its denial.
 */
import type { Collection, CollectionProperty } from '../../model/manifest.ts';
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { type SaidSlot, slotOf } from '../slots/slot.ts';
import type { TypedClaim } from '../state.ts';
import type { Day } from '../times/dates.ts';
import { saidIn, saysSlot } from './typed-patterns.ts';
import { readValue } from './typed-values.ts';

/** `Not only vegetarian`, `not yet on it`: it denies less than that, or nothing. */
const NOT =
  /^((?:I['’]?m|I am|we['’]re|we are|my [^,;.]{1,40}? is|our [^,;.]{1,40}? is|it is) )(?:no longer|not (?!only|just|yet|always|all|even|really|quite|so|very|too|necessarily|merely|simply|entirely|strictly|that|because|sure)) ?/iu;
const DOES_NOT = /^((?:I|we) )(?:no longer |(?:don['’]?t|do not) )/iu;
/** `I haven't lived in Bern since May`: what was done, and for how long it is over. */
const HAS_NOT =
  /^((?:I|we) )(?:have not|haven['’]?t) (\p{L}{2,})ed (.{1,80}) (?:since|in|for) [^,;]{1,40}$/iu;
const OVER: readonly string[] = ['anymore', 'any more', 'any longer', 'now'];
const MOST_CHARS = 200;

/** As if it were so; none = it denies nothing plainly. */
function withoutDenial(text: string): readonly Sentence[] {
  if (text.length > MOST_CHARS || text.includes('?')) return [];
  const [, whoHas = '', stem = '', object = ''] = HAS_NOT.exec(text) ?? [];
  // `Lived` is of `live`, `worked` of `work`.
  if (stem !== '')
    return [`${stem}e`, stem].map((verb) => sentenceOf(`${whoHas}${verb} ${object}`, 0));
  const [lead = '', who = ''] = NOT.exec(text) ?? DOES_NOT.exec(text) ?? [];
  const rest = withoutOver(text.slice(lead.length));
  return lead === '' || rest === '' ? [] : [sentenceOf(`${who}${rest}`, 0)];
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
  const positives = withoutDenial(sentence.text);
  const ended = slot?.isEnd === true && slot.name !== '' ? [slot] : positives.flatMap(toldSlot);
  return collections.flatMap(({ name: collection, properties }) =>
    Object.values(properties).flatMap((property) => {
      if (!ENDING.has(property.type)) return [];
      const told = ended.find(({ name }) => isOfProperty(name, property));
      const said = told ? told.said : firstSaid(positives, property);
      const value = said === null ? null : wholeValue(said, property, today);
      return value === null ? [] : [{ collection, property: property.name, value, isEnd: true }];
    }),
  );
}
const toldSlot = (positive: Sentence): readonly SaidSlot[] => {
  const told = slotOf(positive);
  return told === null || told.isEnd || told.name === '' ? [] : [told];
};
/** A property without patterns, `home`, is that of the slot by its name. */
const isOfProperty = (slot: string, property: CollectionProperty): boolean =>
  saysSlot(property, slot) ||
  (property.cardinality === 'one' && property.name.replaceAll('_', ' ') === slot);
function firstSaid(positives: readonly Sentence[], property: CollectionProperty): string | null {
  for (const positive of positives) {
    const said = saidIn(positive, property);
    if (said !== null) return said;
  }
  return null;
}
const ENDING: ReadonlySet<CollectionProperty['type']> = new Set(['option', 'text', 'int']);

/** A name with more behind it, `Acme on Mondays`, is of a part. */
function wholeValue(said: string, property: CollectionProperty, today: Day): unknown {
  const value = readValue(said, property, today);
  const isNamed = Object.hasOwn(property.words, said.toLowerCase());
  return property.type === 'text' && value !== said && !isNamed ? null : value;
}
