/**
 * A search finds the rows of its candidates by their key (migrations/0048_search_by_key.sql), also
 * where nothing is known of a table yet: along the index of the scope it would read all of the scope
 * for each candidate.
 */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { describeOnServer, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('search-plan');
const SCOPE = id(1, 1);
/** A server analyzes them a minute later; an embedded database with the write. */
const FACTS = 2_000;
const PART = { table: 'memory_open_set', mode: 'search' };
const SHAPE = { words: true, space: null, single: true, counts: false };
const TYPES =
  'text, uuid[], int8[], timestamptz, int4, uuid[], text, uuid[], int8[], int4, uuid[], text[], ' +
  'text[], float8[], int4[], float8[]';

describeOnServer('the plan of a search', (open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
    const authority = pgvectorAuthority(opened.database);
    await authority.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(0),
      operations: [
        makeScope(SCOPE),
        ...Array.from({ length: FACTS }, (_, n) => ({
          operation: 'ADD' as const,
          table: 'memory_open_set' as const,
          scope: SCOPE,
          uuid: id(2, n),
          valid_from: day(0),
          content: factContent(`fact ${n}`),
        })),
      ],
    });
  });

  it('reads a candidate by its key while the table has no statistics', async () => {
    const plan = await opened.owner.transaction(async (tx) => {
      const [row] = await tx.query('select context_ops.statement_of($1::jsonb, $2::jsonb) as s', [
        JSON.stringify(PART),
        JSON.stringify(SHAPE),
      ]);
      await tx.query(`prepare looked (${TYPES}) as ${String(row?.['s'])}`);
      await tx.query('set local plan_cache_mode = force_generic_plan');
      const lines = await tx.query(
        `explain (costs off) execute looked ('${TENANT}', '{${SCOPE}}', '{1}', now(), 5, '{}',
          null, null, null, 20, null, null, '{}', '{}', '{}', '{1,1}')`,
      );
      return lines.map((line) => String(line['QUERY PLAN']));
    });
    const scans = plan.filter((line) => line.includes('on memory_open_set'));
    expect(scans.length).toBeGreaterThan(1);
    for (const line of scans) expect(line).toContain('memory_open_set_pkey');
  });
});
