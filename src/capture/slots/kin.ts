/** What is said of one of the speaker's people: `my sister works at Acme`. */

import { ofKin } from './aspect.ts';
import { isCountry } from './countries.ts';
import { insteadOf } from './instead.ts';
import { match, slotOfNoun, stepsOf, type Token } from './match.ts';
import { frameOf, type OpenFound, upToCut, verbIn, withoutArticle } from './open.ts';
import { kindOf } from './values.ts';
import { withoutDetour } from './variants.ts';

/** `We took my son out of Fernhill, he is at Redgate now`: `my son he is at Redgate`. */
function withPronoun(tokens: readonly Token[]): readonly Token[] {
  const own = tokens.findIndex(({ word }) => word === 'my' || word === 'our');
  const at = tokens.findIndex(({ word }, index) => index > own && /^(?:he|she)$/.test(word));
  const [first, who] = tokens.slice(own);
  return own < 1 || at === -1 || !first || !who ? [] : [first, who, ...tokens.slice(at + 1)];
}

/** It has slots of their own. */
export function kinOf(given: readonly Token[], text: string): OpenFound | null {
  const kin = ofKin(given, text) ?? ofKin(withPronoun(given), text);
  if (!kin) return null;
  const { who } = kin;
  const isChild = CHILDREN.has(kin.kin);
  const tokens = withoutDetour(kin.tokens);
  const found =
    (isChild ? schoolIn(tokens, text) : null) ??
    switchedNoun(tokens) ??
    verbIn(tokens) ??
    frameOf(tokens, text) ??
    insteadOf(tokens, text) ??
    later(tokens, text);
  if (!found) return null;
  const kind = kindOf(withoutArticle(upToCut(found.value, text)), text);
  const isNamed = kind === 'name' || kind === 'number';
  if (!isNamed && !OF_WORDS.has(found.name) && !found.instead) return null;
  if (found.name === '') return { ...found, isOwn: false };
  const isAtSchool = found.name === 'employer' && isChild;
  return { ...found, name: `${who}'s ${isAtSchool ? 'school' : found.name}`, isOwn: false };
}

/** What their value is, the frame knows, though it is no name. */
const OF_WORDS: ReadonlySet<string> = new Set(
  'instrument hobby medication commute diet'.split(' '),
);

/** Where a child goes is a school, if it is called one. */
function schoolIn(tokens: readonly Token[], text: string): OpenFound | null {
  for (const form of SCHOOL_FORMS) {
    const found = match(tokens, stepsOf(form));
    if (found?.value.some(({ word }) => SCHOOLS.has(word)))
      return { ...EMPLOYED, kind: 'tells', value: found.value };
  }
  const goes = match(tokens, stepsOf('i go to %'));
  return goes && isNoTrip(goes.value, text) ? { ...EMPLOYED, kind: 'tells', ...goes } : null;
}
/** `My son goes to Maple Grove`: a name of several words that no town has. */
function isNoTrip(value: readonly Token[], text: string): boolean {
  const [first] = value;
  const last = value.at(-1);
  if (!first || !last || value.length < 2 || value.length > MOST_NAME_WORDS) return false;
  const said = text.slice(first.start, last.end);
  const isName = said.split(' ').every((word) => /^\p{Lu}/u.test(word));
  return isName && !OF_TOWNS.has(first.word) && !isCountry(said);
}
/** `New York`, `San Diego`. */
const OF_TOWNS: ReadonlySet<string> = new Set(
  'new san santa los las la le el st saint fort port mount cape hong kuala buenos rio tel abu costa north south west east lake salt palm'.split(
    ' ',
  ),
);
const MOST_NAME_WORDS = 4;
const SCHOOL_FORMS: readonly string[] = [
  'i moved/switched/transferred/changed from @ to %',
  'i moved/switched/transferred/changed to %',
  'i go to %',
  'i am at %',
];
const SCHOOLS: ReadonlySet<string> = new Set(
  'school academy elementary primary college university kindergarten nursery grammar high middle preschool'.split(
    ' ',
  ),
);
/** `We transferred my son to Elm School`. */
export function sentTo(tokens: readonly Token[]): OpenFound | null {
  const form = 'i/we transferred/enrolled/moved/sent/switched my/our W to/at/in %';
  const found = match(tokens, stepsOf(form));
  if (!found?.noun || !CHILDREN.has(found.noun)) return null;
  return { ...EMPLOYED, name: `${found.noun}'s school`, isOwn: false, value: found.value };
}

/** `left Acme, she is at Barco now`: of a person, the second clause tells. */
function later(tokens: readonly Token[], text: string): OpenFound | null {
  const at = tokens.findIndex(({ word }, index) => index > 1 && word === 'i');
  if (at === -1) return null;
  const rest = tokens.slice(at);
  const left = tokens.slice(0, at).some(({ word }) => LEFT.has(word));
  const found = verbIn(rest) ?? frameOf(rest, text);
  if (found) return { ...found, isRestated: true };
  const placed = left ? match(rest, stepsOf('i am at/with %')) : null;
  return placed && { ...EMPLOYED, value: placed.value };
}
const LEFT: ReadonlySet<string> = new Set('left quit job jobs switched hired'.split(' '));
const CHILDREN: ReadonlySet<string> = new Set('son daughter kid child'.split(' '));
const EMPLOYED = {
  name: 'employer',
  kind: 'changes',
  isSoft: false,
  isOwn: true,
  isRestated: true,
  instead: null,
} as const;

/** `changed schools, i am at Elm`. */
function switchedNoun(tokens: readonly Token[]): OpenFound | null {
  const [, verb, noun] = tokens.map(({ word }) => word);
  if ((verb !== 'changed' && verb !== 'switched') || noun === undefined) return null;
  const name = slotOfNoun([noun.replace(/ies$/, 'y').replace(/s$/, '')]);
  if (name === null) return null;
  const slot = name === 'occupation' ? 'employer' : name;
  const rest = tokens.slice(3).filter(({ word }) => word !== 'again');
  for (const form of ['i am at/with/in %', 'it is %', 'to %', 'i go to %', 'i work for/at %']) {
    const found = match(rest, stepsOf(form));
    if (found) return { ...EMPLOYED, name: slot, value: found.value };
  }
  return null;
}
