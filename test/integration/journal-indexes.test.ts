/**
 * The partial indexes of the journal (migrations/0047_barrier_entries.sql) serve the statements that
 * they are for: one whose condition they do not cover would read the journal from end to end.
 */
import { beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const CAUSED = `select operation_id from context_ops.operations
  where tenant_id = 'ours' and caused_by = '${ID}'`;
/** As connectors/pgvector/ledger/load-undo.ts and the functions of the database ask. */
const ASKED = {
  'what undid an operation': [
    `${CAUSED} and operation = 'UNDO' and outcome = 'stored'`,
    'operations_caused',
  ],
  'what came back with an undo': [`${CAUSED} and operation = 'RETURN'`, 'operations_caused'],
  'where something fell': [
    `${CAUSED} and operation = 'CASCADE' and ordinal <= 1`,
    'operations_caused',
  ],
  'the number that was known at a time': [
    `select seq from context_ops.operations where tenant_id = 'ours' and scope_uuid = '${ID}'
       and ordinal = 0 and recorded_at <= now() order by recorded_at desc, seq desc limit 1`,
    'operations_time',
  ],
} as const;

describeOnDatabases('the indexes of the journal', (open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  });

  it.each(Object.entries(ASKED))('give %s', async (_, [statement, index]) => {
    const plan = await opened.owner.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      return tx.query(`explain (costs off) ${statement}`);
    });
    expect(JSON.stringify(plan)).toContain(index);
  });
});
