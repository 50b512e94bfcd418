import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeChange, placeCorrection, placeDelete } from '../../src/ledger/placing.ts';
import { type Command, DAYS, DayByDay } from '../support/day-by-day.ts';
import { day, TimelineLedger, uuidOf } from '../support/timeline-ledger.ts';

const aDay = fc.integer({ min: 0, max: DAYS - 1 });
const aCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      from: aDay,
      until: fc.constant(null),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(aDay, fc.integer({ min: 1, max: DAYS }))
      .map(([from, days]) => ({ kind: 'change' as const, from, until: from + days })),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('correction' as const), at: aDay }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      cause: fc.constantFrom('change' as const, 'prune' as const),
      at: aDay,
    }),
  },
);
const someCommands = fc.array(aCommand, { minLength: 1, maxLength: 14 });

function run(ledger: TimelineLedger, command: Command, index: number): void {
  const written = { uuid: uuidOf(index + 1), value: `v${index + 1}` };
  if (command.kind === 'change') {
    const until = command.until === null ? null : day(command.until);
    ledger.apply(
      placeChange(ledger.believed(), { uuid: written.uuid, from: day(command.from), until }),
      written,
    );
  } else if (command.kind === 'correction') {
    const placement = placeCorrection(ledger.believed(), day(command.at), written);
    if (placement) ledger.apply(placement, written);
  } else {
    ledger.apply(placeDelete(ledger.believed(), command.cause, day(command.at)), null);
  }
}

const daysOf = (ledger: TimelineLedger, head?: number): (string | null)[] =>
  Array.from({ length: 3 * DAYS }, (_, n) => ledger.at(day(n), head));

describe('the timeline of a root', () => {
  it('has at each instant what the last writer wrote', () => {
    fc.assert(
      fc.property(someCommands, (commands) => {
        const ledger = new TimelineLedger();
        const oracle = new DayByDay();
        commands.forEach((command, index) => {
          run(ledger, command, index);
          oracle.run(command, index);
          expect(daysOf(ledger)).toEqual(oracle.cells.map((cell) => cell?.value ?? null));
        });
      }),
    );
  });

  it('never lets believed intervals overlap, nor leaves an empty one', () => {
    fc.assert(
      fc.property(someCommands, (commands) => {
        const ledger = new TimelineLedger();
        commands.forEach((command, index) => run(ledger, command, index));
        const spans = [...ledger.believed()].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
        for (const [index, { valid_from, valid_until }] of spans.entries()) {
          expect(valid_until === null || valid_from < valid_until).toBe(true);
          const next = spans[index + 1];
          if (next) expect(valid_until !== null && valid_until <= next.valid_from).toBe(true);
        }
      }),
    );
  });

  it('leaves what was seen at an earlier head as it was', () => {
    fc.assert(
      fc.property(someCommands, (commands) => {
        const ledger = new TimelineLedger();
        const seen = new Map<number, (string | null)[]>();
        commands.forEach((command, index) => {
          run(ledger, command, index);
          seen.set(ledger.head, daysOf(ledger));
        });
        for (const [head, days] of seen) expect(daysOf(ledger, head)).toEqual(days);
      }),
    );
  });

  it('ends alike in whatever order open-ended changes of distinct starts arrive', () => {
    const starts = fc.uniqueArray(aDay, { minLength: 1, maxLength: 8 });
    const arrivals = starts.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    fc.assert(
      fc.property(arrivals, ([inOrder, shuffled]) => {
        const states = [inOrder, shuffled].map((order) => {
          const ledger = new TimelineLedger();
          for (const from of order) {
            const written = { uuid: uuidOf(from + 1), value: `day ${from}` };
            ledger.apply(
              placeChange(ledger.believed(), { uuid: written.uuid, from: day(from), until: null }),
              written,
            );
          }
          return daysOf(ledger);
        });
        expect(states[1]).toEqual(states[0]);
      }),
    );
  });
});
