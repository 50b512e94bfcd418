/** Laws of ids: one id names one row of a tenant, whatever its table and scope. */
import assert from 'node:assert/strict';
import type { AnyRow } from '../../model/block.ts';
import type { Uuid } from '../../model/ids.ts';
import type { AddOperation } from '../../model/operation.ts';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addLink,
  addSummary,
  addTyped,
  blockContent,
  day,
  factContent,
  linkContent,
  summaryContent,
  typedContent,
  updateFact,
} from '../law-operations.ts';

/** A row of every table, each under the id that is given for it. */
const rowsUnder = (scope: Uuid, idOf: () => Uuid, property: string): readonly AddOperation[] => [
  addBlock({ scope, uuid: idOf() }, blockContent('a turn')),
  addSummary({ scope, uuid: idOf() }, summaryContent('a summary', 1)),
  addFact({ scope, uuid: idOf() }, factContent('a fact')),
  addTyped({ scope, uuid: idOf() }, typedContent('Oslo', { property })),
  addLink({ scope, uuid: idOf() }, linkContent('pinned', { from: scope, to: scope })),
];

export const ids: readonly Law[] = [
  {
    name: 'an id that names a row is refused to every other row, of whatever table and scope',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [mine, theirs] = [await lab.scope(connection), await lab.scope(connection)];
      const there = rowsUnder(theirs, () => lab.id(), 'city');
      await lab.write(connection, there);
      const own = lab.id();
      await lab.write(connection, [addFact({ scope: mine, uuid: own }, factContent('own'))]);
      const placed = async () =>
        (await lab.versions(connection, [theirs, ...there.map(({ uuid }) => uuid)])).map(
          ({ table, row }) => [row.uuid, table, row.scope_uuid, row.retired_seq],
        );
      const before = await placed();
      for (const uuid of [theirs, ...there.map((operation) => operation.uuid)]) {
        const told = new Set<string>();
        for (const operation of [
          ...rowsUnder(mine, () => uuid, 'language'),
          updateFact({ scope: mine, uuid }, factContent('again'), { root: own, from: 1 }),
        ])
          told.add(
            (await lab.refused(lab.write(connection, [operation]), 'WRITE.REFUSED')).message,
          );
        assert.equal(told.size, 1, 'the owner and the table of an id stay unknown');
      }
      assert.deepEqual(await placed(), before);
    },
  },
  {
    name: 'two rows of one request have two ids; two tenants may have the same',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const uuid = lab.id();
      const twice = [
        addFact({ scope, uuid }, factContent('a fact')),
        addBlock({ scope, uuid }, blockContent('a turn')),
      ];
      await lab.refused(lab.write(connection, twice), 'WRITE.REFUSED');
      assert.deepEqual(await lab.versions(connection, [uuid]), []);
      await lab.write(connection, twice.slice(0, 1));
      const other = await lab.scope(connection, lab.otherTenant);
      const { counts } = await lab.write(
        connection,
        [addBlock({ scope: other, uuid }, blockContent('a turn'))],
        { tenant: lab.otherTenant },
      );
      assert.equal(counts.stored, 1);
    },
  },
  {
    name: 'a scope whose rows have an id of another table is not put back',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const uuid = lab.id();
      const { position } = await lab.write(connection, [
        addBlock({ scope, uuid }, blockContent('a turn')),
      ]);
      const head = position[0]?.head ?? 0;
      const rows = await lab.scan(connection, { table: 'blocks', position, limit: 100 });
      const after = { seq: 0, ordinal: 0 };
      const asked = { tenant: lab.tenant, scope, after, head, limit: 100 };
      const journal = await connection.readJournal(asked);
      const tenant = lab.otherTenant;
      const other = await lab.scope(connection, tenant);
      await lab.write(connection, [addFact({ scope: other, uuid }, factContent('a fact'))], {
        tenant,
      });
      const restored = connection.restoreScope({
        tenant,
        history: {
          scope,
          head,
          journal,
          rows: rows.map(
            ({ table, row }) => ({ table, row: { ...row, tenant_id: tenant } }) as AnyRow,
          ),
        },
        outcomes: [],
        held: { all: true, uuids: new Set() },
        audit: {
          principal: 'importer',
          on_behalf_of: null,
          action: 'import',
          scope_uuid: null,
          decision: 'allowed',
          tier: 'T1',
          detail: '',
          at: day(60),
        },
        recorded_at: day(60),
      });
      await lab.refused(restored, 'WRITE.INVALID');
      const [kept] = await lab.versions(connection, [uuid], { tenant });
      assert.deepEqual([kept?.table, kept?.row.scope_uuid], ['memory_open_set', other]);
    },
  },
];
