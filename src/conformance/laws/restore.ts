/** Laws of putting an exported scope back. */
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../model/audit.ts';
import type { AnyRow } from '../../model/block.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, noop, removeFact } from '../law-operations.ts';

const AUDIT: AuditEntry = {
  principal: 'importer',
  on_behalf_of: null,
  action: 'import',
  scope_uuid: null,
  decision: 'allowed',
  tier: 'T1',
  detail: '',
  at: day(60),
};

export const restore: readonly Law[] = [
  {
    name: 'an exported scope comes back in another tenant as it stood, and only where there is none',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [kept, pruned] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: kept }, factContent('kept')),
        addFact({ scope, uuid: pruned }, factContent('pruned')),
      ]);
      const { position } = await lab.write(connection, [
        removeFact(scope, pruned, { cause: 'prune', from: 1 }),
      ]);
      const head = position[0]?.head ?? 0;
      const rows = [
        ...(await lab.scan(connection, { table: 'blocks', position, limit: 100 })),
        ...(await lab.scan(connection, { table: 'memory_open_set', position, limit: 100 })),
      ];
      const journal = await connection.readJournal({
        tenant: lab.tenant,
        scope,
        after: { seq: 0, ordinal: 0 },
        head,
        limit: 100,
      });
      assert.deepEqual(
        journal.map(({ seq, operation }) => [seq, operation]),
        [
          [1, 'ADD'],
          [2, 'ADD'],
          [3, 'ADD'],
          [4, 'DELETE'],
        ],
      );
      const restore = () =>
        connection.restoreScope({
          tenant: lab.otherTenant,
          history: {
            scope,
            head,
            journal,
            rows: rows.map(
              ({ table, row }) =>
                ({ table, row: { ...row, tenant_id: lab.otherTenant } }) as AnyRow,
            ),
          },
          outcomes: [],
          held: { all: true, uuids: new Set() },
          audit: AUDIT,
          recorded_at: day(60),
        });
      await restore();
      const there = { position, tenant: lab.otherTenant };
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', there), [kept]);
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', {
          ...there,
          position: [{ scope, head: head - 1 }],
        }),
        [kept, pruned],
      );
      await lab.refused(restore(), 'WRITE.INVALID');
      const { receipts } = await lab.write(connection, [noop(scope)], { tenant: lab.otherTenant });
      assert.equal(receipts[0]?.seq, head + 1);
    },
  },
];
