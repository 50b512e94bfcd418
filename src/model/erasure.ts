/**
 * Forgetting. A redaction takes what it names out of sight at once, on every path; later, or at
 * once, it is erased, and a certificate says what was reached.
 */
import type { Instant, TenantId, Uuid } from './ids.ts';
import type { Tier } from './permission.ts';

/** What a redaction may name. Those of a person take the name as rows and journal have it. */
export const TARGET_KINDS = [
  'version',
  'root',
  'block',
  'author',
  'subject',
  'writer',
  'person',
  'text',
  'scope',
  'tenant',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** Those that are found by what rows say, not by an id. */
export const NAMED_BY_WORDS: ReadonlySet<TargetKind> = new Set([
  'author',
  'subject',
  'writer',
  'person',
  'text',
]);

export const REDACTION_STATES = ['suppressed', 'erased', 'brought_back'] as const;
export type RedactionState = (typeof REDACTION_STATES)[number];

/** Rows and copies by where they lie: tables of the ledger, `receipts`, `postings`, … */
export type CopyCounts = Readonly<Record<string, number>>;

/** What is kept of a redaction. The name or text that was given is not. */
export interface Redaction {
  readonly redaction_uuid: Uuid;
  readonly target_kind: TargetKind;
  readonly state: RedactionState;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly suppressed_at: Instant;
  readonly erase_after: Instant;
  readonly erased_at: Instant | null;
  readonly brought_back_at: Instant | null;
  readonly counts: CopyCounts;
}

/** Which redactions: all that is given holds. */
export interface RedactionQuery {
  readonly limit: number;
  readonly id?: Uuid;
  /** Suppressed, with a grace period that is over at this instant. */
  readonly due_by?: Instant;
}

/** What comes back within its grace period, of one redaction. */
export interface BringBackRequest extends EraseRequest {
  /** Those that are held: it comes back where all that it reached lies in them; null = all. */
  readonly scopes: readonly Uuid[] | null;
}

/** A version that came back, for copies of the ledger that hold it no more. */
export interface ReturnedVersion {
  readonly scope: Uuid;
  readonly uuid: Uuid;
  readonly root_uuid: Uuid;
}

/** What is to be forgotten, as it was judged. */
export interface ForgetRequest {
  readonly tenant: TenantId;
  readonly redaction: Uuid;
  readonly kind: TargetKind;
  /** A uuid, a name or a text; '' for a tenant. */
  readonly value: string;
  /** In these alone; null = in the whole tenant. What was derived elsewhere goes with it. */
  readonly scopes: readonly Uuid[] | null;
  readonly at: Instant;
  readonly erase_after: Instant;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly tier: Tier;
}

/** What a redaction reaches, or reached. */
export interface RedactionReach {
  /** Where it lies, sorted; what was derived from it elsewhere is not told of. */
  readonly scopes: readonly Uuid[];
  /** It reaches what lies in no scope: manifests, rights, all of the tenant. */
  readonly is_whole: boolean;
  readonly counts: CopyCounts;
  /** SHA-256 of the ids of its rows, sorted, with commas between them. */
  readonly digest: string;
}

/** What would be forgotten now. */
export interface ReachRequest extends Pick<ForgetRequest, 'tenant' | 'kind' | 'value' | 'scopes'> {
  /** Questions and reasons that say it as well: whoever may not see them learns nothing. */
  readonly has_questions: boolean;
  /** The same for proposals. */
  readonly has_proposals: boolean;
}

/** What is erased now: one redaction, whatever its grace period says. */
export interface EraseRequest {
  readonly tenant: TenantId;
  readonly redaction: Uuid;
  readonly at: Instant;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly tier: Tier;
}

export interface OutOfReach {
  readonly copy: string;
  readonly why: string;
  readonly remedy: string;
}

/** Says of one redaction what was erased. Holds no word of it. */
export interface ErasureCertificate {
  readonly version: 1;
  readonly tenant: TenantId;
  readonly redaction: Uuid;
  readonly target_kind: TargetKind;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly suppressed_at: Instant;
  readonly erased_at: Instant;
  /** Rows and copies that were erased, by where they lay. */
  readonly reached: CopyCounts;
  readonly out_of_reach: readonly OutOfReach[];
  readonly kept: readonly string[];
  /** The digest key was destroyed with all of the tenant. */
  readonly is_key_destroyed: boolean;
  /** Of the tenant: 32 bytes of ed25519, hexadecimal. */
  readonly public_key: string;
  /** Of `contextengine erasure v1 ` and the canonical JSON of the rest. */
  readonly signature: string;
}

/** Where a copy still stands. */
export interface FoundCopy {
  readonly table: string;
  readonly column: string;
  readonly rows: number;
}
export interface CopyScan {
  /** How many columns were read. */
  readonly columns: number;
  readonly found: readonly FoundCopy[];
}
