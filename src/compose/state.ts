/**
 * The state from stage to stage. Each type can only be made from the one before, so a wrong order
 * does not compile.
 */
import type { PartResult, QueryPart, QueryVector } from '../cxri/contract.ts';
import type { ClosureEntry } from '../cxri/ports/ledger.ts';
import type { AskedSentence, OfferedCandidate } from '../layers/definition.ts';
import type { AnyRow } from '../model/block.ts';
import type { Dropped, ScoredCandidate } from '../model/candidate.ts';
import type { ComposeRequest, RecallTrace } from '../model/composition.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { IntentSettings, LayerSettings, Manifest } from '../model/manifest.ts';
import type { Grant, PermissionProfile, StoredRights } from '../model/permission.ts';
import type { Position } from '../model/validity.ts';
import type { WordSimilarity } from '../text/terms.ts';
import type { CallBudget } from './call-budget.ts';
import type { SessionOf } from './served-marks.ts';

/** The request, checked field by field. */
export interface ParsedRequest {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly intent: string;
  readonly query: string;
  readonly profile: PermissionProfile;
  readonly isTraced: boolean;
  /** Valid time and scoring clock. */
  readonly validAt: Instant;
  /** Knowledge by time; null = now, or as `knownAt` says. */
  readonly recordedAsOf: Instant | null;
  /** Knowledge by position, exact. */
  readonly knownAt: Position | null;
  /** `as_of` or `recorded_as_of` was given: nothing is written. */
  readonly isWhatIf: boolean;
  readonly inputs: Readonly<Record<string, string>>;
  readonly manifest: string | null;
  readonly model: string | null;
  readonly format: 'xml' | 'markdown' | null;
  readonly includeScopes: readonly Uuid[];
  readonly approval: Uuid | null;
  readonly after: Position;
  readonly timeZone: string;
  readonly raw: ComposeRequest;
}

/** What the store returned about the scope. Nothing of it is judged yet. */
export interface ResolvedRequest extends ParsedRequest {
  readonly closure: readonly ClosureEntry[];
  readonly isClosureCut: boolean;
  readonly rights: Readonly<Record<string, StoredRights>>;
  readonly policyEpoch: number;
}

/** The mark of the permission stage. */
export const GRANTED: unique symbol = Symbol('granted');
/**
 * Only `2-check-permission.ts` makes one: its closure holds nothing that the principal may not
 * read.
 */
export interface GrantedRequest extends ResolvedRequest {
  readonly manifestUsed: Manifest;
  readonly grant: Grant;
  readonly leftOut: readonly { readonly scope: Uuid; readonly reason: string }[];
  readonly [GRANTED]: true;
}

/** What a layer asks for and how it reads the answers. */
export interface PlannedLayer {
  readonly settings: LayerSettings;
  readonly parts: readonly QueryPart[];
}
export interface GrantedPlan extends GrantedRequest {
  readonly intentUsed: IntentSettings;
  /** The manifest's budget in the window of the call's model. */
  readonly budget: CallBudget;
  readonly position: Position;
  readonly usagePosition: Position;
  readonly layers: readonly PlannedLayer[];
  /** Values for the manifest's placeholders, not yet escaped. */
  readonly values: Readonly<Record<string, string>>;
}

export interface EnrichedPlan extends GrantedPlan {
  readonly vector: QueryVector | null;
  /** Where a formula compares words; null = none does. */
  readonly similarity: WordSimilarity | null;
  /** What a layer that splits the query searches for; empty = none fires. */
  readonly subQueries: readonly AskedSentence[];
  /** Sentences beyond those. */
  readonly subQueriesLeftOut: number;
}

export interface OfferedLayer {
  readonly settings: LayerSettings;
  /** Of a history: `recorded_seq` of the next turn before its candidates; null = there is none. */
  readonly unreadSeq: number | null;
  /** Of a history: the summary that covers turns which are not shown; null = there is none. */
  readonly coveredBy: Uuid | null;
  /** Of a history: the turn that is the query; null = it is not stored. */
  readonly asked: AnyRow | null;
  /** The answer that the candidates of a searched layer come from; null = none. */
  readonly found: Extract<PartResult, { ok: true }> | null;
  readonly candidates: readonly OfferedCandidate[];
}
export interface SearchedLayers {
  readonly plan: EnrichedPlan;
  readonly offered: readonly OfferedLayer[];
  readonly dropped: readonly Dropped[];
  readonly nextEdge: Instant | null;
  /** Roots that other sessions of the principal were served, by `stale_minutes`. */
  readonly servedElsewhere: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whose session it is and what was known of their others before the search; null = no matter. */
  readonly rotation: { readonly who: SessionOf; readonly version: number } | null;
  readonly hasDenseLeg: boolean;
  readonly hasLexicalLeg: boolean;
}
export interface ScoredLayer extends Omit<OfferedLayer, 'candidates' | 'found'> {
  /**
   * In the order in which the layer gives way (see `Cut`): best first, or oldest first. `bid` is
   * calibrated to 0..1.
   */
  readonly candidates: readonly (OfferedCandidate & ScoredCandidate & { readonly bid: number })[];
  /** How the candidates were chosen, where the layer rotates or splits the query. */
  readonly recall: RecallTrace | null;
  /** It has no candidates, and what would have been relevant stands in another layer. */
  readonly isShownAbove: boolean;
  /** Layers that show what this one found as well. */
  readonly shownIn: ReadonlySet<string>;
}
export interface ScoredLayers extends Omit<SearchedLayers, 'offered'> {
  readonly scored: readonly ScoredLayer[];
}

/** An item as it stands in the text. */
export interface PlacedItem {
  readonly source: AnyRow | null;
  readonly key: string;
  readonly text: string;
  /** What it is called in the text; null = words of the manifest. */
  readonly id: string | null;
  readonly kept: number | null;
  readonly tokens: number;
  /** A fact that shows its day: one about the same, of its month, stands beside it. */
  readonly isDated: boolean;
  /** What of a fact its head says for it and its neighbours; absent = nothing but its month. */
  readonly inHead?: { readonly day: boolean; readonly subject: boolean };
}
export interface PlacedLayer {
  readonly settings: LayerSettings;
  readonly items: readonly PlacedItem[];
  /** The history begins later than what stands before it ends. */
  readonly hasGap: boolean;
}
