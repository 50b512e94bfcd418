/** The guard of the vectors port: vectors are finite numbers for rows of the tenant. */
import { assertThat } from '../../codes/errors.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { EmbeddingRow, VectorsPort } from '../ports/vectors.ts';
import { invalidRequest } from '../refuse.ts';

export const guardVectors = (port: VectorsPort): VectorsPort => ({
  ensureSpace: async (space) => {
    const { dimensions } = space;
    if (!Number.isSafeInteger(dimensions) || dimensions < 1)
      throw invalidRequest('dimensions', dimensions, 'Pass how many numbers a vector has.');
    return port.ensureSpace(space);
  },
  pendingEmbeddings: async (tenant, space, limit) => {
    checkTenant(tenant);
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw invalidRequest('limit', limit, 'Pass a positive integer.');
    const rows = await port.pendingEmbeddings(tenant, space, limit);
    assertThat(rows.length <= limit, 'no more rows are pending than were asked for');
    assertThat(
      rows.every((row) => row.tenant === tenant),
      'a pending row is of the tenant',
    );
    return rows;
  },
  storeEmbeddings: async (space, rows) => {
    for (const row of rows) checkRow(row);
    return port.storeEmbeddings(space, rows);
  },
  rebuildWords: async (tenant, limit) => {
    checkTenant(tenant);
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw invalidRequest('limit', limit, 'Pass a positive integer.');
    return port.rebuildWords(tenant, limit);
  },
});

function checkRow(row: EmbeddingRow): void {
  checkTenant(row.tenant);
  checkUuids([row.uuid, row.scope_uuid], 'rows');
  if (row.values.length === 0 || !row.values.every(Number.isFinite))
    throw invalidRequest('values', row.values, 'Pass a vector of finite numbers.');
}
