/**
 * The audit on a database: denials are in it, whoever owns the tables is found out, and it tells
 * nothing.
 */
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { AuditVerifier } from '../../src/permission/verify-audit.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';
import { day, id, tenantNamed } from '../support/ledger.ts';

const auditor: PermissionProfile = {
  principal: 'auditor',
  tenant: 'ours',
  kind: 'human',
  scopes: '*',
};
const outsider = (scopes: readonly string[] = []): PermissionProfile => ({
  principal: 'mallory',
  tenant: 'ours',
  kind: 'human',
  scopes,
});

describeOnDatabases('the audit', (open) => {
  let opened: TestDatabase;
  let engine: ContextEngine;
  let scope: string;
  beforeAll(async () => {
    opened = await open();
    engine = await openEngine({
      database: opened.url === null ? { inMemory: true } : { url: opened.url },
      permission_profile: auditor,
    });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    return () => engine.close();
  });
  const compose = (profile: PermissionProfile, of: string) =>
    engine.composeBlockContext({
      scope_block_uuid: of,
      intent: 'fact',
      query: 'a secret query',
      permission_profile: profile,
    });

  it('has every denial, the same for what is not held and what is not there', async () => {
    const before = (await engine.audit.list({ limit: 1000 })).length;
    const [unheld, absent] = [scope, id(9, 9)];
    const told = [unheld, absent].map(async (of) => {
      const { code, message, fix } = await refusalOf(compose(outsider(), of));
      return [code, message.replaceAll(of, 'X'), fix.replaceAll(of, 'X')];
    });
    const [one, other] = await Promise.all(told);
    expect(one).toEqual(other);
    const entries = (await engine.audit.list({ after: before })).map(
      ({
        seq: _seq,
        previous: _previous,
        digest: _digest,
        scope_uuid: _scope,
        at: _at,
        written_at: _written,
        ...rest
      }) => rest,
    );
    expect(entries).toHaveLength(2);
    expect(entries[0]).toEqual(entries[1]);
    expect(JSON.stringify(entries)).not.toContain('secret');
    expect((await engine.audit.verify()).faults).toEqual([]);
  });

  it('has nothing of a read that is allowed', async () => {
    const { head } = await engine.audit.verify();
    await compose(auditor, scope);
    expect((await engine.audit.verify()).head).toEqual(head);
  });

  it('is read by people and services of the whole tenant alone, and says who else tried', async () => {
    const refused: readonly PermissionProfile[] = [
      outsider(),
      outsider([scope]),
      { ...auditor, principal: 'bot', kind: 'agent' },
      { ...auditor, principal: 'blind', tiers: { reads: 'excluded' } },
    ];
    for (const permission_profile of refused)
      for (const call of [
        () => engine.audit.list({}, { permission_profile }),
        () => engine.audit.verify(undefined, { permission_profile }),
      ])
        expect((await refusalOf(call())).code).toBe('PERMISSION.DENIED');
    const entries = await engine.audit.list({ limit: 1000 });
    expect(entries.filter(({ action }) => action === 'audit.reads')).toHaveLength(8);
    const foreign = { ...auditor, tenant: 'theirs' };
    expect(await engine.audit.list({}, { permission_profile: foreign })).toEqual([]);
  });

  it('refuses a page or a head that is none', async () => {
    const calls = [
      () => engine.audit.list({ limit: 0 }),
      () => engine.audit.list({ limit: 1001 }),
      () => engine.audit.list({ after: -1 }),
      () => engine.audit.list({ after: 0.5 }),
      () => engine.audit.verify({ seq: 0, digest: '0'.repeat(64) }),
      () => engine.audit.verify({ seq: 1, digest: 'x' }),
    ];
    for (const call of calls) expect((await refusalOf(call())).code).toBe('CONFIG.INVALID_VALUE');
  });

  it('shows what the owner of the tables did to it', async () => {
    const authority = pgvectorAuthority(opened.database);
    const tenant = tenantNamed('tampered');
    const denied = { principal: 'p', on_behalf_of: null, action: 'x.reads', scope_uuid: null };
    for (let n = 1; n <= 6; n += 1)
      await authority.audit(tenant, [
        { ...denied, decision: 'denied', tier: 'T2', detail: '', at: day(n) },
      ]);
    const verify = async () => {
      const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
      const verifier = new AuditVerifier(tenant, { digestOf });
      verifier.add(await authority.readAudit({ tenant, after: 0, limit: 1000 }));
      return verifier.end(await authority.auditHead(tenant)).faults;
    };
    expect(await verify()).toEqual([]);
    const tampered = async (sql: string) => {
      const kept = 'create table context_ops.kept as select * from context_ops.audit';
      await opened.owner.exec(`${kept}; set session_replication_role = replica; ${sql};
        set session_replication_role = origin`);
      const found = await verify();
      await opened.owner.exec(`set session_replication_role = replica; delete from context_ops.audit;
        insert into context_ops.audit select * from context_ops.kept; drop table context_ops.kept;
        set session_replication_role = origin`);
      expect(await verify()).toEqual([]);
      return found;
    };
    expect(
      await tampered(
        `update context_ops.audit set principal = 'alice' where tenant_id = 'tampered' and seq = 3`,
      ),
    ).toEqual([{ seq: 3, fault: 'edited' }]);
    expect(
      await tampered('delete from context_ops.audit where tenant_id = $$tampered$$ and seq = 4'),
    ).toEqual([{ seq: 4, fault: 'removed' }]);
    expect(
      await tampered(`delete from context_ops.audit where tenant_id = 'tampered' and seq = 6`),
    ).toEqual([{ seq: 6, fault: 'removed' }]);
    expect(
      await tampered(`insert into context_ops.audit select (jsonb_populate_record(a, '{"seq": 4711}')).*
        from context_ops.audit a where tenant_id = 'tampered' and seq = 2`),
    ).toEqual([{ seq: 4711, fault: 'added' }]);
    expect(
      await tampered(`update context_ops.audit set seq = -seq where tenant_id = 'tampered' and seq in (2, 5);
        update context_ops.audit set seq = 7 + seq where tenant_id = 'tampered' and seq in (-2, -5)`),
    ).toEqual([
      { seq: 2, fault: 'edited' },
      { seq: 5, fault: 'edited' },
    ]);
  });
});
