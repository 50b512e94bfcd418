/**
 * A noun in one clause and its value in the next: `my doctor retired, the new one is Ada`,
 * `I changed my number, it is 555 now`, `new dentist! Dr. Ada`, `favourite colour update: red`.
 */

import { isPast } from '../sentences/past-form.ts';
import { isPerson } from '../voices/people.ts';
import { openNoun, slotOfNoun, type Token } from './match.ts';
import { DETERMINERS, NAMED, NO_NOUN, SAME_THING } from './nouns.ts';
import {
  bareValue,
  headOf,
  nameOf,
  type OpenFound,
  upToCut,
  upToJoint,
  withoutArticle,
} from './open.ts';
import { EVERYDAY, MEASURES } from './things.ts';
import { kindOf, type ValueKind, withoutNaming } from './values.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** What happens to a thing before one has another. */
const NEWS = set(
  'changed switched new replaced lost sold broke broken quit left moved gone died retired swapped renamed got found bought hired adopted rented chose picked different another dead disconnected deactivated stolen invalid scratch forget ignore drop resigned ended expired fired finished closed going called update change changes raised',
);
const TO_CLAUSE = set('and so now but then');

const NOW = /\b(?:now|from today|from now on|as of)\b/i;

interface Reference {
  /** Of its first word, and of the first one of the value. */
  readonly from: number;
  readonly to: number;
  /** `the new one is`: whatever was said of the old one. */
  readonly isOne: boolean;
}

/** The words that stand for a noun of the clause before. */
function referenceIn(tokens: readonly Token[], text: string): Reference | null {
  for (let at = 1; at < tokens.length - 1; at += 1) {
    const before = tokens[at - 1];
    const gap = before ? text.slice(before.end, tokens[at]?.start ?? before.end) : '';
    if (!/[,;:.!–—]|\s-\s/.test(gap) && !TO_CLAUSE.has(before?.word ?? '')) continue;
    const [first = '', second = '', third = '', fourth = ''] = tokens
      .slice(at, at + 4)
      .map(({ word }) => word);
    const isThe = first === 'my' || first === 'our' || first === 'the';
    if (isThe && SAME_THING.has(second) && third === 'one' && fourth === 'is')
      return { from: at, to: at + 4, isOne: true };
    if (WE.has(first) && /^(?:am|are)$/.test(second) && /^(?:with|at|on|seeing|using)$/.test(third))
      return { from: at, to: at + 3, isOne: false };
    if (first === 'it' && CALLED.has(third)) return { from: at, to: at + 3, isOne: true };
    if (first === 'it' && (second === 'is' || second === 'became'))
      return { from: at, to: at + 2, isOne: false };
    if (/^(?:he|she|they)$/.test(first) && /^(?:is|are)$/.test(second) && CALLED.has(third))
      return { from: at, to: at + 3, isOne: true };
    if (/^(?:his|her|its)$/.test(first) && second === 'name' && third === 'is')
      return { from: at, to: at + 3, isOne: false };
  }
  return null;
}
const WE = set('i we');
const CALLED = set('called named');

interface Noun {
  readonly noun: string;
  /** Its name is the whole slot, whatever the value. */
  readonly isListed: boolean;
}
const slotNameOf = ({ noun, isListed }: Noun, kind: ValueKind): string =>
  nameOf(noun, isListed ? null : kind);

/** The noun of a thing of the speaker that a clause speaks of first. */
function nounIn(clause: readonly Token[], kind: ValueKind): Noun | null {
  const words = clause.map(({ word }) => word);
  for (const [at, word] of words.entries()) {
    const isOwn = word === 'my' || word === 'our';
    const isNew = word === 'new' || word === 'different' || word === 'another';
    const isMany = (word === 'changed' || word === 'switched') && at <= 2;
    const isOne = (word === 'a' || word === 'an') && HAVING.has(words[at - 1] ?? '');
    const isBare = EVERYDAY.has(word.replace(/'s$/, ''));
    if (!isOwn && !isNew && !isMany && !isOne && !isBare && !(word === 'the' && at > 0)) continue;
    let from = isBare ? at : at + 1;
    while (isBefore(words[from] ?? '')) from += 1;
    const own = words.slice(from, from + 4).map((each) => each.replace(/'s$/, ''));
    for (let count = own.length; count > 0; count -= 1) {
      const known =
        slotOfNoun(own.slice(0, count)) ??
        slotOfNoun([...own.slice(0, count - 1), singular(own[count - 1] ?? '')]);
      if (known !== null && takes(known, kind)) return { noun: known, isListed: true };
    }
    const end = own.findIndex(
      (each, index) => NO_NOUN.has(each) || isPast(each) || (index > 0 && NEWS.has(each)),
    );
    const open = openNoun(own.slice(0, end === -1 ? 2 : Math.min(end, 3)));
    if (open !== null && !NEWS.has(open) && takes(open, kind))
      return { noun: isMany ? singular(open) : open, isListed: false };
  }
  return null;
}
/** What is told is told of the one that one has now, whichever is named. */
const isBefore = (word: string): boolean =>
  SAME_THING.has(word) || DETERMINERS.has(word) || OLD.has(word);
const OLD = set('old previous former');
/** A landlord is no number: that is of the next noun. */
const takes = (noun: string, kind: ValueKind): boolean =>
  kind === 'name' || COUNTED.has(noun) || !(NAMED.has(noun) || isPerson(headOf(noun)));
const COUNTED = set('phone address');
const HAVING = set('have got has');
const singular = (noun: string): string =>
  noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '');

export function referredOf(tokens: readonly Token[], text: string): OpenFound | null {
  const reference = referenceIn(tokens, text);
  if (!reference) return null;
  const { from, to, isOne } = reference;
  // Of the several things that a long sentence names, nobody can tell which.
  if (from > MOST_CLAUSE_WORDS) return null;
  const clause = tokens.slice(0, from);
  // `They reassigned my spot, it's C4 now`.
  const isNews = clause.some(({ word }) => NEWS.has(word) || (isPast(word) && NOW.test(text)));
  // `Scratch that number, it's 555 from today`.
  const isNoun = NOW.test(text) && slotOfNoun(clause.map(({ word }) => word)) !== null;
  if (!isOne && !isNews && !isNoun) return null;
  const value = valueIn(tokens.slice(to), text);
  const kind = value && kindOf(value, text);
  if (!value || kind === null || kind === 'words') return null;
  const noun = isNoun
    ? nounIn([{ word: 'my', start: 0, end: 0 }, ...clause], kind)
    : nounIn(clause, kind);
  if (noun === null) return null;
  return found(slotNameOf(noun, kind), value);
}

const MOST_CLAUSE_WORDS = 16;

const found = (name: string, value: readonly Token[]): OpenFound => ({
  name,
  kind: 'changes',
  value,
  isSoft: false,
  isOwn: true,
  isRestated: true,
  instead: null,
});

const valueIn = (said: readonly Token[], text: string): readonly Token[] | null => {
  const value = upToJoint(upToCut(withoutArticle(bareValue(withoutNaming(said))), text));
  const isTheirs = value.at(-1)?.word.endsWith("'s") === true;
  return value.length === 0 || value.length > MOST_VALUE_WORDS || isTheirs ? null : value;
};
const MOST_VALUE_WORDS = 5;

/** Beside the noun of a headline. */
const FILLING = set(
  'my our the update updated news change changed switched as of from for me us again once more status info today now is it at the moment',
);
const MOST_HEAD_WORDS = 6;
/** `Date: 2 March` above a mail that was pasted is nothing that the speaker says. */
const MAIL_HEADS = set('bcc cc copy date from reply reply-to sender sent subject to');
/** `tenant msg pls: …` asks for one. */
const ASKS = set('pls plz please msg caption headline');
/** `simultaneous eqs: 3x+2y=16` */
const EQUATION = /[\p{L}\p{N})]\s?[-+*/^]\s?[\p{L}\p{N}(]{1,12}\s?=\s?[\p{N}(-]/u;
const SAYINGS = set(
  'advice answer conclusion feeling guess hope idea motto opinion plan point problem question reply suggestion summary take theory thought thoughts tip tips verdict view wish word words',
);

/** `New client as of today: Ada`, `my gym these days: Acme`, `rent: 900`. */
export function headlineOf(tokens: readonly Token[], text: string): OpenFound | null {
  const measured = measuredOf(tokens, text);
  if (measured) return measured;
  const mark = /^[^:;,.!?=–—]{2,60}(?:: |:$|\s?=\s| [-–—] |[!.]+ )/u.exec(text)?.[0];
  if (mark === undefined) return null;
  const at = (/^[^:;,.!?=–—]*/u.exec(mark)?.[0] ?? '').replace(/ [-–—]$/u, '').trimEnd().length;
  const head = tokens.filter(({ end }) => end <= at).map(({ word }) => word);
  if (head.length === 0 || head.length > MOST_HEAD_WORDS) return null;
  const isNew = head.some((word) => word === 'new' || NEWS.has(word));
  const isOwn = head[0] === 'my' || head[0] === 'our';
  // `New dentist! Dr. Ada`, but not `the rent. 900 people`.
  if (/[!.] $/.test(mark) && !isNew) return null;
  const own = withoutGot(head).filter((word) => !FILLING.has(word) && !SAME_THING.has(word));
  const listed = slotOfNoun(own);
  const noun = listed ?? openNoun(own);
  if (noun === null || own.some((word) => isPast(word) || ASKS.has(word))) return null;
  if (EQUATION.test(text.slice(at))) return null;
  // `My family is awesome - me and the kids` is a sentence, `my advice: stay calm` a saying.
  if (/ [-–—] $/.test(mark) && head.some((word) => word === 'is' || word === 'are')) return null;
  if (SAYINGS.has(headOf(noun)) || (!isOwn && MAIL_HEADS.has(noun))) return null;
  const said = withoutIt(tokens.filter(({ start }) => start > at));
  // `Please note a change: I have moved` is a statement of its own.
  if (SPEAKS.has(said[0]?.word ?? '')) return null;
  const value = valueIn(said, text);
  const kind = value && kindOf(value, text);
  if (
    !value ||
    kind === null ||
    (kind === 'words' && !(isOwn || isNew || /^(?:favorite|preferred) /.test(noun)))
  )
    return null;
  const made = found(slotNameOf({ noun, isListed: listed !== null }, kind), value);
  const isTold = isOwn || isNew || isThing(headOf(noun)) || head[0] === 'current';
  return isTold ? { ...made, kind: isNew ? 'changes' : 'tells' } : { ...made, isOfKnown: true };
}

const isThing = (noun: string): boolean => EVERYDAY.has(noun) || MEASURES.has(noun);

/** `Weight 97 kg`: a measure and its number. */
function measuredOf(tokens: readonly Token[], text: string): OpenFound | null {
  const at = tokens.findIndex(({ word }) => /^\d/.test(word));
  const head = tokens.slice(0, Math.max(0, at)).map(({ word }) => word);
  const noun = openNoun(head.filter((word) => word !== 'my' && word !== 'our' && word !== 'the'));
  if (noun === null || head.length > 3 || !MEASURES.has(headOf(noun))) return null;
  if (/[^\p{L}\s'’$€£:-]/u.test(text.slice(0, tokens[at]?.start))) return null;
  const value = valueIn(tokens.slice(at), text);
  const kind = value && kindOf(value, text);
  if (!value || kind === null || kind === 'name' || kind === 'words') return null;
  return { ...found(nameOf(noun, kind), value), kind: 'tells' };
}

/** `We have a new dentist! Ada` is `new dentist! Ada`. */
function withoutGot(head: readonly string[]): readonly string[] {
  const at = head.indexOf('new');
  const before = head.slice(0, Math.max(0, at));
  return before.every((word) => GOT.has(word)) ? head.slice(Math.max(0, at)) : head;
}
const GOT = set('i we have got a an found there is also');

/** `it is now red`. */
function withoutIt(tokens: readonly Token[]): readonly Token[] {
  let at = 0;
  while (at < tokens.length - 1 && IT.has(tokens[at]?.word ?? '')) at += 1;
  return tokens.slice(at);
}
const SPEAKS = set('i we my our you they this that there if when');
const IT = set('it is he she called named now this time');

/** Words that such a sentence is not without. */
export const mayBeReferred = (text: string, words: readonly string[]): boolean =>
  /[:=]|\s[-–—]\s/.test(text) ||
  words.some((word) => TELLS.has(word)) ||
  (words.slice(0, 3).some((word) => MEASURES.has(word)) && /\d/.test(text));
const TELLS = set(
  'back down up now longer anymore gone done over finished history dead ended retired resigned closed sold out broke broken split stepped cancelled canceled away quit stopped gave cut new more instead replaced',
);
