/**
 * A proposal: an action that waits for a review (T2) or an approval (T3). Nothing of it is in the
 * ledger.
 */
import type { Table } from './block.ts';
import type { RedactionReach, TargetKind } from './erasure.ts';
import type { Instant, TenantId, Uuid } from './ids.ts';
import type { Operation, WriteDecision } from './operation.ts';
import type { PermissionKey, PermissionProfile, StoredRights, Tier } from './permission.ts';
import type { Position } from './validity.ts';

/**
 * What an action was judged against: the believed versions of a root, or of the key of a typed
 * value.
 */
export interface JudgedVersions {
  readonly scope: Uuid;
  readonly table: Table;
  /** null = of `key`. */
  readonly root_uuid: Uuid | null;
  readonly key: {
    readonly subject: string;
    readonly collection: string;
    readonly property: string;
  } | null;
  /** Sorted. */
  readonly versions: readonly Uuid[];
  /** What begins later is not compared: the operation speaks of the time before it. */
  readonly speaks_to?: Instant;
}

/** What a link leads from or to: the versions of it that are believed and go on. */
export interface JudgedTarget {
  readonly scope: Uuid;
  readonly root_uuid: Uuid;
  /** Sorted. */
  readonly versions: readonly Uuid[];
}

/** A right as it is to be. */
export type RightsChange =
  | {
      readonly action: 'set';
      readonly principal: string;
      readonly kind: PermissionProfile['kind'];
      /** Keys that are left out take their defaults. */
      readonly tiers: StoredRights['tiers'];
      readonly scopes: readonly Uuid[] | '*';
    }
  | { readonly action: 'disable' | 'enable'; readonly principal: string }
  | {
      readonly action: 'add_key';
      readonly principal: string;
      /** The 32 bytes of an ed25519 public key, in hexadecimal digits. */
      readonly public_key: string;
      /** SHA-256 of the 32 bytes. */
      readonly key_id: string;
    }
  | { readonly action: 'revoke_key'; readonly principal: string; readonly key_id: string };

/**
 * What is to be forgotten. It is judged against the live rows that it reached in the scopes of the
 * action when it was proposed: where another one came or went since, it is in conflict and nothing
 * is forgotten, so nothing goes that the approver was not shown. Rows that were derived from them
 * in other scopes go with them; so do copies beside the ledger, however many.
 */
export interface ProposedRedaction {
  readonly redaction: Uuid;
  readonly kind: TargetKind;
  /**
   * A uuid; '' for the tenant. Of a name or a text its digest under the key of the tenant: the
   * words are `Proposal.target`, and go when it is settled.
   */
  readonly value: string;
  /** In these scopes alone; null = in the whole tenant. */
  readonly within: readonly Uuid[] | null;
  /** From the approval on. */
  readonly grace_days: number;
  /** Erased with the approval, which then gives the certificate. */
  readonly is_now?: boolean;
  /** As it was proposed; absent of earlier versions, which are held to `targets` and `heads`. */
  readonly reach?: Pick<RedactionReach, 'counts' | 'digest'>;
}

/**
 * What was forgotten and is to come back. It is judged against what the redaction took: where it is
 * erased, due or brought back since, it is in conflict.
 */
export interface ProposedReturn {
  readonly redaction: Uuid;
  readonly target_kind: TargetKind;
  readonly reach: Pick<RedactionReach, 'counts' | 'digest'>;
}

/** All that is approved: the digest of its canonical JSON is what is signed. */
export interface ProposedAction {
  readonly version: 2;
  /** Where it was proposed: an approval does not serve in a copy of the database. */
  readonly database: string;
  readonly tenant: TenantId;
  readonly proposal: Uuid;
  readonly kind: 'write' | 'read' | 'rights' | 'redaction' | 'return';
  readonly key: PermissionKey;
  readonly tier: Extract<Tier, 'T2' | 'T3'>;
  readonly proposer: string;
  readonly on_behalf_of: string | null;
  /** Name and version of the software. */
  readonly writer: string;
  readonly proposed_at: Instant;
  readonly expires_at: Instant;
  /**
   * The scopes that are written, read or given, or of which something goes: who settles it holds
   * them all. None = the whole tenant.
   */
  readonly scopes: readonly Uuid[];
  /** Of kind `write`; empty otherwise. */
  readonly operations: readonly Operation[];
  readonly decisions: readonly WriteDecision[];
  /** Scopes that the operations make, and that must not be there before. */
  readonly must_be_new: readonly Uuid[];
  readonly seed: Uuid | null;
  readonly versions: readonly JudgedVersions[];
  /** What its links lead from and to, or it forgets. */
  readonly targets: readonly JudgedTarget[];
  /** Of the scopes that it ends: nothing was written there since. */
  readonly heads: Position;
  /** Of kind `read`: what is read beside the closure of the first of `scopes`. */
  readonly include_scopes: readonly Uuid[];
  /** Of kind `rights`. */
  readonly change: RightsChange | null;
  /** Of kind `redaction`. */
  readonly redaction?: ProposedRedaction;
  /** Of kind `return`. */
  readonly bring_back?: ProposedReturn;
}

export const PROPOSAL_STATES = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'conflict',
  'used',
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export interface Proposal {
  readonly proposal_uuid: Uuid;
  /**
   * `conflict`: what it was judged against had moved. `used`: what was approved to be read was
   * read.
   */
  readonly state: ProposalState;
  /** 64 hexadecimal digits. */
  readonly digest: string;
  readonly action: ProposedAction;
  readonly settled_at: Instant | null;
  readonly settled_by: string | null;
  /** The name or text that is to be forgotten, while it waits; null otherwise. */
  readonly target: string | null;
}

/** What an approver signs, as UTF-8. */
export const approvalMessage = (digest: string): string => `contextengine approval v1 ${digest}`;

/** That wait for a scope, of one proposer; a list of them is then a few pages. */
export const MAX_WAITING_PROPOSALS = 100;
/** Seven days, in milliseconds. */
export const PROPOSAL_LIFETIME_MS = 7 * 24 * 3600 * 1000;
