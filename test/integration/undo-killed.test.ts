/** Undo, cut off at every statement: all of it or nothing, and repeated it finishes. */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Operation, WriteResult } from '../../src/model/operation.ts';
import { type Cut, cutOff } from '../support/cut-off.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('killed-undo');
const SCOPES = [id(0, 1), id(0, 2)] as const;

describeOnDatabases('an undo that is cut off', (open) => {
  let opened: TestDatabase;
  let made = 0;
  const write = (operations: readonly Operation[]): Promise<WriteResult> =>
    pgvectorAuthority(opened.database).write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(2),
      operations,
    });
  beforeAll(async () => {
    opened = await open();
    await write(SCOPES.map((scope) => makeScope(scope)));
  });

  /** A correction that took along what derives from the row, in both scopes. */
  async function corrected(): Promise<Operation> {
    made += 1;
    const [scope, other] = SCOPES;
    const [wrong, near, far, right] = [1, 2, 3, 4].map((n) => id(n, made));
    if (!wrong || !near || !far || !right) throw new Error('four ids');
    const fact = { table: 'memory_open_set', valid_from: day(0) } as const;
    const { receipts } = await write([
      { ...fact, operation: 'ADD', scope, uuid: wrong, content: factContent('wrong') },
      {
        ...fact,
        operation: 'ADD',
        scope,
        uuid: near,
        content: factContent('near'),
        sources: [wrong],
      },
      {
        ...fact,
        operation: 'ADD',
        scope: other,
        uuid: far,
        content: factContent('far'),
        sources: [near],
      },
      {
        ...fact,
        operation: 'UPDATE',
        scope,
        uuid: right,
        root_uuid: wrong,
        cause: 'correction',
        content: factContent('right'),
      },
    ]);
    return { operation: 'UNDO', scope, target: receipts[3]?.operation_id ?? right };
  }

  /** All that it changes. */
  async function state(): Promise<string> {
    const authority = pgvectorAuthority(opened.database);
    const roots = [1, 2, 3].map((n) => id(n, made));
    const { rows } = await authority.read({ kind: 'history', tenant: TENANT, scopes: '*', roots });
    const { position } = await authority.heads(TENANT, SCOPES);
    const [words] = await opened.owner.query(`select count(*) as n from context_ops.postings`);
    return JSON.stringify([rows, position, words]);
  }

  it('is whole or absent', async () => {
    let longest = 0;
    for (const when of ['before', 'after'] as const)
      for (let at = 1; ; at += 1) {
        const undo = await corrected();
        const before = await state();
        const cut: Cut = { at, when, statements: 0 };
        const request = { tenant: TENANT, writer: WRITER, recorded_at: day(3), operations: [undo] };
        const ended = await pgvectorAuthority(cutOff(opened.database, cut))
          .write(request)
          .then(
            () => 'done',
            () => 'cut off',
          );
        longest = Math.max(longest, cut.statements);
        if (cut.statements < at) {
          expect(ended).toBe('done');
          break;
        }
        expect(ended, `statement ${at}`).toBe('cut off');
        expect(await state(), `statement ${at}, cut ${when}`).toBe(before);
        const { receipts } = await write([undo]);
        expect(receipts[0]?.outcome).toBe('stored');
        expect(await state()).not.toBe(before);
        expect((await write([undo])).receipts[0]?.outcome).toBe('duplicate');
      }
    // Locks, the operation, its rows and what builds on it, the write, what comes back, vectors.
    expect(longest).toBeGreaterThanOrEqual(12);
  });
});
