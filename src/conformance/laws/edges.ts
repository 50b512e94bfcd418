/** Edges belong to the scope that they lead from; lineage to its row; a type to its scope. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addLink,
  addScope,
  blockContent,
  day,
  factContent,
  linkContent,
  removeFact,
} from '../law-operations.ts';

export const edges: readonly Law[] = [
  {
    name: 'a link leads from a row of the scope that is written',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [mine, theirs] = [await lab.scope(connection), await lab.scope(connection)];
      const [own, foreign] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope: mine, uuid: own }, factContent('mine'))]);
      await lab.write(connection, [
        addFact({ scope: theirs, uuid: foreign }, factContent('theirs')),
      ]);
      for (const from of [foreign, theirs, lab.id()])
        await lab.refused(
          lab.write(connection, [
            addLink({ scope: mine, uuid: lab.id() }, linkContent('co_occurs', { from, to: own })),
          ]),
          'WRITE.NOT_FOUND',
        );
      await lab.write(connection, [
        addLink({ scope: mine, uuid: lab.id() }, linkContent('co_occurs', { from: own, to: mine })),
      ]);
    },
  },
  {
    name: 'a `derived_from` link is neither written nor ended by hand',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [mine, theirs] = [await lab.scope(connection), await lab.scope(connection)];
      const [own, victim] = [lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope: mine, uuid: own }, factContent('mine'))]);
      await lab.write(connection, [
        addFact({ scope: theirs, uuid: victim }, factContent('theirs')),
      ]);
      for (const [scope, from, to] of [
        [mine, victim, own],
        [theirs, victim, own],
        [mine, own, victim],
      ] as const)
        await lab.refused(
          lab.write(connection, [
            addLink({ scope, uuid: lab.id() }, linkContent('derived_from', { from, to })),
          ]),
          'WRITE.REFUSED',
        );
      await lab.write(connection, [removeFact(mine, own, { cause: 'correction', from: 1 })]);
      const [row] = await lab.versions(connection, [victim]);
      assert.equal(row?.row.retired_seq, null, 'what nobody derived from it stays');
    },
  },
  {
    name: 'a scope keeps its type, and no other row becomes a scope',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const turn = lab.id();
      await lab.write(connection, [addBlock({ scope, uuid: turn }, blockContent('a turn'))]);
      for (const [root, changes] of [
        [scope, { is_scope: true, block_type: 'other_type' }],
        [scope, { is_scope: false, block_type: 'chat_session' }],
        [turn, { is_scope: true }],
      ] as const)
        await lab.refused(
          lab.write(connection, [
            {
              operation: 'UPDATE',
              table: 'blocks',
              scope,
              root_uuid: root,
              uuid: lab.id(),
              cause: 'change',
              valid_from: day(5),
              content: blockContent('', changes),
            },
          ]),
          'WRITE.REFUSED',
        );
    },
  },
  {
    name: 'a scope that must be new is written no further where it was there before',
    needs: ['write', 'idempotent'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = lab.id();
      const create = { ...addScope(scope), idempotency_key: 'create' };
      const fact = addFact({ scope, uuid: lab.id() }, factContent('smuggled'));
      const first = await lab.write(connection, [create], { mustBeNew: [scope] });
      const again = await lab.write(connection, [create], { mustBeNew: [scope] });
      assert.deepEqual(
        [first, again].map(({ receipts }) => receipts[0]?.outcome),
        ['stored', 'duplicate'],
      );
      await lab.refused(
        lab.write(connection, [create, fact], { mustBeNew: [scope] }),
        'PERMISSION.DENIED',
      );
      assert.deepEqual(await lab.versions(connection, [fact.uuid]), []);
    },
  },
];
