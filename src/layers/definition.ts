/**
 * What a layer kind is: all that the manifest, its schema and docs, the lint, permission, and a
 * composition know of it. A kind is one file beside this one and one line in `index.ts`.
 */
import type { WarningCode } from '../codes/code-table.ts';
import type { Hit, PartResult, QueryPart, QueryVector, UsageState } from '../cxri/contract.ts';
import type { AnyRow } from '../model/block.ts';
import type { Candidate, Dropped } from '../model/candidate.ts';
import type { Uuid } from '../model/ids.ts';
import type { Cut, LayerChanges } from '../model/layer.ts';
import type { LayerSettings, Manifest } from '../model/manifest.ts';
import type { Standing } from '../model/signals/definition.ts';
import type { OwnLayerKey } from './keys.ts';
import { rowText } from './row-text.ts';

/** What a manifest means where it is silent. */
export interface LayerDefaults {
  /** Entries read at most. */
  readonly limit?: number;
  /** Items served at most. */
  readonly topK?: number;
  /** Classes of facts; absent = any. */
  readonly classes?: readonly string[];
  /** The formula, where the layer names none; of the manifest's it takes the other numbers. */
  readonly preset?: 'class_aware' | 'archival';
  /** The share of the served items that one category may take while others wait; absent = all. */
  readonly categoryShare?: number;
  /** What each tag that the query or its task names adds to the score; absent = nothing. */
  readonly tagBoost?: number;
  /** Words, where the manifest gives neither `text` nor `file`. */
  readonly text?: string;
}

interface LayerFacts {
  /** One sentence for the docs and for editors. */
  readonly summary: string;
  /** 1 = most important, cut last. */
  readonly rank: number;
  readonly cut: Cut;
  /** In the order of the docs. */
  readonly keys: readonly OwnLayerKey[];
}

interface UsualFacts {
  readonly defaults: LayerDefaults;
  /** `never`: no write changes it. It is rendered first, so that a provider's cache can keep it. */
  readonly changes: LayerChanges;
  /** The same until somebody writes: nothing that changes with a call stands before it. */
  readonly isPrefix: boolean;
  /**
   * What it shows may differ although nobody edited anything: a lint keeps it out of the prefix.
   */
  readonly isFresh: boolean;
  /** On without being named in the manifest. */
  readonly isDefault: boolean;
  /** Fires with every intent. */
  readonly isAlwaysOn: boolean;
  /** Its items compete by score. */
  readonly isScored: boolean;
  /** Its items are facts rather than blocks. */
  readonly holdsFacts: boolean;
  /** Its blocks are documents: what it says of `fusion` weighs them. */
  readonly holdsDocuments: boolean;
  /** It searches blocks of all types, where the manifest names none. */
  readonly searchesAllBlocks: boolean;
  /** Items that share a head stand together, whatever their order. */
  readonly isGrouped: boolean;
  /**
   * The conversation itself: `messages()` gives its items as turns, and no other layer repeats
   * them.
   */
  readonly isHistory: boolean;
  /**
   * A model reads its items as instructions: to write one is to write derived memory, and a fact
   * that no person reviewed is marked.
   */
  readonly isInstructing: boolean;
  /** Block types that it reads where the manifest names none. */
  readonly blockTypes: readonly string[];
  /** To a message that only greets or thanks it brings nothing but what is about that. */
  readonly needsSubject: boolean;
  /** It searches for each long sentence of the query by itself. */
  readonly splitsQuery: boolean;
  /** A search of all blocks leaves its block types out. */
  readonly hidesFromSearch: boolean;
  /** Why an item without a score is in, for `explain`; null = the layer fires for the intent. */
  readonly whyShown: string | null;
  /** How a row reads. Pure, so that a replay shows the same words. */
  readonly textOf: (item: AnyRow, layer: Pick<LayerSettings, 'maxLines'>) => string;
  /** null = it has not landed: a manifest that uses it is refused. */
  readonly reads: LayerReads | null;
}

export interface LayerDefinition<N extends string = string> extends LayerFacts, UsualFacts {
  readonly name: N;
}

/** What the layer asks of the store, and what it makes of the answers. */
export interface LayerReads {
  /** The queries it needs; their ids must begin with the layer's name. */
  plan(layer: LayerSettings, view: PlanningView): readonly QueryPart[];
  /** The candidates it offers, best or oldest first as its kind is cut. */
  offer(
    layer: LayerSettings,
    answers: LayerAnswers,
  ): {
    readonly candidates: readonly OfferedCandidate[];
    readonly dropped?: readonly Dropped[];
    readonly unreadSeq?: number | null;
    readonly coveredBy?: Uuid | null;
    readonly asked?: Hit | null;
  };
}

export interface PlanningView {
  readonly scope: Uuid;
  readonly query: string;
  /** Tokens for all layers. */
  readonly totalTokens: number;
  readonly vector: QueryVector | null;
  /** The sentences of the query with their vectors; empty where no firing layer splits it. */
  readonly subQueries: readonly AskedSentence[];
  /** Kinds of the layers that fire. */
  readonly firing: ReadonlySet<string>;
  /** Block types that a search leaves out where the manifest names none. */
  readonly hiddenTypes: readonly string[];
  /** The formula reads what stands around a turn. */
  readonly needsConversation: (layer: LayerSettings) => boolean;
}

/** A sentence that is searched for by itself. */
export interface AskedSentence {
  readonly text: string;
  readonly vector: QueryVector | null;
}

export interface LayerAnswers {
  readonly scope: Uuid;
  readonly query: string;
  readonly totalTokens: number;
  /** Of `budget` of the manifest. */
  readonly history: Pick<Manifest['budget'], 'historyShare' | 'historyKept'>;
  readonly parts: ReadonlyMap<string, PartResult>;
  readonly depthOf: (scope: Uuid) => number;
  /** Place of a scope in the closure, the nearest first: 0 is the scope of the call. */
  readonly placeOf: (scope: Uuid) => number;
  readonly warn: (code: WarningCode, message: string) => void;
  /** The first layer of a kind that fires. */
  readonly settingsOf: (kind: string) => LayerSettings | undefined;
  /** The layer's words of the manifest, placeholders filled. */
  readonly manifestText: (layer: LayerSettings) => readonly OfferedCandidate[];
  /** How a row reads in a layer. */
  readonly textOf: (layer: LayerSettings, item: AnyRow) => string;
}

/** A candidate with what its signals are made of. */
export interface OfferedCandidate extends Omit<Candidate, 'signals'> {
  readonly key: string;
  readonly hit: { readonly dense?: number; readonly lexical?: number };
  readonly usage: UsageState | null;
  /** What links say of it; absent = nobody asked. */
  readonly standing?: Standing;
  readonly depth: number;
  /** Of its scope in the closure, the nearest first. */
  readonly place: number;
  /** The manifest's own words rather than stored text. */
  readonly isTrusted: boolean;
  /**
   * Served last, from tokens that no layer uses: turns before those that `recent` asks for, and
   * turns that a summary covers.
   */
  readonly isSpare: boolean;
}

/** A definition; what is not given is as in most kinds. */
export function defineLayer<const N extends string>(
  given: { readonly name: N } & LayerFacts & Partial<UsualFacts>,
): LayerDefinition<N> {
  const { changes = 'always', isScored = false } = given;
  return {
    defaults: {},
    changes,
    isFresh: changes === 'always',
    isPrefix: false,
    isDefault: false,
    isAlwaysOn: false,
    isScored,
    holdsFacts: false,
    holdsDocuments: false,
    searchesAllBlocks: false,
    isGrouped: isScored,
    isHistory: false,
    isInstructing: false,
    blockTypes: [],
    needsSubject: false,
    splitsQuery: false,
    hidesFromSearch: false,
    whyShown: null,
    textOf: rowText,
    reads: null,
    ...given,
  };
}
