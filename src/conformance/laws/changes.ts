/** Subscriptions: at least once, in order per scope, resumable. */
import assert from 'node:assert/strict';
import type { Change, ChangeFilter, Connection } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, factContent, noop, updateFact } from '../law-operations.ts';

interface Following {
  readonly connection: Connection;
  readonly filter: ChangeFilter;
  readonly isEnough: (changes: readonly Change[]) => boolean;
}

/** Follows until `isEnough`, then disposes. Rejects if the subscription ends before. */
async function follow(
  lab: Lab,
  { connection, filter, isEnough }: Following,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  let done: () => void = () => {};
  const enough = new Promise<void>((resolve) => {
    done = resolve;
  });
  await using subscription = await connection.subscribe(filter, (some) => {
    changes.push(...some);
    if (isEnough(changes)) done();
  });
  await lab.soon(
    Promise.race([
      enough,
      subscription.ended.then(() => assert.fail('the subscription ended by itself')),
    ]),
    'every change',
  );
  return changes;
}

const upTo =
  (seqs: Readonly<Record<Uuid, number>>) =>
  (changes: readonly Change[]): boolean =>
    Object.entries(seqs).every(([scope, seq]) =>
      changes.some((change) => change.scope === scope && change.seq >= seq),
    );

const seqsOf = (changes: readonly Change[], scope: Uuid): readonly number[] =>
  changes.filter((change) => change.scope === scope).map(({ seq }) => seq);

export const changes: readonly Law[] = [
  {
    name: 'every operation is told, in the order of its scope, with what it wrote',
    needs: ['write', 'changes', 'ordered_changes'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [root, second] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: root }, factContent('1')),
        noop(other),
        updateFact({ scope, uuid: second }, factContent('2'), { root, from: 3 }),
        noop(scope),
      ]);
      const told = await follow(lab, {
        connection,
        filter: { tenant: lab.tenant, scopes: [scope, other], after: [] },
        isEnough: upTo({ [scope]: 4, [other]: 2 }),
      });
      assert.deepEqual(seqsOf(told, scope), [1, 2, 3, 4]);
      assert.deepEqual(seqsOf(told, other), [1, 2]);
      const [, added, updated, nothing] = told.filter((change) => change.scope === scope);
      assert.deepEqual(
        [added?.operation, added?.table, added?.uuid, added?.root_uuid],
        ['ADD', 'memory_open_set', root, root],
      );
      assert.deepEqual(
        [updated?.operation, updated?.uuid, updated?.root_uuid],
        ['UPDATE', second, root],
      );
      assert.deepEqual([nothing?.operation, nothing?.table, nothing?.uuid], ['NOOP', null, null]);
    },
  },
  {
    name: 'it goes on after the position it is given, missing and repeating nothing of what follows',
    needs: ['write', 'changes'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      await lab.write(
        connection,
        Array.from({ length: 9 }, () => noop(scope)),
      );
      for (const head of [0, 4, 9]) {
        const told = await follow(lab, {
          connection,
          filter: { tenant: lab.tenant, scopes: [scope], after: [{ scope, head }] },
          isEnough: upTo({ [scope]: 10 }),
        });
        assert.deepEqual(
          seqsOf(told, scope),
          Array.from({ length: 10 - head }, (_, index) => head + 1 + index),
        );
      }
    },
  },
  {
    name: 'without a position it tells what is written from now on',
    needs: ['write', 'changes'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      await lab.write(connection, [noop(scope), noop(scope)]);
      let told: readonly Change[] = [];
      let done: () => void = () => {};
      const arrived = new Promise<void>((resolve) => {
        done = resolve;
      });
      await using subscription = await connection.subscribe(
        { tenant: lab.tenant, scopes: [scope] },
        (some) => {
          told = [...told, ...some];
          done();
        },
      );
      await lab.write(connection, [noop(scope)]);
      await lab.soon(Promise.race([arrived, subscription.ended]), 'the change');
      assert.deepEqual(seqsOf(told, scope), [4]);
    },
  },
  {
    name: 'nothing of another tenant or scope is told',
    needs: ['write', 'changes'],
    check: async (lab) => {
      const connection = await lab.raw();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const foreign = await lab.scope(connection, lab.otherTenant);
      await lab.write(connection, [noop(foreign)], { tenant: lab.otherTenant });
      await lab.write(connection, [noop(other), noop(scope)]);
      const told = await follow(lab, {
        connection,
        filter: { tenant: lab.tenant, scopes: [scope, foreign], after: [] },
        isEnough: upTo({ [scope]: 2 }),
      });
      assert.deepEqual([...new Set(told.map((change) => change.scope))], [scope]);
    },
  },
  {
    name:
      'the next call waits for the one before, and a listener that rejects stops the ' +
      'subscription',
    needs: ['write', 'changes'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      let running = 0;
      const subscription = await connection.subscribe(
        { tenant: lab.tenant, scopes: [scope], after: [] },
        async (some) => {
          running += 1;
          assert.equal(running, 1, 'one call at a time');
          await Promise.resolve();
          running -= 1;
          if (some.some((change) => change.seq >= 3)) throw new Error('enough');
        },
      );
      await lab.write(connection, [noop(scope)]);
      await lab.write(connection, [noop(scope)]);
      await assert.rejects(lab.soon(subscription.ended, 'the end of the subscription'), /enough/);
      await subscription[Symbol.asyncDispose]();
    },
  },
  {
    name: 'a disposed subscription ends and is told nothing more',
    needs: ['write', 'changes'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      let calls = 0;
      const subscription = await connection.subscribe(
        { tenant: lab.tenant, scopes: [scope] },
        () => {
          calls += 1;
        },
      );
      await subscription[Symbol.asyncDispose]();
      await lab.soon(subscription.ended, 'the end of the subscription');
      await lab.write(connection, [noop(scope)]);
      assert.equal(calls, 0);
    },
  },
];
