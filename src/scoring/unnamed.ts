/**
 * Whether a question says of whom or of what it asks: a participant, the speaker, or a name that
 * the store knows. One that says nothing of it finds something in any large store: of LoCoMo's
 * questions put to other people's conversations with "they" for each name, 73 % were served.
 */
import { isFunctionWord } from '../text/function-words.ts';
import { isStopWord, termsOf } from '../text/terms.ts';
import { namesIn } from './strangers.ts';

/** `US` is a country. */
const FIRST_OR_SECOND_PERSON =
  /(?<![\p{L}\p{N}])(?:[Ii]|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]ur|[Oo]urs|[Oo]urselves|[Yy]ou|[Yy]our|[Yy]ours|[Yy]ourself)(?![\p{L}\p{N}])/u;
/** Words that are looked up name what they are about by themselves. */
const ASKS =
  /^\P{L}*(?:who|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?!\p{L})/iu;
const isQuestion = (query: string): boolean => query.trimEnd().endsWith('?') || ASKS.test(query);
const WORD = /[\p{L}\p{M}]+/gu;
/** A longer text is a pasted one. */
const MOST_UNITS = 1000;

export interface NamedBy {
  readonly isParticipantNamed: boolean;
  /** Whether the store lacks a term. */
  readonly isMissing: (term: string) => boolean;
}

/**
 * English alone: other languages leave the person to the verb, or out, and were not measured; there
 * it is false.
 */
export function isUnnamed(query: string, { isParticipantNamed, isMissing }: NamedBy): boolean {
  if (isParticipantNamed || query.length > MOST_UNITS || !isQuestion(query)) return false;
  if (!isEnglish(query) || FIRST_OR_SECOND_PERSON.test(query)) return false;
  return namesIn(query).every((name) => termsOf(name).every(isMissing));
}

/** By its function words. */
function isEnglish(query: string): boolean {
  const words = query.toLowerCase().match(WORD) ?? [];
  const others = words.filter((word) => !isStopWord(word));
  return others.length < words.length && !others.some(isFunctionWord);
}
