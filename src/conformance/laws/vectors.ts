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
  {
    name: 'vectors are read as they were stored, of the tenant, the space and the versions asked for',
    needs: ['authority', 'vector'],
    check: async (lab) => {
      const connection = await lab.authority();
      await connection.ensureSpace(VECTOR_SPACE);
      const scope = await lab.scope(connection);
      const [one, two, none] = [lab.id(), lab.id(), lab.id()];
      await lab.write(
        connection,
        [one, two, none].map((uuid) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
      );
      const row = { tenant: lab.tenant, scope_uuid: scope, table: 'memory_open_set' as const };
      const first = { ordinal: 0, origin: 'content' as const };
      await connection.storeEmbeddings(VECTOR_SPACE_NAME, [
        { ...row, ...first, uuid: one, values: [0.5, 0.5, 0.5, 0.5] },
        { ...row, ...first, uuid: two, values: [1, 0, 0, 0] },
      ]);
      const read = (tenant: typeof lab.tenant, uuids: readonly (typeof one)[]) =>
        connection.readEmbeddings(tenant, VECTOR_SPACE_NAME, uuids);
      assert.deepEqual(await read(lab.tenant, [one, none, one]), [
        { uuid: one, ...first, values: [0.5, 0.5, 0.5, 0.5] },
      ]);
      assert.deepEqual(await read(lab.otherTenant, [one, two]), []);
      assert.deepEqual(await read(lab.tenant, []), []);
    },
  },
];
