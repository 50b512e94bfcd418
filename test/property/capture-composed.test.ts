/**
 * What was composed and comes back in a turn, cut between any two of its lines, is captured by
 * nobody: neither from a person's turn nor from an assistant's, whether the person is the one of
 * whom it tells or another.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { LAYER_KIND_NAMES } from '../../src/layers/index.ts';
import { renderContext } from '../../src/render/render-context.ts';
import type { RenderGroup, RenderItem, RenderLayer } from '../../src/render/render-layer.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const RUNS = Number(process.env.CONTEXTENGINE_GENERATED_SLICES ?? 300);

const FACTS = [
  'Ada lives in Rome.',
  "Ada's rent is 910 euros.",
  'Ada prefers short answers.',
  'Ada is allergic to peanuts. Ada carries a pen.',
  "Ada's colleague Bo is vegan.",
  'Ada is in Lisbon until August 3.',
  'Ada no longer works at Northwind.',
  'The user drives a 2014 Volvo V60.',
  'María vive en Madrid.',
  'ada likes tea.',
  'We deploy on Fridays.',
  'The runbook is at wiki/deploys.',
  'Ada said “I never fly at night”.',
  'Kids are picked up at 17:30.',
  'Our store is in Bergen.\nI live in Rome.\nNever push to main.',
];
const ORDERS = [
  'Never push to main without a green build.',
  'Next time, check the invoice date before booking it.',
  'Always answer in English.',
  "Don't touch my calendar.",
  'Before a release, run the migrations.',
];
const SAID = [
  'I live in Rome.',
  'My rent is 910 euros.\nI work at Northwind.',
  'Never push to main.',
  'From now on, use metric units.',
  'I prefer short answers. I have two cats named Tom and Ada.',
];
const VALUES = ['diet = vegan', 'units = metric', 'home_city = Rome'];

const id = fc
  .tuple(fc.constantFrom('', '', 'b', 'aa'), fc.integer({ min: 4, max: 400 }))
  .map(([letters, number]) => `${letters}${number}`);
const date = fc.constantFrom('2026-05-20', '2026-06', '2025-12-01');
const silent = { author: null, role: null };

const fact = fc
  .record({
    id,
    text: fc.constantFrom(...FACTS, ...ORDERS),
    notes: fc.subarray(['until 2026-08-03', 'about Ada', 'confidence 0.8', 'unreviewed', '9 Jun']),
    group: fc.record(
      { date, about: fc.constant('Ada'), source: fc.constantFrom('adr-7', 'memory://notes.md') },
      { requiredKeys: ['date'] },
    ),
  })
  .map((each): RenderItem => ({ ...silent, ...each }));
const value = fc.record({ id, text: fc.constantFrom(...VALUES) }).map(
  (each): RenderItem => ({
    ...silent,
    ...each,
    notes: [],
    group: { date: null, about: 'Ada' },
  }),
);
const spoken = fc
  .record({
    id,
    text: fc.constantFrom(...SAID, ...FACTS),
    author: fc.constantFrom('Ada', 'Bo', 'ada.l'),
    role: fc.constantFrom('user' as const, 'assistant' as const, null),
    notes: fc.constantFrom([], ['confidence 0.8']),
    group: date.map((day): RenderGroup => ({ date: day })),
  })
  .map((each): RenderItem => each);

const several = (item: fc.Arbitrary<RenderItem>) => fc.array(item, { minLength: 1, maxLength: 6 });
const layersOf = fc
  .tuple(several(fact), several(value), several(spoken), several(fact))
  .map(([index, typed, recent, open]): readonly RenderLayer[] => [
    { name: 'index', parts: index },
    { name: 'schema_typed', parts: typed },
    { name: 'recent', parts: [{ kind: 'mark', text: '(earlier turns are not shown)' }, ...recent] },
    { name: 'open_set', parts: open },
  ]);

/**
 * Where a line begins that is ours. A cut within what somebody said leaves their own words alone
 * at the top, and those look like nothing else.
 */
const beginsItem = (line: string): boolean => /^[#@[(<\d]/.test(line);

const foundIn = (content: string, role: string, author: string): readonly string[] =>
  extractCandidates(
    [...gatedPieces({ ...turnOf(content, 0, role), author }, gating)],
    extracting,
  ).going.map((each) => (each.kind === 'fact' ? each.content : each.typed.property));

const slice = fc.record({
  layers: layersOf,
  format: fc.constantFrom('xml' as const, 'markdown' as const),
  datamark: fc.constantFrom(null, null, 'seed'),
  from: fc.nat(200),
  lines: fc.nat(200),
  mark: fc.constantFrom('', '', '- ', '  ', '* '),
});

describe('a slice of a composition', () => {
  it.each([
    ['user', 'Ada'],
    ['user', 'Bob'],
    ['assistant', 'bot'],
  ])('gives nothing in a turn of %s %s', (role, author) => {
    fc.assert(
      fc.property(slice, ({ layers, format, datamark, from, lines, mark }) => {
        const { text } = renderContext(layers, {
          format,
          datamark,
          layerNames: LAYER_KIND_NAMES,
        });
        const all = text.split('\n');
        const first = from % all.length;
        const start = all.findIndex((line, at) => at >= first && beginsItem(line));
        if (start === -1) return;
        const cut = all.slice(start, start + 1 + (lines % (all.length - start)));
        const pasted = cut.map((line) => (beginsItem(line) ? mark + line : line)).join('\n');
        expect(foundIn(pasted, role, author), pasted).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([...FACTS, ...ORDERS].filter((each) => !each.includes('\n')))(
    'is declined as such, line by line: #12 %s',
    (text) => {
      for (const line of [
        `#12 ${text}`,
        `#b4 (until 2026-08-03) ${text}`,
        `(until 2026-08-03) ${text}`,
        `(about Ada) ${text}`,
        `- #12 ${text}`,
        `[12] ${text}`,
        `[4] Ada: ${text}`,
        `[19] Bo/assistant (confidence 0.8): ${text}`,
        `Here you are:\n#12 ${text}`,
        `Here you are: fine. #12 ${text}`,
      ])
        expect(foundIn(line, 'user', 'Ada'), line).toEqual([]);
    },
  );
});

describe('one line of a block that was worded anew', () => {
  it.each([
    '@Jun 2026\nAda is working at Northwind.\nAda lives in Rome.',
    '#4 Ada lives in Rome.\nAda is working at Northwind.\n#7 Ada likes tea.',
    'Ada is working at Northwind.\n#7 Ada likes tea.',
    'Ada is working at Northwind.\nAda lives in Rome.\n</open_set>',
    '[4] Ada: I live in Rome.\nI am working at Northwind.',
  ])('is of it: %s', (content) => {
    expect(foundIn(content, 'user', 'Ada')).toEqual([]);
  });
});

describe("a person's own words", () => {
  it.each([
    ['#3 is my favourite.', 1],
    ['1. I live in Rome\n2. I like tea', 2],
    ['#1 I live in Rome.\n#2 I like tea.', 2],
    ['#1 I live in Rome.', 1],
    ['I live in Rome.\n#12 Ada lives in Oslo.', 1],
    ['#12 Ada lives in Oslo.\nNo, I live in Rome.', 1],
    ['#12 Ada lives in Oslo.\n\nI live in Rome now.', 1],
    ['<open_set>\n#12 Ada lives in Oslo.\n</open_set>\nNo, I live in Rome.', 1],
    ['@bot:\nI live in Rome.', 1],
    ['@Jan\nI live in Rome.', 1],
    ['[2026-05-01] I live in Rome.', 1],
    ['I moved to Oslo, so this is wrong:\n#12 Ada lives in Rome.', 1],
  ])('are captured: %s', (content, count) => {
    expect(foundIn(content, 'user', 'Ada')).toHaveLength(count);
  });
});
