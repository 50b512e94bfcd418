/**
 * Slots of nouns and verbs that no list of slots names: `our kitchen budget went up to 15,000`,
 * `I get up at 7`, `we switched from A to B`. What the value is decides, and how it is said.
 */
import { isKin, isPerson } from '../voices/people.ts';
import { plainVerb } from './aspect.ts';
import * as frames from './frames.ts';
import { match, openNoun, stepsOf, type Token } from './match.ts';
import { NAMING } from './may-be-open.ts';
import { DEGREES, PLACING, QUALITIES } from './nouns.ts';
import { VERB_FORMS } from './rules.ts';
import {
  ANIMALS,
  ATTRIBUTES,
  EVERYDAY,
  FUNCTIONAL,
  isNoState,
  isThing,
  MANY,
  MEASURES,
} from './things.ts';
import { isInNumber, isOfKind, kindOf, suffixOf, type ValueKind, withoutNaming } from './values.ts';

export interface OpenFound {
  readonly name: string;
  readonly kind: 'tells' | 'changes' | 'ends';
  readonly value: readonly Token[];
  readonly isSoft: boolean;
  /** A thing of the speaker. */
  readonly isOwn: boolean;
  /** The sentence says more than the value, or of whom only in passing. */
  readonly isRestated?: boolean | 'always';
  /** Says it only of what is known to have the slot. */
  readonly isOfKnown?: boolean;
  /** What the value takes the place of: the slot is that of it. */
  readonly instead: readonly Token[] | null;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** `My dog is a poodle` and `my dog is Rex` are two states. */
const breedOf = (noun: string, said: readonly Token[]): string | null =>
  ANIMALS.has(headOf(noun)) && isOneOf(said) && said.length <= MOST_BREED_WORDS
    ? `${noun} breed`
    : null;
const MOST_BREED_WORDS = 4;
const isOneOf = ([first, second]: readonly Token[]): boolean =>
  /^an?$/.test(first?.word ?? '') && !QUALITIES.has(second?.word ?? '');

/** The name of the slot of a noun, by what its value is. */
export function nameOf(noun: string, kind: ValueKind | null): string {
  const head = noun.split(' ').at(-1) ?? '';
  return kind === null || MEASURES.has(head) ? noun : noun + suffixOf(kind);
}

export const headOf = (noun: string): string => noun.split(' ').at(-1) ?? '';

interface Owned {
  readonly tokens: readonly Token[];
  readonly by: 'own' | 'the' | 'none';
}
/** Without the word before the noun. */
export function withoutDeterminer(tokens: readonly Token[]): Owned {
  const [first] = tokens;
  if (first?.word === 'my' || first?.word === 'our') return { tokens: tokens.slice(1), by: 'own' };
  return first?.word === 'the' ? { tokens: tokens.slice(1), by: 'the' } : { tokens, by: 'none' };
}

const VALUE_STARTS = set('in on at to for by about around roughly approximately');
export function bareValue(value: readonly Token[]): readonly Token[] {
  let at = 0;
  while (at < value.length - 1 && VALUE_STARTS.has(value[at]?.word ?? '')) at += 1;
  return value.slice(at);
}
export const withoutArticle = (value: readonly Token[]): readonly Token[] =>
  value.length > 1 && ['a', 'an', 'the'].includes(value[0]?.word ?? '') ? value.slice(1) : value;

/** `Standup moved to Thursdays`, `the rent is 690`, `our flatmate is Pieter`. */
export function openNounOf(given: readonly Token[], text: string, isNow = false): OpenFound | null {
  const { tokens, by } = withoutDeterminer(withoutPlace(writtenOut(given), text));
  const words = new Set(tokens.map(({ word }) => word));
  for (const { form, isChange, isTelling } of frames.OPEN_FORMS) {
    const steps = stepsOf(form);
    if (!mayMatch(steps, words)) continue;
    const found = match(tokens, steps);
    if (!found?.noun) continue;
    if (PLACED.test(form) && found.noun.split(' ').some(isKin)) continue;
    if (NOTED.test(found.noun) && isWhere(form, found.value)) continue;
    const isGoing = by === 'none' && GOES.test(form) && kindOf(found.value, text) === 'name';
    if (isNamed(headOf(found.noun), tokens, { text, isGoing })) continue;
    // `My new hobby is pottery` tells of a change, whatever its verb.
    const isNew = tokens[0]?.word === 'new' || tokens[0]?.word === 'current';
    const isPet = by === 'the' && ANIMALS.has(found.noun) && NAMING.test(tokens[2]?.word ?? '');
    const telling = {
      by: isPet ? ('own' as const) : by,
      isChange: isChange || isNow || isNew,
      isTelling,
      text,
    };
    const made = ofNoun(found.noun, found.value, telling);
    // `Pepper is on Acme kibble`: who knows whether it is a name.
    const isName = by === 'none' && PLACED.test(form) && !isThing(headOf(found.noun));
    const isRestated = !isName && (by !== 'own' || / @ | it is /.test(form));
    if (made) return { ...made, isRestated };
  }
  return null;
}
/** `My rent in Rome is 900`. */
function withoutPlace(tokens: readonly Token[], text: string): readonly Token[] {
  const at = tokens.slice(0, MOST_BEFORE).findIndex(({ word }) => word === 'in');
  const [place, next] = [tokens[at + 1], tokens[at + 2]];
  const isPlace = at > 0 && place && /^\p{Lu}/u.test(text.slice(place.start, place.end));
  return isPlace && next?.word === 'is'
    ? [...tokens.slice(0, at), ...tokens.slice(at + 2)]
    : tokens;
}
/** `The wifi password is on the fridge` says where it is written. */
const NOTED = /(?:^| )(?:password|passcode|code|pin|wifi|wi-fi)$/;
const isWhere = (form: string, value: readonly Token[]): boolean =>
  / (?:at|on|in)(?:\/\S+)? %/.test(form) || VALUE_STARTS.has(value[0]?.word ?? '');
/** `Carla moved to Spain`, `the Fiat went to the scrapyard`: of whom it is said is no noun. */
const isNamed = (
  head: string,
  tokens: readonly Token[],
  { text, isGoing }: { readonly text: string; readonly isGoing: boolean },
): boolean => {
  const at = tokens.findIndex(({ word }) => word === head);
  const written = text.slice(tokens[at]?.start, tokens[at]?.end);
  const isFirst = (tokens[at]?.start ?? 0) === 0;
  if (/^\p{Lu}\p{Ll}/u.test(written) && !isFirst) return true;
  return isGoing && isFirst && !isThing(head);
};
const GOES = /\b(?:went|moved|gone|transferred)\b/;
/** Where somebody is, they are not for long. */
const PLACED = /^M is\/are at/;

/** The word after the noun must be there at all. */
const mayMatch = ([, next]: ReturnType<typeof stepsOf>, words: ReadonlySet<string>): boolean =>
  next === undefined || typeof next === 'string' || next.some((word) => words.has(word));

/** `rent's 900 now` is `rent is 900 now`. */
export function writtenOut(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.slice(0, MOST_BEFORE).findIndex(({ word }) => word.endsWith("'s"));
  const [short, next] = [tokens[at], tokens[at + 1]];
  const head = short?.word.slice(0, -2) ?? '';
  if (!short || !next || !(EVERYDAY.has(head) || /^\d|^(?:back|up|down)$/.test(next.word)))
    return tokens;
  // `Our group's meeting day is Thursday`
  if (tokens.slice(at + 1, at + MOST_OWNED).some(({ word }) => word === 'is' || word === 'are'))
    return tokens;
  const { start, end } = short;
  const long = [head, 'is'].map((word) => ({ word, start, end }));
  return [...tokens.slice(0, at), ...long, ...tokens.slice(at + 1)];
}

const OTHERS_OWN =
  /^(?:rent|salary|wage|rate|weight|age|height|phone|number|budget|allowance|mortgage|deposit|fee|lesson|practice)$/;

interface Telling {
  readonly by: Owned['by'];
  readonly isChange: boolean;
  readonly isTelling: boolean;
  readonly text: string;
}

function ofNoun(
  noun: string,
  said: readonly Token[],
  { by, isChange, isTelling, text }: Telling,
): OpenFound | null {
  const value = withoutKin(upToJoint(upToCut(bareValue(said), text)), text);
  const kind = kindOf(withoutArticle(value), text);
  const head = headOf(noun);
  if (kind === null || isNoState(noun)) return null;
  if (VALUE_STARTS.has(said[0]?.word ?? '') && noun.split(' ').some(isKin)) return null;
  // `The tenant's rent`, `my tenant rent`: not what the speaker pays.
  const [owner = '', ...owned] = noun.split(' ');
  if (owned.length > 0 && OTHERS_OWN.test(head) && isPerson(owner)) return null;
  // `The launch venue`, `the team lead`: one at a time, whoever speaks of it.
  const isOne = by === 'the' && noun.includes(' ') && FUNCTIONAL.has(head) && kind !== 'words';
  // `Pickup is at 15:30`: a time that is told of a thing is when it always is.
  const isTimed = by === 'none' && kind === 'time' && !OCCASIONS.has(head);
  const isEveryday = EVERYDAY.has(head) || isOne || isTimed;
  const isBare = by === 'none' && !isEveryday && kind !== 'dose';
  const isOfKnown = isBare || (by === 'the' && !isEveryday && !isTelling);
  // `The sprint is 1 week now` says it of a sprint that is known.
  if (isOfKnown && !(isChange || kind !== 'name')) return null;
  // How something is changes by the hour: only a change of it is a state.
  const isTitle = noun === 'occupation' && isOfKind(value, text, ['occupation']);
  const breed = breedOf(noun, value);
  const isAttribute = breed !== null || (ATTRIBUTES.has(head) && isAttributeValue(value));
  if (kind === 'words' && !(isChange && by === 'own') && !isTitle && !isAttribute) return null;
  return {
    name:
      breed ?? (kind === 'dose' && !noun.includes('dose') ? `${noun} dose` : nameOf(noun, kind)),
    kind: isChange ? 'changes' : 'tells',
    value,
    isSoft: MANY.has(head) && !noun.startsWith('main '),
    ...(isOfKnown && { isOfKnown }),
    isOwn: by === 'own' || isEveryday || kind === 'dose' || isOfKnown,
    instead: null,
  };
}

/** `my brother Ravi` is Ravi. */
function withoutKin(value: readonly Token[], text: string): readonly Token[] {
  const [own, who, name] = value;
  const isNamed = name !== undefined && /^\p{Lu}/u.test(text.slice(name.start, name.end));
  return own?.word === 'my' && isPerson(who?.word ?? '') && isNamed ? value.slice(2) : value;
}
/** When they are is of the day. */
const OCCASIONS = set(
  'breakfast lunch dinner brunch tea supper party movie film game match concert show flight train bus call interview appointment date reservation',
);
const MOST_ATTRIBUTE_WORDS = 3;
const isAttributeValue = ({ length, 0: first }: readonly Token[]): boolean =>
  length <= MOST_ATTRIBUTE_WORDS &&
  ![QUALITIES, DEGREES, PLACING].some((words) => words.has(first?.word ?? ''));

/** `82 kilos, the running helps` is a number. */
export function upToCut(value: readonly Token[], text: string): readonly Token[] {
  const cut = value.findIndex((token, index) => {
    const before = value[index - 1];
    if (before === undefined || isInNumber(text, before.end, token.start)) return false;
    return /[,;(:]/.test(text.slice(before.end, token.start));
  });
  return cut === -1 ? value : value.slice(0, cut);
}

/** `group's next meeting day is`. */
const [MOST_BEFORE, MOST_OWNED] = [5, 5];
/** `The landlord put the rent up to 820`, `I raised my rate to 700`. */
export function setOf(tokens: readonly Token[], text: string): OpenFound | null {
  for (const form of [...frames.SET_FORMS, ...frames.BARE_SET_FORMS]) {
    const steps = stepsOf(form);
    for (let at = 0; at < Math.min(MOST_BEFORE, tokens.length); at += 1) {
      const found = match(tokens, steps, at);
      if (!found?.noun) continue;
      const isBare = frames.BARE_SET_FORMS.includes(form);
      const determiner = isBare ? 'none' : tokens[at + 1]?.word === 'the' ? 'the' : 'own';
      const made = ofNoun(found.noun, found.value, {
        by: determiner,
        isChange: true,
        isTelling: true,
        text,
      });
      if (made) return { ...made, isRestated: true };
    }
  }
  return null;
}

const MOST_PLACED_WORDS = 4;
/** `They moved me to the payments team`. */
export function placedOf(tokens: readonly Token[], text: string): OpenFound | null {
  for (const form of frames.PLACED_FORMS)
    for (let at = 0; at < Math.min(MOST_BEFORE, tokens.length); at += 1) {
      const found = match(tokens, stepsOf(form), at);
      const kind = found && kindOf(found.value, text);
      if (!found?.noun || !kind || found.value.length > MOST_PLACED_WORDS) continue;
      if (isKin(found.noun)) continue;
      const news = { kind: 'changes', isSoft: false, isOwn: true, instead: null } as const;
      return { ...news, name: found.noun, value: found.value };
    }
  return null;
}

/** `We've got a new flatmate, Lien`. */
export function newOf(tokens: readonly Token[], text: string): OpenFound | null {
  for (const form of frames.NEW_FORMS) {
    const found = form.endsWith(' M %')
      ? besideNoun(tokens, form, text)
      : match(tokens, stepsOf(form));
    if (!found?.noun) continue;
    const value = withoutNaming(found.value);
    const kind = kindOf(withoutArticle(upToCut(value, text)), text);
    const breed = breedOf(found.noun, value);
    if (kind === null || (kind === 'words' && !breed) || isNoState(found.noun)) continue;
    return {
      name: breed ?? nameOf(found.noun, kind),
      kind: form.startsWith('current') ? 'tells' : 'changes',
      value: found.value,
      isSoft: false,
      isOwn: true,
      instead: null,
    };
  }
  return null;
}

/** Where nothing stands between noun and value, the value begins with a capital or after a mark. */
function besideNoun(
  tokens: readonly Token[],
  form: string,
  text: string,
): (Pick<OpenFound, 'value'> & { readonly noun: string | null }) | null {
  const rest = match(tokens, stepsOf(form.replace(' M %', ' %')))?.value ?? [];
  const at = rest.findIndex(({ start, end }, index) => {
    const before = rest[index - 1];
    const isMarked = before !== undefined && /[,;:(]/.test(text.slice(before.end, start));
    return index > 0 && (isMarked || /^[\p{Lu}\d]/u.test(text.slice(start, end)));
  });
  if (at === -1) return null;
  return { noun: openNoun(rest.slice(0, at).map(({ word }) => word)), value: rest.slice(at) };
}

/** A verb of the speaker, in whatever aspect. */
export function frameOf(tokens: readonly Token[], text: string): OpenFound | null {
  const plain = plainVerb(tokens);
  const found = framed(tokens, text) ?? (plain && framed(plain.tokens, text));
  if (found && (!plain || found.tokens !== plain.tokens)) return found.found;
  if (found && plain)
    return {
      ...found.found,
      kind: plain.isEnd ? 'ends' : plain.isChange ? 'changes' : found.found.kind,
    };
  const told = plain && verbIn(plain.tokens);
  if (!told || !plain) return null;
  return { ...told, kind: plain.isEnd ? 'ends' : plain.isChange ? 'changes' : told.kind };
}

interface Framed {
  readonly found: OpenFound;
  readonly tokens: readonly Token[];
}
function framed(tokens: readonly Token[], text: string): Framed | null {
  for (const { slot, forms, of, isSoft = false, isChange = false, ...more } of frames.FRAMES)
    for (const form of forms) {
      const found = match(tokens, stepsOf(form));
      if (!found) continue;
      if (/^(?:i|we)$/.test(found.value[0]?.word ?? '')) continue;
      // `A note to Bo and my sister`: two people.
      if (/^(?:and|or)$/.test(found.value.at(-1)?.word ?? '')) continue;
      const named = withoutNaming(found.value);
      if (isNoStart(slot, named[0]?.word ?? '')) continue;
      const value = upToJoint(upToCut(withoutArticle(bareValue(named)), text));
      const noun = found.noun ?? '';
      const breed = slot === 'M' ? breedOf(noun, named) : null;
      if (of && breed === null && !isOfKind(value, text, of)) continue;
      const kind = kindOf(value, text);
      if (kind === null && of === undefined) continue;
      const name = breed ?? (slot === 'M' ? nameOf(noun, kind) : slot.replace(/\bM\b/, noun));
      return {
        tokens,
        found: {
          name,
          kind: isChange ? 'changes' : 'tells',
          value,
          isSoft,
          isOwn: true,
          ...(more.isOfKnown && { isOfKnown: true }),
          ...((more.isRestated || form.includes(' but ')) && { isRestated: true }),
          instead: null,
        },
      };
    }
  return null;
}

/** `I am at the dentist` tells where; no title has an article: `I work on a ThinkPad`. */
const isNoStart = (slot: string, start: string): boolean =>
  (slot === 'occupation' && VALUE_STARTS.has(start)) ||
  (slot === 'project' && (start === 'a' || start === 'an')) ||
  (slot === 'age' && /^(?:in|on|at|to|for|by)$/.test(start));

const JOINTS = set(
  'because since so but which where when while after before and for from until though at in with as on this last per instead',
);
export const upToJoint = (value: readonly Token[]): readonly Token[] => {
  const cut = value.findIndex(({ word }, index) => index > 0 && JOINTS.has(word));
  return cut === -1 || value[0]?.word === 'head' ? value : value.slice(0, cut);
};

export function verbIn(tokens: readonly Token[]): OpenFound | null {
  for (const { slot: name, kind, forms } of VERB_FORMS)
    for (const form of forms) {
      const found = match(tokens, stepsOf(form));
      if (found)
        return { name, kind, value: found.value, isSoft: false, isOwn: true, instead: null };
    }
  return null;
}
