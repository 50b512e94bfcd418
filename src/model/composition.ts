/** The compose call: what goes in, what comes out, what is kept. Wire names throughout. */

import type { FindingCode, WarningCode } from '../codes/code-table.ts';
import type { Provenance, Table } from './block.ts';
import type { DropReason } from './candidate.ts';
import type { Instant, ScopeUuid, Uuid } from './ids.ts';
import type { LayerChanges } from './layer.ts';
import type { Encoding, RenderFormat } from './manifest.ts';
import type { MessageOptions, MessagesOf, ToolCall } from './messages.ts';
import type { PermissionProfile } from './permission.ts';
import type { Signals } from './signals/index.ts';
import type { Position } from './validity.ts';

export interface ComposeRequest {
  readonly scope_block_uuid: ScopeUuid;
  /** Declared by the manifest or built in. */
  readonly intent: string;
  /** May be empty. */
  readonly query: string;
  readonly permission_profile: PermissionProfile;
  /** The composition carries the full trace. */
  readonly trace?: boolean;
  /**
   * Valid time, knowledge and scoring clock: the ledger as it stood then. Such a call writes
   * nothing.
   */
  readonly as_of?: string | Date;
  /** Knowledge alone: an instant, or an exact position. */
  readonly recorded_as_of?: string | Date | Position;
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
  /** `name` or `name@version`. */
  readonly manifest?: string;
  /** Tokenizer and window, over the manifest's. */
  readonly model?: string;
  /** Over the manifest's. */
  readonly format?: RenderFormat;
  /**
   * Scopes outside of the closure, by the tier of `cross_scope`. Where it is not T1 the call is
   * refused with `meta.proposal`; approved, that uuid as `approval` serves one call.
   */
  readonly include_scopes?: readonly string[];
  readonly approval?: string;
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
  /** Read your writes: wait until the store has reached this position. */
  readonly after?: Position;
  /** IANA name, for "yesterday". */
  readonly time_zone?: string;
}

export interface ComposedItem<L extends string = string> {
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  /**
   * The name of the item in the text, for a model to cite: `17`. null = text of the
   * manifest.
   */
  readonly id: string | null;
  readonly table: Table | null;
  readonly layer: L;
  readonly score: number | null;
  readonly signals: Signals;
  readonly provenance: Provenance & { readonly scope: Uuid | null; readonly time: Instant | null };
  readonly tokens: number;
  readonly truncated: boolean;
  readonly text: string;
  /** The speaker, where the item is a turn. */
  readonly turn: ComposedTurn | null;
}

export interface ComposedTurn {
  readonly role: string | null;
  readonly author: string | null;
  readonly tool_calls: readonly ToolCall[];
  /** What `messages(format)` sends of them, where the budget does not hold all; else absent. */
  readonly sent_calls?: readonly ToolCall[];
  /** Of the answer of a tool: the call that it answers. */
  readonly tool_call_id: string | null;
}

/** The part of the text that one layer is. */
export interface ComposedSegment {
  readonly layer: string;
  /** UTF-16 units. */
  readonly length: number;
  /** How often its bytes differ from one composition to the next. */
  readonly changes: LayerChanges;
  /** What `messages(format)` gives as turns instead of text. */
  readonly is_history: boolean;
}

export interface ComposedLayer {
  readonly rank: number;
  /** What the layer could have used. */
  readonly budget: number;
  readonly tokens: number;
  readonly items: number;
  readonly dropped: number;
  readonly truncated: number;
}

export interface DroppedItem {
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly layer: string;
  readonly score: number | null;
  readonly signals: Signals;
  readonly reason: DropReason;
}

export interface Warning {
  /** Of the composition, or a finding of severity `warning` of its manifest. */
  readonly code: WarningCode | FindingCode;
  readonly message: string;
}
/** The part that a search which could not read everything is reported under. */
export const SEARCH_PART = 'search';
/** The part that a search whose words are still to be made again is reported under. */
export const WORDS_PART = 'words';
export interface Degradation {
  readonly part: string;
  readonly reason: string;
}

export interface StageTiming {
  readonly stage: string;
  readonly ms: number;
  readonly bypassed: boolean;
}
/** How a layer that rotates or splits the query came to its items. */
export interface RecallTrace {
  /** What was searched for, each by itself; empty = the query as it is. */
  readonly sub_queries: readonly string[];
  /** Sentences that were too many to be searched for. */
  readonly sub_queries_left_out: number;
  /** Distinct candidates of all searches. */
  readonly fetched: number;
  /** Of those, at or above the floor. */
  readonly scored: number;
  /** Versions that count half: another session was served them within the hour. */
  readonly lowered: readonly Uuid[];
  /** Versions that would, but nothing fresh answers in their place. */
  readonly sole_answers: readonly Uuid[];
  /** Left out because their category had its share. */
  readonly over_category_share: number;
  readonly taken: number;
}

/** Only with `trace: true`. */
export interface Trace {
  readonly stages: readonly StageTiming[];
  readonly dropped: readonly DroppedItem[];
  readonly closure: readonly {
    readonly scope: Uuid;
    readonly depth: number;
    readonly head: number;
  }[];
  readonly left_out: readonly { readonly scope: Uuid; readonly reason: string }[];
  readonly intent: {
    readonly name: string;
    readonly lambda: number;
    readonly layers: readonly string[];
  };
  /** What the scope is served with in an A/B test; null = the manifest as written. */
  readonly variant: string | null;
  readonly veto: 'off';
  readonly formulas: Readonly<Record<string, string>>;
  /** By layer; of those that rotate or split the query. */
  readonly recall: Readonly<Record<string, RecallTrace>>;
}

export interface ServedManifest {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  /** The variant that the scope is served with; absent = the manifest as written. */
  readonly variant?: string;
}

/** Everything of a composition that is data. `L`: the layers that its intent fires. */
export interface CompositionData<L extends string = string> {
  readonly composition_id: Uuid;
  readonly text: string;
  /** UTF-16 units of `text` that are the same in every composition of this manifest. */
  readonly static_length: number;
  /** In the order of the text; their lengths sum to its length. */
  readonly segments: readonly ComposedSegment[];
  readonly layers: Readonly<Record<L, ComposedLayer>>;
  readonly items: readonly ComposedItem<L>[];
  /** Who asks, if the query is the newest stored turn; absent = it is not, or is nobody's. */
  readonly asked_by?: string;
  readonly tokens: {
    readonly used: number;
    readonly budget: number;
    readonly reserved: number;
    readonly exact: boolean;
    readonly encoding: Encoding;
  };
  readonly cache: { readonly state: 'hit' | 'partial' | 'miss' | 'off'; readonly age_ms: number };
  readonly manifest: ServedManifest;
  readonly intent: string;
  readonly position: Position;
  readonly usage_position: Position;
  readonly as_of: Instant;
  readonly degraded: readonly Degradation[];
  readonly warnings: readonly Warning[];
  readonly trace?: Trace;
}

export interface Composition<L extends string = string> extends CompositionData<L> {
  /** The context in the shape of a provider's API. */
  messages<F extends keyof MessagesOf>(format: F, options?: MessageOptions): MessagesOf[F];
}

/** How an item stood in the text: enough to render it again from its row. */
export interface ReceiptItem {
  readonly layer: string;
  /** As the text names it; null = words of the manifest. */
  readonly id: string | null;
  readonly table: Table | null;
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly score: number | null;
  readonly signals: Signals;
  readonly tokens: number;
  /** UTF-16 units of the item's text that were kept; null = whole. */
  readonly kept: number | null;
}

/** What is kept of a composition. Holds no retrieved text. */
export interface CompositionReceipt {
  readonly composition_id: Uuid;
  readonly scope_uuid: Uuid;
  readonly created_at: Instant;
  readonly request: {
    readonly intent: string;
    readonly query: string;
    readonly inputs: Readonly<Record<string, string>>;
    readonly principal: string;
    /** For whom an agent asked; absent on receipts of earlier releases. */
    readonly on_behalf_of?: string | null;
    readonly as_of: Instant;
    readonly model: string | null;
    readonly format: RenderFormat;
    readonly time_zone: string;
  };
  readonly manifest: ServedManifest;
  readonly position: Position;
  readonly usage_position: Position;
  readonly settings_digest: string;
  readonly encoding: Encoding;
  /** Kept, it is a digest of this under the key of the tenant. */
  readonly text_sha256: string;
  /** Of the renderer; absent = 1. Bytes of another version cannot be made again. */
  readonly render_version?: number;
  /** Layers whose history begins with the mark of a hole. */
  readonly gaps?: readonly string[];
  readonly tokens: CompositionData['tokens'];
  readonly layers: CompositionData['layers'];
  readonly items: readonly ReceiptItem[];
  readonly dropped: readonly DroppedItem[];
  readonly degraded: readonly Degradation[];
  readonly warnings: readonly Warning[];
  /** Something that it served, or that it was asked with, was forgotten: its words are left out. */
  readonly is_masked?: true;
}

interface Explained {
  readonly why: string;
  /** Of the row as it is stored; null = a text of the manifest, or a row out of sight. */
  readonly text: string | null;
}

export interface Explanation {
  readonly receipt: CompositionReceipt;
  /** In the order of the text; `row` is null where the row is gone. */
  readonly items: readonly (Omit<ComposedItem, 'text' | 'turn'> & Explained)[];
  readonly dropped: readonly (DroppedItem & Explained)[];
}

export interface Replay {
  readonly text: string;
  /** Same bytes as were served. */
  readonly identical: boolean;
  /** What no longer exists; a tombstone stands in its place. */
  readonly gone: readonly { readonly uuid: Uuid | null; readonly what: string }[];
}
