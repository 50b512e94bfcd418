import { expect, it } from 'vitest';
import { dateIn, ttlEnd } from '../../src/ingest/front-matter.ts';
import { lineCount } from '../../src/text/line-count.ts';

it.each(['\n', '\r\n', '\r', '\u0085', '\u2028', '\u2029'])(
  'counts lines that end in %j',
  (end) => {
    expect(lineCount(['a', 'b', '', 'c', '', ''].join(end))).toBe(4);
    expect(lineCount(end.repeat(3))).toBe(1);
  },
);

it('takes no date that the ledger does not take', () => {
  expect(dateIn('0000-01-01')).toBeNull();
  expect(ttlEnd('9999-12-31', 0)).toBeNull();
  expect(ttlEnd('30d', Date.UTC(9999, 11, 30))).toBeNull();
  expect(dateIn('2026-05-15')).toBe(Date.UTC(2026, 4, 15));
});
