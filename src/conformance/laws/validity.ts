/** Valid time: what a change, a correction, a late arrival and an end do to what is seen. */
import assert from 'node:assert/strict';
import type { Connection } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import {
  addFact,
  addTyped,
  day,
  factContent,
  removeFact,
  typedContent,
  updateFact,
  updateTyped,
} from '../law-operations.ts';

export interface Asked {
  readonly scope: Uuid;
  readonly on: number;
  readonly head?: number;
}

/** The texts of the facts that are seen on a day. */
export async function textsOn(
  lab: Lab,
  connection: Connection,
  { scope, on, head = 1000 }: Asked,
): Promise<readonly string[]> {
  const hits = await lab.hits(
    connection,
    {
      id: 'x',
      table: 'memory_open_set',
      mode: 'list',
      limit: 100,
      order: { by: 'content', direction: 'asc' },
    },
    { position: [{ scope, head }], at: day(on) },
  );
  return hits.map((hit) => (hit.table === 'memory_open_set' ? hit.row.content : ''));
}

/** The values of the typed properties that are seen on a day, by value. */
export async function valuesOn(
  lab: Lab,
  connection: Connection,
  { scope, on }: Asked,
): Promise<readonly unknown[]> {
  const hits = await lab.hits(
    connection,
    {
      id: 'x',
      table: 'memory_schema_typed',
      mode: 'list',
      limit: 100,
      order: { by: 'property', direction: 'asc' },
    },
    { position: [{ scope, head: 1000 }], at: day(on) },
  );
  return hits.map((hit) => (hit.table === 'memory_schema_typed' ? hit.row.value : '')).sort();
}

export const validity: readonly Law[] = [
  {
    name: 'a row is seen from its beginning to before its end',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('bounded'), { from: 3, until: 5 }),
      ]);
      const seen = await Promise.all(
        [2, 3, 4, 5].map((on) => textsOn(lab, connection, { scope, on })),
      );
      assert.deepEqual(seen, [[], ['bounded'], ['bounded'], []]);
    },
  },
  {
    name: 'a change closes the version before it and is seen from its own beginning',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [first, second] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope, uuid: first }, factContent('old'))]);
      const { receipts } = await lab.write(connection, [
        updateFact({ scope, uuid: second }, factContent('new'), { root: first, from: 10 }),
      ]);
      assert.deepEqual(
        [receipts[0]?.outcome, receipts[0]?.uuid, receipts[0]?.root_uuid],
        ['superseded', second, first],
      );
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 9 }), ['old']);
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 10 }), ['new']);
      const [old] = await lab.versions(connection, [first]);
      assert.deepEqual(
        [old?.row.valid_until, old?.row.closed_seq, old?.row.superseded_by, old?.row.retired_seq],
        [day(10), receipts[0]?.seq, second, null],
      );
    },
  },
  {
    name: 'a late arrival lands in its place: it ends where the next version begins',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [addFact({ scope, uuid: root }, factContent('a'), { from: 1 })]);
      await lab.write(connection, [
        updateFact({ scope, uuid: lab.id() }, factContent('c'), { root, from: 9 }),
      ]);
      await lab.write(connection, [
        updateFact({ scope, uuid: lab.id() }, factContent('b'), { root, from: 5 }),
      ]);
      const seen = await Promise.all(
        [0, 1, 4, 5, 8, 9].map((on) => textsOn(lab, connection, { scope, on })),
      );
      assert.deepEqual(seen, [[], ['a'], ['a'], ['b'], ['b'], ['c']]);
    },
  },
  {
    name: 'a bounded change lets the version before it come back',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [addFact({ scope, uuid: root }, factContent('home'))]);
      await lab.write(connection, [
        updateFact({ scope, uuid: lab.id() }, factContent('away'), { root, from: 3, until: 6 }),
      ]);
      const seen = await Promise.all(
        [2, 3, 5, 6].map((on) => textsOn(lab, connection, { scope, on })),
      );
      assert.deepEqual(seen, [['home'], ['away'], ['away'], ['home']]);
    },
  },
  {
    name: 'a correction replaces the version over its whole interval',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [root, right] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: root }, factContent('wrong'), { from: 2 }),
      ]);
      const { receipts } = await lab.write(connection, [
        updateFact({ scope, uuid: right }, factContent('right'), {
          root,
          from: 7,
          cause: 'correction',
        }),
      ]);
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 3 }), ['right']);
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 1 }), []);
      const [wrong] = await lab.versions(connection, [root]);
      assert.deepEqual(
        [wrong?.row.retired_seq, wrong?.row.cause, wrong?.row.superseded_by],
        [receipts[0]?.seq, 'correction', right],
      );
    },
  },
  {
    name: 'there is nothing to correct where nothing was valid',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [
        addFact({ scope, uuid: root }, factContent('bounded'), { from: 2, until: 4 }),
      ]);
      await lab.refused(
        lab.write(connection, [
          updateFact({ scope, uuid: lab.id() }, factContent('late'), {
            root,
            from: 9,
            cause: 'correction',
          }),
        ]),
        'WRITE.NOT_FOUND',
      );
    },
  },
  {
    name: 'a deletion by change ends a row; any other takes it back wholly',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [ended, pruned] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: ended }, factContent('ended')),
        addFact({ scope, uuid: pruned }, factContent('pruned')),
      ]);
      await lab.write(connection, [
        removeFact(scope, ended, { cause: 'change', from: 5 }),
        removeFact(scope, pruned, { cause: 'prune', from: 5 }),
      ]);
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 4 }), ['ended']);
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 5 }), []);
    },
  },
  {
    name: 'typed values of one key have one value at a time, in whatever order they arrive',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const put = (value: string, from: number) =>
        lab.write(connection, [addTyped({ scope, uuid: lab.id() }, typedContent(value), { from })]);
      await put('Oslo', 4);
      await put('Rome', 8);
      const { receipts } = await put('Bern', 6);
      assert.equal(receipts[0]?.outcome, 'superseded');
      await put('Kiel', 1);
      const seen = await Promise.all(
        [0, 1, 3, 4, 5, 6, 7, 8, 20].map((on) => valuesOn(lab, connection, { scope, on })),
      );
      assert.deepEqual(seen, [
        [],
        ['Kiel'],
        ['Kiel'],
        ['Oslo'],
        ['Oslo'],
        ['Bern'],
        ['Bern'],
        ['Rome'],
        ['Rome'],
      ]);
    },
  },
  {
    name:
      'typed values of one key share a root; keys and scopes are apart; a key of many values ' +
      'keeps them all',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const many = { property: 'language', cardinality: 'many' } as const;
      const { receipts } = await lab.write(connection, [
        addTyped({ scope, uuid: lab.id() }, typedContent('Oslo')),
        addTyped({ scope, uuid: lab.id() }, typedContent('Rome'), { from: 1 }),
        addTyped({ scope: other, uuid: lab.id() }, typedContent('Bern')),
        addTyped({ scope, uuid: lab.id() }, typedContent('nb', many)),
        addTyped({ scope, uuid: lab.id() }, typedContent('it', many)),
      ]);
      assert.deepEqual(
        receipts.map(({ outcome }) => outcome),
        ['stored', 'superseded', 'stored', 'stored', 'stored'],
      );
      assert.equal(receipts[1]?.root_uuid, receipts[0]?.root_uuid);
      assert.equal(new Set(receipts.map(({ root_uuid }) => root_uuid)).size, 4);
      assert.deepEqual(await valuesOn(lab, connection, { scope, on: 50 }), ['Rome', 'it', 'nb']);
    },
  },
  {
    name: 'a typed value keeps its key for life',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [addTyped({ scope, uuid: root }, typedContent('Oslo'))]);
      const moves = [
        { property: 'language' },
        { collection: 'other' },
        { subject: 'someone else' },
      ];
      for (const move of moves) {
        const update = updateTyped({ scope, uuid: lab.id() }, typedContent('Rome', move), {
          root,
          from: 1,
          until: 2,
        });
        await lab.refused(lab.write(connection, [update]), 'WRITE.REFUSED');
      }
      const { receipts } = await lab.write(connection, [
        updateTyped({ scope, uuid: lab.id() }, typedContent('Rome'), { root, from: 1 }),
      ]);
      assert.deepEqual([receipts[0]?.outcome, receipts[0]?.root_uuid], ['superseded', root]);
      assert.deepEqual(await valuesOn(lab, connection, { scope, on: 0 }), ['Oslo']);
      assert.deepEqual(await valuesOn(lab, connection, { scope, on: 1 }), ['Rome']);
    },
  },
  {
    name: 'the same typed value again is a duplicate and writes nothing',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const first = lab.id();
      await lab.write(connection, [addTyped({ scope, uuid: first }, typedContent('Oslo'))]);
      const again = lab.id();
      const { receipts } = await lab.write(connection, [
        addTyped({ scope, uuid: again }, typedContent('Oslo'), { from: 3 }),
      ]);
      assert.deepEqual(
        [receipts[0]?.outcome, receipts[0]?.uuid, receipts[0]?.root_uuid],
        ['duplicate', first, first],
      );
      assert.deepEqual(await lab.versions(connection, [again]), []);
    },
  },
  {
    name: 'a query tells the next instant at which it would answer otherwise',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('soon over'), { from: 1, until: 20 }),
        addFact({ scope, uuid: lab.id() }, factContent('planned'), { from: 12 }),
      ]);
      const edgeOn = async (on: number) => {
        const { next_edge } = await connection.query({
          tenant: lab.tenant,
          position: [{ scope, head: 1000 }],
          valid_at: day(on),
          parts: [
            {
              id: 'x',
              table: 'memory_open_set',
              mode: 'list',
              limit: 1,
              order: { by: 'uuid', direction: 'asc' },
            },
          ],
        });
        return next_edge;
      };
      assert.deepEqual(
        [await edgeOn(2), await edgeOn(12), await edgeOn(20)],
        [day(12), day(20), null],
      );
    },
  },
];
