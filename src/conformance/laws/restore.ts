/** Laws of putting an exported scope back. */
import assert from 'node:assert/strict';
import type { Authority } from '../../cxri/authority.ts';
import type { AuditEntry } from '../../model/audit.ts';
import type { AnyRow } from '../../model/block.ts';
import type { Uuid } from '../../model/ids.ts';
import type { ScopeHistory } from '../../model/journal.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addLink,
  blockContent,
  day,
  factContent,
  linkContent,
  noop,
  removeFact,
} from '../law-operations.ts';

export const AUDIT: AuditEntry = {
  principal: 'importer',
  on_behalf_of: null,
  action: 'import',
  scope_uuid: null,
  decision: 'allowed',
  tier: 'T1',
  detail: '',
  at: day(60),
};

const HISTORY_TABLES = [
  'blocks',
  'memory_open_set',
  'memory_schema_typed',
  'context_links',
] as const;

/** All of a scope, as rows and journal of the other tenant. */
export async function historyOf(
  lab: Lab,
  connection: Authority,
  { scope, head }: { readonly scope: Uuid; readonly head: number },
): Promise<ScopeHistory> {
  const position = [{ scope, head }];
  const rows: AnyRow[] = [];
  for (const table of HISTORY_TABLES)
    rows.push(...(await lab.scan(connection, { table, position, limit: 100 })));
  const after = { seq: 0, ordinal: 0 };
  const { tenant, otherTenant } = lab;
  const journal = await connection.readJournal({ tenant, scope, after, head, limit: 100 });
  const toOther = ({ table, row }: AnyRow): AnyRow =>
    ({ table, row: { ...row, tenant_id: otherTenant } }) as AnyRow;
  return { scope, head, journal, rows: rows.map(toOther) };
}

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
  {
    name: 'scopes that refer to each other come back together, and neither of them alone',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [user, session] = [await lab.scope(connection), await lab.scope(connection)];
      const [turn, fact] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addLink(
          { scope: session, uuid: lab.id() },
          linkContent('inherits', { from: session, to: user }),
        ),
        addBlock({ scope: session, uuid: turn }, blockContent('I live in Rome.')),
      ]);
      const { position } = await lab.write(connection, [
        addFact({ scope: user, uuid: fact }, factContent('lives in Rome'), { sources: [turn] }),
        noop(session),
      ]);
      const histories: ScopeHistory[] = [];
      for (const each of position) histories.push(await historyOf(lab, connection, each));
      const restored = histories.map((history) => ({ history, outcomes: [], audit: AUDIT }));
      const [first, second] = restored;
      assert.ok(first && second);
      const by = {
        tenant: lab.otherTenant,
        held: { all: true, uuids: new Set<Uuid>() },
        recorded_at: day(60),
      };
      for (const alone of restored) {
        const refused = connection.restoreScope({ ...by, ...alone });
        await assert.rejects(refused, /which is not there or not held/);
      }
      await lab.refused(
        connection.restoreScope({ ...by, ...first, beside: [first] }),
        'WRITE.INVALID',
      );
      await connection.restoreScope({ ...by, ...first, beside: [second] });
      const there = { position, tenant: lab.otherTenant };
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', there), [fact]);
      const blocks = await lab.uuids(connection, 'blocks', there);
      assert.deepEqual([...blocks].sort(), [user, session, turn].sort());
    },
  },
];
