/** What the write surface takes. Times default to the engine's clock, ids to fresh ones. */
import type { Metadata, Provenance } from './block.ts';

/** The known roles, for editors to offer, and any other. */
export type TurnRole = 'user' | 'assistant' | 'tool' | 'system' | (string & {});

/** A message or a document: a raw block. */
export interface TurnInput {
  /**
   * May be empty where `metadata.tool_calls` names calls (`[{ id, name, arguments }]`, or as
   * OpenAI writes them), and in the answer of a tool to the call of `metadata.tool_call_id`.
   */
  readonly content: string;
  /**
   * Any name. Capture takes for a person's own word only what a role of people says, `user` or
   * `human`: nothing that `assistant`, `tool` or `system` says, nor a role that it does not know.
   */
  readonly role?: TurnRole;
  readonly author?: string;
  readonly occurred_at?: string | Date;
  /**
   * Default `turn`. `document`, `chunk`, `convention`, `task`, `core_memory`, ... are read by the
   * layers of those names.
   */
  readonly block_type?: string;
  readonly title?: string;
  readonly parent_uuid?: string;
  readonly tags?: readonly string[];
  /** `time_zone`, an IANA name: where it was said. Capture reads `tomorrow` by it. */
  readonly metadata?: Metadata;
  readonly provenance?: Provenance;
  /** The same key with the same turn again is a `duplicate`. */
  readonly idempotency_key?: string;
  /** A TTL. */
  readonly valid_until?: string | Date;
}

/**
 * A version, or the blocks of a scope that were recorded from one sequence number to another and
 * are believed. `seen_seq`: the head at which they were read; it is refused where one of them was
 * retired since.
 */
export type SourceInput =
  | string
  | {
      readonly scope: string;
      readonly from_seq: number;
      readonly to_seq: number;
      readonly seen_seq?: number;
    };

/** An atomic fact. */
export interface FactInput {
  readonly content: string;
  readonly subject?: string;
  readonly category?: string;
  /** Default `fact`. */
  readonly class?: string;
  /** 0..1, default 0.5. */
  readonly importance?: number;
  /** 0..1, default 1. */
  readonly confidence?: number;
  readonly tags?: readonly string[];
  readonly metadata?: Metadata;
  readonly provenance?: Provenance;
  /** When it began to be true; default now. */
  readonly valid_from?: string | Date;
  readonly valid_until?: string | Date;
  /** What it was derived from. */
  readonly sources?: readonly SourceInput[];
  /** Root of the fact that this one takes over from, at `valid_from`: the world changed. */
  readonly replaces?: string;
  /** Root of the fact that was wrong all along. */
  readonly corrects?: string;
  readonly idempotency_key?: string;
}

export interface TypedOptions {
  /** When the value began to hold; default now. Late and back-dated values land in their place. */
  readonly valid_from?: string | Date;
  readonly valid_until?: string | Date;
  /** `true`: the stored value was never so. */
  readonly correction?: boolean;
  readonly confidence?: number;
  readonly provenance?: Provenance;
  readonly sources?: readonly SourceInput[];
  readonly idempotency_key?: string;
}

export interface LinkInput {
  readonly type: string;
  /** Default: the scope itself. */
  readonly from?: string;
  readonly to: string;
  readonly ordinal?: number;
  readonly weight?: number;
}

export interface SummaryInput {
  readonly kind: 'rolling' | 'per_doc' | 'lineage';
  readonly content: string;
  readonly covers_to_seq: number;
  readonly sources: readonly SourceInput[];
  readonly model?: string;
  readonly cost_usd?: number;
}

export interface ScopeInput<T extends string = string> {
  /** The scope's `block_type`: what a manifest's `scope_block_type` names. */
  readonly type: T;
  readonly title?: string;
  /** Outer scopes to read from, in order. The writer must hold each of them. */
  readonly inherits?: readonly string[];
  readonly uuid?: string;
  readonly metadata?: Metadata;
  readonly idempotency_key?: string;
}

/** A scope under a key of the application: `auth0|dana`. The key is an `idempotency_key`. */
export interface KeyedScopeInput<T extends string = string>
  extends Omit<ScopeInput<T>, 'uuid' | 'idempotency_key'> {
  readonly key: string;
}

/** What became of the items of a composition, by root uuid. The only source of FSRS and utility. */
export interface OutcomeInput {
  readonly composition_id: string;
  readonly used?: readonly string[];
  readonly cited?: readonly string[];
  readonly confirmed?: readonly string[];
  readonly corrected?: readonly string[];
}

/** Of an undo. */
export interface UndoOptions {
  /** Kept in the journal. */
  readonly reason?: string;
}

/** What is otherwise from an instant on. */
export interface FactChangeInput {
  /** Of a fact. */
  readonly content?: string;
  /** Of a typed value. */
  readonly value?: unknown;
  /** When it became so; default: now. */
  readonly from?: string | Date;
  readonly sources?: readonly SourceInput[];
  readonly reason?: string;
}
/** What a row should have said all along. Whatever was derived from it is withdrawn. */
export interface CorrectionInput {
  /** Of a block, a fact or a summary. */
  readonly content?: string;
  /** Of a typed value. */
  readonly value?: unknown;
  /** An instant at which the wrong version was valid; default: the last version. */
  readonly at?: string | Date;
  readonly sources?: readonly SourceInput[];
  readonly reason?: string;
}
