import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowReader, toTime, toVectorText } from '../../connectors/pgvector/rows.ts';
import { toInstant } from '../../src/model/ids.ts';

describe('toTime', () => {
  it.each([
    ['2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.25+00:00', '2026-01-01T00:00:00.250Z'],
    ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
  ])('reads %s as %s', (text, instant) => {
    expect(toTime(text)).toBe(instant);
  });

  it('reads the milliseconds that the database prints as the calendar does', () => {
    const times = fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) });
    const whole = times.map((ms) => ms - (ms % 1000));
    fc.assert(
      fc.property(fc.oneof(times, whole), (ms) => {
        const instant = toInstant(ms);
        // Trailing zeros of a fraction are not printed.
        const printed = instant.replace(/\.?0*Z$/, '+00:00');
        expect(toTime(printed)).toBe(instant);
      }),
    );
  });
});

describe('toVectorText', () => {
  it('says every number in single precision, and no more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -3e38, max: 3e38 }), { minLength: 1 }),
        (values) => {
          const read = toVectorText(values).slice(1, -1).split(',').map(Number);
          expect(read.map(Math.fround)).toEqual(values.map((value) => Math.fround(value) + 0));
        },
      ),
    );
    // The longest number of a unit vector: `-0.00000123456789`, and its comma.
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1, max: 1 }), { minLength: 1 }),
        (values) => {
          expect(toVectorText(values).length).toBeLessThanOrEqual(18 * values.length + 1);
        },
      ),
    );
  });
});

describe('rowReader', () => {
  it('names the columns, and writes times as instants', () => {
    const read = rowReader('memory_open_set', ['uuid', 'valid_from', 'valid_until', 'content']);
    expect(read(['u', '2026-01-01T00:00:00+00:00', null, '2026-01-01T00:00:00+00:00'])).toEqual({
      table: 'memory_open_set',
      row: {
        uuid: 'u',
        valid_from: '2026-01-01T00:00:00.000Z',
        valid_until: null,
        content: '2026-01-01T00:00:00+00:00',
      },
    });
  });
});
