/**
 * Isolation comes first: tenant and scopes are a pre-filter of every answer. Checked on the bare
 * connection, without the guard.
 */
import assert from 'node:assert/strict';
import type { Connection, Filter } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, addLink, addScope, day, factContent, linkContent } from '../law-operations.ts';

/** The same scope and row ids in two tenants: only the tenant tells them apart. */
async function twins(
  lab: Lab,
  connection: Connection,
): Promise<{ readonly scope: Uuid; readonly own: Uuid; readonly foreign: Uuid }> {
  const [scope, own, foreign] = [lab.id(), lab.id(), lab.id()];
  await lab.write(connection, [
    addScope(scope),
    addFact({ scope, uuid: own }, factContent('the own secret')),
  ]);
  await lab.write(
    connection,
    [addScope(scope), addFact({ scope, uuid: foreign }, factContent('the foreign secret'))],
    {
      tenant: lab.otherTenant,
    },
  );
  return { scope, own, foreign };
}

const SEARCH = {
  id: 'search',
  table: 'memory_open_set',
  mode: 'search',
  text: 'secret',
  limit: 10,
} as const;

/** Filters that are true of every fact. */
const TRUE_OF_ALL: readonly Filter[] = [
  {
    or: [
      { field: 'category', eq: 'none' },
      { field: 'class', eq: 'fact' },
    ],
  },
  { or: [{ field: 'class', eq: 'fact' }, { not: { field: 'class', eq: 'fact' } }] },
  { not: { field: 'class', eq: 'none' } },
  {
    not: {
      and: [
        { field: 'class', eq: 'none' },
        { field: 'class', eq: 'fact' },
      ],
    },
  },
];

export const isolation: readonly Law[] = [
  {
    name: 'never lists, searches or scans a row of another tenant',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const { scope, own, foreign } = await twins(lab, connection);
      const position = [{ scope, head: 100 }];
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', { position }), [own]);
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', { position, tenant: lab.otherTenant }),
        [foreign],
      );
      assert.deepEqual(
        (await lab.scan(connection, { table: 'memory_open_set', position, limit: 10 })).map(
          ({ row }) => row.uuid,
        ),
        [own],
      );
      if (connection.capabilities.text)
        assert.deepEqual(
          (await lab.hits(connection, SEARCH, { position })).map(({ row }) => row.uuid),
          [own],
        );
    },
  },
  {
    name: 'never reads a version or a history of another tenant by id',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const { own, foreign } = await twins(lab, connection);
      assert.deepEqual(
        (await lab.versions(connection, [own, foreign])).map(({ row }) => row.uuid),
        [own],
      );
      const { rows } = await connection.read({
        kind: 'history',
        tenant: lab.tenant,
        scopes: '*',
        roots: [own, foreign],
      });
      assert.deepEqual(
        rows.map(({ row }) => row.tenant_id),
        [lab.tenant],
      );
    },
  },
  {
    name: 'a tenant that has nothing sees nothing, and is not an error',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection, lab.otherTenant);
      assert.deepEqual(
        await lab.uuids(connection, 'blocks', { position: [{ scope, head: 100 }] }),
        [],
      );
      assert.deepEqual(await lab.versions(connection, [scope]), []);
    },
  },
  {
    name: 'never returns a row of a scope outside the position, nor outside the scopes of a part',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [near, far] = [await lab.scope(connection), await lab.scope(connection)];
      const [inNear, inFar] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope: near, uuid: inNear }, factContent('secret near')),
        addFact({ scope: far, uuid: inFar }, factContent('secret far')),
      ]);
      const position = [{ scope: near, head: 100 }];
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', { position }), [inNear]);
      const both = [...position, { scope: far, head: 100 }];
      const narrowed = await lab.hits(
        connection,
        {
          id: 'n',
          table: 'memory_open_set',
          mode: 'list',
          scopes: [far],
          limit: 10,
          order: { by: 'uuid', direction: 'asc' },
        },
        { position: both },
      );
      assert.deepEqual(
        narrowed.map(({ row }) => row.uuid),
        [inFar],
      );
      if (connection.capabilities.text)
        assert.deepEqual(
          (await lab.hits(connection, SEARCH, { position })).map(({ row }) => row.uuid),
          [inNear],
        );
    },
  },
  {
    name: 'reads by id only within the scopes asked for',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [near, far] = [await lab.scope(connection), await lab.scope(connection)];
      const [inNear, inFar] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope: near, uuid: inNear }, factContent('near')),
        addFact({ scope: far, uuid: inFar }, factContent('far')),
      ]);
      assert.deepEqual(
        (await lab.versions(connection, [inNear, inFar], { scopes: [near] })).map(
          ({ row }) => row.uuid,
        ),
        [inNear],
      );
      assert.deepEqual(await lab.versions(connection, [inNear, inFar], { scopes: [] }), []);
      const { rows } = await connection.read({
        kind: 'history',
        tenant: lab.tenant,
        scopes: [near],
        roots: [inNear, inFar],
      });
      assert.deepEqual(
        rows.map(({ row }) => row.uuid),
        [inNear],
      );
    },
  },
  {
    name: 'a cursor of one tenant or scope opens nothing of another',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [scope, other] = [lab.id(), lab.id()];
      const facts = [lab.id(), lab.id(), lab.id()];
      const operations = [
        addScope(scope),
        ...facts.map((uuid) => addFact({ scope, uuid }, factContent('paged'))),
      ];
      await lab.write(connection, operations);
      await lab.write(connection, operations, { tenant: lab.otherTenant });
      await lab.write(connection, [addScope(other)]);
      const first = await connection.read({
        kind: 'scan',
        tenant: lab.tenant,
        table: 'memory_open_set',
        position: [{ scope, head: 100 }],
        limit: 1,
      });
      assert.notEqual(first.cursor, null);
      const cursor = first.cursor ?? '';
      const foreign = await connection.read({
        kind: 'scan',
        tenant: lab.otherTenant,
        table: 'memory_open_set',
        position: [{ scope, head: 100 }],
        limit: 10,
        cursor,
      });
      assert.ok(foreign.rows.every(({ row }) => row.tenant_id === lab.otherTenant));
      const elsewhere = await connection.read({
        kind: 'scan',
        tenant: lab.tenant,
        table: 'memory_open_set',
        position: [{ scope: other, head: 100 }],
        limit: 10,
        cursor,
      });
      assert.deepEqual(elsewhere.rows, []);
    },
  },
  {
    name: 'a filter cannot widen what is seen, whatever its values say',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const connection = await lab.raw();
      const { scope, own } = await twins(lab, connection);
      const part = {
        id: 'f',
        table: 'memory_open_set',
        mode: 'list',
        limit: 10,
        order: { by: 'uuid', direction: 'asc' },
      } as const;
      const hostile = [
        "' or true --",
        '%',
        '*',
        '"; drop table x; --',
        '$1',
        '\\',
        "') or ('1'='1",
        lab.otherTenant,
      ];
      const position = [{ scope, head: 100 }];
      for (const value of hostile) {
        for (const filter of [
          { field: 'category', eq: value },
          { field: 'metadata.x', eq: value },
          { field: `metadata.${value}`, eq: 'x' },
          { field: 'tags', contains: [value] },
          { field: 'metadata', has: { [value]: value } },
        ]) {
          const hits = await lab.hits(connection, { ...part, filter }, { position });
          assert.deepEqual(hits, [], `${JSON.stringify(filter)} matches nothing`);
        }
      }
      for (const filter of TRUE_OF_ALL) {
        const hits = await lab.hits(connection, { ...part, filter }, { position });
        assert.deepEqual(
          hits.map(({ row }) => row.uuid),
          [own],
          `${JSON.stringify(filter)} matches what is seen, and nothing else`,
        );
        const { rows } = await connection.read({
          kind: 'scan',
          tenant: lab.tenant,
          table: 'memory_open_set',
          position,
          limit: 10,
          filter,
        });
        assert.deepEqual(
          rows.map(({ row }) => row.uuid),
          [own],
          `the scan with ${JSON.stringify(filter)}`,
        );
      }
    },
  },
  {
    name: 'a tenant whose name begins with, or matches as a pattern, another sees only its own',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = lab.id();
      const [longer, other] = [lab.tenant, lab.tenant.replaceAll('.', '_')] as const;
      const fact = lab.id();
      await lab.write(
        connection,
        [addScope(scope), addFact({ scope, uuid: fact }, factContent('here'))],
        { tenant: longer },
      );
      for (const name of [longer.slice(0, -1), `${longer}x`, other, longer.toUpperCase()]) {
        const tenant = name as typeof longer;
        if (tenant === longer) continue;
        assert.deepEqual(
          await lab.uuids(connection, 'memory_open_set', {
            position: [{ scope, head: 100 }],
            tenant,
          }),
          [],
          name,
        );
      }
    },
  },
  {
    name: 'a link shows nothing that the position does not',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [near, far] = [await lab.scope(connection), await lab.scope(connection)];
      const [inFar, foreign] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope: far, uuid: inFar }, factContent('far'))]);
      await lab.write(
        connection,
        [addScope(near), addFact({ scope: near, uuid: foreign }, factContent('foreign'))],
        {
          tenant: lab.otherTenant,
        },
      );
      await lab.write(
        connection,
        [inFar, foreign].map((to) =>
          addLink({ scope: near, uuid: lab.id() }, linkContent('pinned', { from: near, to })),
        ),
      );
      const part = {
        id: 'pins',
        table: 'memory_open_set',
        mode: 'linked',
        link_type: 'pinned',
        limit: 10,
      } as const;
      assert.deepEqual(
        await lab.hits(connection, part, { position: [{ scope: near, head: 100 }] }),
        [],
      );
      const both = [near, far].map((scope) => ({ scope, head: 100 }));
      assert.deepEqual(
        (await lab.hits(connection, part, { position: both })).map(({ row }) => row.uuid),
        [inFar],
      );
      assert.deepEqual(
        await lab.hits(connection, part, { position: [{ scope: far, head: 100 }], at: day(50) }),
        [],
        'a link of a scope that is not read is not followed',
      );
    },
  },
  {
    name: 'a write touches only its own tenant',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const { scope, foreign } = await twins(lab, connection);
      await lab.refused(
        lab.write(connection, [
          {
            operation: 'DELETE',
            table: 'memory_open_set',
            scope,
            root_uuid: foreign,
            cause: 'prune',
            valid_from: day(1),
          },
        ]),
        'WRITE.NOT_FOUND',
      );
      const [row] = await lab.versions(connection, [foreign], { tenant: lab.otherTenant });
      assert.equal(row?.row.retired_seq, null);
    },
  },
];
