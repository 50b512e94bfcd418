/**
 * The ledger in memory: plain maps and arrays by tenant and scope, and an undo list that makes a
 * write all or nothing.
 */

import type { UsageState } from '../../src/cxri/contract.ts';
import type { PlannedCapture } from '../../src/cxri/ports/captures.ts';
import type { ExtractionRequest } from '../../src/cxri/ports/extractions.ts';
import type { JobRequest } from '../../src/cxri/ports/jobs.ts';
import type { ServedMark } from '../../src/cxri/ports/served.ts';
import type { EmbeddingUse, SharedVector } from '../../src/cxri/ports/shared-vectors.ts';
import type { UsageEvent } from '../../src/cxri/ports/usage.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import { idTaken } from '../../src/ledger/refusals.ts';
import type { AuditRecord } from '../../src/model/audit.ts';
import type { AnyRow, Table, Versioned } from '../../src/model/block.ts';
import { TABLES } from '../../src/model/block.ts';
import type { CaptureReceipt } from '../../src/model/capture.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import type { ErasureCertificate, Redaction } from '../../src/model/erasure.ts';
import type { Extraction } from '../../src/model/extraction.ts';
import type { Instant, TenantId, Uuid } from '../../src/model/ids.ts';
import type { JournalRecord } from '../../src/model/journal.ts';
import type { StoredRights } from '../../src/model/permission.ts';
import type { Proposal } from '../../src/model/proposal.ts';
import type { IndexedText } from '../../src/text/bm25.ts';

/**
 * One version. Its entry is replaced, never changed, so that rows already handed out stay as they
 * were.
 */
export interface Slot {
  entry: AnyRow;
  /** Its text as it is searched, made when first needed. */
  indexed: IndexedText | null;
}

export interface JournalEntry extends JournalRecord {
  readonly scope: Uuid;
}
export interface UsageEntry {
  readonly event: UsageEvent;
  readonly seq: number;
  readonly recordedAt: Instant;
  /** After this event. */
  readonly state: UsageState;
}

export interface ScopeState {
  readonly uuid: Uuid;
  head: number;
  readonly slots: Readonly<Record<Table, Slot[]>>;
  /** By seq. */
  readonly journal: JournalEntry[];
  /** The first entry with each idempotency key. */
  readonly keys: Map<string, JournalEntry>;
  readonly usage: UsageEntry[];
  /** Positions in `usage`, by root. */
  readonly usageOf: Map<Uuid, UsageEntry[]>;
}

export interface StoredKey {
  readonly principal: string;
  /** 64 hexadecimal digits. */
  readonly publicKey: string;
  isRevoked: boolean;
}
export interface KeptProposal {
  proposal: Proposal;
  readonly fingerprint: string;
}

export interface KeptJob extends JobRequest {
  not_before: Instant;
  asked: number;
  attempts: number;
  claim: { readonly by: string; readonly until: Instant } | null;
  error: string | null;
}
/** Of one scope and consumer. */
export interface CaptureState {
  done: number;
  open: PlannedCapture | null;
  /** The latest first. */
  readonly receipts: CaptureReceipt[];
}

/** A call of a model, with what it cost. */
export interface KeptExtraction extends Omit<ExtractionRequest, 'most_usd' | 'cap_usd'> {
  state: Extraction['state'];
  answer: string | null;
  usd: number;
  input_tokens: number;
  output_tokens: number;
}

export interface TenantState {
  readonly tenant: TenantId;
  readonly scopes: Map<Uuid, ScopeState>;
  readonly versions: Map<Uuid, Slot>;
  readonly roots: Map<Uuid, Slot[]>;
  /** Typed values by {@link typedKey}. */
  readonly typed: Map<string, Slot[]>;
  /** `derived_from` links. */
  readonly lineage: Slot[];
  /** By `derived_from` link: parts of its sources that were wrong before it was written. */
  readonly lostBefore: Map<Uuid, ReadonlySet<Slot>>;
  readonly receipts: Map<Uuid, CompositionReceipt>;
  readonly artifacts: Map<string, string>;
  readonly rights: Map<string, StoredRights>;
  readonly keys: Map<string, StoredKey>;
  readonly proposals: Map<Uuid, KeptProposal>;
  readonly captures: Map<string, CaptureState>;
  readonly jobs: Map<string, KeptJob>;
  readonly served: Map<string, ServedMark>;
  readonly sharedVectors: Map<string, KeptVector>;
  readonly embeddingUse: Map<string, EmbeddingUse>;
  readonly extractions: KeptExtraction[];
  /** Grows with each change of rights. */
  epoch: number;
  /** By number. */
  readonly audit: AuditRecord[];
  /** In the order in which they were made. */
  readonly redactions: Redaction[];
  /** What each took out of sight and was not brought back. */
  readonly redacted: Map<Uuid, NamedCopies>;
  /** Receipts that were masked, as they were saved; none of what was erased. */
  readonly saidBefore: Map<Uuid, CompositionReceipt>;
  readonly returned: ReturnedSlot[];
  readonly certificates: Map<Uuid, ErasureCertificate>;
}

/** What a redaction names: rows, and copies beside them. */
export interface NamedCopies {
  readonly slots: ReadonlySet<Slot>;
  /** The head of the scope of each row when it went out of sight, by whichever redaction. */
  readonly outSince: ReadonlyMap<Slot, number>;
  readonly receipts: ReadonlySet<Uuid>;
  /** Operations whose reasons say what is named. */
  readonly reasons: ReadonlySet<Uuid>;
  /** As they were before; empty once they are erased. */
  readonly proposals: ReadonlyMap<Uuid, KeptProposal>;
  /** Its texts, as digests. */
  readonly texts: ReadonlySet<string>;
}
export interface ReturnedSlot {
  readonly epoch: number;
  readonly redaction: Uuid;
  readonly slot: Slot;
  /** Heads of its scope between which it was out of sight. */
  readonly out: number;
  readonly back: number;
}

export interface KeptVector extends SharedVector {
  readonly madeAt: Instant;
}

export interface Space {
  readonly dimensions: number;
  /** By tenant, then owner, then `origin/ordinal`. */
  readonly vectors: Map<TenantId, Map<Uuid, Map<string, readonly number[]>>>;
}

export interface Store {
  /** Of the stores of this process. */
  readonly number: number;
  readonly tenants: Map<TenantId, TenantState>;
  readonly spaces: Map<string, Space>;
  /** Called after each commit. */
  readonly wake: Set<() => void>;
  readonly rights: Readonly<Record<string, Readonly<Record<string, StoredRights>>>>;
  readonly now: () => Instant;
}

/** Those of the connector's options, until the first change. */
export const rightsOf = (store: Store, tenant: TenantId): Map<string, StoredRights> =>
  store.tenants.get(tenant)?.rights ?? new Map(Object.entries(store.rights[tenant] ?? {}));

export function tenantOf(store: Store, tenant: TenantId): TenantState {
  const known = store.tenants.get(tenant);
  if (known) return known;
  const fresh: TenantState = {
    tenant,
    scopes: new Map(),
    versions: new Map(),
    roots: new Map(),
    typed: new Map(),
    lineage: [],
    lostBefore: new Map(),
    receipts: new Map(),
    artifacts: new Map(),
    rights: rightsOf(store, tenant),
    keys: new Map(),
    proposals: new Map(),
    captures: new Map(),
    jobs: new Map(),
    served: new Map(),
    sharedVectors: new Map(),
    embeddingUse: new Map(),
    extractions: [],
    epoch: 0,
    audit: [],
    redactions: [],
    redacted: new Map(),
    saidBefore: new Map(),
    returned: [],
    certificates: new Map(),
  };
  store.tenants.set(tenant, fresh);
  return fresh;
}

export const emptyScope = (uuid: Uuid): ScopeState => ({
  uuid,
  head: 0,
  journal: [],
  keys: new Map(),
  usage: [],
  usageOf: new Map(),
  slots: {
    blocks: [],
    subtree_summaries: [],
    memory_open_set: [],
    memory_schema_typed: [],
    context_links: [],
  },
});

export const typedKey = (
  scope: Uuid,
  key: { readonly subject: string; readonly collection: string; readonly property: string },
): string => JSON.stringify([scope, key.subject, key.collection, key.property]);

/** The rows of a scope, of all tables. */
export const allSlots = (scope: ScopeState): readonly Slot[] =>
  TABLES.flatMap((table) => scope.slots[table]);

/** Not retired, status live: what a write is placed among. */
export const isBelieved = (slot: Slot): boolean =>
  slot.entry.row.retired_seq === null && slot.entry.row.status === 'live';

/** The last journal time of a scope; times never run backwards within it. */
export const lastTime = (scope: ScopeState): Instant | null =>
  scope.journal.at(-1)?.recorded_at ?? null;

/** What was done, in reverse: run when a write fails half-way. */
export class Undo {
  readonly #steps: (() => void)[] = [];

  push(step: () => void): void {
    this.#steps.push(step);
  }

  run(): void {
    for (const step of this.#steps.reverse()) step();
  }
}

/** Adds a version to every index. One id names one row of the tenant, over all tables. */
export function insert(tenant: TenantState, entry: AnyRow, undo: Undo): Slot {
  const { row, table } = entry;
  if (tenant.versions.has(row.uuid)) throw idTaken(row.uuid);
  const slot: Slot = { entry, indexed: null };
  const lists = [listIn(tenant.roots, row.root_uuid)];
  const scope = tenant.scopes.get(row.scope_uuid);
  if (scope) lists.push(scope.slots[table]);
  if (table === 'memory_schema_typed')
    lists.push(listIn(tenant.typed, typedKey(row.scope_uuid, row)));
  if (table === 'context_links' && row.link_type === 'derived_from') lists.push(tenant.lineage);
  for (const list of lists) list.push(slot);
  tenant.versions.set(row.uuid, slot);
  undo.push(() => {
    for (const list of lists) list.pop();
    tenant.versions.delete(row.uuid);
  });
  return slot;
}

/** Sets the columns that may be set once. */
export function patch(
  slot: Slot,
  columns: Partial<
    Pick<Versioned, 'valid_until' | 'closed_seq' | 'retired_seq' | 'superseded_by' | 'cause'>
  >,
  undo: Undo,
): void {
  const before = slot.entry;
  slot.entry = toEntry(before.table, { ...before.row, ...columns });
  undo.push(() => {
    slot.entry = before;
  });
}

function listIn<K>(map: Map<K, Slot[]>, key: K): Slot[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
