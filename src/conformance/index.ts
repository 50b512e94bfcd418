/**
 * The contract of CxRI as a test suite. A connector conforms when it passes; nothing else says what
 * a connector must do.
 *
 * The test runner is given, so that any will do. Laws are switched by the capabilities that a
 * connector declares, never by its name; a capability that is declared but not kept fails.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { conformanceSuite } from 'contextengine/conformance';
 * import { createReferenceConnector } from 'contextengine/connectors/reference';
 *
 * const connector = createReferenceConnector(); const { capabilities } = await connector.connect();
 * conformanceSuite({ runner: { describe, it }, name: 'reference', connect: () =>
 * connector.connect(), capabilities });
 * ```
 *
 * @module contextengine/conformance
 */
import assert from 'node:assert/strict';
import type { Authority } from '../cxri/authority.ts';
import { CAPABILITIES, type Capabilities, type Connection } from '../cxri/contract.ts';
import { Lab, type LabOptions, type VectorRow } from './lab.ts';
import type { Law } from './law.ts';
import { atomicity } from './laws/atomicity.ts';
import { audit } from './laws/audit.ts';
import { badInput } from './laws/bad-input.ts';
import { bringingBack } from './laws/bring-back.ts';
import { captureProgress } from './laws/capture-progress.ts';
import { captures } from './laws/captures.ts';
import { certificates } from './laws/certificates.ts';
import { changes } from './laws/changes.ts';
import { closure } from './laws/closure.ts';
import { compositions } from './laws/compositions.ts';
import { concurrency } from './laws/concurrency.ts';
import { content } from './laws/content.ts';
import { edges } from './laws/edges.ts';
import { erasure } from './laws/erasure.ts';
import { extractions } from './laws/extractions.ts';
import { facts } from './laws/facts.ts';
import { factsAlike } from './laws/facts-alike.ts';
import { filters } from './laws/filters.ts';
import { forgottenCaptures } from './laws/forgotten-captures.ts';
import { givenVersions } from './laws/given-versions.ts';
import { idempotency } from './laws/idempotency.ts';
import { ids } from './laws/ids.ts';
import { isolation } from './laws/isolation.ts';
import { jobs } from './laws/jobs.ts';
import { journal } from './laws/journal.ts';
import { keys } from './laws/keys.ts';
import { lateCopies } from './laws/late-copies.ts';
import { limits } from './laws/limits.ts';
import { lineage } from './laws/lineage.ts';
import { nearest } from './laws/nearest.ts';
import { neighbours } from './laws/neighbours.ts';
import { proposalRules } from './laws/proposal-rules.ts';
import { proposals } from './laws/proposals.ts';
import { reach } from './laws/reach.ts';
import { receipts } from './laws/receipts.ts';
import { restore } from './laws/restore.ts';
import { returningToSlots } from './laws/return-to-slot.ts';
import { rights } from './laws/rights.ts';
import { sayingAgain } from './laws/said-again.ts';
import { search } from './laws/search.ts';
import { served } from './laws/served.ts';
import { sharedVectors } from './laws/shared-vectors.ts';
import { shownTexts } from './laws/shown-texts.ts';
import { spans } from './laws/spans.ts';
import { temporal } from './laws/temporal.ts';
import { undoing } from './laws/undo.ts';
import { usage } from './laws/usage.ts';
import { validity } from './laws/validity.ts';
import { vectors } from './laws/vectors.ts';
import { words } from './laws/words.ts';

import type { TestRunner } from './test-runner.ts';

/** What a connector is written against. */
export type { Authority } from '../cxri/authority.ts';
export type {
  Capabilities,
  Capability,
  Change,
  ChangeFilter,
  ChangeListener,
  Connection,
  ConnectOptions,
  Connector,
  Filter,
  Hit,
  PartResult,
  QueryPart,
  QueryRequest,
  QueryResult,
  ReadRequest,
  ReadResult,
  Subscription,
  WriteRequest,
} from '../cxri/contract.ts';
export type {
  CreateMount,
  FeedCursor,
  FeedMark,
  MountOptions,
  ProjectedVersion,
  Projection,
  ProjectionBatch,
  ProjectionConnector,
  ProjectionErasure,
  ProjectionFeed,
  ProjectionOptions,
  ProjectionPort,
  ProjectionRebuild,
  UpkeepBounds,
  UpkeepReport,
} from '../cxri/projection.ts';
export { VECTOR_SPACE, VECTOR_SPACE_NAME, type VectorRow } from './lab.ts';
export { type ProjectionSuiteOptions, projectionSuite } from './projection-suite.ts';
export type { TestRunner } from './test-runner.ts';

export interface ConformanceOptions {
  readonly runner: TestRunner;
  readonly name: string;
  /** Connections to one and the same store. Each is disposed by the suite. */
  connect(): Promise<Connection | Authority>;
  /** What the connector declares; laws of other abilities are not run. */
  readonly capabilities: Capabilities;
  /** Whether its connections also implement `Authority`. Default false. */
  readonly isAuthority?: boolean;
  /** Stores vectors of the space `conformance/suite/4`; without it the vector laws are not run. */
  readonly storeVectors?: (connection: Connection, rows: readonly VectorRow[]) => Promise<void>;
  /**
   * Begins the names of the tenants that the suite writes to. Default `conformance`; give another
   * for each run on a store that is kept.
   */
  readonly tenantPrefix?: string;
  /** How long a subscription may take to report a change. Default 10,000 ms. */
  readonly patienceMs?: number;
}

const DEFAULT_PATIENCE_MS = 10_000;

const GROUPS: Readonly<Record<string, readonly Law[]>> = {
  isolation,
  validity,
  shownTexts,
  spans,
  temporal,
  receipts,
  idempotency,
  atomicity,
  lineage,
  undo: undoing,
  journal,
  edges,
  ids,
  filters,
  search,
  nearest,
  neighbours,
  'given versions': givenVersions,
  changes,
  'bad input': badInput,
  limits,
  content,
  concurrency,
  closure,
  compositions,
  usage,
  vectors,
  words,
  restore,
  audit,
  proposals,
  'proposal rules': proposalRules,
  reach,
  rights,
  erasure,
  certificates,
  'capture progress': captureProgress,
  captures,
  'captures of forgotten turns': forgottenCaptures,
  jobs,
  served,
  sharedVectors,
  facts,
  factsAlike,
  keys,
  'late copies': lateCopies,
  'bringing back': bringingBack,
  'bringing back to a slot': returningToSlots,
  'saying again': sayingAgain,
  extractions,
};

/** Defines the tests of every law that applies. */
export function conformanceSuite(options: ConformanceOptions): void {
  const { runner, capabilities } = options;
  const applies = (law: Law): boolean =>
    law.needs.every((need) =>
      need === 'authority'
        ? options.isAuthority === true
        : need === 'vectors'
          ? options.storeVectors !== undefined
          : capabilities[need],
    );
  const prefix = options.tenantPrefix ?? 'conformance';
  let laws = 0;
  runner.describe(`${options.name} conforms`, () => {
    runner.it('declares its capabilities, pre-filtering among them', async () => {
      await using connection = await options.connect();
      assert.deepEqual(Object.keys(connection.capabilities).sort(), [...CAPABILITIES].sort());
      assert.deepEqual(connection.capabilities, capabilities);
      assert.equal(connection.capabilities.prefilter, true);
    });
    for (const [group, members] of Object.entries(GROUPS)) {
      const chosen = members.filter(applies);
      if (chosen.length === 0) continue;
      runner.describe(group, () => {
        for (const law of chosen) {
          laws += 1;
          const tenantPrefix = `${prefix}.${laws}`;
          runner.it(law.name, () =>
            checkLaw(law, {
              ...options,
              tenantPrefix,
              patienceMs: options.patienceMs ?? DEFAULT_PATIENCE_MS,
            }),
          );
        }
      });
    }
  });
}

async function checkLaw(law: Law, options: LabOptions): Promise<void> {
  const lab = new Lab(options);
  try {
    await law.check(lab);
  } finally {
    await lab.close();
  }
}
