/** Laws of what is said again: another value that comes late, of before that, ends there. */
import assert from 'node:assert/strict';
import type { Authority } from '../../cxri/authority.ts';
import type { Connection } from '../../cxri/contract.ts';
import type { RestoreRequest } from '../../cxri/ports/history.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import {
  addBlock,
  addFact,
  addTyped,
  blockContent,
  day,
  type Extra,
  factContent,
  typedContent,
  updateTyped,
} from '../law-operations.ts';
import { forgetBlock } from './erasure.ts';
import { AUDIT, historyOf } from './restore.ts';
import { textsOn, valuesOn } from './validity.ts';

async function cities(lab: Lab, connection: Connection) {
  const scope = await lab.scope(connection);
  const state = async (city: string, extra: Extra) => {
    const operation = addTyped({ scope, uuid: lab.id() }, typedContent(city), extra);
    return (await lab.write(connection, [operation])).receipts[0];
  };
  return { scope, state };
}

const citiesOn = async (
  lab: Lab,
  connection: Connection,
  of: { readonly scope: Uuid; readonly days: readonly number[] },
): Promise<readonly unknown[]> => {
  const seen: unknown[] = [];
  for (const on of of.days)
    seen.push(...(await valuesOn(lab, connection, { scope: of.scope, on })));
  return seen;
};

/** A captured fact of the slot `home`. */
const homeIn = (lab: Lab, scope: Uuid) => (value: string, from: number) => {
  const metadata = { captured_by: 'capture', capture_slot: 'home', capture_value: value };
  const content = factContent(`lives in ${value}`, { subject: 'Ann', metadata });
  return { ...addFact({ scope, uuid: lab.id() }, content, { from }), in_slot: 'one' } as const;
};

/** In the other tenant. */
const restore = (
  lab: Lab,
  connection: Authority,
  of: Pick<RestoreRequest, 'history' | 'held'>,
): Promise<void> =>
  connection.restoreScope({
    ...of,
    tenant: lab.otherTenant,
    outcomes: [],
    audit: AUDIT,
    recorded_at: day(60),
  });

export const sayingAgain: readonly Law[] = [
  {
    name: 'a late value holds until the day from which the other was said again',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const { scope, state } = await cities(lab, connection);
      const first = await state('Oslo', { from: 1 });
      const again = await state('Oslo', { from: 5 });
      assert.deepEqual([again?.outcome, again?.uuid], ['duplicate', first?.uuid]);
      const late = await state('Rome', { from: 3 });
      assert.equal(late?.outcome, 'superseded');
      const seen = (days: readonly number[]) => citiesOn(lab, connection, { scope, days });
      assert.deepEqual(await seen([2, 3, 4, 5, 40]), ['Oslo', 'Rome', 'Rome', 'Oslo', 'Oslo']);
      await state('Oslo', { from: 9 });
      await lab.write(connection, [
        updateTyped({ scope, uuid: lab.id() }, typedContent('Bern'), {
          root: first?.root_uuid ?? scope,
          from: 7,
        }),
      ]);
      assert.deepEqual(await seen([4, 6, 7, 8, 9]), ['Rome', 'Oslo', 'Bern', 'Bern', 'Oslo']);
    },
  },
  {
    name: 'what was said again holds within a write too, and for what is left of a cut version',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const { scope, state } = await cities(lab, connection);
      const city = (name: string, from: number) =>
        addTyped({ scope, uuid: lab.id() }, typedContent(name), { from });
      await lab.write(connection, [
        city('Oslo', 1),
        city('Oslo', 5),
        city('Oslo', 9),
        city('Rome', 3),
      ]);
      await state('Bern', { from: 7 });
      const seen = await citiesOn(lab, connection, { scope, days: [2, 4, 6, 8, 10] });
      assert.deepEqual(seen, ['Oslo', 'Rome', 'Oslo', 'Bern', 'Oslo']);
    },
  },
  {
    name: 'a fact of a slot holds until the other was said again',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const home = homeIn(lab, scope);
      await lab.write(connection, [home('Oslo', 1)]);
      const { receipts } = await lab.write(connection, [home('Oslo', 5)]);
      assert.equal(receipts[0]?.outcome, 'duplicate');
      await lab.write(connection, [home('Rome', 3)]);
      const seen: string[] = [];
      for (const on of [2, 4, 6]) seen.push(...(await textsOn(lab, connection, { scope, on })));
      assert.deepEqual(seen, ['lives in Oslo', 'lives in Rome', 'lives in Oslo']);
    },
  },
  {
    name: 'what was said again of a part counts once the whole is back',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const { scope, state } = await cities(lab, connection);
      await state('Oslo', { from: 1 });
      await state('Oslo', { from: 5 });
      const late = await state('Rome', { from: 3 });
      await state('Oslo', { from: 9 });
      await lab.write(connection, [
        { operation: 'UNDO', scope, target: late?.operation_id ?? scope, reason: 'law' },
      ]);
      await state('Bern', { from: 7 });
      const seen = await citiesOn(lab, connection, { scope, days: [4, 6, 8, 10] });
      assert.deepEqual(seen, ['Oslo', 'Oslo', 'Bern', 'Oslo']);
    },
  },
  {
    name: 'what ends says nothing again of the time after that',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const { scope, state } = await cities(lab, connection);
      await state('Oslo', { from: 1 });
      await state('Oslo', { from: 5, until: 7 });
      await state('Rome', { from: 3 });
      const seen = await citiesOn(lab, connection, { scope, days: [2, 4, 8] });
      assert.deepEqual(seen, ['Oslo', 'Rome', 'Rome']);
    },
  },
  {
    name: 'what was told last holds from when it was told, where the other was said again before',
    needs: ['write', 'temporal'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const home = homeIn(lab, scope);
      for (const from of [1, 10]) await lab.write(connection, [home('Oslo', from)]);
      await lab.write(connection, [{ ...home('Rome', 4), told_at: day(12) }]);
      const seen: string[] = [];
      for (const on of [2, 5, 11, 13])
        seen.push(...(await textsOn(lab, connection, { scope, on })));
      assert.deepEqual(
        seen.map((text) => text.slice('lives in '.length)),
        ['Oslo', 'Oslo', 'Oslo', 'Rome'],
      );
    },
  },
  {
    name: 'what a forgotten turn said again counts no longer',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const { scope, state } = await cities(lab, connection);
      const [stays, goes] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addBlock({ scope, uuid: stays }, blockContent('I live in Oslo')),
        addBlock({ scope, uuid: goes }, blockContent('still in Oslo')),
      ]);
      await state('Oslo', { from: 1, sources: [stays] });
      await state('Oslo', { from: 5, sources: [goes] });
      await state('Oslo', { from: 9, sources: [stays] });
      await connection.forget(forgetBlock(lab, goes));
      await state('Rome', { from: 3, sources: [stays] });
      const seen = await citiesOn(lab, connection, { scope, days: [2, 4, 6, 10] });
      assert.deepEqual(seen, ['Oslo', 'Rome', 'Rome', 'Oslo']);
    },
  },
  {
    name: 'a journal that is read shows nothing of a turn that was forgotten, which said again',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const { scope, state } = await cities(lab, connection);
      const turn = lab.id();
      await lab.write(connection, [addBlock({ scope, uuid: turn }, blockContent('I am in Oslo'))]);
      await state('Oslo', { from: 1 });
      const again = await state('Oslo', { from: 5, sources: [turn] });
      await connection.forget(forgetBlock(lab, turn));
      const { journal } = await historyOf(lab, connection, { scope, head: again?.seq ?? 0 });
      const entry = journal.find(({ seq }) => seq === again?.seq);
      assert.deepEqual(
        [entry?.operation, entry?.uuid, entry?.said_again, entry?.reason],
        ['NOOP', null, undefined, 'forgotten'],
      );
    },
  },
  {
    name: 'a scope is refused that was said again by what is not there, or is not held',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const { scope, state } = await cities(lab, connection);
      await state('Oslo', { from: 1 });
      const head = (await state('Oslo', { from: 5 }))?.seq ?? 0;
      const history = await historyOf(lab, connection, { scope, head });
      const elsewhere = await lab.scope(connection, lab.otherTenant);
      for (const source of [lab.id(), elsewhere]) {
        const journal = history.journal.map((entry) =>
          entry.said_again
            ? { ...entry, said_again: { ...entry.said_again, sources: [source] } }
            : entry,
        );
        const held = { all: false, uuids: new Set([scope]) };
        const restored = restore(lab, connection, { history: { ...history, journal }, held });
        await assert.rejects(restored, { code: 'WRITE.SOURCE_GONE' });
      }
    },
  },
  {
    name: 'a scope that comes back knows what was said again',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const { scope, state } = await cities(lab, connection);
      await state('Oslo', { from: 1 });
      const head = (await state('Oslo', { from: 5 }))?.seq ?? 0;
      const history = await historyOf(lab, connection, { scope, head });
      assert.deepEqual(history.journal.at(-1)?.said_again, { from: day(5), sources: [] });
      await restore(lab, connection, { history, held: { all: true, uuids: new Set() } });
      const rome = addTyped({ scope, uuid: lab.id() }, typedContent('Rome'), { from: 3 });
      const { receipts } = await lab.write(connection, [rome], { tenant: lab.otherTenant });
      const [row] = await lab.versions(connection, [receipts[0]?.uuid ?? scope], {
        tenant: lab.otherTenant,
      });
      assert.equal(row?.row.valid_until, day(5));
    },
  },
];
