/** Laws of vectors that are missing. */
import assert from 'node:assert/strict';
import { VECTOR_SPACE, VECTOR_SPACE_NAME } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, addTyped, factContent, removeFact, typedContent } from '../law-operations.ts';

export const vectors: readonly Law[] = [
  {
    name: 'rows that wait for a vector are given out oldest first, until they have one',
    needs: ['authority', 'vector'],
    check: async (lab) => {
      const connection = await lab.authority();
      await connection.ensureSpace(VECTOR_SPACE);
      const scope = await lab.scope(connection);
      const facts = [lab.id(), lab.id(), lab.id()];
      const pruned = lab.id();
      await lab.write(
        connection,
        [...facts, pruned].map((uuid) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
      );
      await lab.write(connection, [
        addTyped({ scope, uuid: lab.id() }, typedContent('none')),
        removeFact(scope, pruned, { cause: 'prune', from: 1 }),
      ]);
      const waiting = async (limit: number) =>
        (await connection.pendingEmbeddings(lab.tenant, VECTOR_SPACE_NAME, limit)).map(
          ({ uuid }) => uuid,
        );
      assert.deepEqual([await waiting(2), await waiting(100)], [facts.slice(0, 2), facts]);
      assert.deepEqual(
        await connection.pendingEmbeddings(lab.otherTenant, VECTOR_SPACE_NAME, 100),
        [],
      );
      const [item] = await connection.pendingEmbeddings(lab.tenant, VECTOR_SPACE_NAME, 1);
      assert.ok(item);
      const { text: _text, ...place } = item;
      for (let n = 0; n < 2; n += 1)
        await connection.storeEmbeddings(VECTOR_SPACE_NAME, [
          { ...place, ordinal: 0, origin: 'content', values: [1, 0, 0, 0] },
        ]);
      assert.deepEqual(await waiting(100), facts.slice(1));
    },
  },
];
