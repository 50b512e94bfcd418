/**
 * Upkeep of long-term memory: what fell under the floor of its manifest and is not used leaves the
 * archive in two steps. Archived: closed by an entry of the journal, true until then, in `history`
 * and in `as_of`, and back with `undo`. Pruned: retired, much later, by another entry.
 */
import type { Instant, Uuid } from './ids.ts';

/** Of a manifest; a scope whose manifests say nothing of it is left alone. */
export interface UpkeepRules {
  /** Importance by use, faded, under which a fact is archived. */
  readonly archiveUnder: number;
  /** Days without an outcome. */
  readonly unusedDays: number;
  /** Days from the archiving until it is pruned; null = never. */
  readonly pruneAfterDays: number | null;
}

/** Whatever manifests say: what was cited within these days stays. */
export const CITED_DAYS = 30;

/** What a fact was worth when it was looked at. */
export interface FadedFact {
  readonly scope_uuid: Uuid;
  readonly root_uuid: Uuid;
  /** The version that was judged. */
  readonly uuid: Uuid;
  readonly content: string;
  /** As the writer stated it. */
  readonly stated: number;
  /** Re-estimated from use, before it fades. */
  readonly estimate: number;
  /** The estimate by now. */
  readonly importance: number;
  readonly uses: number;
  readonly idle_days: number;
  /** For `undo`; null in a dry run. */
  readonly operation_id: Uuid | null;
}

/** Why facts under the floor stay. A fact that several protect counts under the first. */
export const KEPT_REASONS = ['pinned', 'cited', 'source', 'proposed'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export interface ScopeUpkeep {
  readonly scope_block_uuid: Uuid;
  /** Facts that were looked at. */
  readonly facts: number;
  readonly archived: readonly FadedFact[];
  readonly pruned: readonly FadedFact[];
  readonly kept: Readonly<Record<KeptReason, number>>;
  /** More than a run takes are left for the next. */
  readonly is_more: boolean;
  /** Where the tier of the caller takes a second principal: nothing is done before. */
  readonly proposals: readonly Uuid[];
}

export interface MountUpkeep {
  readonly mount: string;
  readonly rows: number;
  readonly unindexed: number;
  readonly bytes: number;
  /** What was not done, and why; null = all of it was. */
  readonly postponed: 'busy' | 'disk' | 'time' | null;
}

export interface UpkeepRun {
  readonly at: Instant;
  /** Nothing was written. */
  readonly is_dry_run: boolean;
  readonly scopes: readonly ScopeUpkeep[];
  /** Another process is at them. */
  readonly busy: readonly Uuid[];
  /** Empty in a dry run, and for who does not hold the whole tenant. */
  readonly mounts: readonly MountUpkeep[];
}
