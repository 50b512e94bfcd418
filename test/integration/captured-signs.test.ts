/**
 * Two statements that differ in one number, name, negation, date, sign, tense or small word, told
 * one after the other in either order: neither is taken for the other said again.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withLocalEngine } from '../support/local-engine.ts';

const PAIRS = readFileSync(
  new URL('../support/fixtures/capture/signs-and-tenses.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('|'));
/** What says less than is known is nothing new. */
const SAYS_LESS = 'My rent is 910 euros a week. -> My rent is 910 euros.';
const DAY_MS = 86_400_000;

it('takes no update for what is known', async () => {
  expect(PAIRS.length).toBeGreaterThanOrEqual(97);
  const time = { ms: Date.parse('2025-03-03T09:00:00Z') };
  const dropped = await withLocalEngine({ time }, async (engine) => {
    const lost: string[] = [];
    for (const pair of [...PAIRS, ...PAIRS.map((each) => each.toReversed())]) {
      const user = (await engine.scopes.create({ type: 'user' })).scope_block_uuid;
      const outcomes: string[] = [];
      for (const content of pair) {
        time.ms += DAY_MS;
        const { scope_block_uuid: session } = await engine.scopes.create({
          type: 'chat_session',
          inherits: [user],
        });
        const occurred_at = new Date(time.ms);
        await engine.append(session, { role: 'user', author: 'Ada', content, occurred_at });
        const { receipts } = await engine.capture(session);
        outcomes.push(...receipts.flatMap(({ candidates }) => candidates.map((c) => c.outcome)));
      }
      const says = pair.join(' -> ');
      if (outcomes.includes('duplicate') && says !== SAYS_LESS) lost.push(says);
    }
    return lost;
  });
  expect(dropped).toEqual([]);
}, 300_000);
