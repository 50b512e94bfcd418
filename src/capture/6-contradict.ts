/**
 * Stage 6: a statement that is new to the judge can still contradict what is known. Where only a
 * negation or a quantity differs, where one does what the other does not, or where a named event
 * has another day, it takes the place of what was captured if a person said it of
 * themselves; otherwise, and where the old one was written by hand, it waits for a review.
 */
import { isCaptured } from '../model/fact-slot.ts';
import { readTerms } from '../text/terms.ts';
import type { Judgement } from './5-judge.ts';
import { areCountsApart, deniesOtherNumber } from './compare/counted.ts';
import { deniedHaving } from './compare/life-ended.ts';
import { containment, isDateWord, readingOf, type Said } from './compare/likeness.ts';
import { isOtherDay } from './compare/named-event.ts';
import { opposition } from './compare/opposed.ts';
import { remainder } from './compare/remainder.ts';
import { saysAlready } from './compare/says-already.ts';
import { wordsOf } from './sentences/sentence.ts';
import { handWrittenSlot } from './slots/hand-written.ts';
import { isNotOnly } from './slots/restricted.ts';
import type { Candidate, FactCandidate, KnownFact } from './state.ts';

export interface Contradicted {
  readonly judgement: Judgement;
  /** It waits for a review, whoever said it. */
  readonly isDoubtful: boolean;
}

/** `known`: the facts that are like it, and the 50 most important of the scope. */
export function checkContradiction(
  candidate: Candidate,
  judgement: Judgement,
  known: readonly KnownFact[],
): Contradicted {
  if (candidate.kind === 'typed' || judgement.operation !== 'ADD')
    return { judgement, isDoubtful: false };
  const written = candidate.isBeside ? null : besideHandWritten(candidate, known);
  if (written) return written;
  const denied = deniedHaving(candidate, known);
  for (const fact of known) {
    const how = fact === denied ? 'certain' : contradiction(candidate, fact);
    if (how === null) continue;
    const isSure = how === 'certain' && isCaptured(fact);
    if (!isSure || candidate.valid_from < fact.valid_from)
      return {
        judgement: { operation: 'ADD', why: `may contradict ${fact.root_uuid}` },
        isDoubtful: true,
      };
    const cause = candidate.isCorrection || saysWrong(candidate, fact) ? 'correction' : 'change';
    return {
      judgement: { operation: 'UPDATE', of: fact, cause, why: 'contradicts' },
      isDoubtful: false,
    };
  }
  return { judgement, isDoubtful: false };
}

/** `Was never allergic`, `three kids, not two`: what was said was not so before either. */
function saysWrong({ content }: FactCandidate, fact: KnownFact): boolean {
  const denied = /, not ([\p{L}\d]{1,20})[.!]?$/iu.exec(content)?.[1]?.toLowerCase();
  if (denied !== undefined) return readingOf(fact).numbers.includes(denied);
  return (
    NEVER_WAS.test(content) && !/\b(?:was|were|been) never\b|\bnever been\b/i.test(fact.content)
  );
}
const NEVER_WAS =
  /\b(?:(?:was|were) never|(?:has|have) never (?:been|had|\p{L}{2,}ed)|never (?:was|were|had|\p{L}{2,}ed))\b/iu;

/** What somebody wrote of the slot: the same is known, another value waits for a review. */
function besideHandWritten(
  candidate: FactCandidate,
  known: readonly KnownFact[],
): Contradicted | null {
  const { slot, subject, valid_from } = candidate;
  if (slot === null || slot.isEnd || slot.isBeside) return null;
  for (const of of known) {
    const other = handWrittenSlot(of, subject);
    if (other?.name !== slot.name || other.isEnd || valid_from < of.valid_from) continue;
    return other.value === slot.value && saysAlready(candidate, of)
      ? { judgement: { operation: 'NOOP', of, why: 'said_already' }, isDoubtful: false }
      : {
          judgement: { operation: 'UPDATE', of, cause: 'change', why: 'contradicts' },
          isDoubtful: true,
        };
  }
  return null;
}

/** What is so now; of what happened, both can be true. */
const STANDING: ReadonlySet<string> = new Set(
  "has have is are owns own costs weighs speaks eats drinks uses likes loves prefers hates dislikes drives lives works needs wants enjoys keeps avoids plays studies doesn't don't".split(
    ' ',
  ),
);

function contradiction(candidate: FactCandidate, fact: KnownFact): 'certain' | 'doubtful' | null {
  if (fact.subject !== candidate.subject || isNotOnly(candidate.content)) return null;
  // A day to come stands beside all but another day of the same.
  if (isOtherDay(candidate, fact)) return 'certain';
  const opposed = opposition(candidate, fact);
  if (opposed === 'beside') return null;
  if (opposed !== null || candidate.isBeside) return opposed;
  const [said, stored] = [readingOf(candidate), readingOf(fact)];
  if (candidate.isCorrection && isOfOtherDay(candidate, fact)) return 'certain';
  if (!isSame(said.dates, stored.dates)) return null;
  const isDenied = !isSame(said.negations, stored.negations);
  const isCounted = !isSame(said.numbers, stored.numbers);
  if (!isDenied && !isCounted) return null;
  if (isCounted && !areCountsApart(candidate, fact)) return null;
  if (isCounted && isDenied && deniesOtherNumber(candidate, fact)) return null;
  const [a, b] = [topicOf(candidate), topicOf(fact)];
  const share = Math.min(containment(a, b), containment(b, a));
  // A statement and the bare denial of it, whatever its verb.
  if (isDenied && !isCounted && share === 1 && a.length > 0) return 'certain';
  // `No longer allergic to nuts`, after `allergic to penicillin and nuts`.
  const isPart = isDenied && !isCounted && a.length > 0 && containment(a, b) === 1;
  if (isPart && remainder(candidate, fact) !== null) return 'certain';
  // Who likes season 2 may like season 4.
  if (isCounted && candidate.class === 'preference') return null;
  const isStanding = [said, stored].every(({ words }) => words.some((word) => STANDING.has(word)));
  if (fact.class !== candidate.class || !isStanding) return null;
  if (share === 1 && a.length > 0) return 'certain';
  return share >= LEAST_SHARED && a.length > 2 ? 'doubtful' : null;
}

/** `Actually my flight is on Friday`: word for word the same, but for the day. */
function isOfOtherDay(said: Said, stored: Said): boolean {
  const [a, b] = [undated(said), undated(stored)];
  return isSame(a, b) && said.content !== stored.content && a.length < readingOf(said).words.length;
}
const undated = ({ content }: Said): readonly string[] =>
  wordsOf(content.replaceAll(DAY, '')).filter((word) => !isDateWord(word));
/** As a relative day is resolved. */
const DAY = /\(\d{4}-\d{2}-\d{2}\)/g;

const LEAST_SHARED = 0.8;

const topics = new WeakMap<Said, readonly string[]>();
/** `Vegan again` denies `no longer vegan`, and `still allergic` does. */
const SINCE_THEN =
  /\b(?:again|still|now|currently|any ?more|any longer|after all|these days|nowadays)\b/gi;
/** Who has two kids with others has them alone as well. */
const WITH_OTHERS = /^(.{1,60}?) and others (?=(?:have|are|own|keep)\b)/u;
/** Stems without numbers and negations. */
function topicOf(said: Said): readonly string[] {
  const known = topics.get(said);
  if (known) return known;
  const { numbers, negations } = readingOf(said);
  const apart = new Set(readTerms([...numbers, ...negations].join(' ')).terms);
  const plain = said.content.replace(WITH_OTHERS, '$1 ').replaceAll(SINCE_THEN, ' ');
  const topic = readTerms(plain).terms.filter((term) => !apart.has(term));
  topics.set(said, topic);
  return topic;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, at) => word === b[at]);
