/** Laws of stored rights: a change is there, in its tenant alone, with its audit entry. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import { day } from '../law-operations.ts';

const root = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) } as const;

export const rights: readonly Law[] = [
  {
    name: 'principals are listed by name with what was set of them, in their tenant alone',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const zoe = { action: 'set', principal: 'zoe', kind: 'human', scopes: '*' } as const;
      await connection.changeRights(lab.tenant, { ...zoe, tiers: { approvals: 'T1' } }, root);
      const ada = { action: 'set', principal: 'ada', kind: 'agent', scopes: [scope] } as const;
      await connection.changeRights(lab.tenant, { ...ada, tiers: { writes: 'T2' } }, root);
      const listed = await connection.listPrincipals(lab.tenant);
      assert.deepEqual(
        listed.map(({ principal, kind, tiers }) => [principal, kind, tiers]),
        [
          ['ada', 'agent', { writes: 'T2' }],
          ['zoe', 'human', { approvals: 'T1' }],
        ],
      );
      assert.deepEqual(await connection.listPrincipals(lab.otherTenant), []);
    },
  },
  {
    name: 'rights are read of the principals that are named, where something is stored of them',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const set = { action: 'set', kind: 'human', scopes: [scope], tiers: {} } as const;
      for (const principal of ['ada', 'zoe'])
        await connection.changeRights(lab.tenant, { ...set, principal }, root);
      await connection.changeRights(lab.tenant, { action: 'disable', principal: 'zoe' }, root);
      const { zoe, ...others } = await connection.readRights(lab.tenant, ['zoe', 'nobody']);
      assert.deepEqual(others, {});
      assert.deepEqual(
        [zoe?.kind, zoe?.scopes, zoe?.isDisabled],
        ['human', { all: false, uuids: new Set([scope]) }, true],
      );
      assert.deepEqual(await connection.readRights(lab.otherTenant, ['zoe']), {});
      const { rights: resolved } = await connection.resolveScope({
        tenant: lab.tenant,
        scope,
        principals: ['zoe'],
        max_depth: 0,
        max_scopes: 1,
      });
      assert.deepEqual(resolved, { zoe });
    },
  },
  {
    name: 'a change of rights moves the policy epoch, and is in the audit',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const epoch = async () => (await connection.heads(lab.tenant, [scope])).policy_epoch;
      const before = await epoch();
      const zoe = { action: 'set', principal: 'zoe', kind: 'human', scopes: '*' } as const;
      await connection.changeRights(lab.tenant, { ...zoe, tiers: {} }, root);
      await connection.changeRights(lab.tenant, { action: 'disable', principal: 'zoe' }, root);
      assert.equal(await epoch(), before + 2);
      const entries = await connection.readAudit({ tenant: lab.tenant, after: 0, limit: 10 });
      assert.deepEqual(
        entries.map(({ principal, at }) => [principal, at]),
        [
          ['root', day(1)],
          ['root', day(1)],
        ],
      );
    },
  },
];
