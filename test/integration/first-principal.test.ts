/** The first principal of a server: stored once, by the login that migrates, and it signs then. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ContextEngine, migrateDatabase, type PermissionProfile } from '../../src/index.ts';
import { newKey, signed } from '../support/approvals.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS } from '../support/engines.ts';

describeOnDatabases('the first principal', (open, flavor) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  });
  const carol = newKey();
  const first = { tenant: 'acme', principal: 'carol', public_key: carol.publicKey };

  it('is refused for an embedded database, and where the input is malformed', async () => {
    const embedded = migrateDatabase({ database: { inMemory: true }, firstPrincipal: first });
    expect((await refusalOf(embedded)).code).toBe('CONFIG.INVALID_VALUE');
    for (const wrong of [
      { ...first, tenant: '' },
      { ...first, public_key: 'x' },
      { ...first, kind: 'human' },
    ]) {
      const database = { url: 'postgresql://nowhere.invalid/x' };
      const refused = await refusalOf(migrateDatabase({ database, firstPrincipal: wrong }));
      expect(refused.code).toMatch(/^CONFIG\./);
    }
  });

  if (flavor !== 'postgres') return;

  describe('on a server', () => {
    const profile = (principal: string): { readonly permission_profile: PermissionProfile } => ({
      permission_profile: { principal, tenant: 'acme', kind: 'human', scopes: '*' },
    });
    const engineOf = (): Promise<ContextEngine> =>
      openEngine({
        database: { url: opened.url ?? '' },
        embedder: 'off',
        permission_profile: profile('carol').permission_profile,
        time: { ms: START_MS },
      });

    it('is stored once, with every right and its key, and its entry in the audit', async () => {
      const database = { url: opened.url ?? '' };
      await migrateDatabase({ database, firstPrincipal: first });
      const again = migrateDatabase({
        database,
        firstPrincipal: { ...first, principal: 'mallory' },
      });
      expect((await refusalOf(again)).code).toBe('PERMISSION.RIGHTS_REFUSED');
      const engine = await engineOf();
      try {
        const stored = await engine.principals.list();
        expect(stored).toMatchObject([
          { principal: 'carol', kind: 'human', scopes: '*', keys: [{ key_id: carol.keyId }] },
        ]);
        expect(stored[0]?.tiers).toMatchObject({ grants: 'T1', approvals: 'T1', redactions: 'T1' });
        expect(await engine.audit.list()).toMatchObject([
          { action: 'principals.first', decision: 'allowed', detail: 'carol' },
        ]);
        expect((await engine.audit.verify()).faults).toEqual([]);
      } finally {
        await engine.close();
      }
    });

    it('signs for the rights of others', async () => {
      const engine = await engineOf();
      try {
        const dave = {
          principal: 'dave',
          kind: 'human',
          scopes: '*',
          tiers: { approvals: 'T1' },
        } as const;
        const { proposal } = await engine.principals.set(dave, profile('erin'));
        const id = proposal?.proposal_uuid ?? '';
        const by = signed(proposal?.digest ?? '', carol);
        expect(await engine.approvals.approve(id, by, profile('carol'))).toMatchObject({
          state: 'approved',
        });
        expect((await engine.principals.list()).map(({ principal }) => principal)).toEqual([
          'carol',
          'dave',
        ]);
      } finally {
        await engine.close();
      }
    });

    it('is stored by no login that only works as the application', async () => {
      const login = `ctx_first_${Date.now()}`;
      await opened.owner.exec(`create role ${login} login in role contextengine_app`);
      const tried = await opened.owner
        .transaction(async (tx) => {
          await tx.exec(`set session authorization ${login}`);
          return tx.query(`select context_ops.add_first_principal('other', '{}', null, '{}')`);
        })
        .catch((error: unknown) => error);
      await opened.owner.exec('reset session authorization');
      await opened.owner.exec(`drop role ${login}`);
      expect(tried).toMatchObject({ sqlstate: '42501' });
    });
  });
});
