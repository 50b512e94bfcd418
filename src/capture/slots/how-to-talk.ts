/**
 * How a person wants to be talked with: the length and the language of answers, and the channel
 * that they prefer. Each has one value, whatever it is about.
 */
import { answerMarkIn, isAnswerStyle } from '../gate/answer-style.ts';
import { isLanguage } from '../sentences/languages.ts';
import type { Token } from './match.ts';
import type { OpenFound } from './open.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Of a sentence of its own tokens; null = it says nothing of it. */
export const howToTalkOf = (tokens: readonly Token[]): OpenFound | null =>
  answerLengthOf(tokens) ?? answerLanguageOf(tokens) ?? answerMarkOf(tokens) ?? contactOf(tokens);

/** Begins an order that has no person in it: `answer in French`. */
export const mayBeOrdered = ([first = '']: readonly string[]): boolean =>
  ANSWER.has(first) || ORDERING.has(first);

const plainOf = (tokens: readonly Token[]): string =>
  ` ${tokens.map(({ word }) => word).join(' ')} `;

const told = (name: string, value: readonly Token[]): OpenFound => ({
  ...{ name, kind: 'tells', value, isSoft: false, isOwn: true, instead: null },
});

const WANTING = set('prefer like want need');
const LENGTHS = set(
  'short shorter brief briefer concise terse compact succinct long longer detailed thorough comprehensive elaborate extensive',
);
const ANSWERS = set('answers replies responses explanations');
const PASSED = set('would your my');
const ANSWER = set('answer reply respond');
const MAKING = set('make keep have');
const GIVING = set('give write send use');
/** The first word of an order of how to answer. */
const ORDERING = set(
  "make keep have give write send use be in back don't do never avoid skip no stop",
);
/** How much of it, and when: no word of a part. */
const DEGREES = set('please always all the of a bit little much even more very as rather possible');
const LASTING = /(?: (?:please|with me|from now on|in general|always|at all times))+ $/;
const BASE: ReadonlyMap<string, string> = new Map(
  Object.entries({ shorter: 'short', briefer: 'brief', longer: 'long' }),
);
const SHORT = set('short brief concise terse compact succinct');
const BRIEFLY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    briefly: 'brief',
    shortly: 'short',
    concisely: 'concise',
    tersely: 'terse',
    succinctly: 'succinct',
    thoroughly: 'thorough',
  }),
);

/** Nothing may follow: `short answers in chat` are for a part. */
function answerLengthOf(given: readonly Token[]): OpenFound | null {
  const ordered = orderedLengthOf(given);
  if (ordered !== null) return told('answer length', [ordered]);
  const [who, verb, length, noun, more] = given.filter(({ word }) => !PASSED.has(word));
  if (who && verb && !length && ANSWER.has(who.word)) {
    const word = BRIEFLY.get(verb.word);
    return word === undefined ? null : told('answer length', [{ ...verb, word }]);
  }
  if (more || !length || (who?.word !== 'i' && who?.word !== 'we')) return null;
  const isLength = WANTING.has(verb?.word ?? '') && LENGTHS.has(length.word);
  return isLength && ANSWERS.has(noun?.word ?? '') ? told('answer length', [length]) : null;
}

/** `Make your answers a bit longer`, `be brief`, `give me short answers`. */
function orderedLengthOf(given: readonly Token[]): Token | null {
  const plain = plainOf(given);
  const kept = plain.replace(LASTING, ' ').trim().split(' ').length;
  const tokens = given
    .slice(0, kept)
    .filter(({ word }) => !DEGREES.has(word) && !PASSED.has(word) && !TO_ME.has(word));
  const isLess = tokens.some(({ word }) => word === 'less');
  const [verb, ...rest] = tokens.filter(({ word }) => word !== 'less');
  if (!verb) return null;
  const [one, two, more] = rest;
  const length = verb.word === 'be' ? one : MAKING.has(verb.word) ? two : one;
  const noun = verb.word === 'be' ? null : MAKING.has(verb.word) ? one : two;
  if (verb.word !== 'be' && !MAKING.has(verb.word) && !GIVING.has(verb.word)) return null;
  if (!length || !LENGTHS.has(length.word) || more || (noun === null && two)) return null;
  if (noun !== null && !ANSWERS.has(noun?.word ?? '')) return null;
  const word = BASE.get(length.word) ?? length.word;
  return { ...length, word: isLess ? (SHORT.has(word) ? 'long' : 'short') : word };
}

/** `Don't use emojis`, then `use emojis again`. */
function answerMarkOf(given: readonly Token[]): OpenFound | null {
  const found = answerMarkIn(plainOf(given));
  const value = given.find(({ word }) => found !== null && word.replace(/s$/, '') === found.mark);
  if (found === null || !value) return null;
  return told(`answer ${found.mark}`, [{ ...value, word: found.has ? 'yes' : 'no' }]);
}

const TO_ME = set('to me us');
const ALWAYS = set('please only by default');
/** `answer me in French`; a word of time says that it is for good, and the gate asks for it. */
function answerLanguageOf(given: readonly Token[]): OpenFound | null {
  const [verb, ...rest] = given.filter(({ word }) => !ALWAYS.has(word));
  // `In English again`.
  const again = given.findIndex(({ word }) => word === 'again');
  const back = given[again - 1];
  if (back && isLanguage(back.word) && isAnswerStyle({ plain: plainOf(given) }))
    return told('answer language', [back]);
  if (!verb || !ANSWER.has(verb.word)) return null;
  const at = rest.findIndex(({ word }) => !TO_ME.has(word));
  const [link, language, more] = at === -1 ? [] : rest.slice(at);
  const isWhole = link?.word === 'in' && language !== undefined && more === undefined;
  return isWhole && isLanguage(language.word) ? told('answer language', [language]) : null;
}

/** By itself one of these is a way to be reached, and hardly anything else. */
const CHANNELS = set('phone email emails text texts sms whatsapp telegram call calls mail chat');
const REACHED = set('contacted reached called texted emailed written notified');
const BY = set('by via over on through');
const AGAINST = set('over to instead rather and not');
/** `I prefer email`, `I prefer to be reached by phone`, `the best way to reach me is email`. */
function contactOf(given: readonly Token[]): OpenFound | null {
  const tokens = given.filter(({ word }) => word !== 'would' && word !== 'rather');
  const words = tokens.map(({ word }) => word);
  const lead = leadOf(words);
  if (lead === 0) return null;
  const value = tokens[lead];
  const next = words[lead + 1];
  // `Phone calls` are by phone; `email for invoices` is for a part.
  const rest = next === 'calls' || next === 'messages' ? lead + 2 : lead + 1;
  if (!value || !CHANNELS.has(value.word)) return null;
  const isWhole = words[rest] === undefined || AGAINST.has(words[rest] ?? '');
  const isOther = words[rest] === undefined || CHANNELS.has(othersOf(words, rest));
  return isWhole && isOther ? told('contact preference', [value]) : null;
}

/** `over phone`, `rather than by phone`: what it is preferred to. */
const othersOf = (words: readonly string[], at: number): string =>
  words.slice(at + 1).find((word) => word !== 'than' && word !== 'of' && !BY.has(word)) ?? '';

/** Where the channel stands; 0 = nothing is said of it. */
function leadOf(words: readonly string[]): number {
  const [who, verb, to, be, done, by] = words;
  if (who === 'i' || who === 'we') {
    // `I would rather be contacted by email`.
    if (verb === 'be') return REACHED.has(to ?? '') && BY.has(be ?? '') ? 4 : 0;
    if (verb !== 'prefer' && !(verb === 'like' && to === 'to')) return 0;
    const isTold = to === 'to' && be === 'be' && REACHED.has(done ?? '') && BY.has(by ?? '');
    if (isTold) return 6;
    return verb === 'prefer' ? (BY.has(to ?? '') ? 3 : 2) : 0;
  }
  const best = /^(?:the )?best way to (?:reach|contact|get) me is (?:(?:by|via|on) )?/.exec(
    `${words.join(' ')} `,
  )?.[0];
  return best === undefined ? 0 : best.trim().split(' ').length;
}
