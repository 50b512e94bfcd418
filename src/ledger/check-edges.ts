/** Laws of edges, lineage and scope blocks, on the working set. */

import type { LinkContent } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { DeleteOperation, UpdateOperation } from '../model/operation.ts';
import {
  edgeNotHere,
  lineageByHand,
  linkTypeMoved,
  scopeNotFresh,
  scopeTypeMoved,
  targetMissing,
} from './refusals.ts';
import type { WorkingSet } from './working-set.ts';

/** An edge leads from a row of the scope that is written; lineage is not written by hand. */
export function checkEdge(
  set: WorkingSet,
  scope: Uuid,
  { from_uuid: from, to_uuid: to, link_type: type }: LinkContent,
): void {
  if (type === 'derived_from') throw lineageByHand();
  const isHere =
    from === scope ||
    set.places.get(from) === scope ||
    set.versionsOf(from).some(({ entry }) => entry.row.scope_uuid === scope);
  if (!isHere) throw edgeNotHere(from, scope);
  if (to !== scope && set.isOnlyClaimed(to)) throw targetMissing(to);
}

/** What an UPDATE may not move: the edge's beginning, lineage, and whether a block is a scope. */
export function checkKept(set: WorkingSet, operation: UpdateOperation): void {
  checkLineageEnd(set, operation);
  const [kept] = set.versionsOf(operation.root_uuid);
  if (operation.table === 'context_links') {
    checkEdge(set, operation.scope, operation.content);
    const isMoved =
      kept?.entry.table === 'context_links' &&
      kept.entry.row.link_type !== operation.content.link_type;
    if (isMoved) throw linkTypeMoved(operation.root_uuid);
  }
  if (operation.table !== 'blocks' || kept?.entry.table !== 'blocks') return;
  const { content } = operation;
  const { is_scope: isScope, block_type: type, root_uuid: root } = kept.entry.row;
  const isKept = isScope ? content.is_scope && content.block_type === type : !content.is_scope;
  if (!isKept) throw scopeTypeMoved(root);
}

/** A `derived_from` link ends with its row. */
export function checkLineageEnd(
  set: WorkingSet,
  { root_uuid: root }: UpdateOperation | DeleteOperation,
): void {
  const [kept] = set.versionsOf(root);
  if (kept?.entry.table === 'context_links' && kept.entry.row.link_type === 'derived_from')
    throw lineageByHand();
}

/** A scope that only this request may make was not there, or nothing new is said in it. */
export function checkNewScopes(set: WorkingSet): void {
  const { operations, must_be_new: scopes = [] } = set.request;
  for (const scope of scopes) {
    if (set.lockOf(scope).head === 0) continue;
    const isRepeated = operations
      .filter((operation) => operation.scope === scope)
      .every(({ idempotency_key: key }) => key !== undefined && set.known(scope, key));
    if (!isRepeated) throw scopeNotFresh(scope);
  }
}
