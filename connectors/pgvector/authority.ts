/** The authority: both interfaces over one database. */

import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { CertificatesPort } from '../../src/cxri/ports/certificates.ts';
import type { ErasurePort } from '../../src/cxri/ports/erasure.ts';
import { type RestoreRequest, restoredBy } from '../../src/cxri/ports/history.ts';
import type { ReachPort } from '../../src/cxri/ports/reach.ts';
import { PGVECTOR_CAPABILITIES } from './capabilities.ts';
import type { Database } from './driver/sql.ts';
import { health } from './health.ts';
import { write } from './ledger/write.ts';
import { appendAudit, auditHead, readAudit } from './ports/audit.ts';
import { bringBack, readReturned } from './ports/bring-back.ts';
import { capturesPort } from './ports/captures.ts';
import {
  ensureSpace,
  pendingEmbeddings,
  readEmbeddings,
  storeEmbeddings,
} from './ports/embeddings.ts';
import {
  erase,
  forget,
  listRedactions,
  loadCertificate,
  scanCopies,
  signingKey,
} from './ports/erasure.ts';
import { extractionsPort } from './ports/extractions.ts';
import { factsPort } from './ports/facts.ts';
import { forgottenCapturesPort } from './ports/forgotten-captures.ts';
import { type HeadCache, headsOf } from './ports/heads.ts';
import { operationNamed, readJournal, readOutcomes, readUndo } from './ports/history.ts';
import { jobsPort } from './ports/jobs.ts';
import { keysPort } from './ports/keys.ts';
import {
  databaseId,
  listProposals,
  propose,
  settleProposal,
  useApproval,
} from './ports/proposals.ts';
import { reachPort } from './ports/reach.ts';
import {
  listReceipts,
  loadArtifact,
  loadReceipt,
  saveArtifact,
  saveReceipts,
} from './ports/receipts.ts';
import { describeScopes, listScopes, readRights, resolveScope } from './ports/resolve.ts';
import { restoreScope } from './ports/restore.ts';
import { changeRights, listPrincipals } from './ports/rights.ts';
import { servedPort } from './ports/served.ts';
import { sharedVectorsPort } from './ports/shared-vectors.ts';
import { recordUsage } from './ports/usage.ts';
import { rebuildWords } from './ports/words.ts';
import { query } from './query.ts';
import { read } from './read.ts';
import { Statistics } from './statistics.ts';
import { subscribe } from './subscribe.ts';

export interface AuthorityOptions {
  /**
   * How often a subscription looks for changes of other processes; own writes wake it at once.
   * Default 500 ms.
   */
  readonly pollMs?: number;
}

/** Ends its subscriptions when disposed; the database stays open, it is the caller's. */
export function pgvectorAuthority(database: Database, options: AuthorityOptions = {}): Authority {
  const heads = headsOf(database);
  const statistics = new Statistics(database);
  const subscriptions = new Set<AsyncDisposable>();
  const wakes = new Set<() => void>();
  let isClosed = false;
  const open = (): Database => {
    if (isClosed)
      throw new ContextEngineError('CONNECTOR.CLOSED', {
        message: 'The connection was closed.',
        fix: 'Connect again.',
      });
    return database;
  };
  const committed = (): void => {
    for (const wake of wakes) wake();
  };
  const onCommit = (wake: () => void): (() => void) => {
    wakes.add(wake);
    return () => void wakes.delete(wake);
  };
  return {
    name: 'pgvector',
    capabilities: PGVECTOR_CAPABILITIES,
    query: async (request) => query(open(), request),
    read: async (request) => read(open(), request),
    write: async (request) => {
      const { result, rows } = await write(open(), request);
      heads.moved(request.tenant, 'head', result.position);
      committed();
      await statistics.wrote(rows);
      return result;
    },
    subscribe: async (filter, listener) => {
      const subscription = await subscribe(open(), filter, {
        listener,
        pollMs: options.pollMs ?? 500,
        onCommit,
      });
      subscriptions.add(subscription);
      return subscription;
    },
    health: async () => health(open()),
    ...internalInterface({ open, heads, statistics, committed }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await Promise.all(
        [...subscriptions].map((subscription) => subscription[Symbol.asyncDispose]()),
      );
    },
  };
}

type Internal = Omit<
  Authority,
  | 'name'
  | 'capabilities'
  | 'query'
  | 'read'
  | 'write'
  | 'subscribe'
  | 'health'
  | typeof Symbol.asyncDispose
>;

interface Parts {
  readonly open: () => Database;
  readonly heads: HeadCache;
  readonly statistics: Statistics;
  readonly committed: () => void;
}

const journalOf = (
  open: Parts['open'],
): Pick<Authority, 'readJournal' | 'readOutcomes' | 'readUndo' | 'operationNamed'> => ({
  readJournal: async (request) => readJournal(open(), request),
  readOutcomes: async (request) => readOutcomes(open(), request),
  readUndo: async (tenant, operation, held) => readUndo(open(), tenant, { operation, held }),
  operationNamed: async (tenant, operation, held) =>
    operationNamed(open(), tenant, { operation, held }),
});

const erasureOf = (
  open: Parts['open'],
  heads: HeadCache,
): ErasurePort & CertificatesPort & ReachPort => ({
  ...reachPort(open),
  forget: async (request) => {
    const counts = await forget(open(), request);
    heads.forget(request.tenant);
    return counts;
  },
  listRedactions: async (tenant, asked) => listRedactions(open(), tenant, asked),
  erase: async (request) => {
    const certificate = await erase(open(), request);
    heads.forget(request.tenant);
    return certificate;
  },
  bringBack: async (request) => {
    const redaction = await bringBack(open(), request);
    heads.forget(request.tenant);
    return redaction;
  },
  readReturned: async (tenant, asked) => readReturned(open(), tenant, asked),
  loadCertificate: async (tenant, redaction) => loadCertificate(open(), tenant, redaction),
  signingKey: async (tenant) => signingKey(open(), tenant),
  scanCopies: async (tenant, texts) => scanCopies(open(), tenant, texts),
});

function moveRestored(heads: HeadCache, request: RestoreRequest): void {
  for (const { history, outcomes } of restoredBy(request)) {
    const { scope, head } = history;
    heads.moved(request.tenant, 'head', [{ scope, head }]);
    heads.moved(request.tenant, 'usageHead', [{ scope, head: outcomes.length }]);
  }
}

function internalInterface({ open, heads, statistics, committed }: Parts): Internal {
  return {
    resolveScope: async (request) => resolveScope(open(), request),
    listScopes: async (tenant, held, now) => listScopes(open(), { tenant, held, now }),
    describeScopes: async (tenant, scopes, now) => describeScopes(open(), { tenant, scopes, now }),
    restoreScope: async (request) => {
      await restoreScope(open(), request);
      moveRestored(heads, request);
      committed();
    },
    ...journalOf(open),
    heads: async (tenant, scopes, signal) => {
      open();
      return heads.read(tenant, scopes, signal);
    },
    ensureSpace: async ({ provider, model, dimensions }) =>
      ensureSpace(open(), { name: `${provider}/${model}/${dimensions}`, dimensions }),
    pendingEmbeddings: async (tenant, space, limit) =>
      pendingEmbeddings(open(), tenant, { space, limit }),
    storeEmbeddings: async (space, rows) =>
      statistics.wrote(await storeEmbeddings(open(), space, rows)),
    readEmbeddings: async (tenant, space, uuids) =>
      readEmbeddings(open(), space, { tenant, uuids }),
    rebuildWords: async (tenant, limit) => rebuildWords(open(), tenant, limit),
    saveReceipts: async (tenant, receipts) => saveReceipts(open(), tenant, receipts),
    loadReceipt: async (tenant, id, scopes) => loadReceipt(open(), tenant, { id, scopes }),
    listReceipts: async (tenant, asked, scopes) =>
      listReceipts(open(), tenant, { ...asked, scopes }),
    saveArtifact: async (tenant, artifact) => saveArtifact(open(), tenant, artifact),
    loadArtifact: async (tenant, digest) => loadArtifact(open(), tenant, digest),
    recordUsage: async (tenant, { events, fold, recorded_at: recordedAt }) => {
      const position = await recordUsage(open(), { tenant, events, fold, recordedAt });
      heads.moved(tenant, 'usageHead', position);
      return position;
    },
    databaseId: async (tenant) => databaseId(open(), tenant),
    propose: async (tenant, proposal) => propose(open(), tenant, proposal),
    listProposals: async (tenant, asked, held) => listProposals(open(), tenant, { ...asked, held }),
    settleProposal: async (request) => {
      const { written, ...settled } = await settleProposal(open(), request);
      if (settled.state === 'approved') heads.forget(request.tenant);
      if (written) {
        heads.moved(request.tenant, 'head', written.result.position);
        committed();
        await statistics.wrote(written.rows);
      }
      return settled;
    },
    useApproval: async (request) => useApproval(open(), request),
    changeRights: async (...change) => {
      await changeRights(open(), change);
      heads.forget(change[0]);
    },
    readRights: async (tenant, principals) => readRights(open(), tenant, principals),
    listPrincipals: async (tenant) => listPrincipals(open(), tenant),
    ...capturesPort(open),
    ...forgottenCapturesPort(open),
    ...erasureOf(open, heads),
    ...jobsPort(open),
    ...cachePorts(open),
    ...factsPort(open),
    ...keysPort(open),
    ...extractionsPort(open),
    audit: async (tenant, entries) => appendAudit(open(), tenant, entries),
    readAudit: async (request) => readAudit(open(), request),
    auditHead: async (tenant) => auditHead(open(), tenant),
  };
}

const cachePorts = (open: () => Database) => ({
  ...servedPort(open),
  ...sharedVectorsPort(open),
});
