/**
 * The one connector that is the authority: the six operations, and the engine's internal ports for
 * what is not context. Each port has a guard in `guard/` and laws in `conformance/laws/`.
 * `connectors/pgvector` implements it, and `connectors/reference`, so that the whole path of a
 * composition runs on the oracle.
 */
import type { Connection } from './contract.ts';
import type { AuditPort } from './ports/audit.ts';
import type { CaptureProgressPort } from './ports/capture-progress.ts';
import type { CapturesPort } from './ports/captures.ts';
import type { CertificatesPort } from './ports/certificates.ts';
import type { ErasurePort } from './ports/erasure.ts';
import type { ExtractionsPort } from './ports/extractions.ts';
import type { FactsPort } from './ports/facts.ts';
import type { ForgottenCapturesPort } from './ports/forgotten-captures.ts';
import type { HistoryPort } from './ports/history.ts';
import type { JobsPort } from './ports/jobs.ts';
import type { KeysPort } from './ports/keys.ts';
import type { LedgerPort } from './ports/ledger.ts';
import type { ProposalsPort } from './ports/proposals.ts';
import type { ReachPort } from './ports/reach.ts';
import type { ReceiptsPort } from './ports/receipts.ts';
import type { RightsPort } from './ports/rights.ts';
import type { ServedPort } from './ports/served.ts';
import type { SharedVectorsPort } from './ports/shared-vectors.ts';
import type { UsagePort } from './ports/usage.ts';
import type { VectorsPort } from './ports/vectors.ts';

export interface Ports
  extends LedgerPort,
    HistoryPort,
    VectorsPort,
    ReceiptsPort,
    UsagePort,
    ServedPort,
    SharedVectorsPort,
    AuditPort,
    ProposalsPort,
    RightsPort,
    ErasurePort,
    CertificatesPort,
    ReachPort,
    CaptureProgressPort,
    CapturesPort,
    ForgottenCapturesPort,
    JobsPort,
    FactsPort,
    KeysPort,
    ExtractionsPort {}

export interface Authority extends Connection, Ports {}
