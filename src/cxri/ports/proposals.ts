/** The port of proposals: what waits is kept, and settled together with what it does. */
import type { ErasureCertificate, Redaction } from '../../model/erasure.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { WriteResult } from '../../model/operation.ts';
import type { HeldScopes, PermissionProfile, Tier } from '../../model/permission.ts';
import type { Proposal, ProposalState, ProposedAction } from '../../model/proposal.ts';

export interface NewProposal {
  /** Canonical JSON of a `ProposedAction`: kept as it is, because it is what is signed. */
  readonly action: string;
  /** SHA-256 of `action`. */
  readonly digest: string;
  /** Equal for the same action by the same principal, whenever it is proposed. */
  readonly fingerprint: string;
  /** The words that the action has the digest of; they are kept while it waits. */
  readonly target?: string;
}
export interface ProposalsAsked {
  readonly state: ProposalState | null;
  readonly limit: number;
  /** Those that a list shows after this one. */
  readonly after?: Uuid;
  /** Those of this proposer alone. */
  readonly of?: Pick<ProposedAction, 'proposer' | 'on_behalf_of'>;
}
/** Who settles. */
export interface Settler {
  readonly principal: string;
  readonly kind: PermissionProfile['kind'];
  readonly on_behalf_of: string | null;
  /** The human of an embedded folder, of whom nothing is stored: may review what is T2. */
  readonly is_owner: boolean;
}
export interface SettleRequest {
  readonly tenant: TenantId;
  readonly proposal: Uuid;
  readonly decision: 'approve' | 'reject';
  readonly by: Settler;
  readonly at: Instant;
  /** What T3 needs, and what stands for holding `approvals` T1 otherwise. */
  readonly signed: { readonly key_id: string; readonly signature: string } | null;
}
export interface Settled {
  readonly state: Extract<ProposalState, 'approved' | 'rejected' | 'conflict'>;
  /** Of an approved write. */
  readonly result: WriteResult | null;
  /** Of what was forgotten and erased with the approval. */
  readonly certificate?: ErasureCertificate;
  /** Of what came back. */
  readonly brought_back?: Redaction;
}
export interface UseRequest {
  readonly tenant: TenantId;
  readonly proposal: Uuid;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly scope: Uuid;
  readonly include_scopes: readonly Uuid[];
  /** What the read needs now: an approval of a weaker tier does not serve. */
  readonly tier: Tier;
  readonly at: Instant;
}

export interface ProposalsPort {
  /** Another one in each database, also in a copy: 64 hexadecimal digits. */
  databaseId(tenant: TenantId): Promise<string>;
  /**
   * The same again, while it waits, is the one that waits. A new one is audited with it. One of
   * which the words are not those of its digest, or that names less than it reaches, is
   * `WRITE.REFUSED`.
   * `PERMISSION.TOO_MANY_PROPOSALS` where as many of the proposer wait for its first scope as may.
   */
  propose(tenant: TenantId, proposal: NewProposal): Promise<Proposal>;
  /** Those whose scopes are all held, newest first; `id` = that one. */
  listProposals(
    tenant: TenantId,
    asked: ProposalsAsked & { readonly id?: Uuid },
    scopes: HeldScopes,
  ): Promise<readonly Proposal[]>;
  /**
   * Approves: its operations, its state and its audit entry, or nothing of them. By another person
   * or service than who proposed, for T3 with a signature of a registered key that is checked here.
   * Where a version moved that it was judged against, it is in `conflict` and writes nothing. What
   * it forgets is forgotten in the same transaction, erased where it says so, and so is bringing
   * back.
   * `PERMISSION.DENIED`, `PERMISSION.PROPOSAL_SETTLED`, `PERMISSION.SIGNATURE_INVALID`, or what the
   * write is refused with: then it waits on.
   */
  settleProposal(request: SettleRequest): Promise<Settled>;
  /** Uses up an approved read, with its audit entry; false where there is none for this. */
  useApproval(request: UseRequest): Promise<boolean>;
}
