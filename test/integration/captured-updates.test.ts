/**
 * No update is dropped as a duplicate on the whole path of a turn: what is said last is what holds,
 * and what contradicts what is known does not stand beside it unremarked.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { withLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-03-02T09:00:00Z');

const PAIRS: readonly (readonly [string, string])[] = readFileSync(
  new URL('../support/fixtures/capture/minimal-pairs.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [first = '', later = ''] = line.split('|');
    return [first, later] as const;
  });

interface Told {
  /** Of the last statement, as the receipt has them. */
  readonly outcomes: readonly string[];
  /** What holds of the person in the end. */
  readonly current: readonly string[];
  readonly isLastCurrent: boolean;
}

/** Each in a turn of its own, days apart, captured before the next is said. */
async function tell(engine: ContextEngine, said: readonly string[]): Promise<Told> {
  const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
  const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
  const session = made.scope_block_uuid;
  let outcomes: readonly string[] = [];
  let last = '';
  for (const [index, content] of said.entries()) {
    const occurred_at = new Date(FIRST + index * 9 * DAY_MS);
    const turn = { role: 'user', author: 'Ada', content, occurred_at } as const;
    last = (await engine.append(session, turn)).receipts[0]?.uuid ?? '';
    const { receipts } = await engine.capture(session);
    outcomes = receipts.flatMap(({ candidates, declined }) => [
      ...candidates.map(({ outcome }) => outcome),
      ...Object.keys(declined),
    ]);
  }
  // With what it inherits from the person.
  const { facts } = await engine.facts.list({ scope: session });
  const rows = facts.map(({ row }) => row);
  return {
    outcomes,
    current: rows.flatMap((row) => ('content' in row ? [row.content] : [])),
    isLastCurrent: rows.some(({ provenance }) => provenance.source_id === last),
  };
}

const time = { ms: FIRST + 60 * DAY_MS };

it('drops none of 100 updates, and the later value is current', async () => {
  expect(PAIRS).toHaveLength(100);
  await withLocalEngine({ time }, async (engine) => {
    const lost: unknown[] = [];
    const waits: string[] = [];
    for (const pair of PAIRS) {
      const { outcomes, current, isLastCurrent } = await tell(engine, pair);
      const isWaiting = outcomes.includes('quarantined');
      if (isWaiting) waits.push(pair[1]);
      const isKept = outcomes.every((each) =>
        ['stored', 'superseded', 'quarantined'].includes(each),
      );
      if (!isKept || !(isLastCurrent || isWaiting)) lost.push([...pair, outcomes, current]);
    }
    expect(lost).toEqual([]);
    // Of others, and of what a person wants done: for a review.
    expect(waits.length, JSON.stringify(waits)).toBeLessThanOrEqual(MOST_WAITING);
  });
});
const MOST_WAITING = 15;
const FLIGHT = "Ada's flight to Oslo is on 3 May.";

it.each<readonly [said: readonly string[], current: readonly string[]]>([
  [["I've lived in Oslo since 2016.", 'I live in Oslo.'], ['Ada has lived in Oslo since 2016.']],
  [['I work from home on Mondays.', 'I work from home.'], ['Ada works from home on Mondays.']],
  [['I prefer tea.', 'I prefer tea!'], ['Ada prefers tea.']],
  [['My flight to Oslo is on 3 May.', 'My flight to Oslo is on May 3rd.'], [FLIGHT]],
  [['My wedding is on 3 May.', 'My wedding is on May 3.'], ["Ada's wedding is on 3 May."]],
])('knows again what says no more: %j', async (said, known) => {
  await withLocalEngine({ time }, async (engine) => {
    const { outcomes, current } = await tell(engine, said);
    expect([outcomes, current]).toEqual([['duplicate'], known]);
  });
});

it.each<readonly [first: string, later: string]>([
  ['I drink coffee.', "I don't drink coffee any more after lunch."],
  ['I drink coffee every morning.', "I don't drink coffee any more after 3 pm."],
  ['I eat meat.', 'I no longer eat meat on Mondays.'],
  ['I drink coffee.', "I don't drink coffee in cafes any more."],
])('what is denied in a case ends nothing: %s %s', async (first, later) => {
  await withLocalEngine({ time }, async (engine) => {
    const { outcomes, current } = await tell(engine, [first, later]);
    expect(outcomes).toEqual(['stored']);
    expect(current).toHaveLength(2);
  });
});

it.each<readonly [first: string, later: string, current: string]>([
  [
    "I don't drink coffee any more.",
    'I drink coffee every morning.',
    'Ada drinks coffee every morning.',
  ],
  [
    'I drink coffee every morning.',
    "I don't drink coffee any more.",
    "Ada doesn't drink coffee any more.",
  ],
  ["I don't eat meat.", 'I eat meat on Sundays.', 'Ada eats meat on Sundays.'],
  ['I eat meat on Sundays.', "I don't eat meat.", "Ada doesn't eat meat."],
  ['I stopped drinking beer.', 'I drink beer every evening.', 'Ada drinks beer every evening.'],
  [
    'I go to the gym every morning.',
    'I no longer go to the gym.',
    'Ada no longer goes to the gym.',
  ],
  ['I run every morning.', "I don't run.", "Ada doesn't run."],
  [
    'My flight to Oslo is on 3 May.',
    'My flight to Oslo is on 5 May.',
    "Ada's flight to Oslo is on 5 May.",
  ],
  ['My flight leaves on 3 May.', 'My flight leaves on 4 May.', "Ada's flight leaves on 4 May."],
  [
    'My phone number is 555 0101.',
    "My old number is dead, it's 555 0202 now.",
    "Ada's old number is dead, it's 555 0202 now.",
  ],
  [
    'My phone number is 555 0101.',
    "I changed my number, it's 555 0303.",
    "Ada's phone is 555 0303.",
  ],
  ['My phone number is 555 0101.', 'My new number is 555 0404.', "Ada's new number is 555 0404."],
])('the later of two opposites takes the place: %s %s', async (first, later, known) => {
  await withLocalEngine({ time }, async (engine) => {
    const { outcomes, current } = await tell(engine, [first, later]);
    expect([outcomes, current]).toEqual([['superseded'], [known]]);
  });
});

it.each([
  ["I don't smoke any more.", 'I smoke ten cigarettes a day.'],
  ["I don't drink coffee or tea.", 'I drink coffee every morning.'],
  ["I don't drive.", 'I drive to work every day.'],
  ['I gave up coffee.', 'I drink coffee every morning.'],
])('a doubtful opposite waits for a review: %s %s', async (first, later) => {
  await withLocalEngine({ time }, async (engine) => {
    const { outcomes, current } = await tell(engine, [first, later]);
    expect(outcomes).toEqual(['quarantined']);
    expect(current).toHaveLength(1);
  });
});

it.each([
  ["I don't drink coffee after 6 pm.", 'I drink coffee every morning.'],
  ["I don't drink coffee.", 'I drink tea every morning.'],
  ["I don't work on Fridays.", 'I work every day.'],
  ["I don't drink.", 'I drink coffee every morning.'],
  ['My exam in biology is on 12 May.', 'My exam in physics is on 14 May.'],
  ['My phone number is 555 0101.', 'My old number was 555 0909.'],
  ['My manager is Olaf.', 'My old manager was Ben.'],
])('what can both be so stays: %s %s', async (first, later) => {
  await withLocalEngine({ time }, async (engine) => {
    const { outcomes, current } = await tell(engine, [first, later]);
    expect(outcomes).toEqual(['stored']);
    expect(current).toHaveLength(2);
  });
});
