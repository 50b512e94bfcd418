/** Candidates that state nothing: they end a typed value or a state of their speaker. */
import type { Collection } from '../../model/manifest.ts';
import type { GatedSegment } from '../1-gate.ts';
import { begins, type Sentence, sentenceOf } from '../sentences/sentence.ts';
import type { SaidSlot } from '../slots/slot.ts';
import type { Candidate, FactCandidate, TypedClaim } from '../state.ts';
import { pastDay, startOfDay } from '../times/dates.ts';
import { zoneOf } from '../times/time-zone.ts';
import { typedEnds } from '../typed/typed-ends.ts';
import { typedLifeEnds } from '../typed/typed-life.ts';
import { isTaken } from '../voices/at-its-word.ts';
import { speakerOf } from '../voices/speaker.ts';
import { type StateEnd, stateEndIn } from './state-ends.ts';

/** A sentence that claims nothing for the gate can still end something. */
const MAY_END: ReadonlySet<string> = new Set(['no_claim', 'small_talk', 'status']);

const NAMING_SPEAKER: readonly string[] = ["i'm", 'i am', "we're", 'we are'];

type Common = Omit<
  FactCandidate,
  'kind' | 'class' | 'content' | 'importance' | 'tags' | 'slot' | 'isDirect' | 'confidence'
>;

interface Ending {
  readonly sentence: Sentence;
  readonly slot: SaidSlot | null;
  readonly today: number;
  readonly common: Common;
  /** Of the others of the piece: how many there are. */
  readonly count: number;
}

interface Settings {
  readonly collections: readonly Collection[];
  readonly timeZone: string;
}

export function endingsOf(
  { turn, verdict, voice, whole }: GatedSegment,
  { sentence, slot, today, common, count }: Ending,
  { collections, timeZone }: Settings,
): readonly Candidate[] {
  const mayEnd = verdict.isKept || MAY_END.has(verdict.reason);
  if (!mayEnd || voice.isMadeUp || speakerOf(turn) !== 'person') return [];
  const ends = stateEndIn(whole) ?? stateEndIn(sentence);
  // `Not on call any more`, as a turn begins, is said of who says it.
  const isOwn = ends !== null && whole.start === 0 && !begins(whole, NAMING_SPEAKER);
  const isLife = ends?.kind === 'life';
  // What it ends is a fact of its speaker, whoever died.
  const asOwn = isLife ? "I'm through with it." : isOwn ? `I'm ${sentence.text}` : null;
  const own = asOwn === null ? sentence : sentenceOf(asOwn, sentence.start);
  const said = { sentence: own, slot: null, instructs: false, voice, verdict: { isAsked: false } };
  const base = { ...common, valid_until: null, isDirect: isTaken(said), confidence: 1 };
  const day = isLife ? pastDay(whole.text, today) : null;
  const since = day !== null && { valid_from: startOfDay(day, zoneOf(turn, timeZone)) };
  const denied = typedEnds({ sentence, slot, today }, collections);
  const over = isLife && base.isDirect ? typedLifeEnds(ends, collections) : [];
  const isDenied = (claim: TypedClaim): boolean =>
    denied.some((each) => each.property === claim.property && each.collection === claim.collection);
  const claims = [...denied, ...over.filter((claim) => !isDenied(claim))];
  const typed = claims.map(
    (claim): Candidate => ({
      ...{ ...base, kind: 'typed', class: 'typed', typed: claim },
      ...(claim.life && since),
    }),
  );
  const state = (memory: 'fact' | 'state'): Candidate => ({
    ...{ ...base, kind: 'fact', class: memory, content: whole.text },
    ...{ importance: 0, tags: [], slot: null, isElseNone: true },
    ...(ends !== null && { ends }),
    ...since,
  });
  // Each ends one fact: `married to Ben` and `my husband is Ben` are two.
  const times = ends === null || (isLife && !base.isDirect) ? 0 : isOfTwo(ends) ? MOST_OF_TWO : 1;
  const states = Array.from({ length: times }, () => state(isLife ? 'fact' : 'state'));
  // What takes place on a day is a state where it was told with its day.
  if (isLife && ends.of === 'event' && times > 0) states.push(state('state'));
  return [...typed, ...states].map((each, index) => ({ ...each, isExtra: count + index > 0 }));
}
/** What only ends something takes no other's place: a gym that is closed has no other name. */
export const withEndings = (
  made: readonly Candidate[],
  endings: readonly Candidate[],
): readonly Candidate[] => [
  ...(endings.some(isOfHeld)
    ? made.map((each) =>
        each.kind === 'fact' && each.slot === null ? { ...each, isBeside: true } : each,
      )
    : made),
  ...endings,
];
const isOfHeld = (each: Candidate): boolean =>
  each.kind === 'fact' && each.ends?.kind === 'life' && each.ends.of === 'held';
const isOfTwo = (ends: StateEnd): boolean =>
  ends.kind === 'life' &&
  (ends.of === 'couple' ||
    ends.of === 'marriage' ||
    ends.of === 'diet' ||
    ends.of === 'event' ||
    ends.of === 'activity' ||
    ends.isDeath === true);
const MOST_OF_TWO = 3;
