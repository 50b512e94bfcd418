/**
 * An authority that fails its Nth call: before it does anything, or after it did all of it and the
 * answer got lost.
 */

import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { ExtractionsPort } from '../../src/cxri/ports/extractions.ts';
import type { FactsPort } from '../../src/cxri/ports/facts.ts';
import type { ForgottenCapturesPort } from '../../src/cxri/ports/forgotten-captures.ts';
import type { JobsPort } from '../../src/cxri/ports/jobs.ts';

export type Fault = 'before' | 'after';

export interface Faulty {
  readonly authority: Authority;
  /** Calls so far; a first run without a fault tells how many there are to fail. */
  calls(): number;
  /** The names of the calls, in order. */
  readonly log: readonly string[];
}

const calledBy =
  (log: string[], failAt: number, fault: Fault) =>
  <A extends readonly unknown[], R>(name: string, work: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    log.push(name);
    const isHit = log.length === failAt;
    if (isHit && fault === 'before') throw lost(name);
    const answer = await work(...args);
    if (isHit) throw lost(name);
    return answer;
  };

const operations = (right: Authority, called: Called) => ({
  query: called('query', right.query),
  read: called('read', right.read),
  write: called('write', right.write),
  subscribe: called('subscribe', right.subscribe),
  health: called('health', right.health),
});

const captures = (right: Authority, called: Called) => ({
  captureProgress: called('captureProgress', right.captureProgress),
  progressOfScopes: called('progressOfScopes', right.progressOfScopes),
  planCapture: called('planCapture', right.planCapture),
  openCapture: called('openCapture', right.openCapture),
  finishCapture: called('finishCapture', right.finishCapture),
  splitCapture: called('splitCapture', right.splitCapture),
  skipCapture: called('skipCapture', right.skipCapture),
  listCaptures: called('listCaptures', right.listCaptures),
});

const forgottenCaptures = (right: Authority, called: Called): ForgottenCapturesPort => ({
  forgottenCaptures: called('forgottenCaptures', right.forgottenCaptures),
  operationsOfKeys: called('operationsOfKeys', right.operationsOfKeys),
  operationsAfter: called('operationsAfter', right.operationsAfter),
  amendCapture: called('amendCapture', right.amendCapture),
});

const jobs = (right: Authority, called: Called): JobsPort => ({
  enqueueJob: called('enqueueJob', right.enqueueJob),
  claimJob: called('claimJob', right.claimJob),
  finishJob: called('finishJob', right.finishJob),
  postponeJob: called('postponeJob', right.postponeJob),
  listJobs: called('listJobs', right.listJobs),
});

/**
 * `failAt` counts from 1; 0 never fails. Disposal is not counted: closing must work whatever failed
 * before.
 */
export function faulty(right: Authority, failAt: number, fault: Fault = 'before'): Faulty {
  const log: string[] = [];
  const called = calledBy(log, failAt, fault);
  return {
    log,
    calls: () => log.length,
    authority: {
      name: right.name,
      capabilities: right.capabilities,
      [Symbol.asyncDispose]: () => right[Symbol.asyncDispose](),
      ...operations(right, called),
      resolveScope: called('resolveScope', right.resolveScope),
      listScopes: called('listScopes', right.listScopes),
      describeScopes: called('describeScopes', right.describeScopes),
      reachOf: called('reachOf', right.reachOf),
      reachOfRedaction: called('reachOfRedaction', right.reachOfRedaction),
      lapseProposals: called('lapseProposals', right.lapseProposals),
      restoreScope: called('restoreScope', right.restoreScope),
      readJournal: called('readJournal', right.readJournal),
      readOutcomes: called('readOutcomes', right.readOutcomes),
      heads: called('heads', right.heads),
      ensureSpace: called('ensureSpace', right.ensureSpace),
      pendingEmbeddings: called('pendingEmbeddings', right.pendingEmbeddings),
      readEmbeddings: called('readEmbeddings', right.readEmbeddings),
      rebuildWords: called('rebuildWords', right.rebuildWords),
      storeEmbeddings: called('storeEmbeddings', right.storeEmbeddings),
      saveServed: called('saveServed', right.saveServed),
      servedTo: called('servedTo', right.servedTo),
      sharedVectors: called('sharedVectors', right.sharedVectors),
      shareVectors: called('shareVectors', right.shareVectors),
      dropSharedVectors: called('dropSharedVectors', right.dropSharedVectors),
      addEmbeddingUse: called('addEmbeddingUse', right.addEmbeddingUse),
      embeddingUse: called('embeddingUse', right.embeddingUse),
      saveReceipts: called('saveReceipts', right.saveReceipts),
      loadReceipt: called('loadReceipt', right.loadReceipt),
      listReceipts: called('listReceipts', right.listReceipts),
      saveArtifact: called('saveArtifact', right.saveArtifact),
      loadArtifact: called('loadArtifact', right.loadArtifact),
      recordUsage: called('recordUsage', right.recordUsage),
      ...jobs(right, called),
      ...captures(right, called),
      ...forgottenCaptures(right, called),
      audit: called('audit', right.audit),
      databaseId: called('databaseId', right.databaseId),
      propose: called('propose', right.propose),
      listProposals: called('listProposals', right.listProposals),
      settleProposal: called('settleProposal', right.settleProposal),
      useApproval: called('useApproval', right.useApproval),
      forget: called('forget', right.forget),
      listRedactions: called('listRedactions', right.listRedactions),
      erase: called('erase', right.erase),
      bringBack: called('bringBack', right.bringBack),
      readReturned: called('readReturned', right.readReturned),
      loadCertificate: called('loadCertificate', right.loadCertificate),
      signingKey: called('signingKey', right.signingKey),
      scanCopies: called('scanCopies', right.scanCopies),
      readAudit: called('readAudit', right.readAudit),
      auditHead: called('auditHead', right.auditHead),
      ...factsOf(called, right),
      ...keysOf(called, right),
      ...rightsOf(called, right),
    },
  };
}

type Called = <A extends readonly unknown[], R>(
  name: string,
  work: (...args: A) => Promise<R>,
) => (...args: A) => Promise<R>;

const rightsOf = (
  called: Called,
  { changeRights, readRights, listPrincipals }: Authority,
): Pick<Authority, 'changeRights' | 'readRights' | 'listPrincipals'> => ({
  changeRights: called('changeRights', changeRights),
  readRights: called('readRights', readRights),
  listPrincipals: called('listPrincipals', listPrincipals),
});

const factsOf = (
  called: Called,
  right: Authority,
): FactsPort & ExtractionsPort & Pick<Authority, 'readUndo' | 'operationNamed'> => ({
  operationNamed: called('operationNamed', right.operationNamed),
  readUndo: called('readUndo', right.readUndo),
  listFacts: called('listFacts', right.listFacts),
  factOrigins: called('factOrigins', right.factOrigins),
  factsAlike: called('factsAlike', right.factsAlike),
  extractionsOf: called('extractionsOf', right.extractionsOf),
  reserveExtraction: called('reserveExtraction', right.reserveExtraction),
  settleExtraction: called('settleExtraction', right.settleExtraction),
  dropAnswers: called('dropAnswers', right.dropAnswers),
  listCosts: called('listCosts', right.listCosts),
});

const keysOf = (
  called: Called,
  { digestKey, madeScopes, forgottenNames }: Authority,
): Pick<Authority, 'digestKey' | 'madeScopes' | 'forgottenNames'> => ({
  digestKey: called('digestKey', digestKey),
  madeScopes: called('madeScopes', madeScopes),
  forgottenNames: called('forgottenNames', forgottenNames),
});

const lost = (name: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.UNAVAILABLE', {
    message: `\`${name}\` was made to fail.`,
    fix: 'Nothing: a test asked for it.',
  });
