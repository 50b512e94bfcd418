/** What the engine takes and gives where something is forgotten. */
import type { CopyCounts, ErasureCertificate, Redaction } from '../../model/erasure.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import type { WriteResult } from '../../model/operation.ts';
import type { SettledProposal } from '../../write/settle.ts';
import type { CallOptions } from '../call-options.ts';
import type { CaptureFailure } from './capture-surface.ts';

/**
 * What is to be forgotten: one version, all versions of a root, a block with all below it, a scope
 * with all in it; what an author said, what is about a subject, what a principal wrote, all three
 * of a person by one name; whatever holds a text; all of the tenant.
 */
export type ForgetTarget =
  | { readonly version: string }
  | { readonly root: string }
  | { readonly block: string }
  | { readonly scope: string }
  | { readonly author: string }
  | { readonly subject: string }
  | { readonly writer: string }
  | { readonly person: string }
  | { readonly text: string }
  | { readonly tenant: true };
/**
 * What followed in memory that was captured, once a turn was forgotten: it is as the turns that are
 * left would have made it.
 */
export interface FollowedForgetting {
  /** Changes that were undone: what they had ended holds again. */
  readonly given_back: number;
  /** Statements that were captured from another turn that makes them. */
  readonly said_again: number;
  /** What of both waits for a review. */
  readonly waits: number;
  /** What stays as it was, and why; null = no scope in particular. */
  readonly failures: readonly (CaptureFailure & { readonly scope_block_uuid: Uuid | null })[];
}
/** What an approval, or a rejection, did. */
export interface SettledAnswer extends Omit<SettledProposal, 'forgotten'> {
  readonly forgotten?: NonNullable<SettledProposal['forgotten']> & {
    readonly followed: FollowedForgetting;
  };
}
export interface ForgetAnswer {
  readonly redaction_uuid: Uuid;
  /**
   * Out of sight; or erased as well, where that was asked for. `quarantined`: nothing is forgotten
   * yet, it waits for another principal (T2, T3).
   */
  readonly outcome: 'suppressed' | 'erased' | 'quarantined';
  /** What it reached: rows by table, and copies beside them. */
  readonly counts: CopyCounts;
  /** null while it waits. */
  readonly erase_after: Instant | null;
  readonly certificate: ErasureCertificate | null;
  /** null while it waits. */
  readonly followed: FollowedForgetting | null;
  /** Of what waits. */
  readonly proposal?: NonNullable<WriteResult['proposal']>;
}
/** The redaction, `brought_back`; or as it was, with the proposal that waits (T2, T3). */
export interface ReturnAnswer extends Redaction {
  readonly proposal?: NonNullable<WriteResult['proposal']>;
}
export interface ForgetOptions extends CallOptions {
  /** Erases it at once; by default when the grace period is over, by `erasure.erase`. */
  readonly now?: boolean;
}
export interface CertificateVerdict {
  /** Nothing of it was changed since it was signed. */
  readonly is_whole: boolean;
  /** Signed by the key of this tenant; null = that key is not here any more. */
  readonly is_ours: boolean | null;
}
