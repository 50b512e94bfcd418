/**
 * Which statement a correction in few words speaks of: that of the last turns of its speaker that
 * holds the old value. `Basel, not Bern` names it; `I meant Basel` speaks of the last one with a
 * value of that kind. Where two could be meant nothing is corrected.
 */
import { wordVector } from '../../inference/word-embedder.ts';
import { wordTableNow } from '../../inference/word-table.ts';
import type { MemoryClass } from '../../model/capture.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { bareIn, isStarred } from '../sentences/few-words.ts';
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { type Token, tokensOf } from '../slots/match.ts';
import { correctedValue, type SaidSlot, slotOf } from '../slots/slot.ts';
import { kindOf } from '../slots/values.ts';
import type { Corrects } from '../state.ts';
import { dot } from './likeness.ts';
import { isAddressed, isSurelyAddressed, isTown, mayName } from './may-name.ts';
import { type Antecedent, meantInstead } from './said-before.ts';

export interface Heard extends Omit<Antecedent, 'slot'> {
  readonly slot: SaidSlot | null;
  readonly class: Exclude<MemoryClass, 'typed'>;
  /** As it is kept; null = as the value of a property. */
  readonly content: string | null;
  /** At its speaker's word; else it waits, and what corrects it as well. */
  readonly isDirect: boolean;
}

export interface MeantBefore {
  readonly antecedent: Heard;
  readonly sentence: Sentence;
  readonly corrects: Corrects;
}
interface FewWords {
  readonly correction: Sentence;
  /** No word says that something was meant: of the last turn alone. */
  readonly isWeak: boolean;
  /** The value begins the turn: its capital is that of a first word. */
  readonly isFirst: boolean;
  /** A name alone, which may be that of who is spoken to. */
  readonly isBare: boolean;
  /** `*Basel` speaks to nobody, `no, Basel` seldom. */
  readonly mark: 'star' | 'no' | null;
}
export const fewAs = (correction: Sentence, whole: Sentence, isWeak: boolean): FewWords => ({
  ...{ correction, isWeak, isBare: bareIn(whole.text) !== null },
  isFirst: whole.text.replace(/^\*/, '').startsWith(correction.text),
  mark: isStarred(whole.text) ? 'star' : /^(?:no|nope|nah)\b/i.test(whole.text) ? 'no' : null,
});

/** `heard`: the last first. `null`: nothing that was said lately. */
export function meantBefore(
  few: FewWords,
  heard: readonly Heard[],
): MeantBefore | 'ambiguous' | null {
  const { correction, isWeak } = few;
  const value = correctedValue(correction.text, '');
  const named = value?.not ?? null;
  if (value !== null && named !== null) return meantOfNamed(correction, { ...value, named }, heard);
  const [last] = heard;
  if (few.isBare && last && mayAddress(few, last)) return null;
  const reached = isWeak ? heard.filter(({ turn }) => turn.uuid === last?.turn.uuid) : heard;
  for (const each of reached) {
    const sentence = ofSlot(each, few);
    if (sentence !== null) {
      if (few.isBare && namesIn(each.sentence.text).length > 1) return 'ambiguous';
      const isOther = (other: Heard): boolean =>
        other !== each && !isSameAs(other, each) && ofSlot(other, few) !== null;
      return isWeak && reached.some(isOther) ? 'ambiguous' : meantAs(each, sentence, null);
    }
    const isNamed = value !== null && mayHaveName(each, value.said) && isNameIn(few, value.said);
    if (!isNamed || !hasName(each, value.said)) continue;
    const place = onlyName(each, value.said);
    if (place === null) return 'ambiguous';
    const others = heard.filter(
      (other) => other !== each && other.turn.uuid === each.turn.uuid && hasName(other, value.said),
    );
    if (others.length > 0) return 'ambiguous';
    const word = plain(tokensOf(each.sentence.text.slice(place.start, place.end)));
    return meantAs(each, withValue(each, place, value.said), word);
  }
  return null;
}

/**
 * The slot of what was meant. Behind `I switched from A to B` it is the one that holds B by now,
 * not A.
 */
export function slotMeant({ antecedent, sentence }: MeantBefore): SaidSlot | null {
  const slot = slotOf(sentence);
  if (!slot?.instead || !antecedent.slot?.instead) return slot;
  return { ...slot, isChange: false, instead: { ...slot.instead, was: antecedent.slot.value } };
}

interface Named {
  readonly said: string;
  readonly named: string;
}

function meantOfNamed(
  correction: Sentence,
  { said, named }: Named,
  heard: readonly Heard[],
): MeantBefore | 'ambiguous' | null {
  const holding = heard.filter((each) => placeOf(each, named) !== null);
  const [first] = holding;
  if (!first) return null;
  if (holding.some((each) => !isSameAs(each, first))) return 'ambiguous';
  const place = placeOf(first, named);
  const strong = { correction, isWeak: false, isFirst: false, isBare: false, mark: null };
  // `Marrow and Sons` is more than the value `Marrow` that the slot has of it.
  const isMore = first.slot !== null && named.length > first.slot.value.length;
  const inPlace = place && withValue(first, place, said);
  const sentence = (isMore ? inPlace : null) ?? ofSlot(first, strong) ?? inPlace;
  return sentence && meantAs(first, sentence, named);
}

function ofSlot(each: Heard, few: FewWords): Sentence | null {
  const { slot } = each;
  const { correction, isWeak } = few;
  if (slot === null) return null;
  const sentence = meantInstead({ ...each, slot }, correction);
  const said = correctedValue(correction.text, slot.name)?.said ?? '';
  if (sentence === null || isOfOtherKind(said, slot.said)) return null;
  return isWeak && !isLike(said, slot.said, few) ? null : sentence;
}

const meantAs = (antecedent: Heard, sentence: Sentence, word: string | null): MeantBefore => ({
  antecedent,
  sentence,
  corrects: { content: antecedent.slot === null ? antecedent.content : null, word },
});

/** `Green` in place of `blue`, not `busy`; a name in place of a name. Of 20 pairs .3 parts all. */
function isLike(said: string, was: string, few: FewWords): boolean {
  const kinds = [said, was].map(kindAs);
  if (kinds[0] !== kinds[1]) return false;
  if (kinds[0] === 'number') return unitOf(said) === '' || unitOf(said) === unitOf(was);
  if (kinds[0] === 'name') return isNameIn(few, said);
  if (kinds[0] !== 'words') return true;
  const [a = [], b = []] = [said, was].map((text) => wordVector(text, wordTableNow()));
  return dot(a, b) >= LEAST_LIKE;
}
const LEAST_LIKE = 0.3;
/** Minutes are no rent. */
const unitOf = (said: string): string =>
  tokensOf(said)
    .flatMap(({ word }) => (/\d/.test(word) ? [] : [word]))
    .join(' ');
/** A first word has a capital, whatever it is. */
const isNameIn = ({ isFirst }: FewWords, said: string): boolean =>
  !isFirst || /\d/.test(said) || !/^\p{Lu}/u.test(said) || mayName(said);

/** `Sorry, Bob`: a person, behind what is said of none. */
function mayAddress(
  { correction: { text: said }, mark }: FewWords,
  { turn, slot }: Heard,
): boolean {
  if (mark === 'star') return false;
  if (said.toLowerCase() === turn.author?.toLowerCase()) return true;
  if (slot !== null && isAddressed(slot.said)) return false;
  // A town is one, though its name is near to those of people.
  const isPlace = slot?.name === 'home' && (mark === 'no' || isTown(said));
  return isPlace ? isSurelyAddressed(said) : isAddressed(said);
}

interface Place {
  readonly start: number;
  readonly end: number;
}
const withValue = ({ sentence: { text, start } }: Heard, place: Place, said: string): Sentence =>
  sentenceOf(text.slice(0, place.start) + said + text.slice(place.end), start);

const plain = (tokens: readonly Token[]): string => tokens.map(({ word }) => word).join(' ');

/** Where the words stand; null = they do not. */
function placeOf({ sentence: { text } }: Heard, words: string): Place | null {
  const tokens = tokensOf(text);
  const asked = words.split(' ');
  const at = tokens.findIndex((_, first) =>
    asked.every((word, index) => tokens[first + index]?.word === word),
  );
  const [first, last] = [tokens[at], tokens[at + asked.length - 1]];
  return at >= 0 && first && last ? { start: first.start, end: last.end } : null;
}

/** Said twice, it is one statement. */
const isSameAs = (one: Heard, other: Heard): boolean =>
  one.sentence.plain === other.sentence.plain ||
  (one.slot !== null && one.slot.name === other.slot?.name && one.slot.value === other.slot.value);

/** `March` is a month, and no place. */
function kindAs(said: string): ReturnType<typeof kindOf> {
  const [first = ''] = said.toLowerCase().replace(IN, '').split(' ');
  return DAYS.has(first) ? 'day' : kindOf(tokensOf(said), said);
}
const IN = /^(?:in|on|at|by) /;
const DAYS: ReadonlySet<string> = new Set([...MONTH_NAMES, ...WEEKDAY_NAMES]);
/** Nobody lives in a month, and no flight is on Oslo. */
const OF_KIND: ReadonlySet<string> = new Set(['name', 'day', 'number']);
function isOfOtherKind(said: string, was: string): boolean {
  const [one, other] = [kindAs(said) ?? '', kindAs(was) ?? ''];
  return one !== other && (one === 'day' || other === 'day') && OF_KIND.has(one);
}
const kindOfName = (said: string): 'name' | 'day' => (kindAs(said) === 'day' ? 'day' : 'name');
/** A value of a slot is named by it; a day beside it is not. */
const mayHaveName = ({ slot }: Heard, said: string): boolean =>
  kindAs(said) === 'day' || (slot === null && kindAs(said) === 'name');
/** The one name of a statement that `said` could take the place of; null = it has several. */
function onlyName({ sentence: { text } }: Heard, said: string): Place | null {
  const [only, ...more] = namesLike(said, text);
  return only && more.length === 0 ? only : null;
}
const hasName = ({ sentence: { text } }: Heard, said: string): boolean =>
  namesLike(said, text).length > 0;

/** A day in place of a day: `Sunday` is nobody and no town. */
const namesLike = (said: string, text: string): readonly Place[] => namesIn(text, kindOfName(said));
/** Names that stand together are one. */
function namesIn(text: string, kind: 'name' | 'day' = 'name'): readonly Place[] {
  const names: { start: number; end: number; at: number }[] = [];
  for (const [at, token] of tokensOf(text).entries()) {
    const said = text.slice(token.start, token.end);
    if (
      at === 0 ||
      (DAYS.has(token.word) ? 'day' : kindOf([token], text)) !== kind ||
      PRONOUN.test(said)
    )
      continue;
    const last = names.at(-1);
    if (last && last.at === at - 1) Object.assign(last, { end: token.end, at });
    else names.push({ start: token.start, end: token.end, at });
  }
  return names;
}
const PRONOUN = /^i(?:['’]\p{L}+)?$/iu;
