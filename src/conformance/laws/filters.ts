/** The filter tree, lists in order, and what links point at. */
import assert from 'node:assert/strict';
import type { Filter, Hit } from '../../cxri/contract.ts';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addLink,
  blockContent,
  day,
  factContent,
  linkContent,
} from '../law-operations.ts';

const textOf = (hit: Hit): string =>
  hit.table === 'memory_open_set' || hit.table === 'blocks' ? hit.row.content : hit.row.uuid;

/** A filter, and the facts `a`, `b` and `c` that it keeps. */
const KEPT: readonly (readonly [Filter, string])[] = [
  [{ field: 'category', eq: 'x' }, 'a'],
  [{ field: 'category', eq: null }, 'c'],
  [{ not: { field: 'category', eq: 'x' } }, 'bc'],
  [{ not: { field: 'category', in: ['x', 'y'] } }, 'c'],
  [{ field: 'category', in: ['x', 'y', 'z'] }, 'ab'],
  [{ field: 'category', in: [] }, ''],
  [{ field: 'importance', gte: 0.5 }, 'bc'],
  [{ field: 'importance', gt: 0.1, lt: 0.9 }, 'b'],
  [{ field: 'importance', lte: 0.1 }, 'a'],
  [{ field: 'valid_from', gte: day(1) }, 'bc'],
  [{ field: 'valid_from', lt: day(1) }, 'a'],
  [{ field: 'content', gt: 'a', lte: 'c' }, 'bc'],
  [{ field: 'tags', contains: ['red'] }, 'ab'],
  [{ field: 'tags', contains: ['big', 'red'] }, 'a'],
  [{ field: 'tags', contains: [] }, 'abc'],
  [{ field: 'metadata.n', eq: 2 }, 'b'],
  [{ field: 'metadata.s', in: ['one', 'two'] }, 'ab'],
  [{ field: 'metadata.n', gt: 1 }, 'b'],
  [{ field: 'metadata.n', eq: '1' }, ''],
  [{ not: { field: 'metadata.n', eq: 1 } }, 'bc'],
  [{ field: 'metadata', has: { o: { deep: true } } }, 'a'],
  [{ field: 'metadata', has: {} }, 'abc'],
  [{ and: [{ field: 'tags', contains: ['red'] }, { not: { field: 'category', eq: 'y' } }] }, 'a'],
  [
    {
      or: [
        { field: 'category', eq: 'y' },
        { field: 'category', eq: null },
      ],
    },
    'bc',
  ],
  [{ and: [] }, 'abc'],
  [{ or: [] }, ''],
];

export const filters: readonly Law[] = [
  {
    name:
      'a filter keeps what it says: comparisons, lists, negation, tags and metadata, nulls ' +
      'included',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const facts = [
        factContent('a', {
          category: 'x',
          importance: 0.1,
          tags: ['red', 'big'],
          metadata: { n: 1, s: 'one', o: { deep: true } },
        }),
        factContent('b', {
          category: 'y',
          importance: 0.5,
          tags: ['red'],
          metadata: { n: 2, s: 'two' },
        }),
        factContent('c', { category: null, importance: 0.9, tags: [], metadata: {} }),
      ];
      const { position } = await lab.write(
        connection,
        facts.map((content, index) => addFact({ scope, uuid: lab.id() }, content, { from: index })),
      );
      const kept = async (filter: Filter): Promise<string> => {
        const hits = await lab.hits(
          connection,
          {
            id: 'f',
            table: 'memory_open_set',
            mode: 'list',
            limit: 10,
            order: { by: 'content', direction: 'asc' },
            filter,
          },
          { position },
        );
        return hits.map(textOf).join('');
      };
      for (const [filter, expected] of KEPT)
        assert.equal(await kept(filter), expected, JSON.stringify(filter));
    },
  },
  {
    name:
      'a list is in the order asked, ties by sequence number for turns and by uuid, and ends ' +
      'at its limit',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const ids = Array.from({ length: 5 }, () => lab.id());
      const times = [3, 1, 2, 2, 2];
      const byName = [4, 3, 2, 1, 0].map((index) => ids[index] ?? scope);
      const { position } = await lab.write(
        connection,
        byName.map((uuid, index) =>
          addBlock(
            { scope, uuid },
            blockContent(String(index), { occurred_at: day(times[index] ?? 0) }),
          ),
        ),
      );
      const texts = async (direction: 'asc' | 'desc', limit: number): Promise<string> => {
        const hits = await lab.hits(
          connection,
          {
            id: 'o',
            table: 'blocks',
            mode: 'list',
            limit,
            order: { by: 'occurred_at', direction },
            filter: { field: 'is_scope', eq: false },
          },
          { position },
        );
        return hits.map(textOf).join('');
      };
      assert.equal(await texts('asc', 10), '12340');
      assert.equal(await texts('desc', 10), '04321');
      assert.equal(await texts('desc', 2), '04');
      const byUuid = await lab.hits(
        connection,
        {
          id: 'u',
          table: 'blocks',
          mode: 'list',
          limit: 10,
          order: { by: 'block_type', direction: 'desc' },
          filter: { field: 'is_scope', eq: false },
        },
        { position },
      );
      assert.deepEqual(
        byUuid.map(({ row }) => row.uuid),
        [...ids].reverse(),
      );
    },
  },
  {
    name: 'what pinned links name comes in their order, each once, as it is now',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [first, second, ended] = [lab.id(), lab.id(), lab.id()];
      await lab.write(
        connection,
        [first, second].map((uuid) => addFact({ scope, uuid }, factContent(uuid))),
      );
      await lab.write(connection, [
        addFact({ scope, uuid: ended }, factContent('ended'), { until: 5 }),
      ]);
      const pin = (to: typeof first, ordinal: number) =>
        addLink({ scope, uuid: lab.id() }, linkContent('pinned', { from: scope, to, ordinal }));
      const { position } = await lab.write(connection, [
        pin(first, 2),
        pin(second, 1),
        pin(first, 3),
        pin(ended, 0),
      ]);
      const part = {
        id: 'p',
        table: 'memory_open_set',
        mode: 'linked',
        link_type: 'pinned',
        limit: 10,
      } as const;
      assert.deepEqual(
        (await lab.hits(connection, part, { position })).map(({ row }) => row.uuid),
        [second, first],
      );
      assert.deepEqual(
        (await lab.hits(connection, { ...part, limit: 1 }, { position })).map(
          ({ row }) => row.uuid,
        ),
        [second],
      );
      assert.deepEqual(await lab.hits(connection, { ...part, from: [lab.id()] }, { position }), []);
    },
  },
  {
    name:
      'parts are answered one by one, in the order asked, and one that fails does not take the ' +
      'others with it',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const fact = lab.id();
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: fact }, factContent('a')),
      ]);
      const list = {
        table: 'memory_open_set',
        mode: 'list',
        limit: 5,
        order: { by: 'uuid', direction: 'asc' },
      } as const;
      const { parts } = await connection.query({
        tenant: lab.tenant,
        position,
        valid_at: day(50),
        parts: [
          { ...list, id: 'z' },
          { ...list, id: 'bad', filter: { field: 'no_such_column', eq: 1 } },
          { ...list, id: 'a', table: 'blocks' },
        ],
      });
      assert.deepEqual(
        parts.map(({ id, ok }) => [id, ok]),
        [
          ['z', true],
          ['bad', false],
          ['a', true],
        ],
      );
      const [z, bad] = parts;
      assert.deepEqual(z?.ok && z.hits.map(({ row }) => row.uuid), [fact]);
      assert.equal(bad?.ok === false && bad.error.code, 'CONNECTOR.INVALID_REQUEST');
    },
  },
];
