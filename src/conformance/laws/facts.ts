/** Laws of facts in hand: by page, of what may be read alone, each with its origin. */
import assert from 'node:assert/strict';
import type { FactsAsked } from '../../cxri/ports/facts.ts';
import type { FactFilter, FactKey, FactState } from '../../model/fact-record.ts';
import type { Uuid } from '../../model/ids.ts';
import type { ReadableScopes } from '../../model/permission.ts';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addTyped,
  blockContent,
  day,
  factContent,
  removeFact,
  typedContent,
  updateFact,
  WRITER,
} from '../law-operations.ts';

const asked = (scopes: ReadableScopes, more: Partial<FactsAsked> = {}): FactsAsked => ({
  scopes,
  readable: scopes,
  state: 'current',
  at: day(10),
  filter: {},
  limit: 100,
  after: null,
  ...more,
});

export const facts: readonly Law[] = [
  {
    name: 'facts are listed by state: what holds, what was, what is not believed any more',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [kept, moved, changed, wrong] = [lab.id(), lab.id(), lab.id(), lab.id()];
      const [ended, typed, later] = [lab.id(), lab.id(), lab.id()];
      const at = (uuid: Uuid) => ({ scope, uuid });
      await lab.write(connection, [
        addFact(at(kept), factContent('kept'), { from: 2 }),
        addFact(at(moved), factContent('before'), { from: 1 }),
        updateFact(at(changed), factContent('after'), { root: moved, from: 4 }),
        addFact(at(wrong), factContent('wrong'), { from: 3 }),
        removeFact(scope, wrong, { from: 3, cause: 'correction' }),
        addFact(at(ended), factContent('a while'), { from: 5, until: 6 }),
        addTyped(at(typed), typedContent('Turin'), { from: 7 }),
        addFact(at(later), factContent('later'), { from: 11 }),
      ]);
      const of = async (state: FactState) =>
        (await connection.listFacts(lab.tenant, asked([scope], { state }))).facts;
      const uuids = async (state: FactState) => (await of(state)).map(({ row }) => row.uuid);
      assert.deepEqual(await uuids('current'), [typed, changed, kept]);
      assert.deepEqual(
        (await of('past')).map(({ row }) => row.root_uuid),
        [ended, moved],
      );
      assert.ok((await uuids('retired')).includes(wrong));
      assert.ok((await of('retired')).every(({ row }) => row.retired_seq !== null));
      assert.ok((await uuids('all')).includes(later));
    },
  },
  {
    name: 'pages of facts hold each of them once, latest first, and count all of them',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const made = Array.from({ length: 7 }, () => lab.id());
      await lab.write(
        connection,
        made.map((uuid, index) =>
          addFact({ scope, uuid }, factContent(`fact ${index}`), { from: Math.floor(index / 2) }),
        ),
      );
      const seen: Uuid[] = [];
      let after: FactKey | null = null;
      for (let pages = 0; pages < 4; pages += 1) {
        const found = await connection.listFacts(lab.tenant, asked([scope], { limit: 3, after }));
        assert.equal(found.total, 7);
        assert.equal(found.hasMore, pages < 2);
        seen.push(...found.facts.map(({ row }) => row.uuid));
        after = found.facts.at(-1)?.row ?? after;
        if (!found.hasMore) break;
      }
      // Ids of a lab ascend, and of one day the greatest comes first.
      assert.deepEqual(seen, [...made].reverse());
    },
  },
  {
    name: 'facts are filtered by what they say, and by what they were made of',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, session] = [await lab.scope(connection), await lab.scope(connection)];
      const [turn, liked, rule, city] = [lab.id(), lab.id(), lab.id(), lab.id()];
      const provenance = { extractor: 'rules/3' };
      await lab.write(connection, [
        addBlock({ scope: session, uuid: turn }, blockContent('I like tea.')),
        addFact(
          { scope, uuid: liked },
          factContent('likes tea', { subject: 'Ada', class: 'preference', provenance }),
          { from: 1, sources: [turn] },
        ),
        addFact({ scope, uuid: rule }, factContent('never', { class: 'rule', tags: ['x'] }), {
          from: 2,
        }),
        addTyped({ scope, uuid: city }, typedContent('Turin', { subject: 'Ada' }), { from: 3 }),
      ]);
      const readable = [scope, session];
      const of = async (filter: FactFilter, more: Partial<FactsAsked> = { readable }) =>
        (await connection.listFacts(lab.tenant, asked([scope], { filter, ...more }))).facts.map(
          ({ row }) => row.uuid,
        );
      assert.deepEqual(await of({ subject: 'Ada' }), [city, liked]);
      assert.deepEqual(await of({ class: 'rule' }), [rule]);
      assert.deepEqual(await of({ class: 'typed' }), [city]);
      assert.deepEqual(await of({ tag: 'x' }), [rule]);
      assert.deepEqual(await of({ collection: 'profile', property: 'city' }), [city]);
      assert.deepEqual(await of({ collection: 'other' }), []);
      assert.deepEqual(await of({ class: 'rule', property: 'city' }), []);
      for (const extractor of ['rules', 'rules/3'])
        assert.deepEqual(await of({ extractor }), [liked]);
      assert.deepEqual(await of({ extractor: 'rule' }), []);
      for (const source of [turn, session]) assert.deepEqual(await of({ source }), [liked]);
      assert.deepEqual(await of({ source: turn }, { readable: [scope] }), []);
    },
  },
  {
    name: 'facts of other scopes and tenants are neither listed nor counted',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [own, foreign] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: own }, factContent('own')),
        addFact({ scope: other, uuid: foreign }, factContent('foreign')),
      ]);
      const found = await connection.listFacts(
        lab.tenant,
        asked([scope], { readable: [scope, other] }),
      );
      assert.deepEqual([found.facts.map(({ row }) => row.uuid), found.total], [[own], 1]);
      const elsewhere = await connection.listFacts(lab.otherTenant, asked([scope, other]));
      assert.deepEqual([elsewhere.facts.length, elsewhere.total], [0, 0]);
      const origins = await connection.factOrigins(lab.tenant, {
        uuids: [own, foreign],
        readable: [scope],
      });
      assert.deepEqual([...origins.keys()], [own]);
      const asOther = { uuids: [own], readable: [scope] };
      assert.equal((await connection.factOrigins(lab.otherTenant, asOther)).size, 0);
    },
  },
  {
    name: 'all scopes but those of a type are read as if each were named',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const shut = lab.id();
      await lab.write(connection, [
        addBlock(
          { scope: shut, uuid: shut },
          blockContent('', { is_scope: true, block_type: 'shut_scope' }),
        ),
      ]);
      const [open, away, hidden, turn] = [lab.id(), lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [
        addBlock({ scope: shut, uuid: turn }, blockContent('said in private')),
        addFact({ scope, uuid: open }, factContent('open'), { from: 1 }),
        addFact({ scope: other, uuid: away }, factContent('away'), { from: 2, sources: [turn] }),
        addFact({ scope: shut, uuid: hidden }, factContent('hidden'), { from: 3 }),
      ]);
      const all = (...but_types: string[]) => ({ but_types, at: day(10) });
      const of = async (scopes: ReadableScopes, more: Partial<FactsAsked> = {}, by = lab.tenant) =>
        (await connection.listFacts(by, asked(scopes, more))).facts.map(({ row }) => row.uuid);
      assert.deepEqual(await of(all()), [hidden, away, open]);
      assert.deepEqual(await of(all('shut_scope')), [away, open]);
      assert.deepEqual(await of({ ...all(), at: day(-1000) }), []);
      assert.deepEqual(await of([scope], { readable: all() }), [open]);
      assert.deepEqual(await of(all(), {}, lab.otherTenant), []);
      for (const which of [{ version: open }, { root: open }])
        assert.deepEqual(await of(all(), which), [open]);
      for (const which of [{ version: hidden }, { root: hidden }])
        assert.deepEqual(await of(all('shut_scope'), which), []);
      const filter = { source: turn };
      assert.deepEqual(await of(all(), { filter }), [away]);
      assert.deepEqual(await of(all('shut_scope'), { filter }), []);
      const origins = async (readable: ReadableScopes) => {
        const found = await connection.factOrigins(lab.tenant, { uuids: [away, hidden], readable });
        return [...found].map(([uuid, { sources }]) => [uuid, sources.length]).sort();
      };
      assert.deepEqual(await origins(all('shut_scope')), [[away, 0]]);
      assert.deepEqual(await origins(all()), [
        [away, 1],
        [hidden, 0],
      ]);
    },
  },
  {
    name: 'an origin says who wrote a version and when, and names the sources that may be read',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, session] = [await lab.scope(connection), await lab.scope(connection)];
      const [turn, fact, changed] = [lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [addBlock({ scope: session, uuid: turn }, blockContent('said'))]);
      const provenance = { extractor: 'rules/3' };
      const made = await lab.write(
        connection,
        [
          addFact({ scope, uuid: fact }, factContent('made', { provenance }), {
            from: 1,
            sources: [turn],
          }),
        ],
        { recorded: day(101) },
      );
      // Cuts the interval of the first version.
      await lab.write(
        connection,
        [updateFact({ scope, uuid: changed }, factContent('new'), { root: fact, from: 5 })],
        { recorded: day(102) },
      );
      const { rows } = await connection.read({
        kind: 'history',
        tenant: lab.tenant,
        scopes: '*',
        roots: [fact],
      });
      const cut = rows.find(({ row }) => row.retired_seq === null && row.uuid !== changed);
      assert.ok(cut);
      const originOf = async (uuid: Uuid, readable: readonly Uuid[]) =>
        (await connection.factOrigins(lab.tenant, { uuids: [uuid], readable })).get(uuid);
      const expected = {
        recorded_at: day(101),
        ...WRITER,
        operation_id: made.receipts[0]?.operation_id,
        tier: 'T1',
        extractor: 'rules/3',
        approval: null,
        sources: [{ uuid: turn, scope_uuid: session }],
      };
      assert.deepEqual(await originOf(fact, [scope, session]), expected);
      assert.deepEqual(await originOf(cut.row.uuid, [scope, session]), expected);
      assert.deepEqual(await originOf(fact, [scope]), { ...expected, sources: [] });
      assert.equal((await originOf(changed, [scope]))?.recorded_at, day(102));
    },
  },
];
