/**
 * What a speaker said last of each slot: what `No, I meant Rome` speaks of. Only the last turns
 * count: later, nobody knows what was meant.
 */
import type { BlockRow } from '../../model/block.ts';
import type { Instant } from '../../model/ids.ts';
import type { GatedSegment } from '../1-gate.ts';
import { type Sentence, sentenceOf, wordsOf } from '../sentences/sentence.ts';
import { correctedValue, type SaidSlot } from '../slots/slot.ts';
import { isPerson } from '../voices/people.ts';
import { speakerKey } from '../voices/spellings.ts';

export interface Antecedent {
  readonly turn: BlockRow;
  readonly sentence: Sentence;
  readonly slot: SaidSlot;
  readonly valid_from: Instant;
}

export interface SaidBefore<A extends Pick<Antecedent, 'turn'> = Antecedent> {
  /** The last that fits; null = none lately. */
  find(turn: BlockRow, fits: (antecedent: A) => boolean): A | null;
  /** All that its speaker said lately, the last first. */
  all(turn: BlockRow): readonly A[];
  add(antecedent: A): void;
  /** It was corrected: what took its place is added by itself. */
  drop(antecedent: A): void;
}

/** Turns of the speaker back to which a correction reaches, its own one included. */
export const REACH = 3;

export const speakerName = ({ author }: BlockRow): string => author ?? 'user';

export function saidBefore<A extends Pick<Antecedent, 'turn'> = Antecedent>(
  gated: readonly GatedSegment[],
): SaidBefore<A> {
  const places = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { turn } of gated) {
    if (places.has(turn.uuid)) continue;
    const count = (counts.get(speakerKey(turn.author)) ?? 0) + 1;
    counts.set(speakerKey(turn.author), count);
    places.set(turn.uuid, count);
  }
  const said: A[] = [];
  const isLately = (turn: BlockRow, each: A): boolean =>
    speakerKey(each.turn.author) === speakerKey(turn.author) &&
    (places.get(turn.uuid) ?? 0) - (places.get(each.turn.uuid) ?? 0) < REACH;
  return {
    find: (turn, fits) => said.find((each) => isLately(turn, each) && fits(each)) ?? null,
    all: (turn) => said.filter((each) => isLately(turn, each)),
    add: (antecedent) => void said.unshift(antecedent),
    drop: (antecedent) => {
      const at = said.indexOf(antecedent);
      if (at !== -1) said.splice(at, 1);
    },
  };
}

/**
 * `I work on Atlas. I work on Orion.`: in one turn, the same words of another value. Who tells of
 * one after the other takes nothing back.
 */
export function isListedWith(
  before: Pick<Antecedent, 'turn' | 'sentence' | 'slot'>,
  { turn, sentence, slot }: Pick<Antecedent, 'turn' | 'sentence' | 'slot'>,
): boolean {
  const isTold = [before.slot, slot].every(
    ({ isEnd, isChange, not }) => !isEnd && !isChange && not === null,
  );
  return (
    isTold &&
    before.turn.uuid === turn.uuid &&
    before.slot.name === slot.name &&
    before.slot.value !== slot.value &&
    wordsAround(before) === wordsAround({ sentence, slot })
  );
}

/** Of the value. */
const wordsAround = ({ sentence: { text }, slot }: Pick<Antecedent, 'sentence' | 'slot'>): string =>
  [text.slice(0, slot.start), text.slice(slot.end)]
    .map((part) => wordsOf(part).join(' '))
    .join('\n');

/** `The email reads No, I meant Rome`, `[Bob] No, I meant Rome` quote a correction. */
export function isOwnCorrection({
  turn,
  whole,
  voice,
}: Pick<GatedSegment, 'turn' | 'whole' | 'voice'>): boolean {
  const before = turn.content.slice(Math.max(0, whole.start - MOST_BEFORE), whole.start);
  const [said = ''] = before.split(/[.!?\n]/).slice(-1);
  return !voice.isMadeUp && !QUOTES.test(said);
}
const MOST_BEFORE = 100;
/** What one said oneself is no quotation: `I said Bern but I meant Basel`. */
const QUOTES =
  /[[\]@=<>|"“]|(?<!\bI (?:just )?)\b(?:reads?|says?|said|wrote|writes|texted|replied|answered)\b/i;

/**
 * The statement with the value that was meant; null = it is not plain what was. `I meant well`
 * after `I live in Rome` is none: a name takes the place of a name, digits of digits.
 */
export function meantInstead(
  { sentence, slot }: Antecedent,
  correction: Sentence,
): Sentence | null {
  if (namesAnother(correction.text, sentence.text)) return null;
  const meant = correctedValue(correction.text, slot.name);
  if (meant === null || slot.isEnd || slot.name.startsWith('like ')) return null;
  const { said, not } = meant;
  if (!isAlike(said, slot)) return null;
  if (not !== null && !sharesWord(not, slot.value)) return null;
  const { text } = sentence;
  return sentenceOf(text.slice(0, slot.start) + said + text.slice(slot.end), sentence.start);
}

/** `I meant ibuprofen for my wife`: of her, whoever was spoken of before. */
function namesAnother(correction: string, before: string): boolean {
  const known = new Set(wordsOf(before));
  const words = wordsOf(correction);
  return (
    words.some((word) => !known.has(word) && (isPerson(word) || THEY.has(word))) ||
    (FOR_NAME.test(correction) && !known.has('for'))
  );
}
const THEY: ReadonlySet<string> = new Set('he she they him her them his hers their'.split(' '));
const FOR_NAME = /\S (?:for|to|about) \p{Lu}/u;

/** A diet can be `Mediterranean` or `vegan`. */
const ANY_CASE = /^(?:diet|occupation|car)$|^(?:favorite|preferred) /;

function isAlike(said: string, slot: SaidSlot): boolean {
  const [meant, was] = [shapeOf(said), shapeOf(slot.said)];
  if (meant === was) return true;
  const isText = [meant, was].every((shape) => shape === 'name' || shape === 'words');
  return isText && ANY_CASE.test(slot.name);
}

function shapeOf(value: string): 'mail' | 'digits' | 'name' | 'words' {
  if (value.includes('@')) return 'mail';
  if (/\d/.test(value)) return 'digits';
  return /^\p{Lu}/u.test(value) ? 'name' : 'words';
}

const sharesWord = (a: string, b: string): boolean => {
  const words = new Set(b.split(' '));
  return a.split(' ').some((word) => words.has(word));
};
