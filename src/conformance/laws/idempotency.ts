/** A retry is harmless; a reused key is an error. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import { addFact, factContent, noop } from '../law-operations.ts';

export const idempotency: readonly Law[] = [
  {
    name: 'the same key with the same payload is a duplicate that names the row written then',
    needs: ['write', 'idempotent'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [first, retry] = [lab.id(), lab.id()];
      const before = await lab.write(connection, [
        addFact({ scope, uuid: first }, factContent('once'), { key: 'k1' }),
      ]);
      for (const uuid of [first, retry]) {
        const again = await lab.write(connection, [
          addFact({ scope, uuid }, factContent('once'), { key: 'k1' }),
        ]);
        assert.deepEqual(
          [again.receipts[0]?.outcome, again.receipts[0]?.uuid, again.receipts[0]?.root_uuid],
          ['duplicate', first, first],
        );
        assert.deepEqual(
          await lab.uuids(connection, 'memory_open_set', { position: again.position }),
          [first],
        );
      }
      assert.equal(before.receipts[0]?.outcome, 'stored');
    },
  },
  {
    name: 'the same key twice in one batch is written once',
    needs: ['write', 'idempotent', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [first, second] = [lab.id(), lab.id()];
      const { receipts, position } = await lab.write(
        connection,
        [first, second].map((uuid) => addFact({ scope, uuid }, factContent('once'), { key: 'k' })),
      );
      assert.deepEqual(
        receipts.map(({ outcome, uuid }) => [outcome, uuid]),
        [
          ['stored', first],
          ['duplicate', first],
        ],
      );
      assert.deepEqual(await lab.uuids(connection, 'memory_open_set', { position }), [first]);
    },
  },
  {
    name: 'a key that was used with another payload is refused, and nothing of the batch is written',
    needs: ['write', 'idempotent', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [first, innocent, other] = [lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: first }, factContent('one'), { key: 'k' }),
      ]);
      const batch = [
        addFact({ scope, uuid: innocent }, factContent('innocent')),
        addFact({ scope, uuid: other }, factContent('another'), { key: 'k' }),
      ];
      await lab.refused(lab.write(connection, batch), 'WRITE.IDEMPOTENCY_CONFLICT');
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', { position: [{ scope, head: 1000 }] }),
        [first],
      );
    },
  },
  {
    name: 'keys of one scope and tenant say nothing about another',
    needs: ['write', 'idempotent'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('one'), { key: 'k' }),
      ]);
      const elsewhere = await lab.write(connection, [
        addFact({ scope: other, uuid: lab.id() }, factContent('two'), { key: 'k' }),
      ]);
      const foreign = await lab.scope(connection, lab.otherTenant);
      const theirs = await lab.write(
        connection,
        [addFact({ scope: foreign, uuid: lab.id() }, factContent('three'), { key: 'k' })],
        {
          tenant: lab.otherTenant,
        },
      );
      assert.deepEqual(
        [elsewhere.receipts[0]?.outcome, theirs.receipts[0]?.outcome],
        ['stored', 'stored'],
      );
    },
  },
  {
    name: 'a key of a batch that failed is free again',
    needs: ['write', 'idempotent', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const nowhere = lab.id();
      await lab.refused(
        lab.write(connection, [
          addFact({ scope, uuid: lab.id() }, factContent('one'), { key: 'k' }),
          noop(nowhere),
        ]),
        'SCOPE.NOT_FOUND',
      );
      const { receipts } = await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('two'), { key: 'k' }),
      ]);
      assert.equal(receipts[0]?.outcome, 'stored');
    },
  },
];
