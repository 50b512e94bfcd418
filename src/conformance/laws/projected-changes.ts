/**
 * Laws of a projection that declares `changes`: a subscription is told what was fed, entry by entry
 * of the journal, and not before it can be found.
 */
import assert from 'node:assert/strict';
import type { Change, ChangeFilter } from '../../cxri/contract.ts';
import type { Projection } from '../../cxri/projection.ts';
import type { Uuid } from '../../model/ids.ts';
import type { ProjectionLab, ProjectionLaw } from '../projection-lab.ts';

const NONE = { table: null, uuid: null, root_uuid: null } as const;

/** A batch of one entry of the journal that wrote no row. */
const nothing = (scope: Uuid, seq: number) => ({
  mark: { scope, seq, ordinal: 0 },
  changes: [{ scope, seq, operation: 'NOOP', ...NONE }],
});

/** A law by the declared ability: who cannot tell says so. */
const told = (
  name: string,
  check: (lab: ProjectionLab, store: Projection) => Promise<void>,
): ProjectionLaw => ({
  name,
  check: async (lab) => {
    const store = await lab.guarded();
    if (store.capabilities.changes) return check(lab, store);
    const asked = store.subscribe({ tenant: lab.tenant, scopes: [lab.id()] }, () => undefined);
    await lab.refused(asked, 'CONNECTOR.MISSING_CAPABILITY');
  },
});

/** Follows until each scope was told up to a number. */
async function follow(
  lab: ProjectionLab,
  store: Projection,
  {
    upTo,
    ...filter
  }: Omit<ChangeFilter, 'tenant'> & { readonly upTo: Readonly<Record<Uuid, number>> },
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  let done: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    done = resolve;
  });
  const has = ([scope, seq]: [string, number]): boolean =>
    changes.some((change) => change.scope === scope && change.seq >= seq);
  await using subscription = await store.subscribe({ tenant: lab.tenant, ...filter }, (some) => {
    changes.push(...some);
    if (Object.entries(upTo).every(has)) done();
  });
  const ended = subscription.ended.then(() => assert.fail('the subscription ended by itself'));
  await lab.soon(Promise.race([enough, ended]), 'every change');
  return changes;
}

const seqsOf = (changes: readonly Change[], scope: Uuid): readonly number[] =>
  changes.filter((change) => change.scope === scope).map(({ seq }) => seq);

export const projectedChanges: readonly ProjectionLaw[] = [
  told('what is fed is told in the order of its scope, once it can be found', orderLaw),
  told('a subscription goes on after its position, in a copy that was made again too', resumeLaw),
  told('without a position it is told what is fed from now on', fromNowLaw),
  told('a subscription is told nothing of another tenant or scope', isolationLaw),
  told('a listener that rejects ends its subscription, and so does disposal', endLaw),
];

async function orderLaw(lab: ProjectionLab, store: Projection): Promise<void> {
  const scope = lab.id();
  const facts = [1, 2, 4].map((seq) => lab.fact(scope, `harbour ${seq}`, { recorded_seq: seq }));
  const [first, second, last] = facts;
  assert.ok(first && second && last);
  const goes = { scope, seq: 3, operation: 'DELETE', table: first.table };
  const seen: [number, readonly Uuid[]][] = [];
  const following = follow(lab, store, { scopes: [scope], after: [], upTo: { [scope]: 4 } });
  following.catch(() => undefined);
  await using beside = await store.subscribe(
    { tenant: lab.tenant, scopes: [scope], after: [] },
    async (some) => {
      const rows = await lab.rows(store, [scope]);
      for (const { seq } of some) seen.push([seq, rows.map(({ row }) => row.uuid)]);
    },
  );
  const both = [first, second].map((entry) => ({ entry, vector: null }));
  for (let n = 0; n < 2; n += 1)
    await lab.feed(store, both, { mark: { scope, seq: 2, ordinal: 0 } });
  await lab.feed(store, [], {
    mark: { scope, seq: 3, ordinal: 0 },
    remove: [first.row.uuid],
    changes: [{ ...goes, uuid: first.row.uuid, root_uuid: first.row.root_uuid }],
  });
  await lab.feed(store, [{ entry: last, vector: null }], { mark: { scope, seq: 4, ordinal: 0 } });
  const changes = await following;
  assert.deepEqual(seqsOf(changes, scope), [1, 2, 3, 4]);
  assert.deepEqual(
    changes.map(({ operation, table, uuid }) => [operation, table, uuid]),
    [
      ...[first, second].map(({ table, row }) => ['ADD', table, row.uuid]),
      ['DELETE', first.table, first.row.uuid],
      ['ADD', last.table, last.row.uuid],
    ],
  );
  await beside[Symbol.asyncDispose]();
  for (const [seq, rows] of seen) {
    if (seq === 4) assert.ok(rows.includes(last.row.uuid), 'a row is told once it is there');
    if (seq === 3) assert.ok(!rows.includes(first.row.uuid), 'a removal is told once it is gone');
  }
}

async function resumeLaw(lab: ProjectionLab, store: Projection): Promise<void> {
  const scope = lab.id();
  const resumed = async (head: number, last: number): Promise<void> => {
    const after = [{ scope, head }];
    const changes = await follow(lab, store, { scopes: [scope], after, upTo: { [scope]: last } });
    const rest = Array.from({ length: last - head }, (_, n) => head + n + 1);
    assert.deepEqual(seqsOf(changes, scope), rest);
  };
  for (let seq = 1; seq <= 5; seq += 1) await lab.feed(store, [], nothing(scope, seq));
  for (const head of [0, 3, 4]) await resumed(head, 5);
  const following = follow(lab, store, { scopes: [scope], after: [], upTo: { [scope]: 7 } });
  following.catch(() => undefined);
  const rebuild = await lab.held(store.rebuild());
  for (let seq = 1; seq <= 6; seq += 1) await lab.apply(rebuild, [], nothing(scope, seq));
  await rebuild.commit();
  await rebuild[Symbol.asyncDispose]();
  await lab.feed(store, [], nothing(scope, 7));
  assert.deepEqual(seqsOf(await following, scope), [1, 2, 3, 4, 5, 6, 7]);
  await resumed(4, 7);
}

async function fromNowLaw(lab: ProjectionLab, store: Projection): Promise<void> {
  const scope = lab.id();
  for (const seq of [1, 2]) await lab.feed(store, [], nothing(scope, seq));
  const changes: Change[] = [];
  let done: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    done = resolve;
  });
  await using subscription = await store.subscribe(
    { tenant: lab.tenant, scopes: [scope] },
    (some) => {
      changes.push(...some);
      done();
    },
  );
  await lab.feed(store, [], nothing(scope, 3));
  await lab.soon(Promise.race([arrived, subscription.ended]), 'the change');
  assert.deepEqual(seqsOf(changes, scope), [3]);
}

/** Without the guard: it must not hide a leak. */
async function isolationLaw(lab: ProjectionLab): Promise<void> {
  const store = await lab.raw();
  const [scope, other] = [lab.id(), lab.id()];
  const theirs = lab.fact(scope, 'theirs', { tenant_id: lab.otherTenant, recorded_seq: 2 });
  await lab.feed(store, [{ entry: theirs, vector: null }]);
  await lab.feed(store, [], nothing(other, 1));
  await lab.feed(store, [], nothing(scope, 3));
  const changes = await follow(lab, store, { scopes: [scope], after: [], upTo: { [scope]: 3 } });
  assert.deepEqual(changes, [{ scope, seq: 3, operation: 'NOOP', ...NONE }]);
}

async function endLaw(lab: ProjectionLab, store: Projection): Promise<void> {
  const scope = lab.id();
  const filter = { tenant: lab.tenant, scopes: [scope], after: [] };
  let [calls, running] = [0, 0];
  const disposed = await store.subscribe(filter, () => {
    calls += 1;
  });
  await disposed[Symbol.asyncDispose]();
  await lab.soon(disposed.ended, 'the end of the subscription');
  const subscription = await store.subscribe(filter, async (some) => {
    running += 1;
    assert.equal(running, 1, 'one call at a time');
    await Promise.resolve();
    running -= 1;
    if (some.some(({ seq }) => seq >= 2)) throw new Error('enough');
  });
  for (const seq of [1, 2]) await lab.feed(store, [], nothing(scope, seq));
  await assert.rejects(lab.soon(subscription.ended, 'the end of the subscription'), /enough/);
  await subscription[Symbol.asyncDispose]();
  assert.equal(calls, 0);
}
