/** Knowledge: what was seen at an earlier head is seen there for ever. */
import assert from 'node:assert/strict';
import type { Connection } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Position } from '../../model/validity.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, noop, removeFact, updateFact } from '../law-operations.ts';

const DAYS = [0, 2, 4, 6, 8];

/** Everything that is seen on some days, as one comparable value. */
async function picture(
  lab: Lab,
  connection: Connection,
  position: Position,
): Promise<readonly (readonly Uuid[])[]> {
  return Promise.all(
    DAYS.map((on) => lab.uuids(connection, 'memory_open_set', { position, at: day(on) })),
  );
}

export const temporal: readonly Law[] = [
  {
    name: 'nothing recorded after the head is seen',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const facts = [lab.id(), lab.id(), lab.id()];
      const { receipts } = await lab.write(
        connection,
        facts.map((uuid) => addFact({ scope, uuid }, factContent('counted'))),
      );
      for (const [index, receipt] of receipts.entries()) {
        assert.deepEqual(
          await lab.uuids(connection, 'memory_open_set', {
            position: [{ scope, head: receipt.seq }],
          }),
          facts.slice(0, index + 1),
        );
      }
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', { position: [{ scope, head: 0 }] }),
        [],
      );
    },
  },
  {
    name: 'changes, corrections, late arrivals and deletions leave every earlier head as it was',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const [root, other] = [lab.id(), lab.id()];
      const history = [
        [addFact({ scope, uuid: root }, factContent('a'), { from: 1 })],
        [updateFact({ scope, uuid: lab.id() }, factContent('c'), { root, from: 5 })],
        [updateFact({ scope, uuid: lab.id() }, factContent('b'), { root, from: 3 })],
        [addFact({ scope, uuid: other }, factContent('x'), { from: 2, until: 7 })],
        [
          updateFact({ scope, uuid: lab.id() }, factContent('b2'), {
            root,
            from: 4,
            cause: 'correction',
          }),
        ],
        [
          updateFact({ scope, uuid: lab.id() }, factContent('y'), {
            root: other,
            from: 3,
            until: 4,
          }),
        ],
        [removeFact(scope, root, { cause: 'change', from: 7 })],
        [removeFact(scope, other, { cause: 'prune', from: 7 })],
      ] as const;
      const pictures = new Map<Position, readonly (readonly Uuid[])[]>();
      for (const operations of history) {
        const { position } = await lab.write(connection, operations);
        pictures.set(position, await picture(lab, connection, position));
      }
      for (const [position, before] of pictures)
        assert.deepEqual(await picture(lab, connection, position), before);
      assert.ok(
        new Set([...pictures.values()].map((seen) => JSON.stringify(seen))).size === history.length,
        'each write was seen',
      );
    },
  },
  {
    name: 'each row is judged at the head of its own scope',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [early, late] = [await lab.scope(connection), await lab.scope(connection)];
      await lab.write(connection, [noop(late), noop(late), noop(late)]);
      const [inEarly, inLate] = [lab.id(), lab.id()];
      const { receipts } = await lab.write(connection, [
        addFact({ scope: early, uuid: inEarly }, factContent('e')),
        addFact({ scope: late, uuid: inLate }, factContent('l')),
      ]);
      const [e, l] = receipts.map(({ seq }) => seq);
      assert.ok(e !== undefined && l !== undefined && e < l);
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', {
          position: [
            { scope: early, head: l },
            { scope: late, head: e },
          ],
        }),
        [inEarly],
      );
      assert.deepEqual(
        await lab.uuids(connection, 'memory_open_set', {
          position: [
            { scope: early, head: e - 1 },
            { scope: late, head: l },
          ],
        }),
        [inLate],
      );
    },
  },
  {
    name: 'history holds every version, oldest first',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const versions = [lab.id(), lab.id(), lab.id()] as const;
      const [root, second, third] = versions;
      await lab.write(connection, [addFact({ scope, uuid: root }, factContent('1'))]);
      await lab.write(connection, [
        updateFact({ scope, uuid: third }, factContent('2'), { root, from: 5 }),
      ]);
      await lab.write(connection, [
        updateFact({ scope, uuid: second }, factContent('3'), { root, from: 9 }),
      ]);
      const { rows } = await connection.read({
        kind: 'history',
        tenant: lab.tenant,
        scopes: [scope],
        roots: [root],
      });
      assert.deepEqual(
        rows.map(({ row }) => row.uuid),
        [root, third, second],
      );
      assert.ok(rows.every(({ row }) => row.root_uuid === root));
    },
  },
  {
    name:
      'a scan meets each row once, in order, whatever the page; at a valid time, only what is ' +
      'visible',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const facts = Array.from({ length: 7 }, () => lab.id());
      await lab.write(
        connection,
        facts.map((uuid, index) =>
          addFact(
            { scope: index % 3 === 0 ? other : scope, uuid },
            factContent(`n ${index}`),
            index % 2 === 0 ? {} : { until: 10 },
          ),
        ),
      );
      const position = [scope, other].map((of) => ({ scope: of, head: 1000 }));
      const whole = await lab.scan(connection, { table: 'memory_open_set', position, limit: 1000 });
      assert.deepEqual(whole.map(({ row }) => row.uuid).sort(), facts);
      const keys = whole.map(
        ({ row }) => `${row.scope_uuid}/${String(row.recorded_seq).padStart(9, '0')}/${row.uuid}`,
      );
      assert.deepEqual(keys, [...keys].sort());
      for (const limit of [1, 2, 3])
        assert.deepEqual(
          await lab.scan(connection, { table: 'memory_open_set', position, limit }),
          whole,
        );
      const { rows } = await connection.read({
        kind: 'scan',
        tenant: lab.tenant,
        table: 'memory_open_set',
        position,
        visible_at: day(20),
        limit: 1000,
      });
      assert.deepEqual(
        rows.map(({ row }) => row.uuid).sort(),
        facts.filter((_, index) => index % 2 === 0),
      );
    },
  },
];
