/**
 * What a manifest holds once its shape has been checked against the schema: wire names, nothing
 * filled in.
 */
import type { SUMMARY_KINDS } from '../layers/keys.ts';
import type { PropertyType } from '../model/block.ts';
import type { MemoryClass } from '../model/capture.ts';
import type {
  ArchivalWeights,
  Bypass,
  ConversationWeights,
  RenderFormat,
  ScoringSettings,
} from '../model/manifest.ts';
import type { PermissionKey, Tier } from '../model/permission.ts';
import type { FormulaPresetName } from './formula-presets.ts';

/** Holds what an operator sets of a fusion: no key of a document is a symbol. */
export const OVERRIDDEN = Symbol('overridden');

export interface RawFusion {
  readonly dense?: number;
  readonly lexical?: number;
  readonly words?: number;
  readonly [OVERRIDDEN]?: Pick<RawFusion, 'dense' | 'lexical' | 'words'>;
}

export interface RawLatest {
  readonly per_place?: number;
  readonly by_tense?: number;
  readonly turns?: number;
  readonly turns_by_tense?: number;
  readonly facts?: number;
  readonly facts_by_tense?: number;
}

export interface RawScoring {
  readonly preset?: FormulaPresetName;
  readonly formula?: string;
  readonly beta?: number;
  readonly lambda_by_intent?: Readonly<Record<string, number>>;
  readonly floor?: number;
  readonly floor_of_best?: number;
  readonly fusion?: RawFusion;
  readonly document_fusion?: RawFusion;
  readonly mmr_lambda?: number;
  readonly near_duplicate?: number;
  readonly courtesy_floor?: number;
  readonly recency_half_life_hours?: number;
  readonly importance_half_life_days?: number;
  readonly importance_half_lives?: Readonly<Record<string, number>>;
  readonly importance_floor?: number;
  readonly frequency_cap?: number;
  readonly latest?: RawLatest;
  readonly stale_penalty?: number;
  readonly stale_minutes?: number;
  readonly rival_share?: number;
  readonly trust?: Partial<ScoringSettings['trust']>;
  readonly weights?: Partial<ArchivalWeights>;
  readonly governed_weights?: Partial<ScoringSettings['governedWeights']>;
  readonly conversation_weights?: Partial<ConversationWeights>;
  readonly lesson_boost?: number;
  readonly process_boost?: number;
  readonly absorbed_factor?: number;
  readonly absorbed_cap?: number;
  readonly replaced_factor?: number;
}

export interface RawLayer {
  readonly kind?: string;
  readonly enabled?: boolean;
  readonly rank?: number;
  readonly max_tokens?: number;
  readonly source?: string;
  readonly scoring?: RawScoring;
  readonly text?: string;
  readonly file?: string;
  readonly max_lines?: number;
  readonly limit?: number;
  readonly top_k?: number;
  readonly overfetch?: number;
  readonly category_share?: number;
  readonly tag_boost?: number;
  readonly neighbours?: number;
  readonly kinds?: readonly (typeof SUMMARY_KINDS)[number][];
  readonly collection?: string;
  readonly categories?: readonly string[];
  readonly classes?: readonly string[];
  readonly tags?: readonly string[];
  readonly block_types?: readonly string[];
  readonly hype_enabled?: boolean;
  readonly veto_threshold?: number;
}

export interface RawInput {
  readonly required?: boolean;
  readonly default?: string | number | boolean;
  readonly description?: string;
}

export interface RawIntent {
  readonly layers?: readonly string[];
  readonly lambda?: string | number;
  readonly floor?: number;
}

export interface RawBudget {
  readonly total_tokens?: number;
  readonly min_per_layer?: Readonly<Record<string, number>>;
  readonly max_per_layer?: Readonly<Record<string, number>>;
  readonly reserve?: {
    readonly query?: number;
    readonly response?: number;
    readonly safety?: number;
  };
  readonly summary_share?: number;
  readonly history_share?: number;
  readonly history_kept?: number;
  readonly short_history_tokens?: number;
}

/** What a variant changes; the rest is as the manifest has it. */
export interface RawVariant {
  readonly weight: number;
  readonly layers?: Readonly<Record<string, RawLayer>>;
  readonly budget?: RawBudget;
  readonly scoring?: RawScoring;
  readonly render?: RawRender;
}

interface RawRender {
  readonly format?: RenderFormat;
  readonly order?: 'static_first' | 'as_written';
  readonly datamark?: boolean;
}

export interface RawSpec {
  readonly model?: string;
  readonly layers?: Readonly<Record<string, RawLayer | boolean | null>>;
  readonly inputs?: Readonly<Record<string, RawInput | null>>;
  readonly intents?: Readonly<Record<string, RawIntent>>;
  readonly budget?: RawBudget;
  readonly scoring?: RawScoring;
  readonly permission?: Readonly<Partial<Record<PermissionKey, Tier>>>;
  readonly cache?: { readonly ttl_seconds?: number };
  readonly render?: RawRender;
  readonly bypass?: readonly Bypass[];
  readonly distillation?: Readonly<Record<string, unknown>>;
  readonly writing?: {
    readonly capture?: boolean;
    readonly near_duplicate?: number;
    readonly cost_budget_usd_per_day?: number;
    readonly min_confidence?: number;
    readonly into?: Readonly<Partial<Record<MemoryClass, string>>>;
    readonly never?: readonly string[];
  };
  readonly retention?: {
    readonly grace_days?: number;
    readonly archive_under?: number;
    readonly unused_days?: number;
    readonly prune_after_days?: number;
  } & Readonly<Record<string, unknown>>;
  readonly variants?: Readonly<Record<string, RawVariant>>;
}

interface RawMetadata {
  readonly name: string;
  readonly version?: string | number;
  readonly description?: string;
}

export interface RawContextDomain {
  readonly apiVersion: string;
  readonly kind: 'ContextDomain';
  readonly metadata: RawMetadata & { readonly scope_block_type: string };
  readonly spec: RawSpec;
}

export interface RawProperty {
  readonly type: PropertyType;
  readonly options?: readonly string[];
  readonly cardinality?: 'one' | 'many';
  readonly description?: string;
  readonly patterns?: readonly string[];
  readonly words?: Readonly<Record<string, string>>;
}

export interface RawCollection {
  readonly apiVersion: string;
  readonly kind: 'Collection';
  readonly metadata: RawMetadata;
  readonly spec: { readonly properties: Readonly<Record<string, RawProperty>> };
}
