/** Operations gathered into commits, and what became of them. */

import { ContextEngineError } from '../codes/errors.ts';
import type { ContextEngine } from '../engine/context-engine.ts';
import type { AnyRow } from '../model/block.ts';
import type { Operation, WriteResult } from '../model/operation.ts';

/**
 * Operations a commit: large enough that the commit is not the cost, small enough that an
 * interruption loses little.
 */
export const BATCH_OPERATIONS = 200;

const OUTCOMES = [
  'stored',
  'duplicate',
  'superseded',
  'quarantined',
  'rejected',
  'conflict',
] as const;
export type Totals = Readonly<Record<(typeof OUTCOMES)[number] | 'embedding_pending', number>>;

export const NO_TOTALS: Totals = {
  stored: 0,
  duplicate: 0,
  superseded: 0,
  quarantined: 0,
  rejected: 0,
  conflict: 0,
  embedding_pending: 0,
};

export const addTotals = (a: Totals, b: Partial<Totals>): Totals => ({
  ...NO_TOTALS,
  ...Object.fromEntries(
    [...OUTCOMES, 'embedding_pending' as const].map((key) => [key, a[key] + (b[key] ?? 0)]),
  ),
});

/** One committed batch, as `--jsonl` prints it. */
export interface Committed {
  readonly totals: Totals;
  readonly uuids: readonly string[];
  readonly position: WriteResult['position'];
}

export const toCommitted = (result: WriteResult): Committed => ({
  totals: addTotals(NO_TOTALS, {
    ...result.counts,
    embedding_pending: result.receipts.filter((receipt) => receipt.embedding === 'pending').length,
  }),
  uuids: result.receipts.flatMap((receipt) => (receipt.uuid === null ? [] : [receipt.uuid])),
  position: result.position,
});

/** What ingest needs of an engine. */
export type IngestEngine = Pick<
  ContextEngine,
  'history' | 'documents' | 'write' | 'remember' | 'setTyped' | 'scopes' | 'keyedDigests'
>;

export type KeyedDigests = Awaited<ReturnType<IngestEngine['keyedDigests']>>;

/** All versions of a root, none where there is no such root. */
export async function versionsOf(
  engine: Pick<IngestEngine, 'history'>,
  root: string,
): Promise<readonly AnyRow[]> {
  try {
    return await engine.history(root);
  } catch (error) {
    if (
      error instanceof ContextEngineError &&
      (error.code === 'SCOPE.NOT_FOUND' || error.code === 'WRITE.NOT_FOUND')
    )
      return [];
    throw error;
  }
}

export const isKeyConflict = (error: unknown): boolean =>
  error instanceof ContextEngineError && error.code === 'WRITE.IDEMPOTENCY_CONFLICT';

/**
 * Commits a batch. A key that was used with another payload means here: the same turn, whose time
 * was not in the file and was filled in when it was first seen, or whose metadata changed since.
 * What was stored stands; such turns are duplicates, the rest is written.
 */
export async function commitBatch(
  engine: IngestEngine,
  operations: readonly Operation[],
): Promise<Committed> {
  try {
    return toCommitted(await engine.write(operations));
  } catch (error) {
    if (!isKeyConflict(error)) throw error;
    const known = await Promise.all(
      operations.map(
        async (operation) =>
          operation.operation === 'ADD' && (await versionsOf(engine, operation.uuid)).length > 0,
      ),
    );
    const fresh = operations.filter((_, index) => known[index] !== true);
    if (fresh.length === operations.length) return commitHalves(engine, operations, error);
    const duplicate = operations.length - fresh.length;
    const committed =
      fresh.length === 0
        ? { totals: NO_TOTALS, uuids: [], position: [] }
        : toCommitted(await engine.write(fresh));
    const stored = operations.flatMap((operation, index) =>
      known[index] === true && operation.operation === 'ADD' ? [operation.uuid] : [],
    );
    return {
      totals: addTotals(committed.totals, { duplicate }),
      uuids: [...stored, ...committed.uuids],
      position: committed.position,
    };
  }
}

/**
 * Turns of before ids were keyed have other ids: which of them are there, the store says one by
 * one. Nothing else is split over commits.
 */
async function commitHalves(
  engine: IngestEngine,
  operations: readonly Operation[],
  conflict: unknown,
): Promise<Committed> {
  if (!operations.every(({ idempotency_key: key }) => key?.startsWith('turn:'))) throw conflict;
  if (operations.length === 1)
    return { totals: addTotals(NO_TOTALS, { duplicate: 1 }), uuids: [], position: [] };
  const middle = Math.ceil(operations.length / 2);
  const first = await commitBatch(engine, operations.slice(0, middle));
  const second = await commitBatch(engine, operations.slice(middle));
  return {
    totals: addTotals(first.totals, second.totals),
    uuids: [...first.uuids, ...second.uuids],
    position: second.position.length > 0 ? second.position : first.position,
  };
}
