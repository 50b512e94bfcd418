/** Laws of a projection: what it is fed, what it gives back, and what must be gone. */
import assert from 'node:assert/strict';
import { day } from '../law-operations.ts';
import type { ProjectionLab, ProjectionLaw } from '../projection-lab.ts';

const NEAR = [1, 0, 0, 0];
const FAR = [0, 1, 0, 0];
const words = { text: 'harbour' };
const sorted = (...uuids: readonly string[]): readonly string[] => uuids.toSorted();

export const projection: readonly ProjectionLaw[] = [
  {
    name: 'what was fed is found by words, by meaning and by both, and takes no writes',
    check: async (lab) => {
      const store = await lab.guarded();
      const scope = lab.id();
      const [a, b, c] = [
        lab.fact(scope, 'the harbour is closed'),
        lab.fact(scope, 'a kettle boils'),
        lab.fact(scope, 'nothing of the kind'),
      ];
      await lab.feed(store, [
        { entry: a, vector: NEAR },
        { entry: b, vector: [0.8, 0.6, 0, 0] },
        { entry: c, vector: null },
      ]);
      assert.deepEqual(await lab.found(store, [scope], words), [a.row.uuid]);
      assert.deepEqual(
        await lab.found(store, [scope], { values: NEAR }),
        sorted(a.row.uuid, b.row.uuid),
      );
      const both = await lab.search(store, [scope], { text: 'kettle', values: NEAR, limit: 1 });
      assert.deepEqual(sorted(...both.map(({ row }) => row.uuid)), sorted(a.row.uuid, b.row.uuid));
      const dense = both.map(({ row, signals }) => [row.uuid, signals.dense?.toFixed(3)]);
      assert.deepEqual(new Map(dense as [string, string][]).get(a.row.uuid), '1.000');
      assert.equal(store.capabilities.write, false);
    },
  },
  {
    name: 'nothing of another tenant or scope is found, read or told of',
    check: async (lab) => {
      const store = await lab.raw();
      const [scope, other] = [lab.id(), lab.id()];
      const [own, beside] = [lab.fact(scope, 'harbour one'), lab.fact(other, 'harbour two')];
      const theirs = lab.fact(scope, 'harbour three', { tenant_id: lab.otherTenant });
      for (const entry of [own, beside, theirs]) await lab.feed(store, [{ entry, vector: NEAR }]);
      for (const how of [words, { values: NEAR }]) {
        assert.deepEqual(await lab.found(store, [scope], how), [own.row.uuid]);
        assert.deepEqual(await lab.found(store, [other], how), [beside.row.uuid]);
        const tenant = lab.otherTenant;
        assert.deepEqual(await lab.found(store, [scope], { ...how, tenant }), [theirs.row.uuid]);
        assert.deepEqual(await lab.found(store, [other], { ...how, tenant }), []);
      }
      assert.deepEqual(await lab.rows(store, [scope]), [own]);
      const marks = async (tenant = lab.tenant) => (await store.cursor(tenant)).marks.length;
      assert.deepEqual([await marks(), await marks(lab.otherTenant)], [2, 1]);
    },
  },
  {
    name: 'only what is visible at the position and the valid time is found',
    check: async (lab) => {
      const store = await lab.raw();
      const scope = lab.id();
      const entries = [
        lab.fact(scope, 'harbour now'),
        lab.fact(scope, 'harbour later', { valid_from: day(60) }),
        lab.fact(scope, 'harbour once', { valid_until: day(40), closed_seq: 3 }),
        lab.fact(scope, 'harbour written later', { recorded_seq: 9 }),
      ];
      await lab.feed(
        store,
        entries.map((entry) => ({ entry, vector: NEAR })),
      );
      const [now, later, once, written] = entries.map(({ row }) => row.uuid);
      assert.ok(now && later && once && written);
      for (const how of [words, { values: NEAR }]) {
        const at = (head: number, on: number) =>
          lab.found(store, [scope], { ...how, head, at: day(on) });
        assert.deepEqual(await at(8, 50), [now]);
        assert.deepEqual(await at(8, 61), sorted(now, later));
        assert.deepEqual(await at(8, 39), sorted(now, once));
        assert.deepEqual(await at(2, 50), sorted(now, once));
        assert.deepEqual(await at(9, 50), sorted(now, written));
      }
    },
  },
  {
    name: 'a filter holds before the limit cuts',
    check: async (lab) => {
      const store = await lab.raw();
      const scope = lab.id();
      const many = Array.from({ length: 40 }, (_, n) => lab.fact(scope, `harbour harbour ${n}`));
      const few = ['x', 'y', 'z'].map((name) =>
        lab.fact(scope, `a long way from any harbour ${name}`, {
          category: "it's",
          tags: ['a', name],
        }),
      );
      await lab.feed(store, [
        ...many.map((entry) => ({ entry, vector: NEAR })),
        ...few.map((entry) => ({ entry, vector: FAR })),
      ]);
      const filter = {
        and: [
          { field: 'category', in: ["it's"] },
          { not: { field: 'class', in: ['lesson'] } },
          { field: 'tags', contains: ['a'] },
        ],
      };
      const uuids = sorted(...few.map(({ row }) => row.uuid));
      for (const how of [words, { values: NEAR }])
        assert.deepEqual(await lab.found(store, [scope], { ...how, filter, limit: 3 }), uuids);
      const one = { field: 'tags', contains: ['z', 'a'] };
      assert.deepEqual(await lab.found(store, [scope], { ...words, filter: one }), [
        few[2]?.row.uuid,
      ]);
    },
  },
  {
    name: 'a batch that is applied again changes nothing; what is removed is found no more',
    check: async (lab) => {
      const store = await lab.raw();
      const scope = lab.id();
      const [stays, goes] = [lab.fact(scope, 'harbour one'), lab.fact(scope, 'harbour two')];
      const both = [stays, goes].map((entry) => ({ entry, vector: NEAR }));
      await lab.feed(store, both);
      await lab.feed(store, both);
      const uuids = sorted(stays.row.uuid, goes.row.uuid);
      assert.deepEqual(await lab.found(store, [scope], words), uuids);
      const closed = lab.fact(scope, 'harbour one', {
        uuid: stays.row.uuid,
        valid_until: day(70),
        closed_seq: 2,
      });
      const mark = { scope, seq: 2, ordinal: 0 };
      for (let n = 0; n < 2; n += 1)
        await lab.feed(store, [{ entry: closed, vector: NEAR }], {
          mark,
          remove: [goes.row.uuid, lab.id()],
        });
      for (const how of [words, { values: NEAR }])
        assert.deepEqual(await lab.found(store, [scope], how), [stays.row.uuid]);
      assert.deepEqual(await lab.found(store, [scope], { ...words, at: day(71) }), []);
      assert.deepEqual(await lab.rows(store, [scope]), [closed]);
    },
  },
  {
    name: 'the cursor is where the last batch put it, for every connection',
    check: async (lab) => {
      const [store, again] = [await lab.raw(), await lab.raw()];
      const [a, b] = [lab.id(), lab.id()];
      const none = { policy_epoch: 0, marks: [] };
      assert.deepEqual(await store.cursor(lab.tenant), none);
      const marks = [
        { scope: a, seq: 4, ordinal: 2 },
        { scope: b, seq: 1, ordinal: 0 },
      ];
      await lab.feed(store, [], { mark: { scope: a, seq: 3, ordinal: 0 } });
      for (const mark of marks) await lab.feed(store, [], { mark });
      assert.deepEqual(await again.cursor(lab.tenant), { policy_epoch: 0, marks });
      assert.deepEqual(await again.cursor(lab.otherTenant), none);
    },
  },
  {
    name: 'a scan gives every row back as it was fed, page by page',
    check: async (lab) => {
      const store = await lab.raw();
      const [a, b] = [lab.id(), lab.id()];
      const rows = [
        lab.fact(a, 'x "quoted" \u0001 é', { metadata: { deep: [1, { two: null }] } }),
        lab.fact(a, 'y', { recorded_seq: 2, importance: 0.1, tags: ['t', "it's"] }),
        lab.fact(a, 'z', { recorded_seq: 10 }),
        lab.fact(b, 'w', { recorded_seq: 3, subject: 'someone' }),
      ];
      for (const scope of [b, a])
        await lab.feed(
          store,
          rows
            .filter(({ row }) => row.scope_uuid === scope)
            .toReversed()
            .map((entry) => ({ entry, vector: null })),
        );
      for (const limit of [1, 3, 100]) assert.deepEqual(await lab.rows(store, [a, b], limit), rows);
    },
  },
  {
    name: 'what is erased is gone, with the cursors of whole scopes',
    check: erasureLaw,
  },
  {
    name: 'one feeder holds a projection at a time',
    check: async (lab) => {
      const [store, again] = [await lab.raw(), await lab.raw()];
      const feed = await store.feed();
      await lab.refused(again.feed(), 'CONNECTOR.LOCKED');
      await feed[Symbol.asyncDispose]();
      await (await again.feed())[Symbol.asyncDispose]();
    },
  },
  {
    name: 'a vector of another space is refused, and the batch with it',
    check: async (lab) => {
      const store = await lab.raw();
      const scope = lab.id();
      const [right, wrong] = [lab.fact(scope, 'harbour one'), lab.fact(scope, 'harbour two')];
      const batch = [
        { entry: right, vector: NEAR },
        { entry: wrong, vector: [1, 0] },
      ];
      await lab.refused(lab.feed(store, batch), 'INFERENCE.DIMENSIONS');
      assert.deepEqual(await lab.found(store, [scope], words), []);
      assert.deepEqual((await store.cursor(lab.tenant)).marks, []);
      const asked = { space: 'another/space/4', values: NEAR };
      await assert.rejects(lab.search(store, [scope], { vector: asked }));
    },
  },
  {
    name: 'a rebuild serves nothing until it is committed, and then it alone serves',
    check: rebuildLaw,
  },
  {
    name: 'a feed that erases does not end a rebuild under way',
    check: erasedMeanwhileLaw,
  },
  {
    name: 'upkeep changes nothing of what is found',
    check: async (lab) => {
      const store = await lab.raw();
      const scope = lab.id();
      const facts = Array.from({ length: 12 }, (_, n) => lab.fact(scope, `harbour ${n}`));
      for (const entry of facts) await lab.feed(store, [{ entry, vector: NEAR }]);
      const before = await lab.found(store, [scope], words);
      const feed = await store.feed();
      const { rows } = await feed.upkeep();
      await feed[Symbol.asyncDispose]();
      assert.equal(rows >= facts.length, true);
      assert.deepEqual(await lab.found(store, [scope], words), before);
      assert.deepEqual((await lab.rows(store, [scope])).length, facts.length);
    },
  },
];

async function erasureLaw(lab: ProjectionLab): Promise<void> {
  const store = await lab.raw();
  const [scope, whole] = [lab.id(), lab.id()];
  const [stays, goes] = [lab.fact(scope, 'harbour one'), lab.fact(scope, 'harbour two')];
  const all = [lab.fact(whole, 'harbour three'), lab.fact(whole, 'harbour four')];
  const theirs = lab.fact(scope, 'harbour', { uuid: goes.row.uuid, tenant_id: lab.otherTenant });
  await lab.feed(store, [{ entry: theirs, vector: NEAR }]);
  for (const entries of [[stays, goes], all])
    await lab.feed(
      store,
      entries.map((entry) => ({ entry, vector: NEAR })),
    );
  const feed = await lab.held(store.feed());
  const uuids = [goes.row.uuid, lab.id()];
  const erasure = { tenant: lab.tenant, uuids, scopes: [whole], policy_epoch: 7 };
  const counts = [await feed.erase(erasure), await feed.erase(erasure)];
  await feed[Symbol.asyncDispose]();
  assert.deepEqual(counts, [3, 0]);
  assert.deepEqual(await lab.rows(store, [scope, whole]), [stays]);
  assert.deepEqual(await lab.found(store, [scope, whole], { values: NEAR }), [stays.row.uuid]);
  const cursor = await store.cursor(lab.tenant);
  assert.deepEqual(cursor, { policy_epoch: 7, marks: [{ scope, seq: 1, ordinal: 0 }] });
  const tenant = lab.otherTenant;
  assert.deepEqual(await lab.found(store, [scope], { ...words, tenant }), [theirs.row.uuid]);
}

async function rebuildLaw(lab: ProjectionLab): Promise<void> {
  const [store, other] = [await lab.raw(), await lab.raw()];
  const scope = lab.id();
  const [old, next] = [lab.fact(scope, 'harbour old'), lab.fact(scope, 'harbour next')];
  await lab.feed(store, [{ entry: old, vector: NEAR }]);
  const givenUp = await store.rebuild();
  await lab.apply(givenUp, [{ entry: next, vector: NEAR }]);
  await lab.refused(other.rebuild(), 'CONNECTOR.LOCKED');
  await givenUp[Symbol.asyncDispose]();
  assert.deepEqual(await lab.found(other, [scope], words), [old.row.uuid]);
  const rebuild = await store.rebuild();
  assert.deepEqual((await rebuild.cursor(lab.tenant)).marks, []);
  await lab.apply(rebuild, [{ entry: next, vector: NEAR }], {
    mark: { scope, seq: 5, ordinal: 0 },
  });
  assert.deepEqual(await lab.found(other, [scope], words), [old.row.uuid]);
  await rebuild.commit();
  await rebuild[Symbol.asyncDispose]();
  for (const one of [store, other]) {
    assert.deepEqual(await lab.found(one, [scope], words), [next.row.uuid]);
    assert.deepEqual((await one.cursor(lab.tenant)).marks, [{ scope, seq: 5, ordinal: 0 }]);
  }
}

async function erasedMeanwhileLaw(lab: ProjectionLab): Promise<void> {
  const [store, other] = [await lab.raw(), await lab.raw()];
  const scope = lab.id();
  const [stays, goes] = [lab.fact(scope, 'harbour one'), lab.fact(scope, 'harbour two')];
  const entries = [stays, goes].map((entry) => ({ entry, vector: NEAR }));
  await lab.feed(store, entries);
  const rebuild = await lab.held(store.rebuild());
  await lab.apply(rebuild, [{ entry: stays, vector: NEAR }]);
  const feed = await lab.held(other.feed());
  const uuids = [goes.row.uuid];
  await feed.erase({ tenant: lab.tenant, uuids, scopes: [], policy_epoch: 3 });
  await feed[Symbol.asyncDispose]();
  assert.deepEqual(await lab.found(other, [scope], words), [stays.row.uuid]);
  const late = lab.fact(scope, 'harbour three');
  await lab.apply(rebuild, [{ entry: late, vector: NEAR }]);
  await rebuild.commit();
  await rebuild[Symbol.asyncDispose]();
  const found = await lab.found(other, [scope], words);
  assert.deepEqual([...found].sort(), [stays.row.uuid, late.row.uuid].sort());
}
