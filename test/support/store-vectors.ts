/** How an authority takes the vectors of the conformance suite. */

import { InternalError } from '../../src/codes/errors.ts';
import { VECTOR_SPACE, VECTOR_SPACE_NAME, type VectorRow } from '../../src/conformance/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { Connection } from '../../src/cxri/contract.ts';

export async function storeVectors(
  connection: Connection,
  rows: readonly VectorRow[],
): Promise<void> {
  if (!isAuthority(connection)) throw new InternalError('vectors are stored through an authority');
  await connection.ensureSpace(VECTOR_SPACE);
  await connection.storeEmbeddings(
    VECTOR_SPACE_NAME,
    rows.map(({ tenant, scope, table, uuid, values }) => ({
      tenant,
      scope_uuid: scope,
      table,
      uuid,
      ordinal: 0,
      origin: 'content' as const,
      values,
    })),
  );
}

const isAuthority = (connection: Connection): connection is Authority =>
  'storeEmbeddings' in connection;
