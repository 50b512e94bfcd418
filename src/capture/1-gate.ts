/**
 * Stage 1: of each piece of a turn, which kind of memory it could be, or why it is none. Most of
 * what is said is to be forgotten: every rule that declines stands before those that keep.
 */
import type { BlockRow } from '../model/block.ts';
import type { DeclineReason, MemoryClass } from '../model/capture.ts';
import { askedAt, askedIn, asksToForget } from './forget/asked-to-forget.ts';
import { isToForget } from './forget/forget-words.ts';
import { withContinued } from './forget/goes-on.ts';
import { isAnswerStyle } from './gate/answer-style.ts';
import { isAtTheScreen } from './gate/at-the-screen.ts';
import { boundedAs } from './gate/bounded-verdict.ts';
import { isChosenHere } from './gate/chosen-here.ts';
import { isCutOff } from './gate/cut-off.ts';
import { isDatedWork, isDoneWork } from './gate/done-work.ts';
import { isUncertain } from './gate/doubts.ts';
import { isEmpty, isNamedAlone, isSymbols } from './gate/empty-words.ts';
import { withFigureOfTask } from './gate/figure-for-task.ts';
import { isForTheTask } from './gate/for-the-task.ts';
import * as rules from './gate/gate-rules.ts';
import type { GatedSegment, GateSettings, Verdict } from './gate/gated.ts';
import { guessed, MAY_BE_KEPT } from './gate/guessed.ts';
import { leansAs } from './gate/leans-on-talk.ts';
import { learntClass } from './gate/learnt.ts';
import { isAddressOfThing, isLookup } from './gate/lookup.ts';
import { classOf, isWayOfWork } from './gate/memory-class.ts';
import { isComfort, isPointing } from './gate/momentary.ts';
import { isNever } from './gate/negative-space.ts';
import { noProcedure } from './gate/no-procedure.ts';
import { isOfSelf } from './gate/of-self.ts';
import { offRecordBefore } from './gate/off-record.ts';
import { isPassingCondition } from './gate/passing-condition.ts';
import { posedIn } from './gate/posed.ts';
import { supposedIn } from './gate/supposed.ts';
import { isTakenUp } from './gate/taken-up.ts';

import { isAsking, jestedIn, statesNothing } from './gate/unstated.ts';
import { answersSecret } from './secrets/asked-secret.ts';
import { holdsSecret } from './secrets/next-line.ts';
import { bareIn } from './sentences/few-words.ts';
import { ofSpeaker } from './sentences/own-name.ts';
import { type Segment, segmentsOf } from './sentences/segments.ts';
import { begins, dropWords, type Sentence, sentenceOf } from './sentences/sentence.ts';
import { shownContent } from './sentences/shown-content.ts';
import { NUMBER, type Stripped, strip } from './sentences/strip.ts';
import { mayBePair } from './slots/pair.ts';
import { type SaidSlot, slotOf } from './slots/slot.ts';
import { isUnnamed } from './slots/unnamed.ts';
import { hasTtl, isTtlImpossible, withoutTtl } from './times/ttl.ts';
import { isReported } from './voices/not-own.ts';
import { isFirstPerson, speakerOf } from './voices/speaker.ts';
import { type Voice, voiceReader } from './voices/voice.ts';

export type { GatedSegment, GateSettings, Verdict } from './gate/gated.ts';

const declined = (reason: DeclineReason): Verdict => ({ isKept: false, reason });

/** Piece by piece: between two of them others may go on. */
export function* gatedPieces(turn: BlockRow, settings: GateSettings): Generator<GatedSegment> {
  const { text, placeOf } = shownContent(turn.content);
  for (const piece of readPieces({ ...turn, content: text }, settings, placeOf)) {
    const { start, end } = piece.whole;
    yield { ...piece, turn, whole: { ...piece.whole, start: placeOf(start), end: placeOf(end) } };
  }
}

/** `placeOf`: of a place in what is shown, that in the stored content. */
function* readPieces(
  turn: BlockRow,
  settings: GateSettings,
  placeOf: (at: number) => number,
): Generator<GatedSegment> {
  const segments = segmentsOf(turn.content, settings);
  const reader = voiceReader(turn, segments, settings);
  const sentences = segments.map(({ sentence }) => sentence);
  const unmeant = new Set([
    ...jestedIn(sentences),
    ...posedIn(sentences),
    ...supposedIn(sentences),
  ]);
  const { takenBack = [] } = settings;
  const finished = (piece: GatedSegment): GatedSegment => {
    if (!unmeant.has(piece.whole.start)) return bounded(guessed(piece, settings));
    return mayHold(piece.verdict) ? { ...piece, verdict: declined('uncertain') } : piece;
  };
  // What is quoted, or is code, asks for nothing.
  const mayAsk = ({ kind }: Segment): boolean => kind !== 'block';
  const asking = withContinued(segments.filter(mayAsk).map(({ sentence }) => sentence));
  const asked = askedIn(asking);
  const requests = new Set(asking.filter(asksToForget).map(({ start: at }) => at));
  const offBefore = offRecordBefore(segments);
  let held: GatedSegment | null = null;
  let isHeldBlock = false;
  for (const segment of segments) {
    const heard = reader.voiceOf(segment);
    const isForeign = settings.isAnswer === true && !isFirstPerson(segment.sentence);
    const voice = isForeign ? { ...heard, isForeign } : heard;
    const { start, end } = segment.sentence;
    const isOff =
      start < offBefore ||
      takenBack.some((span) => placeOf(start) < span.end && span.start < placeOf(end)) ||
      (mayAsk(segment) && requests.has(start)) ||
      askedAt(segment.sentence, asked, { isSameTurn: true }) !== null;
    const none = isOff
      ? 'never'
      : mayAsk(segment) && isToForget(segment.sentence.text)
        ? 'not_known'
        : null;
    const alone = heardAs(judgeSegment(segment, turn, settings), voice, none);
    // A comment in code says nothing together with the talk beside it.
    const both: Judged | null =
      held && !isHeldBlock && mayAsk(segment) ? joined(alone, held) : null;
    const judged: Judged = both ?? alone;
    const { sentence } = judged;
    const verdict = withFigureOfTask(judged.verdict, sentence, held);
    reader.heard(segment, {
      class: verdict.isKept ? verdict.class : null,
      isAsked: verdict.isKept && verdict.isAsked,
    });
    // What ends in the first of the two, the second tells: it ends once.
    if (held && both) yield { ...held, verdict: declined('no_claim') };
    else if (held) yield finished(held);
    held = { turn, whole: segment.sentence, sentence, verdict, voice };
    isHeldBlock = segment.kind === 'block';
  }
  if (held) yield finished(held);
}

/** Kept, or by what no rule keeps something can end. */
const mayHold = (verdict: Verdict): boolean => verdict.isKept || MAY_BE_KEPT.has(verdict.reason);

/** What is off the record or to be forgotten is none to keep; a figure states nothing. */
function heardAs(judged: Judged, { isMadeUp }: Voice, none: DeclineReason | null): Judged {
  const { verdict } = judged;
  if (none !== null && mayHold(verdict)) return { ...judged, verdict: declined(none) };
  return isMadeUp && verdict.isKept ? { ...judged, verdict: declined('uncertain') } : judged;
}

/** What says until when it holds is a state; what is over within hours is none to keep. */
function bounded(piece: GatedSegment): GatedSegment {
  const { turn, sentence, verdict } = piece;
  if (speakerOf(turn) !== 'person' || (verdict.isKept && verdict.isElliptic)) return piece;
  const { occurred_at } = turn;
  const as = boundedAs(
    sentence,
    verdict.isKept
      ? { memory: verdict.class, reason: null, occurred_at }
      : { memory: null, reason: verdict.reason, occurred_at },
  );
  if (as === null) return piece;
  if (as === 'momentary') return { ...piece, verdict: declined('momentary') };
  // A day that later ones take the place of stands where its speaker's facts do.
  if (as === 'event' && verdict.isKept && slotOf(sentence) !== null) return piece;
  const kept = verdict.isKept ? verdict : { isKept: true, isCorrection: false, isAsked: false };
  return { ...piece, verdict: { ...kept, isKept: true, class: 'state' } };
}

type Judged = Pick<GatedSegment, 'verdict' | 'sentence'>;

/** What says nothing alone can say it with the sentence before it. */
const MAY_BE_JOINED: ReadonlySet<string> = new Set(['no_claim', 'small_talk', 'status', 'code']);
const isPlain = ({ verdict }: Judged): boolean =>
  verdict.isKept ? verdict.class === 'fact' : MAY_BE_JOINED.has(verdict.reason);

/** `Ada moved away. We see Bo now`: the two together say of what Bo is one. */
function joined(alone: Judged, before: GatedSegment): Judged | null {
  const { sentence } = alone;
  const { turn, whole: last } = before;
  if (speakerOf(turn) !== 'person' || !isPlain(alone) || !isPlain(before)) return null;
  const own = slotOf(sentence);
  const isNamed = own !== null && !own.isOfKnown && !isUnnamed(own.name);
  if (isNamed || !mayBePair(last.text, sentence.text)) return null;
  const both = sentenceOf(turn.content.slice(last.start, sentence.end), last.start);
  const slot = slotOf(both);
  if (!slot?.instead || slot.isEnd) return null;
  return {
    sentence: both,
    verdict: { isKept: true, class: 'fact', isCorrection: false, isAsked: false },
  };
}

function judgeSegment(segment: Segment, turn: BlockRow, settings: GateSettings): Judged {
  const { sentence } = segment;
  const isEnding = hasTtl(sentence.text);
  const bare = bareOf(isEnding ? withoutTtl(sentence.text) : sentence.text, sentence);
  const as = (verdict: Verdict, read = sentence): Judged => ({ verdict, sentence: read });
  // First: a receipt says of a secret that it was one, whatever it stood in.
  if (
    holdsSecret(turn.content, sentence, settings.leadBefore) ||
    answersSecret(turn.content, sentence, settings.secretAsked ?? null)
  )
    return as(declined('secret'));
  const speaker = speakerOf(turn);
  if (speaker === 'machine') return as(declined('role'));
  if (segment.kind === 'block') return as(declined(segment.reason));
  if (isNever(sentence.words, settings.never)) return as(declined('never'));
  if (isReported(sentence.text)) return as(declined('quoted'));
  if (segment.kind === 'steps') return as(judgeSteps(sentence));
  if (statesNothing(sentence)) return as(declined('uncertain'));
  const said = speaker === 'person' ? ofSpeaker(bare, turn.author) : bare;
  const read = strip(said, settings.isAnswer);
  const isOfOther = settings.isReply || (settings.isAmongPeople && bareIn(sentence.text) !== null);
  const stripped = read.isWeak && isOfOther ? { ...read, isMeant: false } : read;
  // `No, I meant 555 0122` is mostly digits, and talk.
  const isMeant = stripped.isMeant || stripped.isDenial;
  if (isSymbols(bare) && !isMeant && !isLookup(bare) && slotOf(stripped.sentence) === null)
    return as(declined('code'));
  const judged = judgeSentence(stripped);
  const verdict = isEnding ? endingState(judged, stripped) : judged;
  if (verdict.isKept && isTtlImpossible(sentence.text))
    return as(declined('impossible_ttl'), stripped.sentence);
  if (speaker === 'assistant' && verdict.isKept && !isMarked(verdict, stripped.sentence))
    return as(declined('no_claim'), stripped.sentence);
  // What nobody says so of themselves was copied: beside what is known it waits.
  const isCopied = said !== bare && verdict.isKept;
  return as(isCopied ? { ...verdict, isUnsure: true } : verdict, stripped.sentence);
}

/** What an assistant says of people is an echo of them; only what it learnt itself is new. */
const isMarked = (verdict: Extract<Verdict, { isKept: true }>, sentence: Sentence): boolean =>
  verdict.class === 'lesson' ||
  (verdict.class === 'procedure' && begins(sentence, rules.NEXT_TIME));

/** Without the mark of a list, be it a number. */
function bareOf(text: string, whole: Sentence): Sentence {
  const mark = /^(?:[-*•–]|--|\d{1,2}[.)]) {1,3}/u.exec(text)?.[0].length ?? 0;
  if (mark === 0 && text === whole.text) return whole;
  return sentenceOf(text.slice(mark), whole.start + mark);
}

/** What is given a TTL is to be kept so long, whatever no rule knows of it. */
const endingState = (verdict: Verdict, { sentence, isCorrection, isAsked }: Stripped): Verdict =>
  verdict.isKept ||
  !(ENDING.has(verdict.reason) || (verdict.reason === 'small_talk' && isTerse(sentence)))
    ? verdict
    : { isKept: true, class: 'state', isCorrection, isAsked };
/** `Deploys frozen` */
const isTerse = (sentence: Sentence): boolean =>
  sentence.words.length === 2 && !begins(sentence, rules.SMALL_TALK_STARTS);
const ENDING: ReadonlySet<DeclineReason> = new Set<DeclineReason>(['no_claim', 'task', 'status']);

function judgeSteps(sentence: Sentence): Verdict {
  const none = noProcedure(sentence.text);
  if (none !== null) return declined(none);
  const isDone = begins(sentence, rules.STATUS_STARTS) || begins(sentence, rules.TASK_STARTS);
  return isDone
    ? declined(begins(sentence, rules.STATUS_STARTS) ? 'status' : 'task')
    : { isKept: true, class: 'procedure', isCorrection: false, isAsked: false };
}

export function judgeSentence(stripped: Stripped): Verdict {
  const verdict = judgeAlone(stripped);
  const { sentence, isCorrection, isAsked } = stripped;
  const isTalk = !verdict.isKept && (verdict.reason === 'no_claim' || verdict.reason === 'status');
  return isTalk && isTakenUp(sentence)
    ? { isKept: true, class: 'preference', isCorrection, isAsked, isElseNone: true }
    : verdict;
}

function judgeAlone(stripped: Stripped): Verdict {
  const { sentence, isCorrection, isAsked, isDenial, isMeant, isElseNone } = stripped;
  const kept = (memory: Exclude<MemoryClass, 'typed'>): Verdict => ({
    isKept: true,
    class: memory,
    isCorrection,
    isAsked,
    ...(isDenial && { isDenial }),
    ...(isElseNone && { isElseNone }),
  });
  if (isCorrection && isWayOfWork(sentence)) return kept('procedure');
  if ((isMeant || (isDenial && NUMBER.test(sentence.text))) && isValueAlone(sentence))
    return {
      ...{ isKept: true, class: 'fact', isCorrection, isAsked, isElliptic: true },
      ...(stripped.isWeak && { isWeak: true }),
    };
  if (sentence.words.length < 3 && !isAsked && !isShortState(sentence))
    return declined('small_talk');
  if (isAsked && isNamedAlone(sentence)) return declined('no_claim');
  if (isCutOff(sentence)) return declined('no_claim');
  const learnt = learntClass(sentence);
  if (learnt !== null) return kept(learnt);
  const junk = junkOf(sentence, isAsked);
  if (junk !== null) return declined(junk);
  if (!isAsked && !isCorrection && isEmpty(sentence)) return declined('no_claim');
  const slot = slotOf(sentence);
  const isIt = slot?.instead !== undefined && begins(sentence, ['it', "it's"]);
  if (slot && (isIt || isOnlyOfKnown(slot))) {
    const memory = isIt ? null : classOf(sentence);
    return { ...kept(memory ?? 'fact'), ...(memory === null && { isElseNone: true }) };
  }
  if (isAddressOfThing(sentence)) return kept('lookup');
  const isOfSlot = slot !== null && !slot.name.startsWith('like ') && !isAnswerStyle(sentence);
  const memory = isOfSlot ? slotClass(slot.name) : classOf(sentence);
  if (!isOfSlot && !isAsked && !isCorrection && leansAs(memory, sentence))
    return declined('no_claim');
  if (memory !== null) return kept(memory);
  if (isAsked && isClaim(sentence)) return kept('fact');
  if (begins(sentence, rules.STATUS_STARTS)) return declined('status');
  if (begins(sentence, rules.TASK_STARTS)) return declined('task');
  return declined(begins(sentence, rules.SMALL_TALK_STARTS) ? 'small_talk' : 'no_claim');
}

/** `The banjo's gone`: what it says depends on what is known. */
const isOnlyOfKnown = (slot: SaidSlot): boolean =>
  slot.isOfKnown === true || (slot.isEnd && slot.instead !== undefined);

/** `I'm married`. */
function isShortState(sentence: Sentence): boolean {
  if (isOfSelf(sentence) || isAnswerStyle(sentence)) return true;
  const slot = sentence.words.length === 2 ? slotOf(sentence) : null;
  return slot !== null && !slot.name.startsWith('like ');
}

/** Asked to be remembered, and neither comfort nor an order of the moment. */
const isClaim = (asked: Sentence): boolean => {
  // `Remember, Jon, just do it`
  const sentence = /^\p{Lu}\p{Ll}+, /u.test(asked.text) ? dropWords(asked, 1) : asked;
  return (
    sentence.words.length >= 3 &&
    !isComfort(sentence) &&
    !begins(sentence, ['to', 'just', 'keep', 'stay', 'be', 'enjoy', 'take', 'have fun', 'do']) &&
    !isPointing(sentence, 0)
  );
};

const MOST_VALUE_WORDS = 10;
const isValueAlone = (sentence: Sentence): boolean =>
  !isAsking(sentence.text) &&
  sentence.words.length <= MOST_VALUE_WORDS &&
  slotOf(sentence) === null &&
  classOf(sentence) === null;

const PREFERRED =
  /^(?:favorite|preferred) |^(?:diet|answer (?:length|language)|contact preference)$/;
/** A state of the person themselves lasts, whatever words of time stand in it. */
const slotClass = (slot: string): 'preference' | 'fact' =>
  PREFERRED.test(slot) ? 'preference' : 'fact';

function junkOf(sentence: Sentence, isAsked: boolean): DeclineReason | null {
  const isQuestion = isAsking(sentence.text) && !TAG_QUESTION.test(sentence.text);
  if (isQuestion || begins(sentence, rules.QUESTION_STARTS)) return 'question';
  if (isUncertain(sentence)) return 'uncertain';
  if (isAsked || isLookup(sentence)) return null;
  if (isAtTheScreen(sentence) || isPassingCondition(sentence)) return 'momentary';
  if (isForTheTask(sentence) || isChosenHere(sentence)) return 'task';
  if (isDoneWork(sentence)) return isDatedWork(sentence) ? 'artifact' : 'status';
  return null;
}

/** `…, huh?` asks nothing, nor does `…, fancy right?`: of what one makes of it. */
const TAG_QUESTION =
  /, (?:(?:\p{L}+ )?(?:huh|eh|you know|can you believe it)|(?:so |pretty |kinda |how )?(?:fancy|cool|nice|crazy|wild|weird|funny|great|awesome|amazing|lovely|insane|mad|exciting|sad|neat|odd|strange),? (?:right|no|innit|isn['’]?t it))\?+$/iu;
