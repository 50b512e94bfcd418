/**
 * A write finds each id that it names by its key (migrations/0050_keys_beneath_policies.sql), also
 * under plans that were made while nothing was stored.
 */
import { beforeAll, expect, it } from 'vitest';
import type { SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('write-plan');
const SCOPE = id(1, 1);
const FACTS = 500;
const ASKED = JSON.stringify(Array.from({ length: 5 }, (_, n) => id(2, n)));
const RANGE = { scope: SCOPE, from_seq: 1, to_seq: 2, seen_seq: 2 };
const CALLS: readonly (readonly [string, readonly string[]])[] = [
  ['taken_ids($1, $2::jsonb)', [ASKED]],
  ['derived_from_any($1, $2::jsonb)', [ASKED]],
  ['standing_ranges($1, $2::jsonb)', [JSON.stringify([RANGE])]],
  ['targets_above($1, $2::jsonb, $3::jsonb)', [JSON.stringify([{ id: 'a', ...RANGE }]), '[]']],
];

describeOnDatabases('what a write reads to find its ids', (open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  });

  it('is as many rows as it names', async () => {
    // One session: it keeps the plans of the first calls.
    for (const [call, params] of CALLS) await inTenant((tx) => readBy(tx, call, params));
    await pgvectorAuthority(opened.database).write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(0),
      operations: [makeScope(SCOPE), ...Array.from({ length: FACTS }, (_, n) => factAt(n))],
    });
    for (const [call, params] of CALLS) {
      const read = await inTenant((tx) => readBy(tx, call, params));
      expect(read, call).toBeLessThan(50);
    }
  });

  const inTenant = <T>(body: (tx: SqlSession) => Promise<T>): Promise<T> =>
    opened.owner.transaction(async (tx) => {
      await tx.query('set local role contextengine_app');
      await tx.query(
        "select set_config('contextengine.tenant', $1, true), set_config('contextengine.scopes', '*', true)",
        [TENANT],
      );
      return body(tx);
    });
});

const factAt = (n: number) => ({
  operation: 'ADD' as const,
  table: 'memory_open_set' as const,
  scope: SCOPE,
  uuid: id(2, n),
  valid_from: day(0),
  content: factContent(`fact ${n}`),
});

/** Rows and index entries that the call read of the tables of ids, blocks and links. */
async function readBy(tx: SqlSession, call: string, params: readonly string[]): Promise<number> {
  const before = await counted(tx);
  await tx.query(`select context_ops.${call}`, [TENANT, ...params]);
  return (await counted(tx)) - before;
}

async function counted(tx: SqlSession): Promise<number> {
  const [row] = await tx.query(`
    select sum(pg_stat_get_xact_tuples_returned(c.oid)) as rows from pg_class c
    where c.oid::regclass in (select i.indexrelid::regclass from pg_index i where i.indrelid in (
        'context_ops.row_ids'::regclass, 'context.blocks'::regclass, 'context.context_links'::regclass))
      or c.oid in ('context_ops.row_ids'::regclass, 'context.blocks'::regclass,
        'context.context_links'::regclass)`);
  return Number(row?.['rows'] ?? 0);
}
