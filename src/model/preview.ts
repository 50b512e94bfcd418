/** A change of a manifest, tried on requests that were made. */
import type { ErrorCode } from '../codes/code-table.ts';
import type { CompositionData } from './composition.ts';
import type { Instant, Uuid } from './ids.ts';

export interface PreviewQuestion {
  /** Its recorded requests are composed again. */
  readonly manifest: string;
  /** Digest of the loaded version. */
  readonly working: string;
  /**
   * Digest of the version to compare with; it must have composed something for this tenant, else
   * its bytes are not known.
   */
  readonly against: string;
  /** How many of the latest requests; default 20. */
  readonly last?: number;
}

export type PreviewedSide =
  | { readonly composition: CompositionData }
  /** The request does not compose under this version. */
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

export interface PreviewedRequest {
  /** The composition that was recorded. */
  readonly composition_id: Uuid;
  readonly created_at: Instant;
  readonly intent: string;
  readonly before: PreviewedSide;
  readonly after: PreviewedSide;
}

export interface ManifestPreview {
  /**
   * null: nothing was composed under this version for this tenant, so it cannot be compared with.
   */
  readonly against: {
    readonly name: string;
    readonly version: string;
    readonly digest: string;
  } | null;
  /** Newest first. */
  readonly requests: readonly PreviewedRequest[];
}
