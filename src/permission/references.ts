/**
 * What an operation points at: sources of a derived row, the ends of a link, the parent of a block.
 * Each must be there and held. What is not held is not looked up, so it answers like what is not
 * there.
 */
import { edgeNotHere, parentMissing, sourceGone, targetMissing } from '../ledger/refusals.ts';
import type { AnyRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import { isBringing, isRange, type Operation } from '../model/operation.ts';

/** What the operations of a batch name, by how it is looked up. */
export interface References {
  readonly versions: readonly Uuid[];
  readonly roots: readonly Uuid[];
}

/**
 * Empty for plain appends, which then look up nothing. Rows that the batch claims to make are left
 * out: the connectors hold, under their locks, that it really made them.
 */
export function referencesOf(operations: readonly Operation[]): References {
  const made = new Set<Uuid>();
  const versions = new Set<Uuid>();
  const roots = new Set<Uuid>();
  for (const operation of operations) {
    if (!isBringing(operation)) continue;
    for (const source of operation.sources ?? []) {
      if (isRange(source)) roots.add(source.scope);
      else if (!made.has(source)) versions.add(source);
    }
    if (operation.table === 'context_links')
      for (const end of [operation.content.from_uuid, operation.content.to_uuid])
        if (!made.has(end) && end !== operation.scope) roots.add(end);
    const parent = parentOf(operation);
    if (parent !== null && !made.has(parent) && parent !== operation.scope) roots.add(parent);
    made.add(operation.uuid);
  }
  return { versions: [...versions], roots: [...roots] };
}

/** Throws for the first reference that is in none of `rows`, the rows that the writer may read. */
export function checkReferences(operations: readonly Operation[], rows: readonly AnyRow[]): void {
  const versions = new Set(rows.map(({ row }) => row.uuid));
  const roots = new Map(rows.map((found) => [found.row.root_uuid, found]));
  const made = new Map<Uuid, Operation>();
  for (const [index, operation] of operations.entries()) {
    if (!isBringing(operation)) continue;
    const missing = (operation.sources ?? []).find((source) =>
      isRange(source) ? !roots.has(source.scope) : !versions.has(source) && !made.has(source),
    );
    if (missing !== undefined) throw sourceGone(missing);
    const parent = parentOf(operation);
    const isThereAlready = (uuid: Uuid): boolean =>
      uuid === operation.scope || made.has(uuid) || roots.has(uuid);
    if (parent !== null && !isThereAlready(parent)) throw parentMissing(parent, index);
    if (operation.table === 'context_links') {
      const { from_uuid: from, to_uuid: to, link_type: type } = operation.content;
      const fromScope = made.get(from)?.scope ?? roots.get(from)?.row.scope_uuid;
      if (from !== operation.scope && fromScope !== operation.scope)
        throw edgeNotHere(from, operation.scope);
      const target = roots.get(to);
      const isThere = made.has(to) || to === operation.scope || target !== undefined;
      if (!isThere || (type === 'inherits' && target && !isScopeOfItself(target)))
        throw targetMissing(to, index);
    }
    made.set(operation.uuid, operation);
  }
}

const parentOf = (operation: Operation): Uuid | null =>
  'content' in operation && operation.table === 'blocks' ? operation.content.parent_uuid : null;

export const isScopeOfItself = ({ table, row }: AnyRow): boolean =>
  table === 'blocks' && row.is_scope && row.root_uuid === row.scope_uuid;
