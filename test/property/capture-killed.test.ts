/**
 * A capture that dies at any call, before it or with its answer lost, is gone on with by the next:
 * the memory is the same, and every candidate was counted once.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import {
  capture,
  makeWorld,
  memoryOf,
  type Said,
  SESSION,
  say,
  TENANT,
} from '../support/capture-world.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const TALK: readonly Said[] = [
  { role: 'user', text: 'Hi! My name is Ada. I live in Ghent and I love cycling.' },
  { role: 'assistant', text: 'Lesson learned: always confirm the branch before a stash pop.' },
  { role: 'tool', text: 'I live in a container.' },
  { role: 'user', text: 'Please answer in German. My sister lives in Rome.' },
  { role: 'user', text: 'I moved to Bruges. I love cycling.' },
  {
    role: 'user',
    text: 'Never deploy on a Friday without asking me. The freeze lasts until 12 June.',
  },
  { role: 'user', text: 'Actually, I live in Leuven. Can you fix the test?' },
];

async function world(): Promise<Authority> {
  const authority = await createReferenceConnector().connect();
  await makeWorld(authority);
  await say(authority, TALK);
  return authority;
}

const receiptsOf = async (authority: Authority) =>
  authority.listCaptures(
    TENANT,
    { scope_uuid: SESSION, limit: 100 },
    { all: true, uuids: new Set() },
  );

describe('a capture', async () => {
  const right = await world();
  const counted = faulty(right, 0);
  const whole = await capture(counted.authority);
  const memory = await memoryOf(right);

  it('makes memory of the talk', () => {
    expect(whole.receipts).toHaveLength(1);
    const [receipt] = whole.receipts;
    expect(receipt?.counts).toMatchObject({ failed: 0, quarantined: 3 });
    expect(Object.values(receipt?.counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(
      receipt?.counted,
    );
    expect(memory.join()).toContain('Ada lives in Leuven');
  });

  it.each<[Fault]>([['before'], ['after']])(
    'dies %s any of its calls and is gone on with',
    async (fault) => {
      for (let failAt = 1; failAt <= counted.calls(); failAt += 1) {
        const authority = await world();
        const died = await capture(faulty(authority, failAt, fault).authority).then(
          () => false,
          () => true,
        );
        const again = await capture(authority);
        const where = `${fault} call ${failAt} (${counted.log[failAt - 1]}), died: ${died}`;
        expect(await memoryOf(authority), where).toEqual(memory);
        const receipts = await receiptsOf(authority);
        expect(
          receipts.map(({ counted: sum }) => sum),
          where,
        ).toEqual([whole.receipts[0]?.counted]);
        expect(again.receipts.length, where).toBeLessThanOrEqual(1);
      }
    },
  );

  it('is the same memory by two workers at once, and when it runs again', async () => {
    const authority = await world();
    await Promise.all([capture(authority), capture(authority), capture(authority)]);
    expect(await memoryOf(authority)).toEqual(memory);
    expect(await receiptsOf(authority)).toHaveLength(1);
    expect((await capture(authority)).receipts).toEqual([]);
    expect(await memoryOf(authority)).toEqual(memory);
  });

  it('is the same memory turn by turn as at once', async () => {
    const authority = await createReferenceConnector().connect();
    await makeWorld(authority);
    for (const [index, said] of TALK.entries()) {
      await say(authority, [said], { from: index + 1 });
      await capture(authority);
    }
    expect(await memoryOf(authority)).toEqual(memory);
  });
});

describe('what was recalled', () => {
  it('is not captured again: 1,000 turns, no copy', async () => {
    const authority = await createReferenceConnector().connect();
    await makeWorld(authority);
    const places = ['Ghent', 'Bruges', 'Leuven', 'Namur', 'Liège'];
    let from = 1;
    let first = 0;
    for (let round = 0; round < 50; round += 1) {
      const facts = (await memoryOf(authority)).flatMap(
        (row) => /"said":"([^"]+)"/.exec(String(row))?.[1] ?? [],
      );
      const composed = `<open_set>\n${facts.map((fact, index) => `[a${index}]: ${fact}`).join('\n')}\n</open_set>`;
      const talk: Said[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        if (round === 0) {
          talk.push({
            role: 'user',
            text: `I visited ${places[turn]} last week. I prefer tea ${turn} to coffee.`,
          });
          talk.push({ role: 'assistant', text: 'Noted!' });
        } else {
          talk.push({ role: 'user', text: 'What do you know of me?' });
          talk.push({ role: 'assistant', text: composed });
        }
        talk.push({ role: 'assistant', text: facts.join(' ') || 'Hello.' });
        talk.push({
          role: 'user',
          text: `You wrote:\n${composed}\n${facts.map((fact) => `> ${fact}`).join('\n')}`,
        });
      }
      await say(authority, talk, { from });
      from += talk.length;
      await capture(authority);
      const { length } = await memoryOf(authority);
      if (round === 0) first = length;
      expect(length).toBe(first);
    }
    expect(from).toBeGreaterThan(1000);
    expect(first).toBe(10);
  });
});
