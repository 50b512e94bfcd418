/**
 * Whether a question says of whom or of what it asks: a participant, the speaker, or a name that
 * the store knows. One that says nothing of it finds something in any large store: of LoCoMo's
 * questions put to other people's conversations with "they" for each name, 73 % were served.
 */
import { isFunctionWord } from '../text/function-words.ts';
import { isKnownWord } from '../text/known-words.ts';
import { isStopWord, termsOf } from '../text/terms.ts';
import { namesIn } from './strangers.ts';

/** `US` is a country. */
const FIRST_OR_SECOND_PERSON =
  /(?<![\p{L}\p{N}])(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself)(?![\p{L}\p{N}])/iu;
const COUNTRY = /(?<![\p{L}\p{N}])US(?![\p{L}\p{N}])/gu;
/** Words that are looked up name what they are about by themselves. */
const ASKS =
  /^\P{L}*(?:who|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?!\p{L})/iu;
const isQuestion = (query: string): boolean => query.trimEnd().endsWith('?') || ASKS.test(query);
const WORD = /[\p{L}\p{M}]+/gu;
/** A longer text is a pasted one. */
const MOST_UNITS = 1000;

/** The rest are names: in `When did Fatima meet Ottokar?` two of three. */
const KNOWN_SHARE = 1 / 3;

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
  if (!isEnglish(query) || FIRST_OR_SECOND_PERSON.test(query.replace(COUNTRY, ''))) return false;
  return namesIn(query).every((name) => termsOf(name).every(isMissing));
}

/**
 * By its function words, and by words of the table: `Was kostet die Karte in Bayreuth?` has
 * function words that are English too.
 */
function isEnglish(query: string): boolean {
  const words = query.toLowerCase().match(WORD) ?? [];
  const others = words.filter((word) => !isStopWord(word));
  const known = others.filter(isKnownWord).length;
  return (
    others.length < words.length &&
    known >= KNOWN_SHARE * others.length &&
    !others.some(isFunctionWord)
  );
}
