/** What the search brings, and what the score makes of it. */
import type { AnyRow } from './block.ts';
import type { Uuid } from './ids.ts';
import type { Signals } from './signals/index.ts';

/** An item that a layer offers. `row` is null for text of the manifest itself. */
export interface Candidate {
  readonly layer: string;
  readonly source: AnyRow | null;
  /** As it will be shown, before escaping. */
  readonly text: string;
  readonly signals: Signals;
}

export interface ScoredCandidate extends Candidate {
  readonly score: number;
}

/** Why an offered item is not served. */
export type DropReason =
  | 'budget'
  | 'layer_budget'
  | 'limit'
  | 'category_share'
  | 'floor'
  | 'near_duplicate'
  | 'same_text'
  | 'is_query'
  | 'veto'
  | 'shadowed'
  | 'non_finite_score'
  | 'starved';

export interface Dropped {
  readonly layer: string;
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly score: number | null;
  readonly reason: DropReason;
  readonly signals?: Signals;
}
