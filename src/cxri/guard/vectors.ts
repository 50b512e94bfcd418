/** The guard of the vectors port: vectors are finite numbers for rows of the tenant. */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest } from '../check-request.ts';
import type { VectorsPort } from '../ports/vectors.ts';

export const guardVectors = (port: VectorsPort): VectorsPort => ({
  ensureSpace: async (space) => {
    checkRequest('vector_space', space);
    return port.ensureSpace(space);
  },
  pendingEmbeddings: async (tenant, space, limit) => {
    checkRequest('some_rows', { tenant, limit });
    const rows = await port.pendingEmbeddings(tenant, space, limit);
    assertThat(rows.length <= limit, 'no more rows are pending than were asked for');
    assertThat(
      rows.every((row) => row.tenant === tenant),
      'a pending row is of the tenant',
    );
    return rows;
  },
  storeEmbeddings: async (space, rows) => {
    for (const row of rows) checkRequest('embedding', row, 'rows');
    return port.storeEmbeddings(space, rows);
  },
  readEmbeddings: async (tenant, space, uuids) => {
    checkRequest('stored_vectors', { tenant, uuids });
    const vectors = await port.readEmbeddings(tenant, space, uuids);
    const asked = new Set(uuids);
    assertThat(
      vectors.every(({ uuid }) => asked.has(uuid)),
      'a vector is of a version that was asked for',
    );
    return vectors;
  },
  rebuildWords: async (tenant, limit) => {
    checkRequest('some_rows', { tenant, limit });
    return port.rebuildWords(tenant, limit);
  },
});
