/** The public surface as types: what `createContextEngine` gives. */
/// <reference lib="esnext.disposable" preserve="true" />

import type { AuditHead, AuditRecord } from '../model/audit.ts';
import type { AnyRow } from '../model/block.ts';
import type { Composition, Explanation, Replay } from '../model/composition.ts';
import type { CopyScan, ErasureCertificate, Redaction } from '../model/erasure.ts';
import type { Health } from '../model/health.ts';
import type { ScopeUuid, Uuid } from '../model/ids.ts';
import type { ImportedScopes } from '../model/journal.ts';
import type { KeyedDigests } from '../model/keyed-digests.ts';
import type { ListedScope } from '../model/listed-scope.ts';
import type { ManifestSet } from '../model/manifest.ts';
import type {
  BoundComposeCall,
  ComposeCall,
  IntentOf,
  LayerOf,
} from '../model/manifest-register.ts';
import type { MountHealth, MountReport } from '../model/mount.ts';
import type { Operation, WriteResult } from '../model/operation.ts';
import type { PermissionProfile } from '../model/permission.ts';
import type { ManifestPreview, PreviewQuestion } from '../model/preview.ts';
import type { Proposal, ProposalState } from '../model/proposal.ts';
import type {
  CorrectionInput,
  FactInput,
  KeyedScopeInput,
  LinkInput,
  OutcomeInput,
  ScopeInput,
  SummaryInput,
  TurnInput,
  TypedOptions,
  UndoOptions,
} from '../model/write-input.ts';
import type { AuditVerdict } from '../permission/verify-audit.ts';
import type { CallOptions } from './call-options.ts';
import type {
  CertificateVerdict,
  ForgetAnswer,
  ForgetOptions,
  ForgetTarget,
  ReturnAnswer,
  SettledAnswer,
} from './methods/forget-surface.ts';
import type {
  IngestAnswer,
  IngestOptions,
  IngestSource,
  StoredDocument,
} from './methods/ingest-surface.ts';
import type { Memory } from './methods/memory-surface.ts';
import type { Upkeep } from './methods/upkeep-surface.ts';

export type { CallOptions } from './call-options.ts';
export type { DatabaseOptions, EngineOptions } from './engine-options.ts';

/**
 * A composition by its id, or the newest one that left a receipt: of all scopes that the caller
 * reads, or of one scope.
 */
export type CompositionName = string | 'latest' | { readonly latest_of: string };

export interface ProposalListing {
  /** Default `pending`; null = all. */
  readonly state?: ProposalState | null;
  readonly limit?: number;
  /** The last of the page before: newest first, this begins after it. */
  readonly after?: string;
}
/** Of the UTF-8 text `contextengine approval v1 ` and the digest of the proposal. */
export interface ApprovalSignature {
  /** SHA-256 of the 32 bytes of the public key. */
  readonly key_id: string;
  /** 128 hexadecimal digits. */
  readonly signature: string;
}
export interface PrincipalInput
  extends Pick<PermissionProfile, 'principal' | 'kind' | 'tiers' | 'scopes'> {}
export interface PrincipalRecord extends PrincipalInput {
  readonly is_disabled: boolean;
  readonly keys: readonly { readonly key_id: string; readonly is_revoked: boolean }[];
}
/** `quarantined`: it waits in the proposal. */
export type RightsAnswer =
  | { readonly outcome: 'stored'; readonly proposal: null }
  | { readonly outcome: 'quarantined'; readonly proposal: Proposal };

export interface AuditListing {
  readonly after?: number;
  readonly limit?: number;
}

/**
 * The one call. `S`: the type of the scope, `M`: the manifest that the call names, `I`: the intent,
 * as far as the compiler knows them. What it knows comes from the file that `contextengine
 * generate` writes; without it the request is a `ComposeRequest`.
 */
export type ComposeBlockContext = <
  S extends string,
  I extends IntentOf<S, M>,
  M extends string = never,
>(
  request: ComposeCall<S, M, I>,
) => Promise<Composition<LayerOf<S, M, I>>>;

/** {@link ContextEngine} but for its disposal. */
export interface EngineMembers extends Memory, Upkeep {
  /** The manifests and collections that were loaded, frozen. */
  readonly manifests: ManifestSet;
  /** The context of one call: its text, messages, items, tokens and receipt. */
  readonly composeBlockContext: ComposeBlockContext;
  /** Blocks that own a subtree: what a call is composed in. */
  readonly scopes: {
    /** A new scope. `SCOPE.NOT_FOUND` where an outer scope is not there, or not held. */
    create<T extends string>(
      input: ScopeInput<T>,
      options?: CallOptions,
    ): Promise<{ readonly scope_block_uuid: Uuid & ScopeUuid<T>; readonly result: WriteResult }>;
    /**
     * The scope of a key of the application (`auth0|dana`), made where there is none yet. Of one
     * that is there, a title that is another is written; another `type`, or an outer scope that it
     * does not inherit from, is `WRITE.IDEMPOTENCY_CONFLICT`. One that was forgotten or deleted
     * leaves its key to a fresh one. Who holds all of a tenant shares its keys; anyone else has
     * keys of their own.
     */
    getOrCreate<T extends string>(
      input: KeyedScopeInput<T>,
      options?: CallOptions,
    ): Promise<{
      readonly scope_block_uuid: Uuid & ScopeUuid<T>;
      readonly is_new: boolean;
      /** null = nothing had to be written. */
      readonly result: WriteResult | null;
    }>;
    /** The scope of a key; null = the caller holds none. */
    find(key: string, options?: CallOptions): Promise<Uuid | null>;
    /** Those that the caller reads, oldest first, each with its key and its outer scopes. */
    list(options?: CallOptions): Promise<readonly ListedScope[]>;
  };
  /**
   * Turns and other raw blocks, as they were said: T1 for whoever holds the scope. They are stored
   * first and embedded then: a provider that is down leaves them to `embedPending`.
   */
  append(
    scope: ScopeUuid,
    turns: TurnInput | readonly TurnInput[],
    options?: CallOptions,
  ): Promise<WriteResult>;
  /** Facts, written at once or proposed, by the tier of `writes`. */
  remember(
    scope: ScopeUuid,
    facts: FactInput | readonly FactInput[],
    options?: CallOptions,
  ): Promise<WriteResult>;
  /** One typed value. `WRITE.TYPE_MISMATCH` where its collection declares another type. */
  setTyped(
    scope: ScopeUuid,
    subject: string,
    collection: string,
    property: string,
    value: unknown,
    options?: TypedOptions & CallOptions,
  ): Promise<WriteResult>;
  /** It was never so: the version says otherwise over the same time, from now on. */
  correct(root: string, correction: CorrectionInput, options?: CallOptions): Promise<WriteResult>;
  /**
   * Takes an operation back: what it brought goes, what it closed or retired returns, with all that
   * was withdrawn because of it. By the rights that the write took. `WRITE.BUILT_ON` names what
   * builds on it; a `duplicate` was taken back already. What was forgotten does not return.
   */
  undo(operation: string, options?: UndoOptions & CallOptions): Promise<WriteResult>;
  /** A summary of a subtree, up to a sequence number; it goes with its sources. */
  summarize(scope: ScopeUuid, summary: SummaryInput, options?: CallOptions): Promise<WriteResult>;
  /** A link between roots: `inherits`, `pinned`, `replaces`, … */
  link(scope: ScopeUuid, link: LinkInput, options?: CallOptions): Promise<WriteResult>;
  /** Ends a link, by its root. */
  unlink(scope: ScopeUuid, linkRoot: string, options?: CallOptions): Promise<WriteResult>;
  /** Operations as they are journaled, all of them or none; idempotent by their keys. */
  write(operations: readonly Operation[], options?: CallOptions): Promise<WriteResult>;
  /**
   * Files into a scope, as `contextengine ingest` does it: documents in chunks, conversations,
   * facts. All of it is checked before anything is written, and again it adds only what is new.
   * Throws `CLI.INPUT`.
   */
  ingest(scope: ScopeUuid, source: IngestSource, options?: IngestOptions): Promise<IngestAnswer>;
  /** The documents that an ingest stored in the scope itself, as they stand now, by path. */
  documents(scope: ScopeUuid, options?: CallOptions): Promise<readonly StoredDocument[]>;
  /** For ids and idempotency keys that are made of content, as an ingest makes them. */
  keyedDigests(options?: CallOptions): Promise<KeyedDigests>;
  /** What became of a composition: the only source of reviews, utility and co-use. */
  recordOutcome(
    outcome: OutcomeInput,
    options?: CallOptions,
  ): Promise<{ readonly recorded: number }>;
  /** Why each item was in a composition, or was not. `RECEIPT.NOT_FOUND` where none is kept. */
  explain(composition: CompositionName, options?: CallOptions): Promise<Explanation>;
  /** The same bytes again, from the receipt; what was erased stands as tombstones. */
  replay(composition: CompositionName, options?: CallOptions): Promise<Replay>;
  /**
   * The latest recorded requests of a manifest, composed again under an earlier version and under
   * the loaded one. Writes nothing.
   */
  preview(asked: PreviewQuestion, options?: CallOptions): Promise<ManifestPreview>;
  /** All versions of a root, oldest first. */
  history(rootUuid: string, options?: CallOptions): Promise<readonly AnyRow[]>;
  /**
   * Every row of a scope as JSON values, and back into a ledger without it. Scopes that refer to
   * each other come back by one call, the lines of one behind those of another.
   */
  exportScope(
    scope: ScopeUuid,
    options?: CallOptions,
  ): AsyncIterable<Readonly<Record<string, unknown>>>;
  importScope(lines: AsyncIterable<unknown>, options?: CallOptions): Promise<ImportedScopes>;
  /**
   * What waits for a second principal: proposed by a write, a read across scopes, a change of
   * rights.
   */
  readonly approvals: {
    /** Newest first; by default 100 of those that wait. An agent sees its own. */
    list(asked?: ProposalListing, options?: CallOptions): Promise<readonly Proposal[]>;
    /** One of them, by its uuid. */
    show(proposal: string, options?: CallOptions): Promise<Proposal>;
    /**
     * What an approver signs, as UTF-8: refused where the proposal does not say what its digest is
     * of.
     */
    message(proposal: string, options?: CallOptions): Promise<string>;
    /**
     * By another person or service than the one who proposed. T2: who is stored with `approvals`
     * T1. T3, or whose `approvals` is not T1: with a signature of their registered key.
     */
    approve(
      proposal: string,
      signed?: ApprovalSignature | null,
      options?: CallOptions,
    ): Promise<SettledAnswer>;
    /** By a reviewer, or by who proposed it. */
    reject(proposal: string, options?: CallOptions): Promise<SettledAnswer>;
  };
  /**
   * Rights and keys as they are stored, changed by the tier of `grants`: at once or as a proposal.
   */
  readonly principals: {
    /** Every principal of whom something is stored, by name. */
    list(options?: CallOptions): Promise<readonly PrincipalRecord[]>;
    /** What a principal may at most; its kind never changes. */
    set(input: PrincipalInput, options?: CallOptions): Promise<RightsAnswer>;
    /** From now on the principal holds nothing; `enable` takes it back. */
    disable(principal: string, options?: CallOptions): Promise<RightsAnswer>;
    /** Holds again what is stored. */
    enable(principal: string, options?: CallOptions): Promise<RightsAnswer>;
    /** An ed25519 public key, 64 hexadecimal digits. */
    addKey(principal: string, publicKey: string, options?: CallOptions): Promise<RightsAnswer>;
    /** What it signed before stays approved; it signs nothing more. */
    revokeKey(principal: string, keyId: string, options?: CallOptions): Promise<RightsAnswer>;
  };
  /**
   * Takes what the target names out of sight at once, on every path, with all that was derived from
   * it. Erased after the grace period. `PERMISSION.APPROVAL_REQUIRED` where `redactions` is not T1,
   * `WRITE.NOT_FOUND` where nothing is named.
   */
  forget(target: ForgetTarget, options?: ForgetOptions): Promise<ForgetAnswer>;
  /** What was forgotten, and its end. */
  readonly erasure: {
    /**
     * Newest first, at most 1,000, 100 by default. Names and texts that were given are not kept.
     */
    list(asked?: { readonly limit?: number }, options?: CallOptions): Promise<readonly Redaction[]>;
    /** One redaction, whatever its grace period says; null = all whose grace period is over. */
    erase(redaction: string | null, options?: CallOptions): Promise<readonly ErasureCertificate[]>;
    /**
     * What was forgotten comes back as it was, while its grace period lasts; `undo` does the same.
     * `WRITE.BUILT_ON` where something else has its place now, `WRITE.SOURCE_GONE` where a source
     * was lost since, and `WRITE.REFUSED` where it is erased or due. Where `redactions` is T2 or T3
     * it waits as a proposal, which the answer names.
     */
    bringBack(redaction: string, options?: CallOptions): Promise<ReturnAnswer>;
    /** As it was signed. `WRITE.NOT_FOUND` before the erasure. */
    certificate(redaction: string, options?: CallOptions): Promise<ErasureCertificate>;
    /** Whether a certificate is whole, and of this tenant. */
    check(certificate: ErasureCertificate, options?: CallOptions): Promise<CertificateVerdict>;
    /**
     * Reads every column of every table of the tenant for the texts given, and for copies of texts
     * that were erased. Of people and services that hold the whole tenant.
     */
    verify(texts?: readonly string[], options?: CallOptions): Promise<CopyScan>;
    /**
     * Writes the files of an embedded folder anew, without what was overwritten, and switches its
     * log away. `CONFIG.INVALID_VALUE` for a server, whose files are not the engine's.
     */
    compact(options?: CallOptions): Promise<void>;
  };
  /** Of people and services that hold the whole tenant. */
  readonly audit: {
    /** Entries by number: at most 1,000, 100 by default, after a number. */
    list(asked?: AuditListing, options?: CallOptions): Promise<readonly AuditRecord[]>;
    /**
     * Reads the whole chain and names every entry that was edited, removed, added or moved. `known`
     * is a head that was kept elsewhere: against it, a chain that was made anew as a whole is
     * found.
     */
    verify(known?: AuditHead, options?: CallOptions): Promise<AuditVerdict>;
  };
  /** Projections that layers are searched in. Of people and services that hold the whole tenant. */
  readonly mounts: {
    /** From where it stopped; null = every mount. `CONNECTOR.LOCKED` while another process does. */
    feed(name: string | null, options?: CallOptions): Promise<readonly MountReport[]>;
    /** From the beginning, into a copy of its own; the one before serves until it is whole. */
    rebuild(name: string, options?: CallOptions): Promise<MountReport>;
    /** Of each, with how many writes it is behind. */
    health(options?: CallOptions): Promise<readonly MountHealth[]>;
  };
  /** Embeds what a failing provider left behind. */
  embedPending(
    options?: CallOptions,
  ): Promise<{ readonly embedded: number; readonly pending: number }>;
  /**
   * The same engine on behalf of one profile, for the calls of one request or user: none of its
   * methods takes a `permission_profile`. Throws for a profile that no call would take.
   */
  as(profile: PermissionProfile): BoundEngine;
  /** Of the store: verdict, latency, lag, and what to do. */
  health(): Promise<Health>;
  /** Waits for what is under way, and closes the database. A second call does nothing. */
  close(): Promise<void>;
}

/** What `createContextEngine` gives: closed by `close`, or by `await using`. */
export interface ContextEngine extends EngineMembers, AsyncDisposable {}

/**
 * {@link EngineMembers.as}. It is closed with the engine that it comes from. No symbol is left out
 * by name here: where a compiler does not know `Symbol.asyncDispose`, that leaves everything out.
 */
export interface BoundEngine extends Omit<EngineMembers, 'composeBlockContext' | 'as' | 'close'> {
  composeBlockContext<S extends string, I extends IntentOf<S, M>, M extends string = never>(
    request: BoundComposeCall<S, M, I>,
  ): Promise<Composition<LayerOf<S, M, I>>>;
}
