/**
 * `Forget where I live`, `delete my address from your memory`: the slot of which nothing is to be
 * kept, whatever it holds. To delete an address is a task, but for what is remembered of it.
 */

import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { slotOf } from '../slots/slot.ts';
import { matterAsked } from './forget-about.ts';
import { REQUEST, requestsIn, withoutCourtesy } from './forget-words.ts';

const ASKS = new RegExp(
  `${REQUEST}(?:forget(?: about| everything about| all about)?|(delete|erase|remove)) ` +
    '((?:my|our|the name of (?:my|our)|where|what|which|who|when|how) .*)$',
);
const FROM_MEMORY =
  / (?:from|in|out of) (?:(?:your|the) )?(?:memory|memories|records?|notes?|knowledge|long term memory|what you (?:know|remember)(?: (?:about|of) me)?)$/;

/** The name of the slot; null = no slot is named. */
export function topicAsked({ text }: Pick<Sentence, 'text'>): string | null {
  for (const said of requestsIn(text)) {
    const [, verb, rest = ''] = ASKS.exec(said) ?? [];
    const asked = withoutCourtesy(rest);
    const topic = asked.replace(FROM_MEMORY, '');
    if (topic === '' || (verb !== undefined && topic === asked)) continue;
    const slot = topicOf(topic);
    if (slot !== null) return slot;
  }
  const matter = matterAsked(text);
  return matter === null ? null : topicOf(matter);
}

/** Of `my address`, `where I live`. */
function topicOf(topic: string): string | null {
  const statement = statementOf(topic);
  return statement === null ? null : (slotOf(sentenceOf(statement, 0))?.name ?? null);
}

/** A statement of that slot, with a value of no meaning. */
function statementOf(topic: string): string | null {
  const told = TOLD.find(([words]) => words.test(topic));
  if (told) return told[1];
  const [, thing = ''] = WHICH.exec(topic) ?? [];
  if (thing !== '') return `My ${thing} is Xyzzy.`;
  const [, noun = ''] = NOUN.exec(topic) ?? [];
  return noun === '' ? null : `My ${noun} is Xyzzy.`;
}

const ALLERGIES = 'allergies';
const TOLD: readonly (readonly [RegExp, string])[] = [
  [/^where (?:i|we) live$|^(?:my|our) (?:home|place of residence|city)$/, 'I live in Xyzzy.'],
  [/^where i work$|^who i work for$|^(?:my|our) workplace$/, 'I work at Xyzzy.'],
  [
    /^what i (?:do|work as)(?: for (?:a living|work))?$|^(?:my|our) (?:job|profession)$/,
    'I work as a plumber.',
  ],
  [/^where (?:i|we) (?:was|were) born$/, 'My birthplace is Xyzzy.'],
  [/^when (?:i|we) (?:was|were) born$/, 'My birthday is Xyzzy.'],
  [
    /^what (?:i|we) earn$|^how much (?:i|we) (?:earn|make)$|^(?:my|our) (?:income|pay|earnings)$/,
    'My salary is Xyzzy.',
  ],
  [/^how old i am$|^my age$/, 'I am 33 years old.'],
  [/^what i am called$|^who i am$/, 'My name is Xyzzy.'],
  [/^(?:my|our) allerg(?:y|ies)$|^what i am allergic to$/, `My ${ALLERGIES} is Xyzzy.`],
  [/^(?:what|which) languages? (?:i|we) (?:speak|know|use|prefer)$/, 'My language is Xyzzy.'],
];
/** `Which car I drive`. */
const WHICH =
  /^(?:what|which) (\S+(?: \S+)?) (?:i|we) (?:have|own|use|drive|ride|go to|prefer|take|like best)$/;
const NOUN =
  /^(?:(?:what|which|when|who|the name of) )?(?:my|our) (\S+(?: \S+){0,3}?)(?: is| are| was)?$/;

/** What is said of such a slot in words that have none: a person speaks several languages. */
interface Said {
  readonly verbs: string;
  /** Behind `am`, `is`. */
  readonly being: string;
  readonly noun?: string;
}
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december)\\b';
const A_TIME =
  `(?:\\d|(?:early |late |mid-?)?${MONTH}` +
  '|the (?:\\d|spring|summer|autumn|fall|winter|\\p{L}+ies\\b))';
const BORN_IN = `born (?:in|at|near) (?!${A_TIME})\\S+`;
const BORN_ON = `born (?:on |in ${A_TIME})\\S*`;
const SAID: ReadonlyMap<string, Said> = new Map([
  ['language', { verbs: '(?:also |now )?speaks?', being: '(?:fluent|bilingual|a native speaker)' }],
  ['birthplace', { verbs: BORN_IN, being: BORN_IN }],
  ['birthday', { verbs: BORN_ON, being: BORN_ON }],
  [
    ALLERGIES,
    {
      verbs: '(?:also )?(?:has|have)(?: got)? (?:an? )?(?:[\\w-]+ ){0,3}?allerg(?:y|ies)',
      being: '(?:also |very |really |severely |mildly )*allergic',
      noun: '(?:[\\w-]+ )?allerg(?:y|ies)',
    },
  ],
]);
/** `Ada's sister` is somebody else. */
const NAME = "(?!(?:my|our) )(?:[^\\s'’]+ ){1,3}";

/** Whether a statement without a slot is of that topic: as it was said, or as it is kept. */
export function isOfTopic(topic: string, text: string, how: 'said' | 'kept'): boolean {
  const says = SAID.get(topic);
  if (says === undefined) return false;
  const { verbs, being, noun } = says;
  const forms =
    how === 'said'
      ? [`(?:i|we) (?:${verbs}|(?:am|are|was|were) ${being})`, `(?:i['’]m|we['’]re) ${being}`]
      : [`${NAME}(?:${verbs}|(?:is|are|was|were) ${being})`];
  const own = how === 'said' ? '(?:my|our)' : "[^\\s'’]+['’]s?";
  if (noun !== undefined) forms.push(`${own} ${noun}`);
  return new RegExp(`^(?:${forms.join('|')})(?!\\p{L})`, 'iu').test(text.slice(0, MOST_READ));
}
const MOST_READ = 120;

/** `I'm vegan but I live in Bern`: to forget the one would lose the other. */
export function holdsMore(topic: string, text: string): boolean {
  const joints = [...text.slice(0, MOST_READ).matchAll(/(?:[,;]|,? (?:and|but)) (?=\p{L})/giu)];
  return joints.some(({ 0: joint, index }) => {
    const rest = text.slice(index + joint.length);
    return [rest, `I ${rest}`].some((said) => {
      const slot = slotOf(sentenceOf(said, 0));
      return slot !== null && slot.name !== topic && !slot.name.startsWith('like ');
    });
  });
}
