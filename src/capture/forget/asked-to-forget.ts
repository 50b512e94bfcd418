/**
 * `Please forget that I have diabetes`: what is said is not to be kept, and what was kept of it
 * goes with it. It is found by its words, where its speaker said the same. English.
 */

import type { Sentence } from '../sentences/sentence.ts';
import { strip } from '../sentences/strip.ts';
import { slotOf } from '../slots/slot.ts';
import { isOfMatter, matterAsked, matterOf, statementsOf } from './forget-about.ts';
import { plainWords, REQUEST, requestsIn, saysBeside, withoutCourtesy } from './forget-words.ts';
import { partsAsked } from './parts-asked.ts';
import { holdsMore, isOfTopic, topicAsked } from './topic-asked.ts';

const ASKS = new RegExp(
  `${REQUEST}(?:forget|disregard|erase|delete|remove)(?: about)? ` +
    '(?:(?:the fact )?that (?=(?:i|my|we|our) )|(?=(?:i|we) ' +
    '(?!(?:have )?(?:said|told|mentioned|wrote|written|asked|just|ever|even) )))',
);

/** Of each part of a request that names several. */
const ofParts = <T>({ text }: Pick<Sentence, 'text'>, asked: (part: Part) => readonly T[]) =>
  (partsAsked(text) ?? [text]).flatMap((part) => asked({ text: part }));
type Part = Pick<Sentence, 'text'>;

/** The statements that are to be forgotten, in plain words; none = nothing is asked for. */
const statementsAsked = (sentence: Sentence): readonly string[] =>
  ofParts(sentence, statementsOfPart);
function statementsOfPart({ text }: Part): readonly string[] {
  for (const said of requestsIn(text)) {
    const asks = ASKS.exec(said);
    if (asks === null) continue;
    const statement = withoutCourtesy(said.slice(asks[0].length));
    return [statement, ...presentOf(statement)];
  }
  const had = hadOf(requestsIn(text)[1] ?? '');
  if (had.length > 0) return had;
  const matter = matterAsked(text);
  return matter === null ? [] : statementsOf(matter);
}

/** `Forget my diabetes`, `forget about the ramipril`: what says no more than that one has it. */
function hadOf(request: string): readonly string[] {
  const [, whose = '', thing = ''] = HAD.exec(withoutCourtesy(request)) ?? [];
  if (thing === '') return [];
  const taken = `i take ${thing}`;
  if (whose === 'the') return [taken];
  const [, food = ''] = /^(.+) (?:allergy|intolerance)$/.exec(thing) ?? [];
  const foods = food === '' ? [] : [food, `${food}s`];
  return [
    ...['i have', 'i have a', 'i have an', 'i have got', 'i suffer from'].map(
      (having) => `${having} ${thing}`,
    ),
    ...foods.flatMap((each) => [`i am allergic to ${each}`, `i am intolerant to ${each}`]),
    taken,
  ];
}
const HAD = new RegExp(
  `${REQUEST}forget (?:about )?` +
    '(?:(?=(?:my|our) \\S+(?: \\S+){0,2}$)|(?=the \\S+$))(my|our|the) (.+)$',
);

/** `I lived in Oslo` is of what was once said to hold: `I live in Oslo`. */
function presentOf(statement: string): readonly string[] {
  const [, who = '', verb = '', rest = ''] =
    /^(i|we) ((?:used to )?\S+) (.+)$/.exec(statement) ?? [];
  const was = PAST.get(verb) ?? /^used to (\S+)$/.exec(verb)?.[1];
  const bases = was ? [was] : verb.endsWith('ed') ? [verb.slice(0, -1), verb.slice(0, -2)] : [];
  return bases.map((base) => `${who} ${base} ${rest}`);
}
const PAST: ReadonlyMap<string, string> = new Map([
  ['was', 'am'],
  ['were', 'are'],
  ['had', 'have'],
]);

/** What is to be forgotten by its words. */
const mattersAsked = (sentence: Sentence): readonly string[] => ofParts(sentence, mattersOfPart);
function mattersOfPart({ text }: Part): readonly string[] {
  // Known as `I'm married to Tom`, in whatever words it is asked.
  if (requestsIn(text).some((said) => MARRIED.test(withoutCourtesy(said)))) return ['i am married'];
  const matter = matterAsked(text);
  return matter === null || matterOf(matter) === null ? [] : [matter];
}
const MARRIED = new RegExp(
  `${REQUEST}forget (?:about )?(?:(?:the fact )?that i am married(?: to .+)?|who i am married to|` +
    'my (?:husband|wife|spouse|marriage))$',
);

const topicsAsked = (sentence: Sentence): readonly string[] => ofParts(sentence, topicsOfPart);
const topicsOfPart = (sentence: Part): readonly string[] => {
  const topic = topicAsked(sentence);
  // Of a job both are said: what one works as, and for whom.
  if (topic === null && requestsIn(sentence.text).some((said) => MARRIED.test(said)))
    return ['husband', 'wife', 'spouse'];
  if (topic === 'occupation' && JOB.test(sentence.text)) return [topic, 'employer'];
  return topic === null ? [] : [topic];
};
const JOB = /\b(?:my|our) job\b/i;

export const asksToForget = (sentence: Sentence): boolean =>
  [statementsAsked, topicsAsked, mattersAsked].some((asked) => asked(sentence).length > 0);

/** What sentences ask to forget, and where each begins. */
export interface Asked {
  /** By the statement in plain words. */
  readonly statements: ReadonlyMap<string, number>;
  /** By the slot: `forget where I live`. */
  readonly topics: ReadonlyMap<string, number>;
  /** By what it is about: `forget what I said about Bern`. */
  readonly matters: ReadonlyMap<string, number>;
}

export function askedIn(sentences: readonly Sentence[]): Asked {
  const named = (what: (sentence: Sentence) => readonly string[]) =>
    new Map(
      sentences.flatMap((sentence) =>
        what(sentence).map((asked) => [asked, sentence.start] as const),
      ),
    );
  return {
    statements: named(statementsAsked),
    topics: named(topicsAsked),
    matters: named(mattersAsked),
  };
}
export const asksNothing = ({ statements, topics, matters }: Asked): boolean =>
  statements.size + topics.size + matters.size === 0;

/**
 * Where the sentence begins that asks to forget this one; null = none does. In the turn that asks,
 * `forget my address, my new one is …` keeps what comes behind it.
 */
export function askedAt(
  sentence: Sentence,
  asked: Asked,
  where: { readonly isSameTurn: boolean },
): number | null {
  if (asksNothing(asked)) return null;
  const said = strip(sentence).sentence;
  const named = asked.statements.get(plainWords(said.text)) ?? matterAt(sentence, asked, where);
  if (named !== undefined || asked.topics.size === 0) return named ?? null;
  const slot = slotOf(said);
  const unnamed =
    slot === null ? [...asked.topics].find(([of]) => isOfTopic(of, said.text, 'said')) : null;
  const of = unnamed?.[0] ?? slot?.name ?? '';
  const isMore =
    asked.topics.has(of) &&
    (holdsMore(of, said.text) || (slot !== null && saysBeside(said.text.slice(slot.end))));
  const at = slot?.isEnd === true || isMore ? undefined : asked.topics.get(of);
  return at === undefined || (where.isSameTurn && at <= sentence.start) ? null : at;
}

/** What stands behind the request in its own turn is said anew. */
function matterAt(
  { text, start }: Sentence,
  { matters }: Asked,
  { isSameTurn }: { readonly isSameTurn: boolean },
): number | undefined {
  const found = [...matters].find(([asked, at]) => {
    const matter = matterOf(asked);
    return matter !== null && !(isSameTurn && at <= start) && isOfMatter(matter, text, null);
  });
  return found?.[1];
}
