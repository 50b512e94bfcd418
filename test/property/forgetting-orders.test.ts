/**
 * Memory is what the turns that are left would have made it, in whichever order others of them are
 * forgotten: orders of up to three of three to five changes, beside what somebody has who said the
 * rest alone.
 */
import { describe, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { withLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const MOST_FORGOTTEN = 3;

const HOMES = [
  'I live in Graz.',
  'I moved to Linz.',
  'I moved to Wels.',
  'I moved to Steyr.',
  'I moved to Krems.',
];
const NAMES = ['Please call me Mimi.', 'Please call me Lala.', 'Please call me Koko.'];
const RENTS = ['My rent is 700 euros.', 'My rent is 750 now.', 'My rent is 800 now.'];
/** One in so many of the orders is played. */
const CASES: readonly (readonly [string, readonly string[], number])[] = [
  ['three facts of a slot', HOMES.slice(0, 3), 1],
  ['four facts of a slot', HOMES.slice(0, 4), 3],
  ['five facts of a slot', HOMES, 9],
  ['three typed values', NAMES, 2],
  ['three amounts', RENTS, 4],
];

/** All orders of one to `most` of the numbers below `count`. */
function ordersOf(count: number, most: number): readonly (readonly number[])[] {
  let orders: readonly (readonly number[])[] = [[]];
  const all: (readonly number[])[] = [];
  for (let length = 1; length <= most; length += 1) {
    orders = orders.flatMap((order) =>
      Array.from({ length: count }, (_, at) => at)
        .filter((at) => !order.includes(at))
        .map((at) => [...order, at]),
    );
    all.push(...orders);
  }
  return all;
}

/** Each in a conversation of its own, a day apart; null is not said. */
async function told(engine: ContextEngine, turns: readonly (string | null)[], time: TestClock) {
  const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
  const ids: string[] = [];
  for (const [at, content] of turns.entries()) {
    time.ms = START_MS + (at + 1) * DAY_MS;
    if (content === null) continue;
    const session = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    const { scope_block_uuid: scope } = session;
    const occurred_at = new Date(time.ms);
    const turn = { role: 'user', author: 'Ada', content, occurred_at } as const;
    const { receipts } = await engine.append(scope, turn);
    await engine.capture(scope);
    ids[at] = receipts[0]?.root_uuid ?? '';
  }
  time.ms = START_MS + (turns.length + 1) * DAY_MS;
  return { user, ids };
}

async function known(engine: ContextEngine, scope: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const state of ['past', 'current'] as const) {
    const { facts } = await engine.facts.list({ scope, state });
    for (const { row } of facts) {
      const said = 'content' in row ? row.content : `${row.property} ${String(row.value)}`;
      found.push(`${row.valid_from} ${row.valid_until} ${said}`);
    }
  }
  return found.sort();
}

describe('changes that are forgotten in any order', () => {
  it.each(CASES)(
    '%s',
    async (_, turns, every) => {
      const time: TestClock = { ms: START_MS };
      await withLocalEngine({ time }, async (engine) => {
        const alone = new Map<string, readonly string[]>();
        for (const [index, order] of ordersOf(turns.length, MOST_FORGOTTEN).entries()) {
          if (index % every > 0) continue;
          const left = turns.map((turn, at) => (order.includes(at) ? null : turn));
          const key = left.join();
          if (!alone.has(key)) {
            const { user } = await told(engine, left, time);
            alone.set(key, await known(engine, user));
          }
          const { user, ids } = await told(engine, turns, time);
          for (const at of order) await engine.forget({ block: ids[at] ?? '' });
          expect([order, await known(engine, user)]).toEqual([order, alone.get(key)]);
        }
      });
    },
    600_000,
  );
});
