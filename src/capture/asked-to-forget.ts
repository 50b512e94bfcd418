/**
 * `Please forget that I have diabetes`: what is said is not to be kept, and what was kept of it
 * goes with it. It is found by its words, where its speaker said the same. English.
 */
import { plainWords, REQUEST, requestsIn, withoutCourtesy } from './forget-words.ts';
import type { Sentence } from './sentence.ts';
import { slotOf } from './slots/slot.ts';
import { strip } from './strip.ts';
import { isOfTopic, topicAsked } from './topic-asked.ts';

const ASKS = new RegExp(
  `${REQUEST}(?:forget|disregard|erase|delete|remove)(?: about)? ` +
    '(?:(?:the fact )?that (?=(?:i|my|we|our) )|(?=(?:i|we) ' +
    '(?!(?:have )?(?:said|told|mentioned|wrote|written|asked|just|ever|even) )))',
);

/** The statement that is to be forgotten, in plain words; null = nothing is asked for. */
function statementAsked({ text }: Sentence): string | null {
  for (const said of requestsIn(text)) {
    const asks = ASKS.exec(said);
    if (asks) return withoutCourtesy(said.slice(asks[0].length));
  }
  return null;
}

export const asksToForget = (sentence: Sentence): boolean =>
  statementAsked(sentence) !== null || topicAsked(sentence) !== null;

/** What sentences ask to forget, and where each begins. */
export interface Asked {
  /** By the statement in plain words. */
  readonly statements: ReadonlyMap<string, number>;
  /** By the slot: `forget where I live`. */
  readonly topics: ReadonlyMap<string, number>;
}

export function askedIn(sentences: readonly Sentence[]): Asked {
  const named = (what: (sentence: Sentence) => string | null) =>
    new Map(
      sentences.flatMap((sentence) => {
        const asked = what(sentence);
        return asked === null ? [] : [[asked, sentence.start] as const];
      }),
    );
  return { statements: named(statementAsked), topics: named(topicAsked) };
}
export const asksNothing = ({ statements, topics }: Asked): boolean =>
  statements.size === 0 && topics.size === 0;

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
  const named = asked.statements.get(plainWords(said.text));
  if (named !== undefined || asked.topics.size === 0) return named ?? null;
  const slot = slotOf(said);
  const unnamed =
    slot === null ? [...asked.topics].find(([of]) => isOfTopic(of, said.text, 'said')) : null;
  const at =
    slot?.isEnd === true ? undefined : (unnamed?.[1] ?? asked.topics.get(slot?.name ?? ''));
  return at === undefined || (where.isSameTurn && at <= sentence.start) ? null : at;
}
