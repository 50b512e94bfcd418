/**
 * What stays true of a fact of several parts when one of them ends: `has a Canyon`, of `has a
 * Brompton and a Canyon` and `I sold the Brompton`.
 */
import { SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import { isStopWord, stemOf } from '../../text/terms.ts';
import type { Judgement } from '../5-judge.ts';
import { wordsOf } from '../sentences/sentence.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { thingsUsed } from './used-before.ts';

const VERBS =
  'has|have|owns?|rides?|drives?|uses?|plays?|speaks?|takes?|keeps?|likes?|loves?|enjoys?|eats?|drinks?|prefers?|studies|learns?|teaches|knows?|works?|lives?|goes|runs|is|are';
/** Before the first of several things. */
const HEAD =
  /^(.*?\b(?:has|have|owns?|rides?|drives?|uses?|plays?|speaks?|takes?|keeps?|likes?|loves?|enjoys?|eats?|drinks?|prefers?|learns?|teaches|knows?|(?:allergic|intolerant) to)) (.+)$/iu;
const CLAUSES = new RegExp(`^(.+?),? and ((?:${VERBS}) .+)$`, 'iu');
const BETWEEN = /,? and |, /u;
const MOST_WORDS = 6;
const CLAUSE =
  /^(?:is|are|was|were|do|does|did|can|could|should|would|will|what|whats|how|why|so|because)\b/i;
/** `Drinks espresso, two of them`: of what goes with it. */
const LEANS = /\b(?:of (?:them|these|those|it|which)|each|both|which|who)$|^(?:which|who|that)\b/i;

/** Without what `isGone`; null = nothing of it goes, all of it does, or it has no parts. */
function remainderOf(
  { content, subject }: Pick<KnownFact, 'content' | 'subject'>,
  isGone: (part: string) => boolean,
): string | null {
  const text = content.replace(/\.$/, '');
  if (subject === null || !text.startsWith(`${subject} `) || /[.;:!?]/.test(text)) return null;
  const clauses = CLAUSES.exec(text.slice(subject.length + 1));
  const left = (parts: readonly string[]): readonly string[] | null => {
    const stays = parts.filter((part) => !isGone(part));
    return stays.length > 0 && stays.length < parts.length ? stays : null;
  };
  if (clauses) {
    const [stays] = left(clauses.slice(1)) ?? [];
    return stays === undefined ? null : `${subject} ${stays}.`;
  }
  const [, head = '', things = ''] = HEAD.exec(text) ?? [];
  const parts = things.split(BETWEEN);
  if (parts.length < 2 || parts.some((part) => part.split(' ').length > MOST_WORDS)) return null;
  const stays = left(parts);
  // `has been keto, is that dumb`: what is left begins a clause, and is no part of the things.
  if (stays === null || stays.some((part) => CLAUSE.test(part) || LEANS.test(part))) return null;
  const all = [stays.slice(0, -1).join(', '), ...stays.slice(-1)].filter((each) => each !== '');
  return `${head} ${all.join(' and ')}.`;
}

const OVER =
  /\b(?:no longer|not|never|any ?more|stopped|quit|gave up|given up|gave|sold|left|cancell?ed|lost|dropped)\b|n['’]t\b/i;

/** null = it ends no part of the fact alone. */
export function remainder(
  { content, slot }: Pick<FactCandidate, 'content' | 'slot'>,
  fact: Pick<KnownFact, 'content' | 'subject'>,
): string | null {
  if (slot?.isEnd) {
    const gone = wordsOf(slot.value);
    return remainderOf(fact, (part) => {
      const words = wordsOf(part);
      return gone.every((word) => words.includes(word));
    });
  }
  // `I switched from vim to helix`, of `uses vim and tmux`.
  const was = slot?.instead && wordsOf(slot.instead.was).join(' ');
  if (was !== undefined && thingsUsed(fact).includes(was))
    return remainderOf(fact, (part) => wordsOf(part).join(' ') === was);
  if (!OVER.test(content)) return null;
  const said = new Set(stemsOf(content));
  const all = stemsOf(fact.content);
  return remainderOf(fact, (part) => {
    const own = stemsOf(part).filter((stem) => all.indexOf(stem) === all.lastIndexOf(stem));
    return own.some((stem) => said.has(stem));
  });
}
const stemsOf = (text: string): readonly string[] =>
  wordsOf(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);

/** A statement that ends a part leaves the rest of the fact as its next version. */
export function endedInPart(
  candidate: FactCandidate,
  judgement: Judgement,
): { readonly candidate: FactCandidate; readonly judgement: Judgement } {
  const isEnding =
    judgement.operation === 'DELETE' ||
    (judgement.operation === 'UPDATE' && judgement.why !== 'same_slot');
  const rest = isEnding ? remainder(candidate, judgement.of) : null;
  if (!isEnding || rest === null) return { candidate, judgement };
  const { of } = judgement;
  const [name, value] = [of.metadata[SLOT], of.metadata[SLOT_VALUE]];
  const isKept =
    typeof name === 'string' &&
    typeof value === 'string' &&
    ` ${wordsOf(rest).join(' ')} `.includes(` ${value} `);
  const content = judgement.operation === 'DELETE' ? rest : `${rest} ${candidate.content}`;
  return {
    candidate: {
      ...candidate,
      content,
      slot: isKept ? { name, value, isEnd: false } : null,
    },
    judgement: { operation: 'UPDATE', of, cause: 'change', why: 'ended_in_part' },
  };
}
