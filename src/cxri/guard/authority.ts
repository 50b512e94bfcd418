/**
 * Every path of the engine to its authority: the guard of the six operations and one of each port.
 */
import type { Authority } from '../authority.ts';
import { guardAudit } from './audit.ts';
import { guardCaptureProgress } from './capture-progress.ts';
import { guardCaptures } from './captures.ts';
import { guardCertificates } from './certificates.ts';
import { guard } from './connection.ts';
import { guardErasure } from './erasure.ts';
import { guardExtractions } from './extractions.ts';
import { guardFacts } from './facts.ts';
import { guardForgottenCaptures } from './forgotten-captures.ts';
import { guardHistory } from './history.ts';
import { guardJobs } from './jobs.ts';
import { guardKeys } from './keys.ts';
import { guardLedger } from './ledger.ts';
import { guardProposals } from './proposals.ts';
import { guardReach } from './reach.ts';
import { guardReceipts } from './receipts.ts';
import { guardRights } from './rights.ts';
import { guardServed } from './served.ts';
import { guardSharedVectors } from './shared-vectors.ts';
import { guardUsage } from './usage.ts';
import { guardVectors } from './vectors.ts';

/**
 * Invariant: no method is copied from the connector, so that one whose methods stand on a prototype
 * works (test/unit/guard.test.ts).
 */
export const guardAuthority = (authority: Authority): Authority => ({
  ...guardLedger(authority),
  ...guardHistory(authority),
  ...guardVectors(authority),
  ...guardReceipts(authority),
  ...guardUsage(authority),
  ...guardServed(authority),
  ...guardSharedVectors(authority),
  ...guardAudit(authority),
  ...guardProposals(authority),
  ...guardRights(authority),
  ...guardErasure(authority),
  ...guardCertificates(authority),
  ...guardReach(authority),
  ...guardCaptureProgress(authority),
  ...guardCaptures(authority),
  ...guardForgottenCaptures(authority),
  ...guardJobs(authority),
  ...guardFacts(authority),
  ...guardKeys(authority),
  ...guardExtractions(authority),
  ...guard(authority),
});
