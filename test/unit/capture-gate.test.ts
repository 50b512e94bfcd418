/**
 * The gate against a labelled set: two styles, a third of it hard. Every second candidate of each
 * file is held back: rules are never tuned on those.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { LAYER_KIND_NAMES } from '../../src/layers/index.ts';
import { turnOf } from '../support/capture-turns.ts';

interface Labelled {
  readonly text: string;
  readonly label: string;
  readonly isHard: boolean;
}

const labelled = (name: string): readonly Labelled[] =>
  readFileSync(new URL(`../support/fixtures/capture/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('# '))
    .map((line) => {
      const isHard = line.startsWith('! ');
      const [label = '', text = ''] = line.slice(isHard ? 2 : 0).split('\t');
      return { label, text, isHard };
    });

/** Some of several lines, so each is JSON: `{ text, keep }`. */
const heldBack = (name: string): readonly Labelled[] =>
  readFileSync(new URL(`../support/fixtures/capture/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { text, keep } = JSON.parse(line);
      return { text, label: keep ? 'kept' : '-', isHard: false };
    });

const settings = { layerNames: new Set<string>(LAYER_KIND_NAMES), never: ['off the record'] };

/** The classes of what is kept of it; none = all of it is declined. */
const keptOf = (content: string, role?: string): readonly string[] =>
  [...gatedPieces(turnOf(content, 0, role), settings)].flatMap(({ verdict }) =>
    verdict.isKept ? [verdict.class] : [],
  );
const reasonsOf = (content: string, role?: string): readonly string[] =>
  [...gatedPieces(turnOf(content, 0, role), settings)].flatMap(({ verdict }) =>
    verdict.isKept ? [] : [verdict.reason],
  );

function measure(set: readonly Labelled[]) {
  const judged = set.map((each) => ({ ...each, kept: keptOf(each.text) }));
  const isKept = ({ kept }: (typeof judged)[number]): boolean => kept.length > 0;
  const right = judged.filter((each) => isKept(each) && each.label !== '-').length;
  return {
    precision: right / judged.filter(isKept).length,
    recall: right / judged.filter(({ label }) => label !== '-').length,
    wrong: judged.filter((each) => isKept(each) !== (each.label !== '-')),
    rightClass:
      judged.filter(({ kept, label }) => kept.includes(label)).length / Math.max(1, right),
  };
}

const STYLES = ['gate-plain.txt', 'gate-chat.txt'] as const;
const all = STYLES.map(labelled);
const half = (held: boolean): readonly Labelled[] =>
  all.flatMap((set) => set.filter((_, index) => (index % 2 === 1) === held));

describe('the gate', () => {
  it('has a set of 300 candidates, a third of it hard', () => {
    const set = all.flat();
    expect(set.length).toBeGreaterThanOrEqual(300);
    expect(set.filter(({ isHard }) => isHard).length / set.length).toBeGreaterThanOrEqual(1 / 3);
  });

  it('keeps what is to be kept, and nothing else, on the half that it was written on', () => {
    const { precision, recall, wrong } = measure(half(false));
    expect(precision, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.9);
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.9);
  });

  it('does so on the half that was held back', () => {
    const { precision, recall, rightClass } = measure(half(true));
    expect(precision).toBeGreaterThanOrEqual(0.85);
    expect(recall).toBeGreaterThanOrEqual(0.85);
    expect(rightClass).toBeGreaterThanOrEqual(0.9);
  });
});

// 240 lines of other people, that no rule was written for: .922 and .362 by rules alone.
it('keeps what people say in words that no rule knows', () => {
  const set = labelled('gate-mixed.txt');
  expect(set.length).toBeGreaterThanOrEqual(200);
  const { precision, recall, rightClass, wrong } = measure(set);
  expect(precision, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.92);
  expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.92);
  expect(rightClass).toBeGreaterThanOrEqual(0.75);
});

// Nobody who wrote rules, or lines to learn from, has read them: a failure shows none.
it('judges lines that taught nothing', () => {
  const set = heldBack('gate-held-back.jsonl');
  expect(set.length).toBeGreaterThanOrEqual(200);
  const { precision, recall } = measure(set);
  expect(precision).toBeGreaterThanOrEqual(0.85);
  expect(recall).toBeGreaterThanOrEqual(0.85);
});

it('keeps an allergy as a fact, and what follows from it as a rule', () => {
  const said = "I'm allergic to nuts, so never suggest dishes with nuts.";
  expect(keptOf(said)).toEqual(['fact', 'rule']);
  expect(keptOf("I'm allergic to nuts, so I never eat them.")).not.toContain('rule');
});

it('leaves what a secret is said to be of', () => {
  expect(keptOf('The secret to good bread is 24 hours of patience.', 'user')).toEqual([]);
  expect(reasonsOf('The secret to good bread is 24 hours of patience.')).not.toContain('secret');
});

it.each([
  ['fact', 'I was born on May 4 1990.'],
  // Of the person, and no taste.
  ['fact', "I'm allergic to nuts."],
  ['fact', 'I am severely allergic to bees.'],
  ['fact', "I'm not allergic to nuts any more."],
  ['preference', "I don't eat nuts."],
  ['rule', 'Never suggest dishes with nuts.'],
  ['rule', 'can you keep your answers short'],
  ['rule', 'Could you please not use emojis?'],
  ['rule', 'could you please always answer in German'],
  ['preference', 'could you please answer in German'],
  ['rule', 'please answer briefly'],
  ['fact', 'We got married in 2019.'],
  ['fact', 'I graduated in 2015.'],
  ['fact', 'Our company merged with Globex in May 2021.'],
  ['fact', 'We moved to Postgres 17 in May.'],
  ['lesson', 'What went wrong: the disk was full and nobody watched it.'],
  ['lookup', 'Our staging server is at https://staging.example.org'],
])('keeps as %s: %s', (memory, text) => expect(keptOf(text)).toEqual([memory]));

describe('a declined candidate', () => {
  it.each([
    ['secret', 'My password is correct-horse-9.'],
    ['secret', 'The wifi password in the warehouse is Hafenkran!2291.'],
    ['secret', 'My PIN for the fuel card is 4471.'],
    ['secret', 'The alarm code 7730 has to be typed within a minute.'],
    ['secret', 'Use postgres://me:pass@host/db for it.'],
    ['code', 'const a = { b: [1, 2] };'],
    ['diff', 'diff --git a/x b/x\n@@ -1 +1 @@\n+    return 1;'],
    ['trace', 'Traceback (most recent call last)\n  File "a.py", line 3, in <module>'],
    ['output', '[INFO] compiled\n[INFO] done'],
    ['quoted', '> I live in Rome.'],
    ['composed', '<open_set>\n@Mar\n#a1 Ada likes tea.\n</open_set>'],
    ['composed', '## open_set\n@Mar\n#1 Ada likes tea.\n#3 I live in Rome.\n'],
    ['composed', '@Mar 2026\n#1 I live in Rome.\n#2 I like tea.'],
    ['composed', '[4] Ada: I live in Rome.\n[5] Ada: I like tea.'],
    ['composed', '@about ada\n12 city = Rome'],
    ['composed', '@ada:\n12 city = Rome'],
    ['composed', '## open_set\n\nAda likes tea.'],
    ['question', 'Where do I live?'],
    ['question', 'What went wrong with the deploy'],
    ['uncertain', 'Maybe I live in Rome.'],
    ['uncertain', 'My boss said we should always use tabs.'],
    ['uncertain', "He told me I should've moved to Rome."],
    ['task', 'Please translate this text.'],
    ['status', 'I just merged the branch.'],
    ['artifact', 'We shipped the release on 3 May.'],
    ['artifact', 'We shipped v2.3 on May 4'],
    ['artifact', 'Merged PR 114 yesterday'],
    ['artifact', 'Shipped dark mode on Friday.'],
    ['artifact', 'The incident on March 3 was caused by a full disk.'],
    ['small_talk', 'Thanks!'],
    ['never', 'Off the record: I prefer tea.'],
  ])('says why: %s', (reason, text) => {
    expect(reasonsOf(text)).toEqual([reason]);
    expect(keptOf(text)).toEqual([]);
  });

  it('is whatever a tool or the system says, and what an assistant says of people', () => {
    expect(reasonsOf('I live in Rome.', 'tool')).toEqual(['role']);
    expect(reasonsOf('Always run the tests before you push.', 'system')).toEqual(['role']);
    expect(keptOf('You live in Rome. I prefer tea.', 'assistant')).toEqual([]);
    expect(keptOf('Lesson learned: the cron runs in UTC.', 'assistant')).toEqual(['lesson']);
  });

  it('is cut out of the talk around it', () => {
    expect(keptOf('I live in Rome.\n```\nI live in Paris.\n```\nI prefer tea.')).toEqual([
      'fact',
      'preference',
    ]);
    expect(keptOf('I live in Rome and I like opera.')).toEqual(['fact', 'preference']);
  });

  it('is a sentence that is longer than any of talk, before a rule reads it', () => {
    const long = `I live in Rome ${'and there '.repeat(400)}`;
    expect(reasonsOf(long)).toEqual(['too_long']);
    expect(keptOf(`${long}. I prefer tea.`)).toEqual(['preference']);
  });

  it('is read in linear time, whatever the text', () => {
    for (const text of [
      'a'.repeat(200_000),
      'I am '.repeat(40_000),
      '1. '.repeat(50_000),
      '('.repeat(100_000),
      '\n> '.repeat(50_000),
      'said '.repeat(40_000),
      'I think '.repeat(25_000),
      'told a '.repeat(28_000),
      'a b '.repeat(50_000),
      `${'said '.repeat(790)}x. `.repeat(50),
      `${'I think '.repeat(490)}x. `.repeat(50),
      `${'told a '.repeat(560)}x. `.repeat(50),
    ]) {
      const start = performance.now();
      keptOf(text);
      expect(performance.now() - start).toBeLessThan(5000);
    }
  });
});
