/**
 * Whether a statement of a slot and a value that are known tells nothing new of it. The value is
 * not all that is said: `I work at Acme as a nurse` is news to `I work at Acme as a cook`.
 */
import { stemOf } from '../../text/terms.ts';
import { wordsOf } from '../sentences/sentence.ts';
import * as frames from '../slots/frames.ts';
import * as rules from '../slots/rules.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { addsNothing, isSameText, readingOf } from './likeness.ts';

/** What corrects is heard, unless it says the very same. */
export const saysAlready = (candidate: FactCandidate, of: KnownFact): boolean =>
  candidate.isCorrection
    ? isSameText(candidate.content, of.content)
    : addsNothing(candidate, of) && namesNothingNew(candidate, of);

/** Whether all that it names, but for the slot and how a slot is told, the known one names too. */
function namesNothingNew(candidate: FactCandidate, known: KnownFact): boolean {
  const { slot, subject } = candidate;
  const value = wordsOf(slot?.value ?? '');
  const named = [...wordsOf(slot?.name ?? ''), ...wordsOf(subject), ...value];
  const stems = new Set([...named, ...readingOf(known).words].map(plainStem));
  const { words, contentWords } = readingOf(candidate);
  // What stands behind the value tells of it: `900 for rent`.
  const lead = new Set(words.slice(0, Math.max(0, words.indexOf(value[0] ?? ''))));
  return contentWords.every(
    (word) =>
      stems.has(plainStem(word)) ||
      rules.ADVERBS.has(word) ||
      (lead.has(word) && TELLING.has(plainStem(word))),
  );
}
const plainStem = (word: string): string => stemOf(word.toLowerCase().replace(/['’]s?$/u, ''));

/** The words that slots are read by: `live`, `moved`, `based`. */
const TELLING: ReadonlySet<string> = new Set(
  [
    ...[...rules.VERB_FORMS, ...frames.FRAMES].flatMap(({ forms }) => forms),
    ...[...rules.AS_FORMS, ...rules.NOUN_FORMS, ...frames.OPEN_FORMS].map(({ form }) => form),
    ...rules.REACHED,
    ...rules.SWITCHED_TO,
    ...[frames.SET_FORMS, frames.BARE_SET_FORMS, frames.NEW_FORMS, frames.PLACED_FORMS].flat(),
  ]
    .flatMap((form) => form.split(/[ /]/))
    .map(plainStem),
);
