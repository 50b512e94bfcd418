/** Laws of usage: outcomes fold in order, and each position sees the state of its time. */
import assert from 'node:assert/strict';
import type { FoldUsage, UsageEvent } from '../../cxri/ports/usage.ts';
import type { TenantId } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent } from '../law-operations.ts';

/** Counts, and adds a day of utility each time: enough to see order and state. */
const fold: FoldUsage = (before, event) => ({
  stability: (before?.stability ?? 0) + 1,
  difficulty: 5,
  reviewed_at: event.at,
  utility: event.kind === 'corrected' ? 0 : 1,
  utility_variance: 0.5,
  utility_at: event.at,
  count: (before?.count ?? 0) + 1,
  touched_at: event.at,
});

export const usage: readonly Law[] = [
  {
    name: 'outcomes fold in order, and each usage position sees the state of its time',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const [used, unused] = [lab.id(), lab.id()];
      const { position } = await lab.write(
        connection,
        [used, unused].map((uuid) => addFact({ scope, uuid }, factContent(`fact ${uuid}`))),
      );
      const event = (at: number, kind: UsageEvent['kind'] = 'used'): UsageEvent => ({
        scope_uuid: scope,
        root_uuid: used,
        composition_id: lab.id(),
        kind,
        at: day(at),
      });
      const first = await connection.recordUsage(lab.tenant, {
        events: [event(1)],
        fold,
        recorded_at: day(1),
      });
      const second = await connection.recordUsage(lab.tenant, {
        events: [event(2), event(3, 'corrected')],
        fold,
        recorded_at: day(3),
      });
      const countsAt = async (usage_position: typeof first | undefined) => {
        const { parts } = await connection.query({
          tenant: lab.tenant,
          position,
          valid_at: day(50),
          ...(usage_position && { usage_position }),
          parts: [
            {
              id: 'p',
              table: 'memory_open_set',
              mode: 'list',
              limit: 5,
              order: { by: 'uuid', direction: 'asc' },
            },
          ],
        });
        const [part] = parts;
        return part?.ok ? part.hits.map((hit) => hit.usage?.count ?? null) : [];
      };
      assert.deepEqual(
        [
          await countsAt(first),
          await countsAt(second),
          await countsAt([{ scope, head: 0 }]),
          await countsAt(undefined),
        ],
        [
          [1, null],
          [3, null],
          [null, null],
          [null, null],
        ],
      );
      const { usage_position } = await connection.heads(lab.tenant, [scope]);
      assert.deepEqual(usage_position, second);
    },
  },
  {
    name: 'an outcome of a kind counts once for each composition and root, however often it is told',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [addFact({ scope, uuid: root }, factContent('a fact'))]);
      const composition = lab.id();
      const event = (kind: UsageEvent['kind'], at: number, of = composition): UsageEvent => ({
        scope_uuid: scope,
        root_uuid: root,
        composition_id: of,
        kind,
        at: day(at),
      });
      const record = async (...events: readonly UsageEvent[]): Promise<number | undefined> =>
        (await connection.recordUsage(lab.tenant, { events, fold, recorded_at: day(9) }))[0]?.head;
      assert.equal(await record(event('used', 1), event('used', 2)), 1);
      assert.equal(await record(event('used', 3)), 1);
      assert.equal(await record(event('cited', 3)), 2);
      assert.equal(await record(event('used', 4, lab.id())), 3);
      const heads = await connection.heads(lab.tenant, [scope]);
      assert.deepEqual(heads.usage_position, [{ scope, head: 3 }]);
    },
  },
  {
    name:
      'outcomes are read again in their order, page by page, up to a number, in their tenant ' +
      'alone',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [addFact({ scope, uuid: root }, factContent('a fact'))]);
      const kinds = ['used', 'cited', 'confirmed'] as const;
      const events = kinds.map(
        (kind, index): UsageEvent => ({
          scope_uuid: scope,
          root_uuid: root,
          composition_id: lab.id(),
          kind,
          at: day(index),
        }),
      );
      await connection.recordUsage(lab.tenant, { events, fold, recorded_at: day(9) });
      const read = async (
        after: number,
        head: number,
        how: { limit?: number; tenant?: TenantId } = {},
      ) =>
        (
          await connection.readOutcomes({
            tenant: lab.tenant,
            scope,
            after,
            head,
            limit: 10,
            ...how,
          })
        ).map(({ usage_seq: seq, kind, state }) => [seq, kind, state.count]);
      assert.deepEqual(await read(0, 3), [
        [1, 'used', 1],
        [2, 'cited', 2],
        [3, 'confirmed', 3],
      ]);
      assert.deepEqual(await read(1, 2), [[2, 'cited', 2]]);
      assert.deepEqual(await read(0, 3, { limit: 1 }), [[1, 'used', 1]]);
      assert.deepEqual(await read(0, 3, { tenant: lab.otherTenant }), []);
    },
  },
];
