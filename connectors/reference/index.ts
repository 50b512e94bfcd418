/**
 * The reference connector: the whole contract in plain memory, by brute force. It is the oracle
 * that other connectors are compared with, and an authority that the pipeline can run on. Nothing
 * of it outlives the process.
 */
import type { Authority } from '../../src/cxri/authority.ts';
import type { Capabilities, Connector } from '../../src/cxri/contract.ts';
import type { CaptureProgressPort } from '../../src/cxri/ports/capture-progress.ts';
import type { CapturesPort } from '../../src/cxri/ports/captures.ts';
import type { CertificatesPort } from '../../src/cxri/ports/certificates.ts';
import type { ErasurePort } from '../../src/cxri/ports/erasure.ts';
import type { ExtractionsPort } from '../../src/cxri/ports/extractions.ts';
import type { FactsPort } from '../../src/cxri/ports/facts.ts';
import type { ForgottenCapturesPort } from '../../src/cxri/ports/forgotten-captures.ts';
import type { ReceiptsPort } from '../../src/cxri/ports/receipts.ts';
import type { RightsPort } from '../../src/cxri/ports/rights.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import { type Instant, type TenantId, toInstant, type Uuid } from '../../src/model/ids.ts';
import type { StoredRights } from '../../src/model/permission.ts';
import { holds } from '../../src/model/permission.ts';
import { appendAudit, auditHead, readAudit } from './audit.ts';
import { bringBack, readReturned } from './bring-back.ts';
import { capturesPort } from './captures.ts';
import { ensureSpace, pendingEmbeddings, readEmbeddings, storeEmbeddings } from './embeddings.ts';
import { erase, scanCopies, signingKey } from './erase.ts';
import { forget, listRedactions } from './erasure.ts';
import { extractionsPort } from './extractions.ts';
import { factsPort } from './facts.ts';
import { forgottenCapturesPort } from './forgotten-captures.ts';
import { readJournal, readOutcomes } from './history.ts';
import { jobsPort } from './jobs.ts';
import { keysPort } from './keys.ts';
import { databaseId, listProposals, propose, settleProposal, useApproval } from './proposals.ts';
import { query } from './query.ts';
import { reachPort } from './reach.ts';
import { read } from './read.ts';
import { describeScopes, listScopes, resolveScope } from './resolve.ts';
import { restoreScope } from './restore.ts';
import { changeRights, listPrincipals, readRights } from './rights.ts';
import { servedPort } from './served.ts';
import { sharedVectorsPort } from './shared-vectors.ts';
import { allSlots, isBelieved, lastTime, type Store, type TenantState, tenantOf } from './store.ts';
import { journalsOf, subscribe } from './subscribe.ts';
import { lateReceipt } from './tombstones.ts';
import { operationNamed, readUndo } from './undo.ts';
import { recordUsage } from './usage.ts';
import { write } from './write.ts';

export { createReferenceProjection } from './projection.ts';

export interface ReferenceOptions {
  /** What is stored of principals, by tenant and principal. */
  readonly rights?: Readonly<Record<string, Readonly<Record<string, StoredRights>>>>;
  /**
   * Epoch milliseconds; what `inherits` links are judged at. Default: the latest time of any
   * journal, so that it runs without a clock.
   */
  readonly clock?: () => number;
}

export interface ReferenceConnector extends Connector {
  connect(): Promise<Authority>;
}

/** All connections of one connector share one ledger. */
export function createReferenceConnector(options: ReferenceOptions = {}): ReferenceConnector {
  const store = createStore(options);
  return { name: 'reference', connect: async () => connectionTo(store) };
}

/** An authority over a fresh ledger. */
export const referenceAuthority = (options: ReferenceOptions = {}): Authority =>
  connectionTo(createStore(options));

const CAPABILITIES: Capabilities = {
  vector: true,
  text: true,
  hybrid: true,
  structured: true,
  blobs: false,
  changes: true,
  write: true,
  atomic: true,
  idempotent: true,
  prefilter: true,
  temporal: true,
  ordered_changes: true,
  read_your_writes: true,
  erase: true,
};

const EPOCH = toInstant(0);
/** Stores of this process, so that each has an id of its own. */
let stores = 0;

function createStore(options: ReferenceOptions): Store {
  const tenants: Store['tenants'] = new Map();
  const latest = (): Instant =>
    [...tenants.values()]
      .flatMap((tenant) => [...tenant.scopes.values()])
      .reduce((last, scope) => max(last, lastTime(scope)), EPOCH);
  const { clock } = options;
  return {
    number: ++stores,
    tenants,
    spaces: new Map(),
    wake: new Set(),
    rights: options.rights ?? {},
    now: clock ? () => toInstant(clock()) : latest,
  };
}

const max = (a: Instant, b: Instant | null): Instant => (b !== null && b > a ? b : a);

function connectionTo(store: Store): Authority {
  const subscriptions = new Set<AsyncDisposable>();
  return {
    name: 'reference',
    capabilities: CAPABILITIES,
    query: async (request) => query(store, request),
    read: async (request) => read(store, request),
    write: async (request) => {
      const result = write(store, request);
      for (const wake of store.wake) wake();
      return result;
    },
    subscribe: async (filter, listener) => {
      const subscription = subscribe(journalsOf(store, filter), filter, listener);
      subscriptions.add(subscription);
      return subscription;
    },
    health: async () => ({
      verdict: 'ok',
      latency_ms: 0,
      lag: 0,
      advice: [],
      details: countsOf(store),
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [...subscriptions].map((subscription) => subscription[Symbol.asyncDispose]()),
      );
    },
    ...authorityOf(store),
  };
}

const proposalsOf = (
  store: Store,
): Pick<Authority, 'databaseId' | 'propose' | 'listProposals' | 'useApproval'> => ({
  databaseId: async () => databaseId(store),
  propose: async (tenant, proposal) => propose(store, tenant, proposal),
  listProposals: async (tenant, asked, held) => listProposals(store, tenant, { ...asked, held }),
  useApproval: async (request) => useApproval(store, request),
});

function authorityOf(
  store: Store,
): Omit<
  Authority,
  | 'name'
  | 'capabilities'
  | 'query'
  | 'read'
  | 'write'
  | 'subscribe'
  | 'health'
  | typeof Symbol.asyncDispose
> {
  return {
    resolveScope: async (request) => resolveScope(store, request),
    listScopes: async (tenant, held, now) => listScopes(store, tenant, { held, now }),
    describeScopes: async (tenant, scopes, now) => describeScopes(store, tenant, { scopes, now }),
    restoreScope: async (request) => {
      restoreScope(store, request);
      for (const wake of store.wake) wake();
    },
    readJournal: async (request) => readJournal(store, request),
    readOutcomes: async (request) => readOutcomes(store, request),
    operationNamed: async (tenant, operation, held) =>
      operationNamed(store, tenant, { operation, held }),
    readUndo: async (tenant, operation, held) => readUndo(store, tenant, { operation, held }),
    heads: async (tenant, scopes) => headsOf(store, tenant, scopes),
    ensureSpace: async ({ provider, model, dimensions }) =>
      ensureSpace(store, `${provider}/${model}/${dimensions}`, dimensions),
    // Texts are read anew whenever a store is made: there are no older words.
    readEmbeddings: async (tenant, space, uuids) => readEmbeddings(store, space, { tenant, uuids }),
    rebuildWords: async () => 0,
    pendingEmbeddings: async (tenant, space, limit) =>
      pendingEmbeddings(store, { tenant, space, limit }),
    storeEmbeddings: async (space, rows) => storeEmbeddings(store, space, rows),
    ...receiptsOf(store),
    recordUsage: async (tenant, { events, fold, recorded_at: recordedAt }) =>
      recordUsage(tenantOf(store, tenant), events, { fold, recordedAt }),
    ...proposalsOf(store),
    settleProposal: async (request) => {
      const settled = settleProposal(store, request);
      for (const wake of store.wake) wake();
      return settled;
    },
    ...rightsOf(store),
    ...erasureOf(store),
    ...reachPort(store),
    ...jobsPort(store),
    ...servedPort(store),
    ...sharedVectorsPort(store),
    ...memoryPorts(store),
    ...keysPort(store),
    audit: async (tenant, entries) => appendAudit(tenantOf(store, tenant), entries),
    readAudit: async (request) => readAudit(store, request),
    auditHead: async (tenant) => auditHead(store, tenant),
  };
}

const saveReceipts = (tenant: TenantState, receipts: readonly CompositionReceipt[]): void => {
  for (const receipt of receipts)
    tenant.receipts.set(receipt.composition_id, lateReceipt(tenant, receipt));
};

const receiptsOf = (store: Store): ReceiptsPort => ({
  saveReceipts: async (tenant, receipts) => saveReceipts(tenantOf(store, tenant), receipts),
  loadReceipt: async (tenant, compositionId, scopes) => {
    const receipt = store.tenants.get(tenant)?.receipts.get(compositionId);
    return receipt && holds({ scopes }, receipt.scope_uuid) ? receipt : null;
  },
  listReceipts: async (tenant, { manifest, limit }, scopes) =>
    [...(store.tenants.get(tenant)?.receipts.values() ?? [])]
      .filter(
        (receipt) =>
          (manifest === null || receipt.manifest.name === manifest) &&
          holds({ scopes }, receipt.scope_uuid),
      )
      .sort(
        (a, b) =>
          compareText(b.created_at, a.created_at) ||
          compareText(a.composition_id, b.composition_id),
      )
      .slice(0, limit),
  saveArtifact: async (tenant, { digest, content }) =>
    void tenantOf(store, tenant).artifacts.set(digest, content),
  loadArtifact: async (tenant, digest) => store.tenants.get(tenant)?.artifacts.get(digest) ?? null,
});

const rightsOf = (store: Store): RightsPort => ({
  changeRights: async (...change) => changeRights(store, change),
  readRights: async (tenant, principals) => readRights(store, tenant, principals),
  listPrincipals: async (tenant) => listPrincipals(store, tenant),
});

const erasureOf = (store: Store): ErasurePort & CertificatesPort => ({
  forget: async (request) => forget(store, request),
  listRedactions: async (tenant, asked) => listRedactions(store, tenant, asked),
  erase: async (request) => erase(store, request),
  bringBack: async (request) => bringBack(store, request),
  readReturned: async (tenant, asked) => readReturned(store, tenant, asked),
  loadCertificate: async (tenant, redaction) =>
    store.tenants.get(tenant)?.certificates.get(redaction) ?? null,
  signingKey: async (tenant) => signingKey(store, tenant),
  scanCopies: async (tenant, texts) => scanCopies(store, tenant, texts),
});

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function headsOf(
  store: Store,
  tenant: TenantId,
  scopes: readonly Uuid[],
): ReturnType<Authority['heads']> {
  const known = [...new Set(scopes)].flatMap(
    (scope) => store.tenants.get(tenant)?.scopes.get(scope) ?? [],
  );
  return {
    position: known.map((scope) => ({ scope: scope.uuid, head: scope.head })),
    usage_position: known.map((scope) => ({ scope: scope.uuid, head: scope.usage.length })),
    policy_epoch: store.tenants.get(tenant)?.epoch ?? 0,
  };
}

function countsOf(store: Store): Readonly<Record<string, unknown>> {
  const scopes = [...store.tenants.values()].flatMap((tenant) => [...tenant.scopes.values()]);
  const slots = scopes.flatMap((scope) => allSlots(scope));
  return {
    tenants: store.tenants.size,
    scopes: scopes.length,
    versions: slots.length,
    believed: slots.filter(isBelieved).length,
  };
}

/** What capture keeps, and memory in hand. */
const memoryPorts = (
  store: Store,
): CapturesPort & CaptureProgressPort & ForgottenCapturesPort & FactsPort & ExtractionsPort => ({
  ...capturesPort(store),
  ...forgottenCapturesPort(store),
  ...factsPort(store),
  ...extractionsPort(store),
});
