/** What no rule of the gate is sure of, by the classifier. */
import type { DeclineReason } from '../../model/capture.ts';
import { guess } from '../classifier/classify.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { strip } from '../sentences/strip.ts';
import { slotOf } from '../slots/slot.ts';
import { speakerOf } from '../voices/speaker.ts';
import { isChosenHere } from './chosen-here.ts';
import { isCutOff } from './cut-off.ts';
import { isArtifact, movesFile } from './done-work.ts';
import { isAdvised } from './doubts.ts';
import { isEmpty, isFragment, isNamedAlone } from './empty-words.ts';
import { isForTheTask } from './for-the-task.ts';
import type { GatedSegment, GateSettings } from './gated.ts';
import { leansAs } from './leans-on-talk.ts';
import { noProcedure } from './no-procedure.ts';
import { standsAlone } from './stands-alone.ts';
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
  if (isSure && verdict.isKept && !isAmongPeople) return doubted(piece);
  if (isSure || isAmongPeople || isAsking(whole.text)) return piece;
  if (speakerOf(turn) !== 'person' || whole.text.startsWith('(')) return piece;
  // What is pasted was said by nobody here.
  if (
    voice.isForeign ||
    isEmpty(whole) ||
    isCutOff(whole) ||
    statesNothing(whole) ||
    TTL.test(turn.content)
  )
    return piece;
  if (isForTheTask(read) || isChosenHere(whole)) return piece;
  if (isAdvised(whole.words) || isFragment(whole) || isNamedAlone(read)) return piece;
  if (isArtifact(read) || movesFile(read)) return piece;
  if (isInverted(whole) || noProcedure(whole.text) !== null) return piece;
  const { isCorrection, isAsked, sentence } = strip(whole, isAnswer);
  const { keeps, class: memory } = guess(isCorrection ? sentence.text : whole.text);
  if (keeps < LEAST_TO_KEEP) return piece;
  if (slotOf(read) === null && leansAs(memory, whole)) return piece;
  if (verdict.isKept) return { ...piece, verdict: { ...verdict, isElseNone: false } };
  const kept = { class: memory, isCorrection, isAsked, isGuessed: true } as const;
  const isBelieved = slotOf(read) !== null || isBelievable(read, keeps);
  return { ...piece, verdict: { isKept: true, ...kept, ...(!isBelieved && { isUnsure: true }) } };
}

/** `Ada retired, so I see Bo` says of whom it is, though nothing is known of Ada. */
const isOfMore = (
  { isElseNone }: Extract<GatedSegment['verdict'], { isKept: true }>,
  { text, words }: Sentence,
): boolean => isElseNone === true && words[0] !== 'it' && /[,;] |\band\b|\bso\b/.test(text);
/** Of 0..1: where precision and recall meet on lines of people who taught nothing. */
const LEAST_TO_KEEP = 0.7;

/**
 * Whether a guess that no slot is of may be taken at its word: of the speaker, likely, of one
 * clause that points to nothing. Of such guesses in 40 talks, labelled by hand, four of five say
 * what they say without the talk around them; of all guesses, half.
 */
function isBelievable(sentence: Sentence, keeps: number): boolean {
  const { plain, words } = sentence;
  if (HAS_ONE.test(plain) || (DOES.test(plain) && keeps >= LEAST_OF_STATE)) return true;
  if (words.length < LEAST_WORDS || words.length > MOST_WORDS) return false;
  if (keeps < (IS_OF_SPEAKER.test(plain) ? LEAST_OF_STATE : LEAST_TO_STAND)) return false;
  return OF_SPEAKER.test(plain) && !POINTS.test(plain) && standsAlone(sentence, null);
}
const LEAST_TO_STAND = 0.85;
const LEAST_OF_STATE = 0.7;
const LEAST_WORDS = 5;
const MOST_WORDS = 16;
/** `I have asthma` */
const HAS_ONE =
  /^ (?:i have|i've got) (?:no |two |three |four )?(?!to |an? |the |been |done |got |had |seen |read )[\p{L}-]+ $/u;
/** `I run marathons`, `I don't smoke`, `I'm using Firefox`: as it is from day to day. */
const DOES = new RegExp(
  '^ (?:' +
    [
      "(?:i|we) (?:can|can't|cannot|don't|do not|no longer|never) (?!want|need|know|think|care|mind|understand|remember|see|tell|get|believe|feel|find|wait|help|do|say)\\p{L}+(?: [\\p{L}-]+)?",
      '(?:i|we) (?!want|need|mean|hate|say)\\p{L}+(?<!ed) (?:every|each) \\p{L}+',
      '(?:i|we) (?!want|need|mean|hate|say)\\p{L}+(?<!ed) (?:[\\p{L}\\p{N}-]+ ){0,2}[\\p{L}-]+(?<![ius])s',
      '(?:i|we) (?:take|ride|use|drive|play|study|teach|speak|eat|drink|run|own|keep|rent) (?:the |an? )?[\\p{L}-]+',
      "(?:i'm|i am|im|we're|we are) (?:not )?(?:using|taking|learning|smoking|drinking|eating|driving|renting|studying|training|playing|teaching|reading) [\\p{L}\\p{N}-]+",
    ].join('|') +
    ') $',
  'u',
);
const IS_OF_SPEAKER =
  /^ (?:i have|i've got|i am|i'm|i (?:don't|do not|no longer|can|can't|cannot)|(?:my|our) (?:[\p{L}'-]+ ){1,4}(?:is|are|was|were)) /u;
const OF_SPEAKER = /^ (?:i|i'm|im|i've|ive|my|our|we|we're|we've) /;
const POINTS =
  / (?:it|its|it's|that|this|these|those|they|them|he|she|him|her|there|then|one|ones|also|but|so|no more) /;

/** What a rule of forms keeps and the classifier is sure is none waits, if nobody asked for it. */
function doubted(piece: GatedSegment): GatedSegment {
  const { verdict, whole, turn } = piece;
  if (!verdict.isKept || speakerOf(turn) !== 'person') return piece;
  if (verdict.isAsked || verdict.isElliptic || verdict.isDenial || verdict.isElseNone) return piece;
  if (!MAY_BE_DOUBTED.has(verdict.class) || guess(whole.text).keeps >= LEAST_TO_DOUBT) return piece;
  return { ...piece, verdict: { ...verdict, isUnsure: true } };
}
const MAY_BE_DOUBTED: ReadonlySet<string> = new Set(['fact', 'preference', 'lookup', 'state']);
const LEAST_TO_DOUBT = 0.1;

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
