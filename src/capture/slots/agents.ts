/**
 * Who does something for the speaker, by the verb: `Tom manages me` and `I'm managed by Tom` are
 * `my manager is Tom`; `Aviva insures my car` is `my car insurance is with Aviva`.
 */
import { match, openNoun, stepsOf, type Token } from './match.ts';
import { type OpenFound, upToCut, upToJoint } from './open.ts';
import { kindOf } from './values.ts';

const forms = (text: string): readonly string[] => text.split(' | ');

interface Agent {
  readonly slot: string;
  /** `M` in them is a noun of the name of the slot. */
  readonly forms: readonly string[];
}
const agent = (slot: string, text: string): Agent => ({ slot, forms: forms(text) });
/** `manage managed`, with the third person where it is no `manages`. */
function byVerb(slot: string, verb: string): Agent {
  const [base = '', past = '', third = `${base}s`] = verb.split(' ');
  const gerund = `${base.replace(/e$/, '')}ing`;
  return agent(
    slot,
    `% ${third} me/us | i/we am/are ${past} by % | i/we am/are being ${past} by % | ` +
      `% is/are ${gerund} me/us | % started ${gerund} me/us`,
  );
}

/** What a person has someone for, by what that is told with. */
const CARED: readonly (readonly [slot: string, nouns: string])[] = [
  ['dentist', 'teeth'],
  ['accountant', 'taxes/accounts/bookkeeping/books'],
  ['hairdresser', 'hair/haircut'],
  ['optician', 'eyes/glasses'],
  ['cleaner', 'cleaning'],
];
const CARING = 'i/we go to/with % for my/our | i/we see/have/use % for my/our';
const CARES = '% looks after my/our | % takes care of my/our | % does/handles/cuts my/our';

const AGENTS: readonly Agent[] = [
  byVerb('manager', 'manage managed'),
  byVerb('coach', 'coach coached coaches'),
  byVerb('mentor', 'mentor mentored'),
  byVerb('tutor', 'tutor tutored'),
  byVerb('therapist', 'counsel counselled'),
  agent(
    'manager',
    'i am supervised by % | i work under % | i am working under % | % is in charge of me/us',
  ),
  agent('M supervisor', '% supervises my M | % is supervising my M | % advises my M'),
  agent(
    'M supervisor',
    'i/we write my M with/under % | i/we am/are writing my M with/under % | my M is supervised by %',
  ),
  agent('M teacher', '% teaches/taught me M | i/we learn/study M with % | i have M lessons with %'),
  agent('M insurance', '% insures my/our M | i/we insure my/our M with/at/through %'),
  agent('M insurance', 'my/our M is/are insured with/by/at/through %'),
  agent('M insurance', 'i/we am/are insured with/by/at % for my/our/the M'),
  agent('M supplier', '% supplies my/our M | % supplies me/us with M | i/we get my/our M from %'),
  agent('cleaner', '% cleans my/our house/flat/apartment/place/home'),
  ...CARED.flatMap(([slot, nouns]) =>
    [...forms(CARING), ...forms(CARES)].map((form) => agent(slot, `${form} ${nouns}`)),
  ),
];
/** The name of the slot, where the noun makes another one of it. */
const OTHER: ReadonlyMap<string, string> = new Map([
  ['dissertation supervisor', 'thesis supervisor'],
  ['phd supervisor', 'thesis supervisor'],
]);
const WORK: ReadonlySet<string> = new Set(
  'thesis dissertation phd doctorate internship project training'.split(' '),
);
const SUPPLIED: ReadonlySet<string> = new Set(
  'electricity gas power water internet heating oil milk coffee'.split(' '),
);
const MOST_VALUE = 4;

/** Behind `me` no more is said than since when. */
const isWhole = (form: string, tokens: readonly Token[], value: readonly Token[]): boolean => {
  if (!/^% .*me\/us$/.test(form)) return true;
  const last = value.at(-1);
  const words = form.split(' ').length - 1;
  const end = last ? tokens.indexOf(last) + 1 + words : tokens.length;
  return tokens.slice(end).every(({ word }) => REST.has(word));
};
const REST: ReadonlySet<string> = new Set('at work instead again there here'.split(' '));

export function agentOf(tokens: readonly Token[], text: string): OpenFound | null {
  for (const { slot, forms: all } of AGENTS)
    for (const form of all) {
      const found = match(tokens, stepsOf(form));
      if (!found || !isWhole(form, tokens, found.value)) continue;
      const value = upToJoint(upToCut(found.value, text));
      const noun = found.noun === null ? '' : (openNoun([found.noun]) ?? found.noun);
      if (value.length > MOST_VALUE || !isNamed(value, text) || !isOf(slot, noun)) continue;
      const name = slot.replace(/\bM\b/, noun);
      return {
        name: OTHER.get(name) ?? name,
        kind: form.includes(' started ') ? 'changes' : 'tells',
        value,
        isSoft: slot === 'M teacher',
        isOwn: true,
        isRestated: true,
        instead: null,
      };
    }
  return null;
}
const isOf = (slot: string, noun: string): boolean =>
  slot === 'M supervisor' ? WORK.has(noun) : slot === 'M supplier' ? SUPPLIED.has(noun) : true;
/** `The weather manages me`: whom one names has a capital. */
const isNamed = (value: readonly Token[], text: string): boolean =>
  kindOf(value, text) === 'name' &&
  /^\p{Lu}/u.test(text.slice(value[0]?.start)) &&
  !/^(?:i|we|he|she|they|it|this|that|what|who|nobody|everybody)$/.test(value[0]?.word ?? '');
