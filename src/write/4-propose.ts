/**
 * Stage 4: a write that is not T1 becomes a proposal, whole: its operations may need each other.
 */
import type { Uuid } from '../model/ids.ts';
import {
  countsOf,
  isOfTable,
  type Operation,
  type Receipt,
  type WriteResult,
} from '../model/operation.ts';
import { endedHeads, judgedTargets, judgedVersions } from '../permission/judged-versions.ts';
import type { AuthorizedWrite } from './3-authorize.ts';
import { derivesIds } from './5-commit.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** An edge of authority is approved by who holds both of its ends. */
const grantedEnds = (operation: Operation): readonly Uuid[] =>
  (operation.operation === 'ADD' || operation.operation === 'UPDATE') &&
  operation.table === 'context_links' &&
  ['inherits', 'grants'].includes(operation.content.link_type)
    ? [operation.content.from_uuid, operation.content.to_uuid]
    : [];

/** The answer of a write that waits; null where it goes on. */
export async function proposeWrite(
  authorized: AuthorizedWrite,
  { authority, permission, writer, newId }: WriteDependencies,
): Promise<WriteResult | null> {
  const { waits, operations, decisions, unheldBirths, grant } = authorized;
  if (waits === null) return null;
  const proposal = await permission.propose(grant, {
    kind: 'write',
    ...waits,
    scopes: [
      ...new Set([...operations.map(({ scope }) => scope), ...operations.flatMap(grantedEnds)]),
    ],
    writer,
    operations,
    decisions,
    must_be_new: unheldBirths,
    seed: operations.some(derivesIds) ? newId() : null,
    versions: await judgedVersions(operations, grant, authority),
    targets: await judgedTargets(operations, grant, authority),
    heads: await endedHeads(operations, grant, authority),
  });
  const { proposal_uuid, digest, action } = proposal;
  const receipts = operations.map(
    (operation): Receipt => ({
      operation_id: proposal_uuid,
      operation: operation.operation,
      table: isOfTable(operation) ? operation.table : null,
      outcome: 'quarantined',
      scope: operation.scope,
      uuid: null,
      root_uuid: 'root_uuid' in operation ? operation.root_uuid : null,
      seq: 0,
      embedding: 'none',
      ...(operation.reason !== undefined && { reason: operation.reason }),
    }),
  );
  const { tier, expires_at } = action;
  return {
    receipts,
    counts: countsOf(receipts),
    position: [],
    proposal: { proposal_uuid, tier, digest, expires_at },
  };
}
