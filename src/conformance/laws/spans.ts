/**
 * How long what a write says holds: a value that goes on, a correction with an end, a time that a
 * clock gave.
 */
import assert from 'node:assert/strict';
import { toEpochMs, toInstant } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import {
  addFact,
  addTyped,
  day,
  factContent,
  typedContent,
  updateFact,
} from '../law-operations.ts';
import { textsOn, valuesOn } from './validity.ts';

export const spans: readonly Law[] = [
  {
    name:
      'a typed value that goes on longer is news, of keys that hold one and of keys that hold ' +
      'many',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      for (const cardinality of ['one', 'many'] as const) {
        const scope = await lab.scope(connection);
        const root = lab.id();
        const city = typedContent('Oslo', { cardinality });
        await lab.write(connection, [addTyped({ scope, uuid: root }, city, { from: 1, until: 5 })]);
        const longer = addTyped({ scope, uuid: lab.id() }, city, { from: 3 });
        const { receipts } = await lab.write(connection, [longer]);
        assert.deepEqual(
          [receipts[0]?.outcome, receipts[0]?.root_uuid],
          ['superseded', root],
          cardinality,
        );
        for (const on of [1, 4, 5, 40])
          assert.deepEqual(await valuesOn(lab, connection, { scope, on }), ['Oslo'], `day ${on}`);
        const within = addTyped({ scope, uuid: lab.id() }, city, { from: 10, until: 20 });
        const again = await lab.write(connection, [within]);
        assert.equal(again.receipts[0]?.outcome, 'duplicate', cardinality);
      }
    },
  },
  {
    name: 'a correction ends where it says, and takes later days from what followed',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      await lab.write(connection, [
        addFact({ scope, uuid: root }, factContent('wrong'), { from: 2 }),
      ]);
      await lab.write(connection, [
        updateFact({ scope, uuid: lab.id() }, factContent('next'), { root, from: 8 }),
      ]);
      const correct = (text: string, until: number) =>
        lab.write(connection, [
          updateFact({ scope, uuid: lab.id() }, factContent(text), {
            root,
            from: 4,
            until,
            cause: 'correction',
          }),
        ]);
      const seen = () =>
        Promise.all([1, 2, 5, 6, 8, 10, 12].map((on) => textsOn(lab, connection, { scope, on })));
      await correct('shorter', 6);
      assert.deepEqual(await seen(), [
        [],
        ['shorter'],
        ['shorter'],
        [],
        ['next'],
        ['next'],
        ['next'],
      ]);
      await correct('longer', 10);
      assert.deepEqual(await seen(), [
        [],
        ['longer'],
        ['longer'],
        ['longer'],
        ['longer'],
        ['next'],
        ['next'],
      ]);
    },
  },
  {
    name:
      'a write that takes its time from the clock begins no earlier than the last write of its ' +
      'scope',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const root = lab.id();
      const minute = (n: number) => toInstant(toEpochMs(day(100)) + n * 60_000);
      const add = {
        ...addFact({ scope, uuid: root }, factContent('first')),
        valid_from: minute(5),
      };
      await lab.write(connection, [{ ...add, is_time_defaulted: true }], { recorded: minute(5) });
      const next = updateFact({ scope, uuid: lab.id() }, factContent('second'), { root });
      await lab.write(connection, [{ ...next, valid_from: minute(0), is_time_defaulted: true }], {
        recorded: minute(0),
      });
      const planned = addFact({ scope, uuid: lab.id() }, factContent('named'));
      await lab.write(connection, [{ ...planned, valid_from: minute(1) }], { recorded: minute(1) });
      assert.deepEqual(await textsOn(lab, connection, { scope, on: 101 }), ['named', 'second']);
      const [named] = await lab.versions(connection, [planned.uuid]);
      assert.equal(named?.row.valid_from, minute(1), 'a time that is named stays');
    },
  },
];
