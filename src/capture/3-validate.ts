/**
 * Stage 3: a candidate is specific, grounded in the turn that it names, about someone or something,
 * dated, and not over already.
 */
import type { Instant } from '../model/ids.ts';
import { readTerms } from '../text/terms.ts';
import { visibleText } from '../text/visible-text.ts';
import { isNever } from './gate/negative-space.ts';
import { restates } from './model/restates.ts';
import { begins, sentenceOf, wordsOf } from './sentences/sentence.ts';
import { thirdPerson } from './sentences/statement.ts';
import { type Candidate, declinedAs, type FactCandidate, type Stage } from './state.ts';
import { localDay, timesIn } from './times/dates.ts';
import { namesNoDay } from './times/day-spelling.ts';
import { zoneOf } from './times/time-zone.ts';
import { shownName, spokenName } from './voices/speaker.ts';

export interface ValidateSettings {
  readonly now: Instant;
  readonly timeZone: string;
  /** Candidates under it are declined. */
  readonly minConfidence: number;
  /** Of the manifest's negative space: `neverPhrases`. */
  readonly never: readonly string[];
  /** A model found them, and worded them itself. */
  readonly isByModel?: boolean;
}

export function validateCandidates(
  candidates: readonly Candidate[],
  settings: ValidateSettings,
): Stage<Candidate> {
  const checked = candidates.map((candidate) => ({
    candidate,
    reason: faultOf(candidate, settings),
  }));
  return {
    going: checked.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : [])),
    settled: checked.flatMap(({ candidate, reason }) =>
      reason === null ? [] : [declinedAs(candidate, reason, candidate.class)],
    ),
  };
}

/**
 * What is made of a statement can name what its words did not: `I earn 90k` has the slot `salary`,
 * and a property has its name.
 */
function isNeverKept(candidate: Candidate, never: ValidateSettings['never']): boolean {
  if (never.length === 0) return false;
  const named =
    candidate.kind === 'typed'
      ? [candidate.typed.property.replaceAll('_', ' '), String(candidate.typed.value)]
      : [candidate.content, candidate.slot?.name ?? ''];
  return named.some((text) => isNever(wordsOf(text), never));
}

/** Whoever reads it a week later does not know who `they` is. */
const PRONOUNS = [
  'he',
  'she',
  'it',
  "it's",
  'they',
  'this',
  'that',
  'these',
  'those',
  'his',
  'her',
  'their',
  'its',
  'there',
  'here',
  'the same',
  'one',
];
/** `This week (week of …)` points at a time that stands beside it. */
const OF_A_TIME = /^this (?:week|weekend|month|quarter|year|sprint)\b/i;
const MOST_CHARS = 1000;

function faultOf(candidate: Candidate, settings: ValidateSettings) {
  if (candidate.confidence < settings.minConfidence) return 'unsure' as const;
  if (isNeverKept(candidate, settings.never)) return 'never' as const;
  if (candidate.valid_until !== null && candidate.valid_until <= settings.now)
    return 'expired' as const;
  if (candidate.kind === 'typed')
    return namesNoDay(String(candidate.typed.value)) ? ('not_dated' as const) : null;
  if (candidate.ends) return null;
  if (!isSpecific(candidate)) return 'not_specific' as const;
  // What a correction is about, what it corrects tells.
  if (!candidate.corrects && !isAboutSomeone(candidate)) return 'not_about_anyone' as const;
  if (!isDated(candidate, settings.timeZone)) return 'not_dated' as const;
  if (namesNoDay(candidate.content)) return 'not_dated' as const;
  const isTold = isGrounded(candidate) || (settings.isByModel === true && restates(candidate));
  return isTold ? null : ('not_grounded' as const);
}

function isSpecific({ content, subject }: FactCandidate): boolean {
  if (content.length > MOST_CHARS) return false;
  if (begins(sentenceOf(content, 0), PRONOUNS) && !OF_A_TIME.test(content)) return false;
  const own = new Set(readTerms(subject).terms);
  return readTerms(content).terms.some((term) => !own.has(term));
}

const ABOUT_THE_WORLD: ReadonlySet<string> = new Set([
  'rule',
  'procedure',
  'lesson',
  'lookup',
  'state',
]);
const isAboutSomeone = ({
  content,
  subject,
  class: memory,
  slot,
  ...said
}: FactCandidate): boolean =>
  ABOUT_THE_WORLD.has(memory) ||
  // `It is not Bo after all, it is Ada`: of whom, what is known tells, or it claims nothing.
  (slot?.instead !== undefined && said.isElseNone === true) ||
  // `The banjo's gone` ends what is known of its speaker, and is not kept itself.
  (slot?.isEnd === true && slot.instead !== undefined) ||
  names(content, shownName(subject)) ||
  names(content, spokenName(subject)) ||
  begins(sentenceOf(content, 0), ['we', 'our', "we're", "we've"]) ||
  /\p{Lu}\p{L}/u.test(content.slice(1)) ||
  startsWithName(content, said.turn.content);
/** `Remember that Sophie gets carsick`: behind what asks to remember it, a capital is a name's. */
function startsWithName(content: string, said: string): boolean {
  const [first = ''] = /^\p{Lu}\p{L}+/u.exec(content) ?? [];
  const at = first === '' ? -1 : said.indexOf(first);
  return at > 0 && ASKED_BEFORE.test(said.slice(Math.max(0, at - MOST_BEFORE), at));
}
const ASKED_BEFORE = /\b(?:remember|forget|note|mind|self|reminder)(?: that)?[:,]? $/i;
const MOST_BEFORE = 24;
const names = (content: string, name: string): boolean =>
  content.toLowerCase().includes(name.toLowerCase());

/** Every relative time has its day beside it. */
function isDated({ content, turn, antecedent }: FactCandidate, zone: string): boolean {
  const said = antecedent ?? turn;
  const times = timesIn(content, localDay(said.occurred_at, zoneOf(said, zone)));
  return times.every(({ isRelative, end }) => !isRelative || content.startsWith(' (', end));
}

/** A slot that is kept by its name and value is told in these words, whatever was said. */
const stated = (slot: string): string =>
  slot === 'home' ? 'home live' : slot === 'employer' ? 'employer work' : slot;

/** All its numbers and names, and nearly all of its words, stand in the turn. */
const LEAST_GROUNDED = 0.8;

function isGrounded({ content, subject, turn, antecedent, slot }: FactCandidate): boolean {
  const words = visibleText([turn.content, antecedent?.content ?? ''].join(' '));
  // `I go` is written as `Ada goes`, which no stem brings together.
  const turned = wordsOf(words).map(thirdPerson).join(' ');
  const said = new Set(
    [words, turned, subject, slot ? stated(slot.name) : '', 'user others'].flatMap(
      (text) => readTerms(text).terms,
    ),
  );
  const bare = content.replaceAll(
    / \((?:week of |weekend of |before )?\d{4}(?:-\d{2}){0,2}\)/g,
    '',
  );
  const terms = readTerms(bare).terms;
  const missing = terms.filter((term) => !said.has(term));
  if (missing.some((term) => /\d/.test(term))) return false;
  return terms.length > 0 && 1 - missing.length / terms.length >= LEAST_GROUNDED;
}
