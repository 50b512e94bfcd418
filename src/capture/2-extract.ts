/**
 * Stage 2: candidates of what the gate kept, without a model: typed values by the patterns of the
 * collections, and statements made from sentences.
 */
import type { BlockRow } from '../model/block.ts';
import type { Instant } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import { type GatedSegment, speakerOf } from './1-gate.ts';
import { endOfDay, lastDay, localDay, withDays, withoutTtl } from './dates.ts';
import { begins, type Sentence } from './sentence.ts';
import { slotOf } from './slots.ts';
import { type Candidate, declinedAs, type FactCandidate, type Stage } from './state.ts';
import { toStatement } from './statement.ts';
import { typedClaims } from './typed-patterns.ts';

/** Raised whenever a rule changes: what one version captured, the next reads anew. */
export const RULE_EXTRACTOR = 'rules/1';

export interface ExtractSettings {
  readonly collections: readonly Collection[];
  readonly timeZone: string;
  /** Candidates of one turn; more are a sign of text that is no talk. */
  readonly mostPerTurn: number;
}

export function extractCandidates(
  gated: readonly GatedSegment[],
  settings: ExtractSettings,
): Stage<Candidate> {
  const going: Candidate[] = [];
  const settled: Stage<Candidate>['settled'][number][] = [];
  const perTurn = new Map<string, number>();
  for (const segment of gated) {
    const { turn, whole, verdict } = segment;
    const span = { source_uuid: turn.uuid, start: whole.start, end: whole.end };
    const found = candidatesOf(segment, { span, settings });
    const ordinal = perTurn.get(turn.uuid) ?? 0;
    if (found.length === 0)
      settled.push(declinedAs(span, verdict.isKept ? 'no_claim' : verdict.reason));
    else if (ordinal + found.length > settings.mostPerTurn)
      settled.push(declinedAs(span, 'too_many'));
    else {
      going.push(...found.map((each, index) => ({ ...each, ordinal: ordinal + index })));
      perTurn.set(turn.uuid, ordinal + found.length);
    }
  }
  return { going, settled };
}

interface Extracting {
  readonly span: Pick<Candidate, 'source_uuid' | 'start' | 'end'>;
  readonly settings: ExtractSettings;
}

/** A sentence that no rule of the gate keeps can still be the value of a property. */
const MAY_BE_TYPED: ReadonlySet<string> = new Set(['no_claim', 'small_talk', 'task']);

function candidatesOf(
  { turn, sentence, verdict }: GatedSegment,
  { span, settings }: Extracting,
): readonly Candidate[] {
  const today = localDay(turn.occurred_at, settings.timeZone);
  const isPerson = speakerOf(turn) === 'person';
  const common = {
    ...span,
    turn,
    ordinal: 0,
    subject: turn.author ?? 'user',
    valid_from: turn.occurred_at,
    isCorrection: verdict.isKept && verdict.isCorrection,
  };
  if (isPerson && (verdict.isKept || MAY_BE_TYPED.has(verdict.reason))) {
    const claims = typedClaims(sentence, settings.collections, today);
    if (claims.length > 0)
      return claims.map((typed) => ({
        ...common,
        kind: 'typed',
        class: 'typed',
        typed,
        isDirect: true,
        confidence: 1,
        valid_until: null,
      }));
  }
  if (!verdict.isKept) return [];
  return [factOf({ turn, sentence, verdict, today, common, zone: settings.timeZone })];
}

interface FactParts {
  readonly turn: BlockRow;
  readonly sentence: Sentence;
  readonly verdict: Extract<GatedSegment['verdict'], { isKept: true }>;
  readonly today: number;
  readonly zone: string;
  readonly common: Omit<
    FactCandidate,
    | 'kind'
    | 'class'
    | 'content'
    | 'importance'
    | 'tags'
    | 'slot'
    | 'isDirect'
    | 'confidence'
    | 'valid_until'
  >;
}

function factOf({ turn, sentence, verdict, today, common, zone }: FactParts): FactCandidate {
  const memory = verdict.class;
  const isPerson = speakerOf(turn) === 'person';
  const dated = withDays(withoutTtl(sentence.text), today);
  const name = turn.author ?? 'The user';
  const until: Instant | null =
    memory === 'state' ? endOfDay(lastDay(sentence.text, today), zone) : null;
  return {
    ...common,
    kind: 'fact',
    class: memory,
    content: withStop(
      isPerson && !IMPERATIVE.has(memory) ? toStatement(dated, name) : upperFirst(dated),
    ),
    importance: verdict.isCorrection ? CORRECTION_IMPORTANCE : IMPORTANCE[memory],
    confidence: 1,
    tags: TAGS[memory] ?? [],
    slot: isPerson ? slotOf(sentence) : null,
    isDirect: isPerson && (verdict.isAsked || isOfSpeaker(sentence, memory)),
    valid_until: until,
  };
}

/** Written as instructions, not as statements about the speaker. */
const IMPERATIVE: ReadonlySet<string> = new Set(['rule', 'procedure', 'lesson', 'lookup']);

const CORRECTION_IMPORTANCE = 0.95;
/** Facts 0.5 to 0.7, procedures 0.85 to 0.95, as measured by seed 000. */
export const IMPORTANCE: Readonly<Record<FactCandidate['class'], number>> = {
  preference: 0.7,
  fact: 0.6,
  rule: 0.85,
  lookup: 0.5,
  state: 0.6,
  procedure: 0.9,
  lesson: 0.95,
};
export const TAGS: Readonly<Partial<Record<FactCandidate['class'], readonly string[]>>> = {
  lesson: ['lesson'],
  procedure: ['procedure'],
};

/** People and things of the speaker: what they are is not the speaker's alone to say. */
const OTHERS_OF_SPEAKER = [
  'my wife',
  'my husband',
  'my partner',
  'my son',
  'my daughter',
  'my kids',
  'my children',
  'my brother',
  'my sister',
  'my mother',
  'my mom',
  'my mum',
  'my father',
  'my dad',
  'my parents',
  'my grandma',
  'my grandmother',
  'my grandpa',
  'my grandfather',
  'my friend',
  'my best friend',
  'my neighbor',
  'my neighbour',
  'my colleague',
  'my boss',
  'my manager',
  'my landlord',
  'my doctor',
];
const SPEAKER_STARTS = [
  'i',
  "i'm",
  "i've",
  "i'd",
  "i'll",
  'my',
  'we',
  "we've",
  "we're",
  'our',
  'call me',
  'address me',
];

function isOfSpeaker(sentence: Sentence, memory: FactCandidate['class']): boolean {
  if (memory === 'rule' || memory === 'procedure' || memory === 'lesson') return true;
  return begins(sentence, SPEAKER_STARTS) && !begins(sentence, OTHERS_OF_SPEAKER);
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const withStop = (text: string): string => (/[.!?:)"'”`]$/.test(text) ? text : `${text}.`);
