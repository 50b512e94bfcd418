/** What is said of one of the speaker's people: `my sister works at Acme`. */
import { ofKin } from './aspect.ts';
import { match, slotOfNoun, stepsOf, type Token } from './match.ts';
import { frameOf, headOf, type OpenFound, upToCut, verbIn, withoutArticle } from './open.ts';
import { kindOf } from './values.ts';

/** It has slots of their own. */
export function kinOf(given: readonly Token[], text: string): OpenFound | null {
  const kin = ofKin(given, text);
  if (!kin) return null;
  const { who, tokens } = kin;
  const found =
    (CHILDREN.has(headOf(who)) ? schoolIn(tokens) : null) ??
    switchedNoun(tokens) ??
    verbIn(tokens) ??
    frameOf(tokens, text) ??
    later(tokens, text);
  if (!found) return null;
  const kind = kindOf(withoutArticle(upToCut(found.value, text)), text);
  if (kind !== 'name' && kind !== 'number') return null;
  const isAtSchool = found.name === 'employer' && CHILDREN.has(headOf(who));
  return { ...found, name: `${who}'s ${isAtSchool ? 'school' : found.name}`, isOwn: false };
}

/** Where a child goes is a school, if it is called one. */
function schoolIn(tokens: readonly Token[]): OpenFound | null {
  for (const form of SCHOOL_FORMS) {
    const found = match(tokens, stepsOf(form));
    if (found?.value.some(({ word }) => SCHOOLS.has(word)))
      return { ...EMPLOYED, kind: 'tells', value: found.value };
  }
  return null;
}
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
