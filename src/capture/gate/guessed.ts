/** What no rule of the gate is sure of, by the classifier. */
import type { DeclineReason } from '../../model/capture.ts';
import { guess } from '../classifier/classify.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { strip } from '../sentences/strip.ts';
import { slotOf } from '../slots/slot.ts';
import { speakerOf } from '../voices/speaker.ts';
import { isChosenHere } from './chosen-here.ts';
import { isCutOff } from './cut-off.ts';
import { isArtifact } from './done-work.ts';
import { isAdvised } from './doubts.ts';
import { isEmpty, isFragment, isNamedAlone } from './empty-words.ts';
import { isForTheTask } from './for-the-task.ts';
import type { GatedSegment, GateSettings } from './gated.ts';
import { leansAs } from './leans-on-talk.ts';
import { noProcedure } from './no-procedure.ts';
import { isAsking, isInverted, statesNothing } from './unstated.ts';

/**
 * What no rule is sure of is judged by what people were seen to say to an assistant. What they say
 * to each other is not: half of what is kept of LoCoMo so, at .9 and above, is of the moment.
 */
export function guessed(
  piece: GatedSegment,
  { isAmongPeople = false, isAnswer = false }: GateSettings,
): GatedSegment {
  const { turn, whole, sentence: read, verdict, voice } = piece;
  const isSure = verdict.isKept ? !isOfMore(verdict, whole) : !MAY_BE_KEPT.has(verdict.reason);
  if (isSure || isAmongPeople || isAsking(whole.text)) return piece;
  if (speakerOf(turn) !== 'person' || whole.text.startsWith('(')) return piece;
  // What is pasted was said by nobody here.
  if (
    voice.isForeign ||
    isEmpty(whole) ||
    isChosenHere(whole) ||
    isCutOff(whole) ||
    statesNothing(whole) ||
    TTL.test(turn.content)
  )
    return piece;
  if (isForTheTask(read)) return piece;
  if (isAdvised(whole.words) || isFragment(whole) || isNamedAlone(read)) return piece;
  if (isArtifact(read)) return piece;
  if (isInverted(whole) || noProcedure(whole.text) !== null) return piece;
  const { isCorrection, isAsked, sentence } = strip(whole, isAnswer);
  const { keeps, class: memory } = guess(isCorrection ? sentence.text : whole.text);
  if (keeps < LEAST_TO_KEEP) return piece;
  if (slotOf(read) === null && leansAs(memory, whole)) return piece;
  if (verdict.isKept) return { ...piece, verdict: { ...verdict, isElseNone: false } };
  const kept = { class: memory, isCorrection, isAsked, isGuessed: true } as const;
  const isBelieved = slotOf(read) !== null || (isPlain(read) && isLikely(read, keeps));
  return { ...piece, verdict: { isKept: true, ...kept, ...(!isBelieved && { isUnsure: true }) } };
}

/** `Ada retired, so I see Bo` says of whom it is, though nothing is known of Ada. */
const isOfMore = (
  { isElseNone }: Extract<GatedSegment['verdict'], { isKept: true }>,
  { text, words }: Sentence,
): boolean => isElseNone === true && words[0] !== 'it' && /[,;] |\band\b|\bso\b/.test(text);
/** Of 0..1: where precision and recall meet on lines of people who taught nothing. */
const LEAST_TO_KEEP = 0.7;
/** A short statement of one clause says what it says, `not 3` behind it or not. */
const isPlain = ({ text, words }: Sentence): boolean =>
  words.length <= MOST_PLAIN_WORDS &&
  !/[,;:–—()]/.test(text.replace(NOT_BEHIND, '')) &&
  !words.some(isJoint);
const NOT_BEHIND = /, not [^,;:()–—]{1,30}$/;
const MOST_PLAIN_WORDS = 9;
const JOINTS: ReadonlySet<string> = new Set(
  'and but so because or since though tho although while when if as than'.split(' '),
);
const isJoint = (word: string): boolean => JOINTS.has(word);
/**
 * Of what no slot is of, one guess in three of sixteen talks that nobody had tuned to was right: it
 * waits, but for what is likely or of what the speaker is and has, as `I have cancer`.
 */
const isLikely = ({ plain }: Sentence, keeps: number): boolean =>
  keeps >= LEAST_TO_STAND || IS_OF_SPEAKER.test(plain);
const LEAST_TO_STAND = 0.9;
const IS_OF_SPEAKER =
  /^ (?:i have|i've got|i am|i'm|i (?:don't|do not|no longer|can|can't|cannot)|(?:my|our) (?:[\p{L}'-]+ ){1,4}(?:is|are|was|were)) /u;
/** A rule of beginnings and words found it; that it is a secret, a quote or code is sure. */
export const MAY_BE_KEPT: ReadonlySet<DeclineReason> = new Set<DeclineReason>([
  'no_claim',
  'small_talk',
  'status',
  'task',
  'uncertain',
  'artifact',
  'question',
]);
/** One that no rule can read would be lost: what it stands beside would stay for good. */
const TTL = /\bttl\b/i;
