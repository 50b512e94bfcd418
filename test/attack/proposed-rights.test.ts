/**
 * SQL as the application role proposes a right under a weaker tier, and reviews it under the name of
 * somebody who reviews: a right takes a signature, whatever the proposal says of itself.
 */
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { SqlError, type SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { parseTenant } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, id } from '../support/ledger.ts';

const TENANT = parseTenant('proposed-rights');
const SCOPE = id(0, 0);
/** A point of small order: anyone signs for it. */
const WEAK_KEY = `01${'0'.repeat(62)}`;

describeOnDatabases('a right that is proposed by SQL', (open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
    const authority = pgvectorAuthority(opened.database);
    const by = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) };
    const stored = { action: 'set', kind: 'human', tiers: { approvals: 'T1' } } as const;
    await authority.changeRights(TENANT, { ...stored, principal: 'admin', scopes: '*' }, by);
    await authority.changeRights(TENANT, { ...stored, principal: 'lead', scopes: [SCOPE] }, by);
  });

  const asTenant = (run: (tx: SqlSession) => Promise<unknown>): Promise<unknown> =>
    opened.database
      .transaction(async (tx) => {
        await tx.query(
          `select set_config('contextengine.tenant', $1, true), set_config('contextengine.scopes', '*', true)`,
          [TENANT],
        );
        return run(tx);
      })
      .catch((error: unknown) => error);

  const proposal = (of: object): string => {
    const action = {
      ...{ version: 1, tenant: TENANT, proposal: id(1, 1), kind: 'rights', key: 'grants' },
      ...{ tier: 'T3', proposer: 'x', scopes: [], operations: [] },
      ...{ proposed_at: day(1), expires_at: day(8) },
      change: { action: 'set', principal: 'mallory', kind: 'human', scopes: '*', tiers: {} },
      ...of,
    };
    const written = JSON.stringify(action);
    const digest = createHash('sha256').update(written).digest('hex');
    return JSON.stringify({ action: written, digest, fingerprint: 'b'.repeat(64) });
  };

  it.each([
    ['as T2', { tier: 'T2' }],
    ['as one of a scope', { scopes: [SCOPE] }],
  ])('is refused %s', async (_, of) => {
    const refused = await asTenant((tx) =>
      tx.query('select context_ops.propose($1, $2::jsonb)', [TENANT, proposal(of)]),
    );
    expect(refused).toBeInstanceOf(SqlError);
    expect(refused).toMatchObject({ sqlstate: 'CE001' });
  });

  it.each([
    ['admin', 'approve', 'CE007'],
    ['lead', 'approve', 'CE005'],
    ['nobody', 'approve', 'CE005'],
    ['nobody', 'reject', 'CE005'],
    ['admin', 'wave through', 'CE001'],
  ])('is not settled without a signature: %s, %s', async (principal, decision, sqlstate) => {
    const refused = await asTenant(async (tx) => {
      await tx.query('select context_ops.propose($1, $2::jsonb)', [TENANT, proposal({})]);
      return tx.query('select context_ops.settle_proposal($1, $2::uuid, $3::jsonb)', [
        TENANT,
        id(1, 1),
        JSON.stringify({ decision, principal, kind: 'human', at: day(2) }),
      ]);
    });
    expect(refused).toMatchObject({ sqlstate });
  });

  it('is not signed for by a key of small order', async () => {
    const [row] = await opened.owner.query(
      `select context_ops.is_signed_by(decode($1, 'hex'), 'm', decode($1 || repeat('0', 64), 'hex')) as ok`,
      [WEAK_KEY],
    );
    expect(row?.['ok']).toBe(false);
  });
});
