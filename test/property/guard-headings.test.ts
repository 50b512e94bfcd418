/** The guard of headings against the one of version 13 as it was written first. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardHeadings } from '../../src/render/guard-headings.ts';
import { cpuMsOf } from '../support/cpu.ts';
import { guardHeadings13 } from '../support/guard-headings-13.ts';

const layerNames = ['task', 'open_set'];
const signs =
  '< > / = " \' # - * ! ( ) [ ] h1 h2 b task open_set x \n \t : ; &lt; &amp; &amp;lt; <!-- --> <h2> </h2> ' +
  '<b> &nbsp; &#116; &#x74; ## ]( ~ ` 1. > \\ { }';
const sign = fc.constantFrom(...signs.split(' '), ' ');
const run = fc.array(sign, { maxLength: 6 }).map((parts) => parts.join(''));
const heading = fc
  .tuple(
    fc.constantFrom('## ', '<h2>', '<h2 ', '&lt;h2>', '- ', ''),
    run,
    fc.constantFrom('task', 'Task', ''),
    run,
    fc.constantFrom('</h2>', '\n---', '\n', ''),
  )
  .map((parts) => parts.join(''));
const text = fc.array(heading, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

describe('guardHeadings', () => {
  it('writes for a receipt of version 13 what that version wrote', () => {
    let guarded = 0;
    fc.assert(
      fc.property(text, fc.boolean(), (part, isTrusted) => {
        const before = guardHeadings13(part, { layerNames, isTrusted });
        if (before !== part) guarded += 1;
        expect(guardHeadings(part, { layerNames, version: 13, isTrusted })).toBe(before);
      }),
      { numRuns: 10_000 },
    );
    expect(guarded).toBeGreaterThan(500);
  });

  it('guards all that version 13 did', () => {
    fc.assert(
      fc.property(text, (part) => {
        const guarding = { layerNames, isTrusted: false };
        const before = guardHeadings13(part, guarding);
        const after = guardHeadings(part, { ...guarding, version: 14 });
        if (before !== part) expect(after).not.toBe(part);
        expect(after.length).toBeGreaterThanOrEqual(before.length);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    '<h1 ',
    '&lt;h1 ',
    '&lt;a',
    '<a',
    '&amp;',
    '&lt;',
    '<!-- - ',
    '--><!--',
    '<!',
    '<!-->',
    '<h1 a="',
    '<b a=\'"',
    '<h2><b>',
    '<h2>\n',
    '\n',
    '&nbsp;',
    '](',
    '![',
    '[^',
    '(',
    ' "',
    ' "\\"',
    "\\' '",
    '{',
    '> ',
    '&#0',
    '= ',
  ])('is linear: %j', (sign) => {
    for (const version of [13, 14] as const)
      for (const first of ['', '# ', '<h2>', '<h2 ', '<h2 a="', '--> > ']) {
        const guard = (length: number): number =>
          cpuMsOf(() => {
            const part = first + sign.repeat(length / sign.length);
            guardHeadings(part, { layerNames, version, isTrusted: false });
          });
        guard(20_000);
        const half = guard(50_000);
        expect(guard(100_000), `${first} ${version}`).toBeLessThan(3 * half + 100);
      }
  });
});
