/** The write of an undo: what is read for it, and what comes back by lineage once it is stored. */
import {
  bringBackWithdrawn,
  type copiesOf,
  type UndoFacts,
} from '../../../src/ledger/apply-undo.ts';
import type { Step } from '../../../src/ledger/carry-placement.ts';
import { builtOn } from '../../../src/ledger/refusals.ts';
import { overlapping } from '../../../src/ledger/undoing.ts';
import { isBelieved, type WorkingSet } from '../../../src/ledger/working-set.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import type { Receipt, UndoOperation } from '../../../src/model/operation.ts';
import type { SqlSession } from '../driver/sql.ts';
import { asList, asObject, asText } from '../rows.ts';
import { loadUndo, operationsAt } from './load-undo.ts';
import { type FurtherLocks, loadDerived } from './write-lineage.ts';
import { loadKeysOf, loadVersions } from './write-load.ts';

/**
 * Into the working set, as the ledger stands; everything before it is carried over. Scopes of
 * sources that are not locked yet come first: a source may not fall meanwhile.
 */
export async function readUndo(
  tx: SqlSession,
  set: WorkingSet,
  { target }: UndoOperation,
): Promise<{ readonly facts: UndoFacts | undefined; readonly further: FurtherLocks }> {
  const { tenant } = set.request;
  const facts = await loadUndo(tx, { tenant, target });
  if (!facts) return { facts: undefined, further: [] };
  const unheld = unlocked(set, facts.sourceScopes);
  if (unheld.length > 0) return { facts, further: unheld };
  for (const entry of facts.rows) set.add(entry, 'stored');
  await loadDerived(
    tx,
    set,
    facts.rows.map(({ row: { uuid } }) => uuid),
  );
  return { facts, further: [] };
}

function unlocked(set: WorkingSet, scopes: readonly Uuid[]): FurtherLocks {
  const held = new Set(set.lockedScopes());
  return scopes.filter((scope) => !held.has(scope));
}

interface Undone {
  readonly facts: UndoFacts;
  readonly receipt: Receipt;
  readonly idOf: Step['idOf'];
}

/**
 * What was withdrawn because of the operation comes back; the undo itself is carried over already.
 * Gives scopes to lock first: those of the rows, and of their sources, which may not fall
 * meanwhile.
 */
export async function returnWithdrawn(
  tx: SqlSession,
  set: WorkingSet,
  { facts, receipt, idOf }: Undone,
): Promise<FurtherLocks> {
  const { tenant } = set.request;
  const [row] = await tx.query('select context_ops.returning_of($1, $2, $3::jsonb) as answer', [
    tenant,
    facts.undoes,
    JSON.stringify(facts.undoing.append.map(({ copy_of: of }) => of)),
  ]);
  const answer = asObject(row?.['answer']);
  const scopes = asList(answer['scopes']).map((scope) => asText(scope) as Uuid); // of uuid columns
  const further = unlocked(set, scopes);
  if (further.length > 0) return further;
  const versions = asList(answer['rows']).map((each) => asText(each) as Uuid);
  if (versions.length === 0) return [];
  await loadVersions(tx, set, { roots: [], uuids: versions });
  const roots = versions.map((uuid) => set.versionOf(uuid).entry.row.root_uuid);
  await loadVersions(tx, set, { roots: [...new Set(roots)], uuids: [] });
  await loadKeysOf(tx, set, versions);
  await refuseTaken(tx, set, { versions, target: facts.undoes });
  bringBackWithdrawn(set, {
    versions,
    by: receipt,
    idOf,
    entries: await entriesAt(tx, set, receipt),
  });
  return [];
}

/** Something else may have taken the time of a row that was withdrawn. */
async function refuseTaken(
  tx: SqlSession,
  set: WorkingSet,
  { versions, target }: { readonly versions: readonly Uuid[]; readonly target: Uuid },
): Promise<void> {
  const taken = versions.flatMap((uuid) => {
    const own = set.versionOf(uuid).entry;
    const { row, table } = own;
    const peers = [
      ...set.versionsOf(row.root_uuid),
      ...(table === 'memory_schema_typed' ? set.valuesOf(row.scope_uuid, row) : []),
    ].filter(isBelieved);
    const { valid_from, valid_until } = row;
    const entries = peers.map(({ entry }) => entry);
    return overlapping([own], entries, { copy_of: uuid, valid_from, valid_until });
  });
  if (taken.length === 0) return;
  const places = taken.map(({ row }) => ({ scope: row.scope_uuid, seq: row.recorded_seq }));
  throw builtOn(target, await operationsAt(tx, set.request.tenant, places));
}

async function entriesAt(
  tx: SqlSession,
  set: WorkingSet,
  { scope, seq }: Receipt,
): Promise<number> {
  const [row] = await tx.query(
    `select count(*) as entries from context_ops.operations
     where tenant_id = $1 and scope_uuid = $2 and seq = $3`,
    [set.request.tenant, scope, seq],
  );
  return Number(row?.['entries']);
}

/** Copies have the vectors of what they are copies of. */
export async function copyVectors(
  tx: SqlSession,
  set: WorkingSet,
  copies: ReturnType<typeof copiesOf>,
): Promise<void> {
  if (copies.length === 0) return;
  await tx.query('select context_ops.copy_vectors($1, $2::jsonb)', [
    set.request.tenant,
    JSON.stringify(copies),
  ]);
}
