/** Each operation is answered for, and what the answer says is so. */
import assert from 'node:assert/strict';
import { OUTCOMES } from '../../model/operation.ts';
import type { Law } from '../law.ts';
import {
  addFact,
  addLink,
  addTyped,
  day,
  factContent,
  linkContent,
  noop,
  removeFact,
  typedContent,
  updateFact,
} from '../law-operations.ts';

export const receipts: readonly Law[] = [
  {
    name: 'there is one receipt per operation, in order, and the counts add up',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const [fact, other] = [lab.id(), lab.id()];
      const result = await lab.write(connection, [
        addFact({ scope, uuid: fact }, factContent('a')),
        noop(scope),
        updateFact({ scope, uuid: lab.id() }, factContent('b'), { root: fact, from: 3 }),
        addTyped({ scope, uuid: lab.id() }, typedContent('Oslo')),
        addTyped({ scope, uuid: lab.id() }, typedContent('Oslo')),
        addFact({ scope, uuid: other }, factContent('c')),
        removeFact(scope, other, { cause: 'prune', from: 3 }),
      ]);
      assert.deepEqual(
        result.receipts.map(({ operation }) => operation),
        ['ADD', 'NOOP', 'UPDATE', 'ADD', 'ADD', 'ADD', 'DELETE'],
      );
      assert.deepEqual(
        result.receipts.map(({ outcome }) => outcome),
        ['stored', 'stored', 'superseded', 'stored', 'duplicate', 'stored', 'stored'],
      );
      assert.deepEqual(
        { ...result.counts },
        { stored: 5, superseded: 1, duplicate: 1, quarantined: 0, rejected: 0, conflict: 0 },
      );
      assert.equal(
        OUTCOMES.reduce((sum, outcome) => sum + result.counts[outcome], 0),
        7,
      );
      assert.deepEqual(
        result.receipts.map(({ uuid }) => uuid === null),
        [false, true, false, false, false, false, true],
      );
      assert.deepEqual(
        result.receipts.map(({ table }) => table),
        [
          'memory_open_set',
          null,
          'memory_open_set',
          'memory_schema_typed',
          'memory_schema_typed',
          'memory_open_set',
          'memory_open_set',
        ],
      );
      assert.equal(new Set(result.receipts.map(({ operation_id }) => operation_id)).size, 7);
    },
  },
  {
    name: 'what a receipt says was stored is there, with its id, root and sequence number',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const facts = [lab.id(), lab.id(), lab.id()];
      const { receipts: given } = await lab.write(
        connection,
        facts.map((uuid) => addFact({ scope, uuid }, factContent('kept'))),
      );
      const rows = await lab.versions(connection, facts);
      assert.deepEqual(
        rows
          .map(({ row }) => [
            row.uuid,
            row.root_uuid,
            row.recorded_seq,
            row.scope_uuid,
            row.operation,
            row.status,
          ])
          .sort(),
        given
          .map((receipt) => [
            receipt.uuid,
            receipt.root_uuid,
            receipt.seq,
            receipt.scope,
            receipt.operation,
            'live',
          ])
          .sort(),
      );
    },
  },
  {
    name:
      'sequence numbers grow by one operation at a time within a scope, and the position is ' +
      'the last',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const { receipts: given, position } = await lab.write(connection, [
        noop(scope),
        noop(other),
        noop(scope),
        noop(scope),
      ]);
      const seqs = given.filter((receipt) => receipt.scope === scope).map(({ seq }) => seq);
      assert.deepEqual(seqs, [2, 3, 4]);
      assert.deepEqual(
        [...position].sort((a, b) => (a.scope < b.scope ? -1 : 1)),
        [
          { scope, head: 4 },
          { scope: other, head: 2 },
        ],
      );
    },
  },
  {
    name:
      'a write judged against a version that is no longer current is a conflict and changes ' +
      'nothing',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const [root, second, third] = [lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope, uuid: root }, factContent('1'))]);
      const won = await lab.write(connection, [
        updateFact({ scope, uuid: second }, factContent('2'), { root, from: 2, expected: root }),
      ]);
      const lost = await lab.write(connection, [
        updateFact({ scope, uuid: third }, factContent('3'), { root, from: 3, expected: root }),
      ]);
      assert.deepEqual(
        [won.receipts[0]?.outcome, lost.receipts[0]?.outcome, lost.receipts[0]?.uuid],
        ['superseded', 'conflict', null],
      );
      assert.deepEqual(await lab.versions(connection, [third]), []);
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', { position: lost.position, at: day(9) }),
        [second],
      );
    },
  },
  {
    name: 'receipts say which rows wait for a vector',
    needs: ['write', 'vector'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const { receipts: given } = await lab.write(connection, [
        addFact({ scope, uuid: lab.id() }, factContent('needs one')),
        addTyped({ scope, uuid: lab.id() }, typedContent('needs none')),
        addLink({ scope, uuid: lab.id() }, linkContent('co_occurs', { from: scope, to: scope })),
      ]);
      assert.notEqual(given[0]?.embedding, 'none');
      assert.deepEqual(
        given.slice(1).map(({ embedding }) => embedding),
        ['none', 'none'],
      );
    },
  },
];
