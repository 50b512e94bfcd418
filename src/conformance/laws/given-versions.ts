/** Laws of parts that name versions: what was found elsewhere is judged here. */
import assert from 'node:assert/strict';
import type { KeysPart, QueryPart } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import { VECTOR_SPACE_NAME } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, removeFact } from '../law-operations.ts';

const named = (uuids: readonly Uuid[], more: Partial<KeysPart> = {}): QueryPart => ({
  id: 'named',
  table: 'memory_open_set',
  mode: 'keys',
  limit: 100,
  uuids,
  ...more,
});

export const givenVersions: readonly Law[] = [
  {
    name: 'given versions come in the order given, each once, and no other',
    needs: ['structured'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const [a, b, c] = [lab.id(), lab.id(), lab.id()];
      const { position } = await lab.write(
        connection,
        [a, b, c].map((uuid) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
      );
      const of = async (part: QueryPart) =>
        (await lab.hits(connection, part, { position })).map(({ row }) => row.uuid);
      assert.deepEqual(await of(named([c, a, c, lab.id()])), [c, a]);
      assert.deepEqual(await of(named([c, a, b], { limit: 2 })), [c, a]);
      assert.deepEqual(await of(named([])), []);
      const filter = { field: 'content', eq: `fact ${a}` };
      assert.deepEqual(await of(named([c, a], { filter })), [a]);
    },
  },
  {
    name: 'a given version is answered only where it is visible to the position',
    needs: ['structured', 'write'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const foreign = await lab.scope(connection, lab.otherTenant);
      const [seen, gone, later, elsewhere, stranger] = [1, 2, 3, 4, 5].map(() => lab.id());
      assert.ok(seen && gone && later && elsewhere && stranger);
      const first = await lab.write(connection, [
        addFact({ scope, uuid: seen }, factContent('seen')),
        addFact({ scope, uuid: gone }, factContent('gone')),
      ]);
      const { position } = await lab.write(connection, [
        removeFact(scope, gone, { cause: 'prune', from: 1 }),
        addFact({ scope, uuid: later }, factContent('later'), { from: 60 }),
      ]);
      await lab.write(connection, [
        addFact({ scope: other, uuid: elsewhere }, factContent('elsewhere')),
      ]);
      const tenant = lab.otherTenant;
      const theirs = addFact({ scope: foreign, uuid: stranger }, factContent('stranger'));
      await lab.write(connection, [theirs], { tenant });
      const all = named([stranger, elsewhere, later, gone, seen]);
      const of = async (at: typeof position, on: number) =>
        (await lab.hits(connection, all, { position: at, at: day(on) })).map(({ row }) => row.uuid);
      assert.deepEqual(await of(position, 50), [seen]);
      assert.deepEqual(await of(position, 61), [later, seen]);
      assert.deepEqual(await of(first.position, 50), [gone, seen]);
    },
  },
  {
    name: 'a given version has the signals that a search would give it',
    needs: ['hybrid', 'vectors'],
    check: async (lab) => {
      const connection = await lab.raw();
      const scope = await lab.scope(connection);
      const [near, far] = [lab.id(), lab.id()];
      const { position } = await lab.write(connection, [
        addFact({ scope, uuid: near }, factContent('the harbour is closed')),
        addFact({ scope, uuid: far }, factContent('a kettle boils')),
      ]);
      const row = { tenant: lab.tenant, scope, table: 'memory_open_set' as const };
      await lab.storeVectors(connection, [
        { ...row, uuid: near, values: [1, 0, 0, 0] },
        { ...row, uuid: far, values: [0, 1, 0, 0] },
      ]);
      const ranked = {
        text: 'harbour',
        vector: { space: VECTOR_SPACE_NAME, values: [0.6, 0.8, 0, 0] },
      };
      const search: QueryPart = { ...named([]), ...ranked, mode: 'search' };
      const signals = async (part: QueryPart) =>
        new Map(
          (await lab.hits(connection, part, { position })).map((hit) => [
            hit.row.uuid,
            Object.entries(hit.signals).map(([name, value]) => [name, value.toFixed(5)]),
          ]),
        );
      const [found, given] = [await signals(search), await signals(named([near, far], ranked))];
      assert.deepEqual([...given].sort(), [...found].sort());
      assert.deepEqual([...(await signals(named([far])))], [[far, []]]);
    },
  },
];
