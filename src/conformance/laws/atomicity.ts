/** All operations of a write, or none; and what was acknowledged is seen at once. */
import assert from 'node:assert/strict';
import type { Operation } from '../../model/operation.ts';
import type { Law } from '../law.ts';
import {
  addFact,
  addScope,
  addTyped,
  day,
  factContent,
  noop,
  removeFact,
  typedContent,
  updateFact,
} from '../law-operations.ts';

export const atomicity: readonly Law[] = [
  {
    name: 'an operation that fails takes the whole batch with it, wherever it stands',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [
        addFact({ scope, uuid: root }, factContent('kept')),
        addTyped({ scope, uuid: lab.id() }, typedContent('Oslo')),
      ]);
      const position = [{ scope, head: 1000 }];
      const picture = async () => [
        await lab.scan(connection, { table: 'memory_open_set', position, limit: 100 }),
        await lab.scan(connection, { table: 'memory_schema_typed', position, limit: 100 }),
      ];
      const before = await picture();
      const good: readonly (() => Operation)[] = [
        () => addFact({ scope, uuid: lab.id() }, factContent('new')),
        () => updateFact({ scope, uuid: lab.id() }, factContent('changed'), { root, from: 2 }),
        () => addTyped({ scope, uuid: lab.id() }, typedContent('Rome'), { from: 2 }),
        () => removeFact(scope, root, { cause: 'prune', from: 3 }),
      ];
      for (let at = 0; at <= good.length; at += 1) {
        const batch = good.map((make) => make());
        batch.splice(at, 0, removeFact(scope, lab.id(), { cause: 'prune', from: 3 }));
        await lab.refused(lab.write(connection, batch), 'WRITE.NOT_FOUND');
        assert.deepEqual(await picture(), before);
      }
      const after = await lab.write(connection, [noop(scope)]);
      assert.equal(after.receipts[0]?.seq, 4, 'a failed write draws no sequence number');
    },
  },
  {
    name: 'a batch that fails makes no scope',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, fact] = [lab.id(), lab.id()];
      await lab.refused(
        lab.write(connection, [
          addScope(scope),
          removeFact(scope, fact, { cause: 'prune', from: 1 }),
        ]),
        'WRITE.NOT_FOUND',
      );
      await lab.refused(lab.write(connection, [noop(scope)]), 'SCOPE.NOT_FOUND');
    },
  },
  {
    name: 'operations of a batch see those before them',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, root, second] = [lab.id(), lab.id(), lab.id()];
      const { receipts, position } = await lab.write(connection, [
        addScope(scope),
        addFact({ scope, uuid: root }, factContent('1')),
        updateFact({ scope, uuid: second }, factContent('2'), { root, from: 4, expected: root }),
      ]);
      assert.deepEqual(
        receipts.map(({ outcome, seq }) => [outcome, seq]),
        [
          ['stored', 1],
          ['stored', 2],
          ['superseded', 3],
        ],
      );
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', { position, at: day(5) }), [
        second,
      ]);
    },
  },
  {
    name: 'what was acknowledged is read by the next request, on any connection',
    needs: ['write', 'read_your_writes'],
    check: async (lab) => {
      const [writer, reader] = [await lab.connect(), await lab.connect()];
      const scope = await lab.scope(writer);
      const seen: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const uuid = lab.id();
        const { position } = await lab.write(writer, [
          addFact({ scope, uuid }, factContent(`fact ${n}`)),
        ]);
        seen.push(uuid);
        assert.deepEqual(await lab.uuids(writer, 'memory_open_set', { position }), seen);
        assert.deepEqual(await lab.uuids(reader, 'memory_open_set', { position }), seen);
      }
    },
  },
];
