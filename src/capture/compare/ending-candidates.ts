/** Candidates that state nothing: they end a typed value or a state of their speaker. */
import type { Collection } from '../../model/manifest.ts';
import type { GatedSegment } from '../1-gate.ts';
import { begins, type Sentence, sentenceOf } from '../sentences/sentence.ts';
import type { SaidSlot } from '../slots/slot.ts';
import type { Candidate, FactCandidate } from '../state.ts';
import { typedEnds } from '../typed/typed-ends.ts';
import { isTaken } from '../voices/at-its-word.ts';
import { speakerOf } from '../voices/speaker.ts';
import { stateEndIn } from './state-ends.ts';

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

export function endingsOf(
  { turn, verdict, voice, whole }: GatedSegment,
  { sentence, slot, today, common, count }: Ending,
  collections: readonly Collection[],
): readonly Candidate[] {
  const mayEnd = verdict.isKept || MAY_END.has(verdict.reason);
  if (!mayEnd || voice.isMadeUp || speakerOf(turn) !== 'person') return [];
  const ends = stateEndIn(whole) ?? stateEndIn(sentence);
  // `Not on call any more`, as a turn begins, is said of who says it.
  const isOwn = ends !== null && whole.start === 0 && !begins(whole, NAMING_SPEAKER);
  const own = isOwn ? sentenceOf(`I'm ${sentence.text}`, sentence.start) : sentence;
  const said = { sentence: own, slot: null, instructs: false, voice, verdict: { isAsked: false } };
  const base = { ...common, valid_until: null, isDirect: isTaken(said), confidence: 1 };
  const typed = typedEnds({ sentence, slot, today }, collections).map(
    (claim): Candidate => ({ ...base, kind: 'typed', class: 'typed', typed: claim }),
  );
  const state: readonly Candidate[] =
    ends === null
      ? []
      : [
          {
            ...{ ...base, kind: 'fact', class: 'state', content: whole.text, ends },
            ...{ importance: 0, tags: [], slot: null, isElseNone: true },
          },
        ];
  return [...typed, ...state].map((each, index) => ({ ...each, isExtra: count + index > 0 }));
}
