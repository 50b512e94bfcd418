/**
 * The subpath `contextengine/connectors/pgvector` by itself: what it exports opens, migrates,
 * writes and reads.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { expect, it } from 'vitest';
import {
  createPgvectorConnector,
  migratePgvector,
  type PgvectorPlace,
} from '../../connectors/pgvector/index.ts';
import { describeOnServer } from '../support/databases.ts';
import { day, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('alone');
const SCOPE = id(7, 1);

async function writesAndReads(place: PgvectorPlace): Promise<void> {
  await using connection = await createPgvectorConnector(place).connect();
  await connection.write({
    tenant: TENANT,
    writer: WRITER,
    recorded_at: day(1),
    operations: [{ ...makeScope(SCOPE), idempotency_key: 'once' }],
  });
  const { rows } = await connection.read({
    tenant: TENANT,
    kind: 'versions',
    scopes: [SCOPE],
    uuids: [SCOPE],
  });
  expect(rows.map(({ row }) => row.uuid)).toEqual([SCOPE]);
}

it('opens in memory, and in a folder that keeps what was written', async () => {
  await writesAndReads({ inMemory: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'pgvector-connector-'));
  await writesAndReads({ dataDir });
  await writesAndReads({ dataDir });
  await rm(dataDir, { recursive: true });
}, 600_000);

describeOnServer('on a server', (open) => {
  it('migrates, and opens by URL and by a pool', async () => {
    const { url } = await open();
    expect((await migratePgvector({ url })).applied).toEqual([]);
    await writesAndReads({ url });
    const pool = new Pool({ connectionString: url, max: 2 });
    await writesAndReads({ pool });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
