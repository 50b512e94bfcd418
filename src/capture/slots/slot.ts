/**
 * Slots: what a statement is about, so that a later one about the same takes its place without a
 * model. A slot is single: a person lives in one place, and likes a thing or does not.
 */
import type { Sentence } from '../sentences/sentence.ts';
import { isPerson } from '../voices/people.ts';
import { agentOf } from './agents.ts';
import { byValue } from './by-value.ts';
import { dayStateOf } from './days.ts';
import { endedOf } from './ended.ts';
import { habitOf, namedOf, unnamedOf } from './habits.ts';
import { howToTalkOf, mayBeOrdered } from './how-to-talk.ts';
import { amountOf, metOf } from './in-passing.ts';
import { backTo, insteadOf, laterOf } from './instead.ts';
import { kinOf, sentTo } from './kin.ts';
import { labelledOf } from './labelled.ts';
import {
  isWithoutI,
  match,
  plainTokens,
  slotOfNoun,
  stepsOf,
  type Token,
  tokensOf,
} from './match.ts';
import { mayBeOpen } from './may-be-open.ts';
import { hasNoSlot, isFromSoftware, isNoValue } from './no-value.ts';
import * as nouns from './nouns.ts';
import { nowAt } from './now-at.ts';
import { ownedIn } from './of-somebody.ts';
import { frameOf, newOf, type OpenFound, openNounOf, placedOf, setOf } from './open.ts';
import { pairOf } from './pair.ts';
import { AMBIGUOUS, ofNew, reachOf } from './reach.ts';
import { headlineOf, mayBeReferred, referredOf } from './referred.ts';
import { isToRestate } from './restated.ts';
import { isEndOfPart, isPartOfSlot, ofWhole } from './restricted.ts';
import * as rules from './rules.ts';
import { signedValue, withSigns } from './signs.ts';
import { singular, switchedSlot } from './switched-slot.ts';
import { MANY } from './things.ts';
import { bare, SMALL, valueIn } from './value-words.ts';
import { variantsOf } from './variants.ts';

export interface Slot {
  /** Of the subject: `home`, `employer`, `favorite color`, `like tea`. */
  readonly name: string;
  readonly value: string;
  /** The slot is empty from now on: `I no longer work at Acme`. */
  readonly isEnd: boolean;
  /** The sentence says that the world changed. */
  readonly isChange?: boolean;
  /** It may have other values beside this one: nothing gives way to it. */
  readonly isBeside?: boolean;
  /** The slot is that of the value that this one takes the place of, or that ends. */
  readonly instead?: Instead;
  /** Says it only of what is known to have the slot: `the sprint is 1 week now`. */
  readonly isOfKnown?: boolean;
}
export interface Instead {
  readonly was: string;
  /** The new value as it was written. */
  readonly said: string;
}

export interface SaidSlot extends Slot {
  /** The value as it was written, and where in the text of the sentence. */
  readonly said: string;
  readonly start: number;
  readonly end: number;
  /** Says that the world changed: never a correction. */
  readonly isChange: boolean;
  /** The value that the sentence says it is not. */
  readonly not: string | null;
  /** A thing of the speaker. */
  readonly isOwn: boolean;
  /** Kept as slot and value: the sentence tells of another value too, or not of whom. */
  readonly isRestated?: boolean | 'always';
}

/** Without how the sentence says it. */
export const plainSlot = (slot: SaidSlot): Slot => ({
  ...{ name: slot.name, value: slot.value, isEnd: slot.isEnd },
  ...(slot.isChange && { isChange: true }),
  ...(slot.isBeside && { isBeside: true }),
  ...(slot.isOfKnown && { isOfKnown: true }),
  ...(slot.instead && { instead: slot.instead }),
});

interface Found {
  readonly name: string;
  readonly kind: rules.VerbForm['kind'];
  readonly value: readonly Token[];
  readonly isName: boolean;
  readonly isSoft?: boolean;
  readonly isOwn?: boolean;
  readonly isRestated?: boolean | 'always';
  readonly isOfKnown?: boolean;
  readonly instead?: readonly Token[] | null;
}

function verbOf(tokens: readonly Token[]): Found | null {
  for (const { slot: name, kind, forms, isName = false } of rules.VERB_FORMS)
    for (const form of forms) {
      const found = match(tokens, stepsOf(form));
      if (found) return { name, kind, value: found.value, isName };
    }
  return null;
}

function nounOf(
  tokens: readonly Token[],
  text: string,
  forms: readonly rules.NounForm[],
): Found | null {
  for (const { form, kind } of forms) {
    const found = match(tokens, stepsOf(form));
    const start = found?.value[0]?.word ?? '';
    // `We found a new home for Mia`: for whom, not which.
    if (!found?.noun || start === 'for' || nouns.PLACING.has(start)) continue;
    // `I'm seeing someone new, she's my girlfriend now`: of whom, another word tells.
    if (form.startsWith('%') && PRONOUN.test(found.value.at(-1)?.word ?? '')) continue;
    const name = AMBIGUOUS.has(found.noun) ? reachOf(found.value, text, found.noun) : found.noun;
    const [first] = found.value;
    const last = found.value.at(-1);
    const mail = name === 'email' ? found.value.filter(({ word }) => word.includes('@')) : [];
    const isNew = tokens.some(
      ({ word, start, end }) =>
        word === 'new' && (end <= (first?.start ?? 0) || start >= (last?.end ?? 0)),
    );
    const isName = nouns.NAMED.has(name);
    const value = mail.length === 1 ? mail : found.value;
    return { name, kind: isNew ? 'changes' : kind, value, isName };
  }
  return null;
}

const PRONOUN = /^(?:he|she|they|it|who|that|which)$/;

/** `You can reach me at 555 0101`. */
function reachedOf(tokens: readonly Token[], text: string): Found | null {
  for (const form of rules.REACHED) {
    const found = match(tokens, stepsOf(form));
    const name = found && reachOf(found.value, text, '');
    if (found && name) return { name, kind: 'tells', value: found.value, isName: false };
  }
  return null;
}

/** `My birthday is on 3 March`: the day is the value. */
function dayOf(text: string): Found | null {
  const tokens = tokensOf(text).filter(({ word }) => !rules.ADVERBS.has(word));
  const found = nounOf(tokens, text, rules.NOUN_FORMS);
  return found && nouns.DAY_SLOTS.has(found.name) ? found : null;
}

/** `I switched banks, I am with Acme`. */
function switchedOf(tokens: readonly Token[], text: string): Found | null {
  const [who, verb, noun] = tokens.map(({ word }) => word);
  const isSwitch = (who === 'i' || who === 'we') && (verb === 'switched' || verb === 'changed');
  const one = noun === undefined ? null : (slotOfNoun([singular(noun)]) ?? oneOf(singular(noun)));
  if (!isSwitch || one === null) return null;
  const rest = tokens.slice(3);
  const inner = verbOf(rest) ?? nounOf(rest, text, [...rules.AS_FORMS, ...rules.NOUN_FORMS]);
  if (inner) return { ...inner, kind: 'changes' };
  for (const form of rules.SWITCHED_TO) {
    const found = match(rest, stepsOf(form));
    const name = found && switchedSlot({ noun, one }, found.value, text);
    if (found && name)
      return { name, kind: 'changes', value: found.value, isName: nouns.NAMED.has(name) };
  }
  return null;
}

/** Whom one has only one of: `I switched coaches`. */
const oneOf = (noun: string): string | null => (isPerson(noun) && !MANY.has(noun) ? noun : null);

const read = new WeakMap<Pick<Sentence, 'text'>, SaidSlot | null>();
/** No form is without one of them. */
const PERSONS: readonly string[] = ['i', "i'm", "i've", "i'd", 'my', 'we', "we're", "we've", 'our'];
const OTHERS: readonly string[] = [
  'me',
  'us',
  'mine',
  'new',
  'current',
  'latest',
  'production',
  'runs',
];
const mayHaveSlot = ({ text, plain, words }: Pick<Sentence, 'text' | 'plain' | 'words'>): boolean =>
  isWithoutI(words) ||
  mayBeReferred(text, words) ||
  mayBeOpen(words) ||
  mayBeOrdered(words) ||
  PERSONS.some((word) => plain.includes(` ${word} `)) ||
  OTHERS.some((word) => plain.includes(` ${word} `));

/** The slot that a sentence of the first person speaks of. It is read once. */
export function slotOf(sentence: Sentence): SaidSlot | null {
  const known = read.get(sentence);
  if (known !== undefined) return known;
  const found = mayHaveSlot(sentence) ? readSlot(sentence) : null;
  read.set(sentence, found);
  return found;
}

function readSlot(sentence: Sentence): SaidSlot | null {
  if (hasNoSlot(sentence)) return null;
  const { text } = sentence;
  if (text.length > MOST_TEXT) return null;
  const { tokens, isNow } = plainTokens(text);
  // The first reading whose value can be one: `I joined a new gym, Pulse` names no employer.
  for (const said of variantsOf(tokens, text))
    for (const readAs of READINGS) {
      const found = readAs(said, text, isNow);
      if (!found || (found.name === 'home' && isFromSoftware(sentence))) continue;
      const { words, not } = valueIn(found.value, text);
      const made = toSlot(found, words, { text, not, isNow });
      if (!made || !isValue(made, found)) continue;
      if (made.isEnd && isEndOfPart(sentence, made.end)) return null;
      return placed(ofOne(ownedIn(ofNew(made, found.value, text), text), text));
    }
  return ofWhole(likingOf(tokens, text), sentence);
}

type Reading = (tokens: readonly Token[], text: string, isNow: boolean) => Found | null;
const READINGS: readonly Reading[] = [
  (tokens, text) => reachedOf(tokens, text),
  (tokens, text) => openFound(labelledOf(tokens, text)),
  (tokens, text) => openFound(byValue(tokens, text)),
  (tokens, text) => openFound(amountOf(tokens, text)),
  (tokens, text) => nounOf(tokens, text, rules.AS_FORMS),
  (tokens, text, isNow) => openFound(namedOf(tokens, text, isNow)),
  (tokens) => verbOf(tokens),
  (tokens, text) => nounOf(tokens, text, rules.NOUN_FORMS),
  (tokens, text) => switchedOf(tokens, text),
  (tokens, text, isNow) => (isNow ? nowAt(tokens, text) : null),
  (_, text) => dayOf(text),
  (_, text) => openFound(dayStateOf(text)),
  (tokens, text) => openFound(kinOf(tokens, text)),
  (tokens) => openFound(sentTo(tokens)),
  (tokens, text) => openFound(agentOf(tokens, text)),
  (tokens, text) => openFound(newOf(tokens, text)),
  (tokens, text) => openFound(placedOf(tokens, text)),
  (tokens, text) => openFound(insteadOf(tokens, text)),
  (tokens, text) => openFound(pairOf(tokens, text)),
  (tokens, text) => openFound(laterOf(tokens, text)),
  (tokens, text) => openFound(referredOf(tokens, text)),
  (tokens) => openFound(howToTalkOf(tokens)),
  (tokens, text) => openFound(setOf(tokens, text)),
  (tokens, text) => openFound(frameOf(tokens, text)),
  (tokens, text) => openFound(backTo(tokens, text)),
  (tokens, text) => openFound(habitOf(tokens, text)),
  (tokens, text, isNow) => openFound(openNounOf(tokens, text, isNow)),
  (tokens, text) => openFound(headlineOf(tokens, text)),
  (tokens, text) => openFound(metOf(tokens, text)),
  (tokens, text) => openFound(endedOf(tokens, text)),
  (tokens, text) => openFound(unnamedOf(tokens, text)),
];
const openFound = (found: OpenFound | null): Found | null => found && { ...found, isName: false };

/** `I joined a Spanish club`: who names a place or a firm says no `a`. */
const WITHOUT_ARTICLE: ReadonlySet<string> = new Set(['home', 'employer', 'school', 'gym', 'bank']);

const NO_VALUE_START: ReadonlySet<string> = new Set(
  'i me we us it them him her this that you'.split(' '),
);
/** `Tuesdays are staff meetings`, `add it to flags.yaml`: no value has them. */
const NOT_IN_VALUE = / (?:is|are|it|they|them|we|he|she) |'s (?:gone|been|got|left|had|moved) /;
function isValue({ name, value, said }: SaidSlot, { isName, value: [first] }: Found): boolean {
  if (said.includes('@')) return true;
  if (NOT_IN_VALUE.test(value)) return false;
  const isOneOfMany = first?.word === 'a' || first?.word === 'an';
  if (first && NO_VALUE_START.has(first.word)) return false;
  if (isOneOfMany && WITHOUT_ARTICLE.has(name)) return false;
  if (isName && !/[\p{Lu}\d@]/u.test(said)) return false;
  if (name === 'occupation' && rules.NO_OCCUPATION.has(value)) return false;
  if (isNoValue(name, isOneOfMany || first?.word === 'the' ? `${first.word} ${said}` : said))
    return false;
  const [head = ''] = value.split(' ');
  // `low-salt` names a kind, `low` does not; who lives in `Nice` lives in a town.
  const isNamed = /^[^\s-]+-/.test(said) || (name === 'home' && /^\p{Lu}\p{Ll}/u.test(said));
  return isNamed || (!nouns.QUALITIES.has(head) && !nouns.DEGREES.has(head));
}

const ofOne = ({ isRestated, ...slot }: SaidSlot, text: string): SaidSlot =>
  isToRestate({ ...slot, ...(isRestated && { isRestated }) }, text)
    ? { ...slot, isRestated: true }
    : slot;

/** A home with a number is an address; a professor supervises a thesis. */
function placed(slot: SaidSlot): SaidSlot {
  if (slot.name === 'home' && /^\d/.test(slot.said)) return { ...slot, name: 'address' };
  const isOfThesis = slot.name === 'manager' && /^Prof(?:\.|essor)? /.test(slot.said);
  return isOfThesis ? { ...slot, name: 'thesis supervisor' } : slot;
}
const MOST_TEXT = 600;

const INSTEAD = /^[^,;.]{0,20}\b(?:instead|rather than|no longer|not .{1,20}any ?more)\b/i;
/** `My hobby is also sailing`: one more, not another. */
const ADDED = /\b(?:also|another|as well|in addition|besides)\b|\btoo[.!]*$/iu;

interface Making {
  readonly text: string;
  readonly not: string | null;
  readonly isNow: boolean;
}

function toSlot(
  {
    name,
    kind,
    isSoft = false,
    isOwn = !name.replace(/'s name$/, '').includes("'"),
    isRestated,
    isOfKnown,
    instead,
  }: Omit<Found, 'value' | 'isName'>,
  words: readonly Token[],
  { text, not, isNow }: Making,
): SaidSlot | null {
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return null;
  const { start, end } = withSigns({ start: first.start, end: last.end }, text);
  const said = text.slice(start, end);
  const isChange = kind !== 'tells' || isNow || INSTEAD.test(text.slice(end));
  return {
    name: name.replace(/'s name$/, ''),
    value: signedValue(words, text),
    isEnd: kind === 'ends',
    said,
    start,
    end,
    isChange,
    not: not === '' ? null : not,
    isOwn,
    ...(isRestated && { isRestated }),
    ...(isOfKnown && { isOfKnown }),
    ...(((isSoft && !isChange) || (kind === 'tells' && isAdded(name, text))) && { isBeside: true }),
    ...(instead && { instead: { was: signedValue(instead, text), said } }),
  };
}

const isAdded = (name: string, text: string): boolean =>
  ADDED.test(text) || isPartOfSlot(name, text);

function likingOf(tokens: readonly Token[], text: string): SaidSlot | null {
  for (const [starts, value] of [
    [rules.DISLIKES, 'no'],
    [rules.LIKES, 'yes'],
  ] as const) {
    const start = [...starts]
      .sort((a, b) => b.length - a.length)
      .find((each) => match(tokens, stepsOf(`${each} %`)) !== null);
    if (start === undefined) continue;
    const rest = tokens.slice(start.split(' ').length);
    const { words } = valueIn(rest, text);
    const made = toSlot({ name: 'like', kind: 'tells' }, words, { text, not: null, isNow: false });
    return made && { ...made, name: `like ${made.value}`, value };
  }
  return null;
}

/**
 * What a correction in few words means: `Rome, not Ghent`, `not Ghent but Rome`, `Rome`. null =
 * more than a value.
 */
export function correctedValue(
  text: string,
  slot: string,
): { readonly said: string; readonly not: string | null } | null {
  const tokens = tokensOf(text);
  const but = tokens.findIndex(({ word }) => word === 'but');
  const isNot = tokens[0]?.word === 'not';
  if (isNot && but === -1) return null;
  const { words, not } = valueIn(isNot ? tokens.slice(but + 1) : tokens, text);
  while (words.length > 1 && SMALL.has(words[0]?.word ?? '')) words.shift();
  // `the vegan diet`, but `Harbour Gym`.
  const end = words.at(-1);
  if (words.length > 1 && end?.word === slot && /^\p{Ll}/u.test(text.slice(end.start))) words.pop();
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last || words.length > MOST_CORRECTED_WORDS) return null;
  if (words.some(({ word }) => NO_VALUE.has(word))) return null;
  // `I meant Paris for the trip`: of another thing than what was said.
  if (!isNot && tokens.slice(1).some(({ word }) => OF_MORE.has(word))) return null;
  const denied = isNot ? bare(tokens.slice(1, but)) : not;
  const { start, end: until } = withSigns({ start: first.start, end: last.end }, text);
  return { said: text.slice(start, until), not: denied };
}
const MOST_CORRECTED_WORDS = 5;
const OF_MORE: ReadonlySet<string> = new Set(['for', 'in', 'when', 'with', 'as']);
/** `I meant to say it`, `I meant what I said`. */
const NO_VALUE: ReadonlySet<string> = new Set(
  'to that it what this you every no well so i we he she they everything nothing if is was are were'.split(
    ' ',
  ),
);
