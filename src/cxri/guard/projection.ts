/** The guard of a projection: what is fed is of the tenant and of one scope, and believed. */
import { assertThat } from '../../codes/errors.ts';
import type { TenantId } from '../../model/ids.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { FeedCursor, Projection, ProjectionBatch, ProjectionFeed } from '../projection.ts';
import { guard } from './connection.ts';

function checkBatch(batch: ProjectionBatch): void {
  checkRequest('projected', batch);
  const { scope } = batch.cursor;
  assertThat(
    batch.changes.every((change, n) => {
      const before = batch.changes[n - 1]?.seq ?? 0;
      return change.scope === scope && change.seq >= before && change.seq <= batch.cursor.seq;
    }),
    'changes are of the scope of the cursor, in order, up to it',
  );
  const removed = new Set(batch.remove);
  const seen = new Set<string>();
  for (const { entry, vector } of batch.upsert) {
    const { row } = entry;
    assertThat(row.tenant_id === batch.tenant, 'a projection is fed rows of the tenant');
    assertThat(row.scope_uuid === scope, 'a batch is of the scope of its cursor');
    assertThat(
      row.status === 'live' && row.retired_seq === null,
      'a projection holds believed rows alone',
    );
    assertThat(
      !removed.has(row.uuid) && !seen.has(row.uuid),
      'a batch says one thing of a version',
    );
    seen.add(row.uuid);
    if (vector !== null) checkRequest('projected_vector', { values: vector }, 'upsert');
  }
}

async function cursorOf(
  port: Pick<ProjectionFeed, 'cursor'>,
  tenant: TenantId,
): Promise<FeedCursor> {
  checkTenant(tenant);
  const cursor = await port.cursor(tenant);
  const scopes = new Set(cursor.marks.map(({ scope }) => scope));
  assertThat(scopes.size === cursor.marks.length, 'a scope has one mark');
  return cursor;
}

const guardFeed = (feed: ProjectionFeed): ProjectionFeed => ({
  apply: async (batch) => {
    checkBatch(batch);
    return feed.apply(batch);
  },
  cursor: async (tenant) => cursorOf(feed, tenant),
  erase: async (erasure) => {
    checkRequest('projected_erasure', erasure);
    return feed.erase(erasure);
  },
  upkeep: (bounds) => feed.upkeep(bounds),
  [Symbol.asyncDispose]: () => feed[Symbol.asyncDispose](),
});

/** Disposing the guard disposes the projection. */
export const guardProjection = (projection: Projection): Projection => ({
  ...guard(projection),
  cursor: async (tenant) => cursorOf(projection, tenant),
  feed: async () => guardFeed(await projection.feed()),
  rebuild: async () => {
    const rebuild = await projection.rebuild();
    return { ...guardFeed(rebuild), commit: () => rebuild.commit() };
  },
});
