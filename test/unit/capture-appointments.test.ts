/** What has its hour on a day to come is known from when it is said until that day is over. */
import { expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const SAID = '2026-03-03T10:00:00.000Z';
const heldOf = (content: string) => {
  const turn = {
    ...turnOf(content),
    occurred_at: SAID as ReturnType<typeof turnOf>['occurred_at'],
  };
  const { going } = extractCandidates([...gatedPieces(turn, gating)], extracting);
  return going.map(({ valid_from, valid_until }) => [valid_from, valid_until]);
};

it.each([
  ['My meeting is tomorrow at 10.', '2026-03-05'],
  ['Our team meeting is tomorrow at 10.', '2026-03-05'],
  ['My dentist appointment is next Friday at 10.', '2026-03-07'],
  ['My interview is on Thursday at 2pm.', '2026-03-06'],
  ['My train is at 9:40 tomorrow.', '2026-03-05'],
  ['My flight is on 12 March at 9:40.', '2026-03-13'],
  ['My meeting is today at 5pm.', '2026-03-04'],
])('%s is over at %s', (content, end) => {
  expect(heldOf(content)).toEqual([[SAID, `${end}T00:00:00.000Z`]]);
});

it.each([
  // Each week, or from then on.
  ['My standup is at 10 every day.', SAID],
  ['My yoga class is at 6 on Monday.', '2026-03-02T00:00:00.000Z'],
  ['My standup is at 10 from tomorrow.', '2026-03-04T00:00:00.000Z'],
  ['My course starts tomorrow at 9.', '2026-03-04T00:00:00.000Z'],
  ['My rent is 900 from next month.', '2026-04-01T00:00:00.000Z'],
  // No hour.
  ['My rent is 950 from tomorrow.', '2026-03-04T00:00:00.000Z'],
  ['My shoe size is 41.', SAID],
])('%s has no end', (content, from) => {
  expect(heldOf(content)).toEqual([[from, null]]);
});
