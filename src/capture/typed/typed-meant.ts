/**
 * `No, I meant the pro plan`, after `I am on the team plan`: the value that was meant of a
 * property, where no slot says of what it is.
 */
import type { BlockRow } from '../../model/block.ts';
import type { Instant } from '../../model/ids.ts';
import type { Collection, CollectionProperty } from '../../model/manifest.ts';
import type { GatedSegment } from '../1-gate.ts';
import { isOwnCorrection, type SaidBefore } from '../compare/said-before.ts';
import { type Spoken, spokenAs } from '../compare/spoken-between.ts';
import { type Sentence, wordsOf } from '../sentences/sentence.ts';
import { correctedValue } from '../slots/slot.ts';
import type { TypedClaim } from '../state.ts';
import { localDay } from '../times/dates.ts';
import { zoneOf } from '../times/time-zone.ts';
import { readValue } from './typed-values.ts';

export interface TypedAntecedent {
  readonly turn: BlockRow;
  readonly sentence: Sentence;
  readonly claim: TypedClaim;
  readonly valid_from: Instant;
  /** At its speaker's word; else it waits, and what corrects it as well. */
  readonly isDirect: boolean;
}

interface Meant extends Pick<TypedAntecedent, 'claim' | 'valid_from' | 'isDirect'> {
  readonly of: BlockRow;
  readonly spoken: Spoken;
}

/** What was meant, and the turn that it corrects; null = nothing that was said lately. */
export function meantOf(
  segment: Pick<GatedSegment, 'turn' | 'sentence' | 'whole' | 'voice'>,
  { collections, timeZone }: Reading,
  said: SaidBefore<TypedAntecedent>,
): Meant | null {
  if (!isOwnCorrection(segment)) return null;
  const { turn, sentence } = segment;
  const meantBy = (each: TypedAntecedent): TypedClaim | null =>
    typedInstead(each, sentence, {
      collections,
      today: localDay(each.turn.occurred_at, zoneOf(each.turn, timeZone)),
    });
  const antecedent = said.find(turn, (each) => meantBy(each) !== null);
  const claim = antecedent && meantBy(antecedent);
  if (!claim) return null;
  const { turn: of, valid_from, sentence: said_in, isDirect } = antecedent;
  const spoken = spokenAs({ turn: of, sentence: said_in, slot: null }, sentence);
  return { claim, of, valid_from, isDirect, spoken: { ...spoken, told: said.all(turn) } };
}

interface Reading {
  readonly collections: readonly Collection[];
  readonly timeZone: string;
}

/** null = it is no value of that property, or the one that was said. */
function typedInstead(
  { claim }: Pick<TypedAntecedent, 'claim'>,
  correction: Sentence,
  of: { readonly collections: readonly Collection[]; readonly today: number },
): TypedClaim | null {
  const collection = of.collections.find(({ name }) => name === claim.collection);
  const property = collection?.properties[claim.property];
  const meant = property && correctedValue(correction.text, property.name);
  // A list is not plainly one thing in place of another.
  if (!property || !meant || property.type === 'array') return null;
  if (meant.not !== null && readAs(meant.not, property, of.today) !== claim.value) return null;
  const value = readAs(meant.said, property, of.today);
  const isMeant = value !== null && value !== claim.value && isAlike(value, claim.value, property);
  return isMeant ? { ...claim, value } : null;
}

/** `Pro plan` of `I am on the {value} plan`: with the words behind the value, or without them. */
export function readAs(said: string, property: CollectionProperty, today: number): unknown {
  const plain = readValue(said, property, today);
  if (plain !== null && property.type !== 'text') return plain;
  for (const pattern of property.patterns) {
    const trail = wordsOf(pattern.split('{value}')[1] ?? '').join(' ');
    const at = trail === '' ? -1 : said.toLowerCase().lastIndexOf(` ${trail}`);
    if (at > 0) return readValue(said.slice(0, at), property, today);
  }
  return plain;
}

/** Of any words, a name takes the place of a name alone: `I meant well` is no nickname. */
const isAlike = (meant: unknown, was: unknown, { type }: CollectionProperty): boolean =>
  type !== 'text' || startsAs(String(meant)) === startsAs(String(was));
const startsAs = (text: string): string =>
  /\d/.test(text) ? 'digits' : /^\p{Lu}/u.test(text) ? 'name' : 'words';
