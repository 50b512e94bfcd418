/** What the stages of capture hand on: each takes what the stage before it returns. */
import type { Code } from '../codes/code-table.ts';
import type { BlockRow, FactRow } from '../model/block.ts';
import type {
  CandidateOutcome,
  CandidateSpan,
  DeclineReason,
  MemoryClass,
} from '../model/capture.ts';
import type { FactTable } from '../model/fact-record.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import type { Grant } from '../model/permission.ts';
import type { Position } from '../model/validity.ts';
import type { LifeEnd } from './compare/life-ends.ts';
import type { StateEnd } from './compare/state-ends.ts';
import type { Slot } from './slots/slot.ts';

export interface TypedClaim {
  readonly collection: string;
  readonly property: string;
  readonly value: unknown;
  /** Of a correction in few words: only where this value holds, it is one. */
  readonly was?: unknown;
  /** It is denied: where it holds, it ends. */
  readonly isEnd?: boolean;
  /** Its value is not named: whatever is over by that, ends. */
  readonly life?: LifeEnd;
  /** No other property of the collections can be over by it. */
  readonly isSole?: boolean;
}

interface CandidateBase extends CandidateSpan {
  readonly turn: BlockRow;
  /** The turn that it corrects, where its own words do not say of what it speaks. */
  readonly antecedent?: BlockRow | null;
  /** Counts the candidates of a turn: ids and keys are made of it. */
  readonly ordinal: number;
  readonly subject: string;
  /** Said by a person of themselves, or as their own instruction. */
  readonly isDirect: boolean;
  readonly isCorrection: boolean;
  readonly confidence: number;
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
  /** Another candidate is made of the same words: where it ends nothing, it is left out. */
  readonly isExtra?: boolean;
}

export interface FactCandidate extends CandidateBase {
  readonly kind: 'fact';
  readonly class: Exclude<MemoryClass, 'typed'>;
  readonly content: string;
  readonly importance: number;
  readonly tags: readonly string[];
  readonly slot: Slot | null;
  /** As it was said, where its slot names less of it. */
  readonly whole?: string;
  /** Of a day before that it names: what it changes was so until then. */
  readonly since?: Instant;
  /** When it was told, where it tells of a change of the last weeks. */
  readonly told_at?: Instant;
  /** `No, I moved to Bergen in 2022`: of a change that is known, it corrects when. */
  readonly correctsWhen?: boolean;
  /** Where the slot is not known, it claims nothing. */
  readonly isElseNone?: boolean;
  /** Where no slot ties it to a fact, nothing gives way to it, whatever it is like. */
  readonly isBeside?: boolean;
  /** In few words: the fact that it corrects, and the word that no other may hold. */
  readonly corrects?: Corrects;
  /** It states nothing itself: it ends a state that is known. */
  readonly ends?: StateEnd;
}
export interface TypedCandidate extends CandidateBase {
  readonly kind: 'typed';
  readonly class: 'typed';
  readonly typed: TypedClaim;
}
export type Candidate = FactCandidate | TypedCandidate;

export interface Corrects {
  /** The fact that no slot finds; null = its slot does. */
  readonly content: string | null;
  /** The old value, in plain words, where nothing else says which statement is meant. */
  readonly word: string | null;
}

/** A candidate that ends before it is written. */
export interface Settled extends CandidateSpan {
  readonly outcome: Extract<CandidateOutcome, 'declined' | 'duplicate' | 'failed'>;
  readonly reason: DeclineReason | 'known' | string;
  readonly class: MemoryClass | null;
  readonly scope_uuid: Uuid | null;
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
}

export interface Stage<T> {
  readonly going: readonly T[];
  readonly settled: readonly Settled[];
}

export const declinedAs = (
  { source_uuid, start, end }: CandidateSpan,
  reason: DeclineReason,
  memory: MemoryClass | null = null,
): Settled => ({
  source_uuid,
  start,
  end,
  outcome: 'declined',
  reason,
  class: memory,
  scope_uuid: null,
  uuid: null,
  root_uuid: null,
});

/** A fault of the rules: the receipt says of which piece, and the rest of the turns goes on. */
export const unreadable = (span: CandidateSpan): Settled => ({
  ...declinedAs(span, 'no_claim'),
  outcome: 'failed',
  reason: 'CAPTURE.UNREADABLE' satisfies Code,
});

/** A fact that is known, stored or planned by this capture. */
export type KnownFact = Pick<
  FactRow,
  | 'uuid'
  | 'root_uuid'
  | 'scope_uuid'
  | 'content'
  | 'subject'
  | 'importance'
  | 'metadata'
  | 'provenance'
  | 'valid_from'
  | 'valid_until'
  | 'class'
>;

/** A candidate and the scope that it goes to. */
export interface PlacedCandidate {
  readonly candidate: Candidate;
  readonly target: Uuid;
}

/** The principal of a grant, and for whom it acts: what is planned as their word is theirs. */
export const callerOf = ({
  principal,
  onBehalfOf,
}: Pick<Grant, 'principal' | 'onBehalfOf'>): string => JSON.stringify([principal, onBehalfOf]);

/** What is written of a candidate, kept before it is written. */
export interface PlannedWrite extends CandidateSpan {
  readonly class: MemoryClass;
  readonly operation: Operation;
  /** By the caller where a person said it of themselves; else proposed. */
  readonly isDirect: boolean;
  readonly why: string;
  readonly instead?: Instead;
  /** The fact that says so already: what is written is when it was said again. */
  readonly again?: Pick<KnownFact, 'uuid' | 'root_uuid'>;
}

/** A proposal that waits and is taken back, so that this is proposed in its place. */
export interface Instead {
  readonly proposal: Uuid;
  /** That it would have written. */
  readonly root: Uuid;
  /** What of it is proposed again, before this and with it. */
  readonly before?: readonly Operation[];
  /** It tells what became of it since; else it corrects it. */
  readonly isLater?: boolean;
}

/** What an earlier capture made of a turn that its speaker takes back now. */
export interface PlannedRetraction extends CandidateSpan {
  readonly class: MemoryClass;
  readonly scope: Uuid;
  /** By the caller; else proposed. */
  readonly isDirect: boolean;
  /** Of what is proposed. */
  readonly key: string;
  readonly what:
    | { readonly kind: 'stored'; readonly target: Uuid }
    /** All that was ever said of it; `at`: when it was asked for. `stays`: is written anew. */
    | {
        readonly kind: 'root';
        readonly table: FactTable;
        readonly root: Uuid;
        readonly at: Instant;
        readonly stays?: readonly Operation[];
      }
    /** `rest`: what other turns said in the same proposal. */
    | { readonly kind: 'waits'; readonly proposal: Uuid; readonly rest: readonly Operation[] };
}

export interface CapturePlan {
  /** Whose own words the direct writes are: `callerOf`. */
  readonly planned_by: string;
  /** What the scopes held when they were compared. A plan of an earlier version has none. */
  readonly judged_at?: Position;
  /** The turns, in order. */
  readonly sources: readonly Uuid[];
  readonly writes: readonly PlannedWrite[];
  /** Go before the writes. A plan of an earlier version has none. */
  readonly retractions?: readonly PlannedRetraction[];
  readonly settled: readonly Settled[];
}
