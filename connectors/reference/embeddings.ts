/** Vectors by space, beside the ledger: a projection that can be made again. */

import { ContextEngineError } from '../../src/codes/errors.ts';
import type { QueryVector } from '../../src/cxri/contract.ts';
import type { EmbeddingRow, PendingEmbedding, StoredVector } from '../../src/cxri/ports/vectors.ts';
import type { AnyRow } from '../../src/model/block.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import { searchText } from '../../src/text/search-text.ts';
import { allSlots, isBelieved, type Space, type Store } from './store.ts';

/** The row's text where it needs a vector, else null: scopes, typed values and links have none. */
export function embeddable(entry: AnyRow): PendingEmbedding | null {
  const { table, row } = entry;
  const text = searchText(row);
  if (table === 'memory_schema_typed' || table === 'context_links' || text === '') return null;
  return {
    tenant: row.tenant_id,
    scope_uuid: row.scope_uuid,
    table,
    uuid: row.uuid,
    text,
  };
}

/**
 * Throws `INFERENCE.DIMENSIONS` for a space that was never made, or a vector that does not fit it.
 */
export function spaceOf(store: Store, vector: QueryVector): Space {
  const space = store.spaces.get(vector.space);
  if (space && space.dimensions === vector.values.length) return space;
  throw new ContextEngineError('INFERENCE.DIMENSIONS', {
    message:
      `A vector of \`${vector.values.length}\` dimensions of the space \`${vector.space}\` was ` +
      `given; the store has \`${[...store.spaces.keys()].join('`, `') || 'no space'}\`.`,
    fix:
      'Use the embedder that the store was filled with, or embed the store again in the new ' +
      'space.',
  });
}

export function ensureSpace(store: Store, name: string, dimensions: number): void {
  if (!store.spaces.has(name)) store.spaces.set(name, { dimensions, vectors: new Map() });
}

export function pendingEmbeddings(
  store: Store,
  {
    tenant,
    space: name,
    limit,
  }: { readonly tenant: TenantId; readonly space: string; readonly limit: number },
): readonly PendingEmbedding[] {
  const owners = store.spaces.get(name)?.vectors.get(tenant);
  const pending: PendingEmbedding[] = [];
  for (const scope of store.tenants.get(tenant)?.scopes.values() ?? []) {
    for (const slot of allSlots(scope)) {
      if (pending.length === limit) return pending;
      const item = isBelieved(slot) ? embeddable(slot.entry) : null;
      if (item && !owners?.has(item.uuid)) pending.push(item);
    }
  }
  return pending;
}

export function storeEmbeddings(store: Store, name: string, rows: readonly EmbeddingRow[]): void {
  const spaces = rows.map((row) => spaceOf(store, { space: name, values: row.values }));
  rows.forEach((row, index) => {
    const vectors = spaces[index]?.vectors ?? new Map();
    const owners = vectors.get(row.tenant) ?? new Map();
    const own = owners.get(row.uuid) ?? new Map();
    vectors.set(
      row.tenant,
      owners.set(row.uuid, own.set(`${row.origin}/${row.ordinal}`, row.values)),
    );
  });
}

/** The vectors of these versions, as they were stored. */
export function readEmbeddings(
  store: Store,
  name: string,
  { tenant, uuids }: { readonly tenant: TenantId; readonly uuids: readonly Uuid[] },
): readonly StoredVector[] {
  const owners = store.spaces.get(name)?.vectors.get(tenant);
  return [...new Set(uuids)].flatMap((uuid) =>
    [...(owners?.get(uuid) ?? [])].map(([key, values]) => {
      const [origin = '', ordinal] = key.split('/');
      // The key was made of an origin and an ordinal; the cast names that.
      return {
        uuid,
        origin: origin as StoredVector['origin'],
        ordinal: Number(ordinal),
        values,
      };
    }),
  );
}

/** Gives a copy the vectors of what it is a copy of; takes them back when called. */
export function copyVectors(
  spaces: ReadonlyMap<string, Space>,
  tenant: TenantId,
  { from, to }: { readonly from: Uuid; readonly to: Uuid },
): () => void {
  const owners = [...spaces.values()].flatMap(({ vectors }) => vectors.get(tenant) ?? []);
  for (const each of owners) {
    const own = each.get(from);
    if (own) each.set(to, new Map(own));
  }
  return () => {
    for (const each of owners) each.delete(to);
  };
}

/** The best cosine of the row's vectors with the query's; undefined where it has none. */
export function cosineOf(
  space: Space,
  vector: QueryVector,
  owner: { readonly tenant_id: TenantId; readonly uuid: Uuid },
): number | undefined {
  const own = space.vectors.get(owner.tenant_id)?.get(owner.uuid);
  return own && Math.max(...[...own.values()].map((values) => cosine(values, vector.values)));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? 0;
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : dot / Math.sqrt(squaresA * squaresB);
}
