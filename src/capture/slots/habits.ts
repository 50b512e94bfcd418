/**
 * What the speaker does somewhere or with something, whatever it is: `I get my prescriptions at
 * Boyd Chemists`, `I play for the Comets`. A name whose last word says what it is, is a value of
 * that: `I go to Pulse Gym`, `I use the Solarized theme`.
 */
import { plainVerb } from './aspect.ts';
import { match, openNoun, slotOfNoun, stepsOf, type Token } from './match.ts';
import { DEGREES, NO_NOUN, QUALITIES } from './nouns.ts';
import { type OpenFound, upToCut, upToJoint, withoutArticle } from './open.ts';
import { FUNCTIONAL } from './things.ts';
import { UNNAMED } from './unnamed.ts';
import { kindOf } from './values.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Done again and again: where, with what and for whom lasts. */
const HABITS = set(
  'buy get order shop bank deploy host play sing volunteer fly park store keep back log pay invest save donate rent lease teach coach tutor publish ship stream listen code build test track manage book swim run climb ski surf dance practice practise worship write draw paint cook bake shoot trade advertise sell recycle charge refuel ride work develop design collect subscribe sign belong report train compete race row fish',
);
const PREPOSITIONS = set('at in on for from with through via by to using');
/** No object that a habit is told of by: `I get it at Acme`. */
const NO_OBJECT = set('it that this them me you him her us there here home lost tired sick ready');
const MOST_OBJECT = 3;
const MOST_VALUE = 4;

/** `i play for`: as the name of a slot it is what the speaker says, without the value. */
export const isHabit = (name: string): boolean => name.startsWith('i ');

export function habitOf(given: readonly Token[], text: string): OpenFound | null {
  const plain = plainVerb(given);
  const tokens = plain?.tokens ?? given;
  const [who, verb, ...rest] = tokens;
  if ((who?.word !== 'i' && who?.word !== 'we') || !HABITS.has(verb?.word ?? '')) return null;
  const at = rest.findLastIndex(
    ({ word }, index) => index <= MOST_OBJECT && PREPOSITIONS.has(word),
  );
  if (at === -1 || plain?.isEnd) return null;
  const object = rest.slice(0, at).filter(({ word }) => !OWN.has(word));
  if (object.some(({ word }) => NO_OBJECT.has(word) || QUALITIES.has(word))) return null;
  if (object.some(({ word }, index) => index > 0 && NO_NOUN.has(word) && !PREPOSITIONS.has(word)))
    return null;
  const value = placeIn(rest.slice(at + 1), text);
  if (!value) return null;
  const words = [verb, ...object, rest[at]].map((token) => token?.word ?? '');
  return {
    name: `i ${words.join(' ')}`,
    kind: plain?.isChange ? 'changes' : 'tells',
    value,
    isSoft: true,
    isOwn: true,
    instead: null,
  };
}
/** `I've got a Corsa`: of what it is one, what follows may tell; what takes its place, takes it. */
export function unnamedOf(tokens: readonly Token[], text: string): OpenFound | null {
  const found = match(
    tokens,
    stepsOf('i/we have/got/own/bought/use/leased/rented/lease/rent a/an %'),
  );
  const value = found && withoutTimes(upToJoint(upToCut(found.value, text)));
  if (!value || value.length > 2 || value.some(({ word }) => NO_NOUN.has(word))) return null;
  if (!value.every(({ start, end }) => /^[\p{Lu}\d]/u.test(text.slice(start, end)))) return null;
  if (kindOf(value, text) !== 'name') return null;
  const name = `${UNNAMED}${value.map(({ word }) => word).join(' ')}`;
  return { name, kind: 'tells', value, isSoft: false, isOwn: true, instead: null };
}
const OWN = set('my our the all');

/** A name, or `the release branch`. */
function placeIn(said: readonly Token[], text: string): readonly Token[] | null {
  const own = OWN.has(said[0]?.word ?? '') ? said.slice(1) : said;
  const value = withoutTimes(upToJoint(upToCut(own, text)));
  if (value.length === 0 || value.length > MOST_VALUE) return null;
  if (value.some(({ word }) => NO_NOUN.has(word) || word.endsWith("'s"))) return null;
  const kind = kindOf(withoutArticle(value), text);
  if (kind === 'name') return value;
  const isThing = own !== said && value.length > 1 && FUNCTIONAL.has(value.at(-1)?.word ?? '');
  return kind === 'words' && isThing ? value : null;
}
const withoutTimes = (value: readonly Token[]): readonly Token[] => {
  const at = value.findIndex(({ word }) => /^(?:every|each|twice|once|daily|instead)$/.test(word));
  return at > 0 ? value.slice(0, at) : value;
};

/** Where somebody goes or is; the last word of the name says what it is. */
const GOING: readonly string[] =
  'i/we pay with % | i/we pay @ with % | i/we go to/with/at % | i/we am/are at/with/in % | i/we am/are back at/with/in/on % | i/we joined % | i/we signed up at/with/for/to % | i/we switched/moved/changed/transferred/went over/back to % | i/we switched/moved/changed/transferred/went/upgraded/downgraded to/with % | i/we use/have/take/see/wear/pay/read/follow/prefer/rent with/on % | i/we use/have/follow/wear % | i/we am/are using/on/with % | i/we am/are a/an member/student/customer/patient of/at/with % | i/we study/train/swim/bank at/with % | i/we enrolled at/in % | i/we have joined % | i/we set/changed it to %'.split(
    ' | ',
  );
/** Of a school, whatever it is called. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gym: 'gym',
    fitness: 'gym',
    bank: 'bank',
    school: 'school',
    university: 'school',
    college: 'school',
    academy: 'school',
    dental: 'dentist',
    pharmacy: 'pharmacy',
    library: 'library',
    church: 'church',
    choir: 'choir',
    nursery: 'nursery',
  }),
);

/** `I go to Pulse Gym`, `I'm on the Nord theme`. */
export function namedOf(given: readonly Token[], text: string, isNow: boolean): OpenFound | null {
  const tokens = plainVerb(given)?.tokens ?? given;
  for (const form of GOING) {
    const found = match(tokens, stepsOf(form));
    const said = found && upToJoint(upToCut(found.value, text));
    const own = said && OWN.has(said[0]?.word ?? '') ? said.slice(1) : said;
    const last = own?.at(-1);
    if (!said || !own || !last || own.length < 2 || own.length > MOST_VALUE) continue;
    const name = kindName(own, text, own !== said);
    if (name === null) continue;
    const isChange = isNow || !/^i\/we (?:go|am\/are at|use|have|study|follow)/.test(form);
    return {
      name,
      kind: isChange ? 'changes' : 'tells',
      value: KINDS.has(last.word) ? own : own.slice(0, -1),
      isSoft: false,
      isOwn: true,
      instead: null,
    };
  }
  return null;
}

function kindName(own: readonly Token[], text: string, isOwned: boolean): string | null {
  const last = own.at(-1);
  const [first] = own;
  if (!last || !first || !/^[\p{Lu}\d]/u.test(text.slice(first.start, first.end))) return null;
  if (own.some(({ word }) => NO_NOUN.has(word) || DEGREES.has(word))) return null;
  const isCapital = /^\p{Lu}/u.test(text.slice(last.start, last.end));
  if (isCapital) return KINDS.get(last.word) ?? null;
  // `my Orange card`, `the Nord theme`; not `Ada's theme` and no `Rome trip`.
  if (!isOwned || own.some(({ word }) => word.endsWith("'s"))) return KINDS.get(last.word) ?? null;
  const noun = FUNCTIONAL.has(last.word) ? openNoun([last.word]) : slotOfNoun([last.word]);
  return noun;
}
