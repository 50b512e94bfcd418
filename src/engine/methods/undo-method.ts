/** `undo`: an operation is taken back, with all that it caused; so is a `forget` that waits. */
import type { ContextEngineError } from '../../codes/errors.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { nothingWritten, rowIsNoOperation, undoneMissing } from '../../ledger/refusals.ts';
import { parseUuid, type Uuid } from '../../model/ids.ts';
import { countsOf, type Receipt, type WriteResult } from '../../model/operation.ts';
import type { Grant } from '../../model/permission.ts';
import type { UndoOptions } from '../../model/write-input.ts';
import { writeOperations } from '../../write/write.ts';
import type { CallOptions } from '../context-engine.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { bringBack, holdsAll, tierOf } from './bring-back-method.ts';

/** Who may not bring it back, and does not hold all of it, does not learn that it is there. */
async function isTheirs(redaction: Uuid, grant: Grant, parts: EngineParts): Promise<boolean> {
  const { authority } = parts;
  const tier = tierOf(grant, parts);
  const [known] = await authority.listRedactions(grant.tenant, { limit: 1, id: redaction });
  if (!known || grant.scopes.all || tier === 'T1') return known !== undefined;
  const reach =
    tier === 'excluded' ? null : await authority.reachOfRedaction(grant.tenant, redaction);
  return reach !== null && holdsAll(grant, reach);
}

/** What the id names that no operation of that id changed: nothing that is not read is told. */
async function whyNone(
  target: Uuid,
  grant: Grant,
  { authority, permission }: EngineParts,
): Promise<ContextEngineError> {
  const { tenant, scopes: held } = grant;
  const entry = await authority.operationNamed(tenant, target, held);
  const scopes = held.all ? '*' : [...held.uuids];
  const { rows } = entry
    ? { rows: [] }
    : await authority.read({ kind: 'versions', tenant, scopes, uuids: [target] });
  const scope = entry?.scope ?? rows[0]?.row.scope_uuid;
  const isRead = scope !== undefined && (await permission.readable(grant, [scope])).has(scope);
  if (!isRead) return undoneMissing(target);
  if (!entry) return rowIsNoOperation(target);
  // What came with another operation goes with it, and is no operation of its own.
  const { operation, outcome, root_uuid } = entry;
  const hasWritten = operation !== 'NOOP' && (outcome === 'stored' || outcome === 'superseded');
  const as = operation === 'NOOP' ? operation : outcome;
  return hasWritten ? undoneMissing(target) : nothingWritten(target, { as, root_uuid });
}

/**
 * An operation of a scope that is not held answers like one that is not there. One that is taken
 * back already is a duplicate, and nothing is written.
 */
export async function undo(
  parts: EngineParts,
  operation: string,
  options: UndoOptions & CallOptions = {},
): Promise<WriteResult> {
  const { permission_profile, signal, ...said } = options;
  const by = {
    ...(permission_profile !== undefined && { permission_profile }),
    ...(signal !== undefined && { signal }),
  };
  checkInput('undo', said);
  const target = parseUuid(operation, 'operation');
  const grant = await grantOf(parts, by, 'write');
  const plan = await parts.authority.readUndo(grant.tenant, target, grant.scopes);
  if (!plan) {
    if (!(await isTheirs(target, grant, parts))) throw await whyNone(target, grant, parts);
    const { proposal, ...back } = await bringBack(parts, target, by);
    const answer = { receipts: [], counts: countsOf([]), position: [] };
    return proposal ? { ...answer, proposal } : { ...answer, brought_back: back };
  }
  const { scope, undone_by: undoneBy } = plan;
  if (undoneBy !== null) {
    const receipt: Receipt = {
      operation_id: undoneBy,
      operation: 'UNDO',
      table: plan.effects[0]?.entry.table ?? null,
      outcome: 'duplicate',
      scope,
      uuid: null,
      root_uuid: plan.root_uuid,
      seq: 0,
      embedding: 'none',
    };
    return { receipts: [receipt], counts: countsOf([receipt]), position: [] };
  }
  const { reason } = said;
  const taking = {
    operation: 'UNDO',
    scope,
    target,
    ...(reason !== undefined && { reason }),
  } as const;
  const profile = await parts.profileOf(by);
  const call = { operations: [taking], profile, now: parts.now(), ...signalOf(by) };
  return writeOperations(call, parts);
}
