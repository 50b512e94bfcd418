/** The compose call: what goes in, what comes out, what is kept. Wire names throughout. */

import type { Provenance, Table } from './block.ts';
import type { DropReason } from './candidate.ts';
import type { Instant, ScopeUuid, Uuid } from './ids.ts';
import type { Encoding, RenderFormat } from './manifest.ts';
import type { PermissionProfile } from './permission.ts';
import type { Signals } from './signal.ts';
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
  /** Valid time, knowledge and scoring clock: the ledger as it stood then. Such a call writes nothing. */
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
  /** Cross-scope reading (T3): refused until approvals land. */
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
  /** What the item is called in the text: the attribute `id`, by which a model can cite it. null = text of the manifest. */
  readonly id: string | null;
  readonly table: Table | null;
  readonly layer: L;
  readonly score: number | null;
  readonly signals: Signals;
  readonly provenance: Provenance & { readonly scope: Uuid | null; readonly time: Instant | null };
  readonly tokens: number;
  readonly truncated: boolean;
  readonly text: string;
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
  readonly code: string;
  readonly message: string;
}
export interface Degradation {
  readonly part: string;
  readonly reason: string;
}

export interface StageTiming {
  readonly stage: string;
  readonly ms: number;
  readonly bypassed: boolean;
}
/** Only with `trace: true`. */
export interface Trace {
  readonly stages: readonly StageTiming[];
  readonly dropped: readonly DroppedItem[];
  readonly closure: readonly { readonly scope: Uuid; readonly depth: number; readonly head: number }[];
  readonly left_out: readonly { readonly scope: Uuid; readonly reason: string }[];
  readonly intent: { readonly name: string; readonly lambda: number; readonly layers: readonly string[] };
  readonly veto: 'off';
  readonly formulas: Readonly<Record<string, string>>;
}

export type OpenAiMessage = { readonly role: 'system' | 'user'; readonly content: string };
export type AnthropicMessages = {
  readonly system: readonly { readonly type: 'text'; readonly text: string; readonly cache_control?: { readonly type: 'ephemeral' } }[];
  readonly messages: readonly { readonly role: 'user'; readonly content: string }[];
};
export interface MessagesOf {
  /** Chat completions: one system message with the context, one user message with the query. */
  openai: readonly OpenAiMessage[];
  /** `cache_control` stands after the static blocks. */
  anthropic: AnthropicMessages;
  /** AI SDK `CoreMessage[]`. */
  'ai-sdk': readonly OpenAiMessage[];
}

/** Everything of a composition that is data. `L`: the layers that its intent fires. */
export interface CompositionData<L extends string = string> {
  readonly composition_id: Uuid;
  readonly text: string;
  readonly layers: Readonly<Record<L, ComposedLayer>>;
  readonly items: readonly ComposedItem<L>[];
  readonly tokens: {
    readonly used: number;
    readonly budget: number;
    readonly reserved: number;
    readonly exact: boolean;
    readonly encoding: Encoding;
  };
  readonly cache: { readonly state: 'hit' | 'partial' | 'miss' | 'off'; readonly age_ms: number };
  readonly manifest: { readonly name: string; readonly version: string; readonly digest: string };
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
  messages<F extends keyof MessagesOf>(format: F): MessagesOf[F];
}

/** How an item stood in the text: enough to render it again from its row. */
export interface ReceiptItem {
  readonly layer: string;
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
    readonly as_of: Instant;
    readonly model: string | null;
    readonly format: RenderFormat;
    readonly time_zone: string;
  };
  readonly manifest: { readonly name: string; readonly version: string; readonly digest: string };
  readonly position: Position;
  readonly usage_position: Position;
  readonly settings_digest: string;
  readonly encoding: Encoding;
  readonly text_sha256: string;
  readonly tokens: CompositionData['tokens'];
  readonly layers: CompositionData['layers'];
  readonly items: readonly ReceiptItem[];
  readonly dropped: readonly DroppedItem[];
  readonly degraded: readonly Degradation[];
  readonly warnings: readonly Warning[];
}

export interface Explanation {
  readonly receipt: CompositionReceipt;
  /** In the order of the text; `row` is null where the row is gone. */
  readonly items: readonly (Omit<ComposedItem, 'text'> & { readonly why: string })[];
  readonly dropped: readonly (DroppedItem & { readonly why: string })[];
}

export interface Replay {
  readonly text: string;
  /** Same bytes as were served. */
  readonly identical: boolean;
  /** What no longer exists; a tombstone stands in its place. */
  readonly gone: readonly { readonly uuid: Uuid | null; readonly what: string }[];
}
