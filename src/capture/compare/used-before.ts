/**
 * `I switched from vim to helix` and `helix replaced vim`, after `I use vim`: the use of the old
 * thing ends, although no slot ties the two statements. Only a statement of use gives way, and only
 * one: who likes or teaches vim may still do so.
 */
import { isCaptured, isOfCapture } from '../../model/fact-slot.ts';
import type { Judgement } from '../5-judge.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { isOtherTool, isTool, slotOfTool, toolsLike } from '../slots/tool-kinds.ts';
import type { FactCandidate, KnownFact } from '../state.ts';

const USES =
  '(?:uses|drinks|eats|drives|rides|plays|takes|reads|watches|wears|smokes|pays with|works with|' +
  'has switched to|switched to|went back to|changed to|is using|has been using|is on)';
const ADVERBS = '(?:(?:now|still|also|mostly|mainly|usually|always|only|just|currently) )*';
/** Behind the thing: when, where and what for. */
const BEHIND =
  /^(?:for|at|in|on|with|to|from|every|daily|now|nowadays|these|because|since|as|when|while|instead|again|after|before)$/;
const BETWEEN = /,? and |, /u;

/** The things that a statement of use names, in plain words; none = it is no such statement. */
export function thingsUsed({
  content,
  subject,
}: Pick<KnownFact, 'content' | 'subject'>): readonly string[] {
  if (subject === null || /[;:?!]|\. \S/.test(content)) return [];
  const text = content.replace(/\.$/, '');
  if (!text.startsWith(`${subject} `)) return [];
  const uses = new RegExp(`^${ADVERBS}${USES} ${ADVERBS}(?:the |an? )?`, 'iu');
  const rest = text.slice(subject.length + 1);
  const found = uses.exec(rest)?.[0];
  if (found === undefined) return [];
  return rest
    .slice(found.length)
    .split(BETWEEN)
    .map((part) => {
      const words = wordsOf(part);
      const end = words.findIndex((word, at) => at > 0 && BEHIND.test(word));
      return words.slice(0, end === -1 ? words.length : end).join(' ');
    });
}

/** The one statement of use that ends; null = none is known, or several are. */
export function usedBefore(
  candidate: FactCandidate,
  known: readonly KnownFact[],
): KnownFact | null {
  const { slot, subject, isDirect, turn } = candidate;
  if (slot?.isEnd || candidate.isBeside) return null;
  const isOver = slot?.instead
    ? isUseOf(wordsOf(slot.instead.was).join(' '))
    : isUseBefore(candidate);
  if (isOver === null) return null;
  const mayEnd = isDirect ? isCaptured : isOfCapture;
  const used = known.filter(
    (fact) =>
      mayEnd(fact) &&
      fact.subject === subject &&
      fact.valid_from < turn.occurred_at &&
      isOver(fact),
  );
  return used.length === 1 ? (used[0] ?? null) : null;
}
type IsUse = (fact: Pick<KnownFact, 'content' | 'subject'>) => boolean;
const isUseOf =
  (was: string): IsUse =>
  (fact) =>
    thingsUsed(fact).includes(was);

/** `Switched to helix`, `uses Firefox now`: of what, its kind tells, or `from vim` behind it. */
const SWITCHED =
  /^(?:and others )?(?:(?:has |have )?(?:just |now |finally |recently |also |fully |completely )*(?:switched|moved|migrated|changed)(?: over)? to (?<to>[^,;:]{2,30}?)(?: (?:from|instead of) (?<from>[^,;:]{2,30}?))?|now uses? (?<now>[^,;:]{2,30}?)|uses? (?<use>[^,;:]{2,30}?) (?:now|nowadays|these days|instead))(?: (?:now|today|yesterday|recently|last (?:week|month|year)|for good|\(\d[^)]*\)))*$/iu;
type Switch = Pick<FactCandidate, 'content' | 'subject' | 'slot'>;
function isUseBefore(candidate: Switch): IsUse | null {
  const tool = switchedTo(candidate);
  if (tool === null) return null;
  const { to, from } = tool;
  // `Uses vim at work`, `uses vim and tmux`: the other use of it may go on.
  return (fact) => {
    const [was, more] = thingsUsed(fact);
    if (was === undefined || more !== undefined || !isAllSaid(fact, was)) return false;
    return from === null ? isOtherTool(to, was) : from === was;
  };
}
const isAllSaid = ({ content }: Pick<KnownFact, 'content'>, was: string): boolean =>
  /^(?: from .+| now| nowadays| these days| instead)*$/.test(
    wordsOf(content).join(' ').split(` ${was}`).slice(1).join(` ${was}`),
  );

/** What is used from now on, and what it was before where that is named. */
function switchedTo({ content, subject, slot }: Switch): {
  readonly to: string;
  readonly from: string | null;
} | null {
  // What the tool is tells its slot: `Ada's editor is helix`.
  const isOfTool = slot?.isChange && !slot.isBeside && slotOfTool(slot.value) === slot.name;
  if (isOfTool) return { to: slot.value, from: null };
  if (!content.startsWith(`${subject} `) || content.length > MOST_READ) return null;
  const rest = content.slice(subject.length + 1).replace(/\.$/, '');
  const { to, from, now, use } = SWITCHED.exec(rest)?.groups ?? {};
  const said = to ?? now ?? use;
  if (said === undefined) return null;
  const name = plainName(said);
  if (from !== undefined) return { to: name, from: plainName(from) };
  return isTool(name) ? { to: name, from: null } : null;
}
/** By which words a use that it ends is found; null = it tells of no other use. */
export function wordsUsed(candidate: Switch): string | null {
  const { to, from } = switchedTo(candidate) ?? {};
  return from ?? (to === undefined ? null : toolsLike(to).join(' '));
}
const plainName = (said: string): string =>
  wordsOf(said.replace(/^(?:an?|the|my|our) /i, '')).join(' ');

/** What no slot ties to the use of the old thing takes its place. */
export function replacing(
  candidate: FactCandidate,
  judgement: Judgement,
  known: readonly KnownFact[],
): Judgement {
  if (judgement.operation !== 'ADD') return judgement;
  const of = usedBefore(candidate, known);
  return of === null ? judgement : { operation: 'UPDATE', of, cause: 'change', why: REPLACES };
}
const REPLACES = 'takes_its_place';

/** `Helix replaced vim`, `helix has replaced vim for me`: as its speaker would say it. */
const REPLACED =
  /^(?!(?:i|we|it|he|she|they|you|this|that|who|what|nobody)\b)([\p{L}\p{N}][^ ,;:.!?]*(?: [^ ,;:.!?]+)??) (?:has |have |['’]s )?(?:now |completely |fully |finally |recently |entirely |already )?replaced ((?:my )?[\p{L}\p{N}][^ ,;:.!?]*(?: [^ ,;:.!?]+)??)(?: for me)?[.!]*$/iu;
export function replacedBy(text: string): string | null {
  const [, fresh = '', old = ''] = REPLACED.exec(text.slice(0, MOST_READ)) ?? [];
  if (fresh === '' || NOT_SO.test(fresh) || FOR_A_TIME.test(old)) return null;
  return `I replaced ${old} with ${fresh.replace(/^my /i, '')}`;
}
const MOST_READ = 100;
/** `Helix never`, `helix could have`, `helix partly`: it did not, or not all of it. */
const NOT_SO =
  /(?:^| )(?:not|never|[a-z]+n['’]t|has|have|had|is|was|were|will|would|could|can|may|might|must|should|almost|nearly|once|half|sometimes|often|nothing|nobody|[a-z]+ly)$/iu;
const FOR_A_TIME = / (?:temporarily|briefly|once|partly|sometimes|for|in|on|at)(?: |$)/iu;
