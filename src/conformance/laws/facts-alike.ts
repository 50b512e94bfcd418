/** Laws of what is like a text: by words, by meaning and by slot, of one scope, as it holds. */
import assert from 'node:assert/strict';
import type { AlikeAsked, AlikeText } from '../../cxri/ports/facts.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import { VECTOR_SPACE, VECTOR_SPACE_NAME } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, updateFact } from '../law-operations.ts';

const asked = (scope: Uuid, texts: readonly AlikeText[]): AlikeAsked => ({
  scope,
  head: 1000,
  valid_at: day(10),
  space: VECTOR_SPACE_NAME,
  least: 0.7,
  limit: 3,
  most_slots: 2,
  texts,
});
const worded = (text: string): AlikeText => ({ text, vector: null, slot: null });
const meant = (values: readonly number[]): AlikeText => ({
  text: 'zzyzx',
  vector: values,
  slot: null,
});
const content = (tenant: TenantId, scope: Uuid) => ({
  tenant,
  scope_uuid: scope,
  table: 'memory_open_set' as const,
  ordinal: 0,
  origin: 'content' as const,
});

export const factsAlike: readonly Law[] = [
  {
    name: 'facts like each text of a batch are found by words, by meaning and by slot',
    needs: ['authority', 'vector'],
    check: async (lab) => {
      const connection = await lab.authority();
      await connection.ensureSpace(VECTOR_SPACE);
      const scope = await lab.scope(connection);
      const [tea, near, far, home, later] = [lab.id(), lab.id(), lab.id(), lab.id(), lab.id()];
      const slot = { subject: 'Ada', metadata: { slot: 'home' } };
      await lab.write(connection, [
        addFact({ scope, uuid: tea }, factContent('green tea')),
        addFact({ scope, uuid: near }, factContent('near')),
        addFact({ scope, uuid: far }, factContent('far')),
        addFact({ scope, uuid: home }, factContent('Rome', slot), { from: 1 }),
        addFact({ scope, uuid: lab.id() }, factContent('Oslo', { ...slot, subject: 'Bob' })),
        addFact({ scope, uuid: later }, factContent('Lima', slot), { from: 2 }),
      ]);
      const own = content(lab.tenant, scope);
      await connection.storeEmbeddings(VECTOR_SPACE_NAME, [
        { ...own, uuid: tea, values: [0, 0, 1, 0] },
        { ...own, uuid: near, values: [1, 0, 0, 0] },
        { ...own, uuid: far, values: [0, 1, 0, 0] },
      ]);
      const texts = [
        worded('a cup of tea'),
        meant([0.8, 0.6, 0, 0]),
        { text: 'tea', vector: [0, 0, 1, 0], slot: { subject: 'Ada', has: { slot: 'home' } } },
        worded('nothing of it'),
      ];
      const found = await connection.factsAlike(lab.tenant, asked(scope, texts));
      const uuids = found.map((facts) => facts.map(({ row }) => row.uuid).sort());
      assert.deepEqual(uuids, [[tea], [near], [tea, home, later].sort(), []]);
      const [byWords, byMeaning, both] = found;
      assert.ok(byWords?.[0] && byMeaning?.[0] && both);
      assert.ok(byWords[0].dense === null && (byWords[0].lexical ?? 0) > 0);
      assert.ok(Math.abs((byMeaning[0].dense ?? 0) - 0.8) < 1e-3 && byMeaning[0].lexical === null);
      const { dense, lexical } = both.find(({ row }) => row.uuid === tea) ?? {};
      assert.ok((dense ?? 0) > 0.99 && (lexical ?? 0) > 0);
      assert.equal(both.find(({ row }) => row.uuid === home)?.row.content, 'Rome');
      assert.deepEqual(await connection.factsAlike(lab.tenant, asked(scope, [])), []);
      const many = Array.from({ length: 20 }, (_, n) => worded(n % 2 === 0 ? 'green' : 'zzyzx'));
      const each = await connection.factsAlike(lab.tenant, asked(scope, many));
      assert.deepEqual(
        each.map((facts) => facts.length),
        many.map((_, n) => (n % 2 === 0 ? 1 : 0)),
      );
    },
  },
  {
    name: 'facts alike are of the scope, the tenant, the head and the instant that are asked for',
    needs: ['authority', 'vector'],
    check: async (lab) => {
      const connection = await lab.authority();
      await connection.ensureSpace(VECTOR_SPACE);
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [was, is, foreign, ahead] = [lab.id(), lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: was }, factContent('green tea'), { from: 1 }),
        updateFact({ scope, uuid: is }, factContent('black tea'), { root: was, from: 2 }),
        addFact({ scope: other, uuid: foreign }, factContent('red tea')),
        addFact({ scope, uuid: ahead }, factContent('tea one day'), { from: 11 }),
      ]);
      const of = async (changes: Partial<AlikeAsked> = {}, tenant = lab.tenant) => {
        const all = { ...asked(scope, [worded('tea')]), ...changes };
        const [facts = []] = await connection.factsAlike(tenant, all);
        return facts.map(({ row }) => row.uuid);
      };
      assert.deepEqual(await of(), [is]);
      assert.deepEqual(await of({ scope: other }), [foreign]);
      assert.deepEqual(await of({ head: 1 }), []);
      assert.deepEqual((await of({ valid_at: day(12) })).toSorted(), [is, ahead].sort());
      assert.deepEqual(await of({}, lab.otherTenant), []);
    },
  },
];
