/**
 * A manifest after checking: every default filled in, every name resolved. Made by `manifest/`,
 * used by the pipeline.
 */

import type { Finding } from '../codes/finding.ts';
import type { PropertyType, SourceClass } from './block.ts';
import type { MemoryClass } from './capture.ts';
import type { PermissionKey, Tier } from './permission.ts';
import type { Signals } from './signals/index.ts';
import type { UpkeepRules } from './upkeep.ts';

export const BYPASSES = ['cache', 'enrich', 'veto', 'score', 'remember'] as const;
export type Bypass = (typeof BYPASSES)[number];
export const RENDER_FORMATS = ['xml', 'markdown'] as const;
export type RenderFormat = (typeof RENDER_FORMATS)[number];
export type Encoding =
  | 'o200k_base'
  | 'cl100k_base'
  | 'llama3'
  | 'llama2'
  | 'mistral'
  | 'tekken'
  | 'gemma3'
  | 'conservative';

/**
 * A parsed formula. `evaluate` never throws; a missing name is 0; a non-finite result is the
 * caller's to judge.
 */
export interface Formula {
  readonly text: string;
  readonly names: readonly string[];
  readonly evaluate: (values: Signals) => number;
}

export interface FusionWeights {
  readonly dense: number;
  readonly lexical: number;
  readonly words: number;
}

/** What each signal counts in the preset `archival`. */
export interface ArchivalWeights {
  readonly similarity: number;
  readonly recency: number;
  readonly importance: number;
  readonly frequency: number;
}

/** What `class_aware` does with documents that others took in or replaced. */
export interface DocumentFactors {
  /** Of the score that an absorbed document keeps. */
  readonly absorbed: number;
  /** What it scores at most. */
  readonly absorbedCap: number;
  /** Of the score that a replaced document keeps. */
  readonly replaced: number;
}

/** What each signal counts in the preset `conversation`; four of them are taken off. */
export interface ConversationWeights {
  readonly window: number;
  readonly previous: number;
  readonly session: number;
  readonly dense: number;
  readonly maxsim: number;
  readonly author: number;
  readonly date: number;
  readonly when: number;
  readonly question: number;
  readonly length: number;
  readonly latest: number;
  readonly strangers: number;
  readonly unseen: number;
  readonly unnamed: number;
}

export interface ScoringSettings {
  readonly preset: string;
  readonly formula: Formula;
  readonly beta: number;
  /** Items under it are not served: "nothing relevant" is an answer. 0 = off. */
  readonly floor: number;
  /** What the best item of a layer must reach, or nothing of it is served. 0 = off. */
  readonly floorOfBest: number;
  /** Weights of what `sim` of turns and facts is made of; they sum to 1. */
  readonly fusion: FusionWeights;
  /**
   * The same of documents, chunks and code: what the rows are decides, so `fusion` of a manifest
   * leaves it alone.
   */
  readonly documentFusion: FusionWeights;
  /** MMR: 1 = relevance only. */
  readonly mmrLambda: number;
  /** Cosine or share of words above which the weaker of two items of a layer is dropped. */
  readonly nearDuplicate: number;
  /** `sim` that an item needs for a message that only greets or thanks. */
  readonly courtesyFloor: number;
  readonly recencyHalfLifeHours: number;
  readonly importanceHalfLifeDays: number;
  /** Of categories, else classes, of facts that fade at a pace of their own. */
  readonly importanceHalfLives: Readonly<Record<string, number>>;
  readonly importanceFloor: number;
  readonly frequencyCap: number;
  /** Of the formula of preset `archival`. */
  readonly weights: ArchivalWeights;
  /** Of the formula of preset `conversation`. */
  readonly conversationWeights: ConversationWeights;
  /** What `class_boost` is of lessons and of process documents. */
  readonly classBoosts: { readonly lesson: number; readonly process: number };
  /** Of the formula of preset `class_aware`. */
  readonly documentFactors: DocumentFactors;
  /** Of the formula of preset `governed`. */
  readonly governedWeights: { readonly latest: number };
  readonly latest: LatestSettings;
  /** What `stale` is of an item that another session was served ... */
  readonly stalePenalty: number;
  /** ... within as many minutes ... */
  readonly staleMinutes: number;
  /** ... while something fresh matches at least this share of the best match. */
  readonly rivalShare: number;
  /** By class of source; `unknown` = of a row that says none. */
  readonly trust: Readonly<Record<SourceClass | 'unknown', number>>;
}

/** How `latest` is made. Shares are of the best match, 0..1. */
export interface LatestSettings {
  /** What each later text of a state takes away from those before it, as a factor. */
  readonly perPlace: number;
  /** What a question in the present tense counts of one that asks for now. */
  readonly byTense: number;
  /** From which match on a text speaks of the same thing. */
  readonly turns: number;
  readonly turnsByTense: number;
  readonly facts: number;
  readonly factsByTense: number;
}

/** Settings of a layer. Keys that a kind does not use are absent. */
export interface LayerSettings {
  readonly name: string;
  /** Of `src/layers/`; the check of the manifest refuses others. */
  readonly kind: string;
  readonly rank: number;
  readonly maxTokens: number | null;
  readonly minTokens: number;
  /** A mounted connector; `ledger` is the authority. */
  readonly source: string;
  readonly scoring: ScoringSettings;
  /** `system`, `project`, `task`: a template of the manifest. */
  readonly text: string | null;
  /**
   * `core`, `system`, `project`, `task`: the text of the file that the manifest names, read when it
   * was loaded.
   */
  readonly file: {
    readonly path: string;
    readonly content: string;
    readonly digest: string;
  } | null;
  readonly maxLines: number;
  /** `recent`: turns. */
  readonly limit: number;
  /** Scored layers: items served at most. */
  readonly topK: number;
  /** `summary`. */
  readonly kinds: readonly ('rolling' | 'per_doc' | 'lineage')[];
  /** `schema_typed`. */
  readonly collection: string | null;
  /** `open_set`, `index`, `procedures`: empty = any. */
  readonly categories: readonly string[];
  readonly classes: readonly string[];
  readonly tags: readonly string[];
  /** `semantic`, `project`, `task`, `core`: empty = the kind's own default. */
  readonly blockTypes: readonly string[];
  /** Candidates fetched per item served. */
  readonly overfetch: number;
  /** Of the items served, what one category may take while others wait; 1 = all. */
  readonly categoryShare: number;
  /**
   * `semantic`: rows before and after each hit that are candidates as well; null = as the formula
   * needs.
   */
  readonly neighbours: number | null;
}

export interface IntentSettings {
  readonly name: string;
  /** Names of layers that fire, resolved. */
  readonly layers: readonly string[];
  readonly lambda: number;
  readonly lambdaClass: string;
  readonly floor: number | null;
}

export interface InputSettings {
  readonly name: string;
  readonly isRequired: boolean;
  readonly default: string | null;
  readonly description: string | null;
}

/** What a share of a manifest's scopes is served with instead. */
export interface ManifestVariant {
  readonly name: string;
  /** Share of the scopes, over 0 to 1. */
  readonly weight: number;
  /**
   * The manifest with the variant's changes made; name, version, digest and source are the same.
   */
  readonly manifest: Manifest;
}

/** How memory is captured from the turns of a scope. */
export interface WritingSettings {
  /** After each append, off its path. */
  readonly capture: boolean;
  /**
   * Cosine from which a candidate may be known already, if its numbers, names, … agree; null = that
   * of the space of the embedder.
   */
  readonly nearDuplicate: number | null;
  readonly minConfidence: number;
  /**
   * The type of the scope of the closure that a class is written to: what declassifies it. A class
   * that is not named stays in the scope of its turns.
   */
  readonly into: Readonly<Partial<Record<MemoryClass, string>>>;
  /** Negative space: sentences with these words are never captured. */
  readonly never: readonly string[];
  /** What a model may cost for captures of one scope in a UTC day. */
  readonly costBudgetUsdPerDay: number;
}

/** Of a scope whose manifest says nothing of it. */
export const DEFAULT_WRITING: WritingSettings = {
  capture: false,
  nearDuplicate: null,
  minConfidence: 0,
  into: {},
  never: [],
  costBudgetUsdPerDay: 1,
};

/** How long things are kept. */
export interface RetentionSettings {
  /** Days from `forget` until it is erased; null = the manifest says nothing of it. */
  readonly graceDays: number | null;
  /** When facts leave the archive; null = the manifest says nothing of it. */
  readonly upkeep: UpkeepRules | null;
}
export const DEFAULT_UNUSED_DAYS = 90;

export interface Manifest {
  readonly apiVersion: string;
  readonly name: string;
  /** `0` when the file has none. */
  readonly version: string;
  readonly scopeBlockType: string;
  readonly description: string | null;
  readonly path: string;
  /** Line of `path` on which its document begins; absent = 1. */
  readonly line?: number;
  /** SHA-256 (hex) over the manifest's bytes and those of every file and collection it names. */
  readonly digest: string;
  /** The bytes, so that a receipt can be replayed after the file changed. */
  readonly source: string;
  readonly model: {
    readonly name: string;
    readonly encoding: Encoding;
    readonly windowTokens: number | null;
  };
  /** In render order. Only enabled ones. */
  readonly layers: readonly LayerSettings[];
  readonly inputs: Readonly<Record<string, InputSettings>>;
  readonly intents: Readonly<Record<string, IntentSettings>>;
  readonly budget: {
    readonly totalTokens: number;
    readonly reserve: {
      readonly query: number;
      readonly response: number;
      readonly safety: number;
    };
    /** Of history: what summaries may take beside the recent turns. */
    readonly summaryShare: number;
    /** Of all tokens, what belongs to the history before anything is searched ... */
    readonly historyShare: number;
    /** ... and of these, what a longer history keeps when its beginning moves on. */
    readonly historyKept: number;
    /** A history with a gap that has fewer tokens is warned of as short. */
    readonly shortHistoryTokens: number;
  };
  readonly permission: Readonly<Record<PermissionKey, Tier>>;
  readonly cache: { readonly ttlSeconds: number };
  readonly bypass: ReadonlySet<Bypass>;
  readonly retention: RetentionSettings;
  /** null = the manifest says nothing of it. */
  readonly writing: WritingSettings | null;
  readonly render: {
    readonly format: RenderFormat;
    readonly order: 'static_first' | 'as_written';
    readonly datamark: boolean;
  };
  /** The variant that this is; null = the manifest as written. */
  readonly variant: string | null;
  /** In order of their names; empty for a variant. */
  readonly variants: readonly ManifestVariant[];
  /** Warnings of the check, `FEATURE.INERT` among them: every composition carries them on. */
  readonly warnings: readonly Finding[];
}

export interface CollectionProperty {
  readonly name: string;
  readonly type: PropertyType;
  readonly options: readonly string[];
  readonly cardinality: 'one' | 'many';
  readonly description: string | null;
  /** Sentences that state it, as words around one `{value}`: read by capture. */
  readonly patterns: readonly string[];
  /** What a value is also called, in lower case, and the value that it is. */
  readonly words: Readonly<Record<string, string>>;
}
export interface Collection {
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  readonly path: string;
  readonly digest: string;
  readonly properties: Readonly<Record<string, CollectionProperty>>;
}

/** All manifests of a process, checked together. */
export interface ManifestSet {
  readonly manifests: readonly Manifest[];
  readonly collections: Readonly<Record<string, Collection>>;
  readonly findings: readonly Finding[];
}
