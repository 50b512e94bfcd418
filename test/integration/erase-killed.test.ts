/**
 * Forget, erase and bring back, cut off at every statement: all of it or nothing, and repeated it
 * finishes.
 */
import { beforeAll, expect, it } from 'vitest';
import { SqlError } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { isSigned } from '../../src/cxri/certificate.ts';
import type { ForgetRequest } from '../../src/model/erasure.ts';
import { type Cut, cutOff } from '../support/cut-off.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('killed');
const SCOPE = id(0, 0);

describeOnDatabases('an erasure that is cut off', (open) => {
  let opened: TestDatabase;
  let made = 0;
  beforeAll(async () => {
    opened = await open();
    await pgvectorAuthority(opened.database).write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(1),
      operations: [makeScope(SCOPE)],
    });
  });

  async function fact(): Promise<ForgetRequest> {
    made += 1;
    const uuid = id(7, made);
    await pgvectorAuthority(opened.database).write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(2),
      operations: [
        {
          operation: 'ADD',
          table: 'memory_open_set',
          scope: SCOPE,
          uuid,
          valid_from: day(0),
          content: factContent(`the fact number ${made} of the harbour`),
        },
      ],
    });
    return {
      tenant: TENANT,
      redaction: id(9, made),
      kind: 'root',
      value: uuid,
      scopes: null,
      at: day(3),
      erase_after: day(33),
      principal: 'tester',
      on_behalf_of: null,
      tier: 'T1',
    };
  }

  /** All that either changes. */
  async function state(request: ForgetRequest): Promise<string> {
    const authority = pgvectorAuthority(opened.database);
    const [row] = await opened.owner.query(
      `select count(*) as words from context_ops.postings where owner_uuid = $1`,
      [request.value],
    );
    const read = { kind: 'history', tenant: TENANT, scopes: '*' } as const;
    const { rows } = await authority.read({ ...read, roots: [request.value as typeof SCOPE] });
    const redactions = await authority.listRedactions(TENANT, { limit: 1, id: request.redaction });
    const certificate = await authority.loadCertificate(TENANT, request.redaction);
    return JSON.stringify([row, rows, redactions, certificate, await authority.auditHead(TENANT)]);
  }

  it.each(['forget', 'erase', 'bringBack'] as const)('%s is whole or absent', async (what) => {
    let longest = 0;
    for (const when of ['before', 'after'] as const)
      for (let at = 1; ; at += 1) {
        const request = await fact();
        const right = pgvectorAuthority(opened.database);
        const erasure = {
          tenant: TENANT,
          redaction: request.redaction,
          at: day(4),
          principal: 'tester',
          on_behalf_of: null,
          tier: 'T1',
        } as const;
        if (what !== 'forget') await right.forget(request);
        const run = (by: typeof right): Promise<unknown> =>
          what === 'forget'
            ? by.forget(request)
            : what === 'erase'
              ? by.erase(erasure)
              : by.bringBack({ ...erasure, scopes: [SCOPE] });
        const before = await state(request);
        const cut: Cut = { at, when, statements: 0 };
        const ended = await run(pgvectorAuthority(cutOff(opened.database, cut))).then(
          () => 'done',
          () => 'cut off',
        );
        longest = Math.max(longest, cut.statements);
        if (cut.statements < at) {
          expect(ended).toBe('done');
          break;
        }
        expect(ended, `statement ${at}`).toBe('cut off');
        expect(await state(request), `statement ${at}, cut ${when}`).toBe(before);
        await run(right);
        expect(await state(request)).not.toBe(before);
        if (what === 'erase') {
          const certificate = await right.loadCertificate(TENANT, request.redaction);
          expect(certificate && isSigned(certificate)).toBe(true);
          expect(await right.erase(erasure), 'erased again').toEqual(certificate);
        }
        if (what === 'bringBack') expect(await state(request)).toContain('brought_back');
      }
    expect(longest).toBeGreaterThanOrEqual(2);
  });

  it('is kept from whoever works as the application role', async () => {
    for (const call of [
      `context_ops.forget('killed', '{}')`,
      `context_ops.erase('killed', '{}')`,
      `context_ops.certify('killed', '${SCOPE}', '{}', '')`,
      `context_ops.scan_copies('killed', '[]')`,
      `context_ops.bring_back('killed', '{}')`,
      `context_ops.restore_copies('killed', '${SCOPE}', now())`,
      `context_ops.return_postings('killed', 'blocks', '[]', 2)`,
    ]) {
      const refused = await opened.database.query(`select ${call}`).then(
        () => 'done',
        (error: unknown) => (error instanceof SqlError ? error.sqlstate : String(error)),
      );
      expect(refused, call).toBe('42501');
    }
    const tried = opened.database.query(
      `update context.memory_open_set set status = 'live' where status = 'suppressed'`,
    );
    await expect(tried).rejects.toMatchObject({ sqlstate: '42501' });
  });
});
