/** A principal that is disabled is served nothing more, also not from the cache. */
import { expect, it } from 'vitest';
import type { PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

describeOnDatabases('a disabled principal', (open) => {
  it('moves the policy epoch, so that no cached composition is served', async () => {
    const database = await open();
    const epoch = async (): Promise<number> => {
      const [row] = await database.owner.query(
        "select epoch from context_ops.policy_epochs where tenant_id = 't'",
      );
      return Number(row?.['epoch'] ?? 0);
    };
    const inTenant = "select set_config('contextengine.tenant', 't', false)";
    await database.owner.query(inTenant);
    const before = await epoch();
    await database.owner.query(
      `insert into context_ops.principal_rights (tenant_id, principal, kind, all_scopes)
       values ('t', 'ann', 'human', true)`,
    );
    expect(await epoch()).toBe(before + 1);
    if (database.url === null) return;
    const ann: PermissionProfile = { principal: 'ann', tenant: 't', kind: 'human', scopes: '*' };
    await using engine = await openEngine({
      database: { url: database.url },
      permission_profile: ann,
    });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    const ask = { scope_block_uuid: scope, intent: 'fact', query: 'x', permission_profile: ann };
    await engine.composeBlockContext(ask);
    expect((await engine.composeBlockContext(ask)).cache.state).toBe('hit');
    await database.owner.query(
      "update context_ops.principal_rights set is_disabled = true where principal = 'ann'",
    );
    expect((await refusalOf(engine.composeBlockContext(ask))).code).toBe('PERMISSION.DENIED');
  });
});
