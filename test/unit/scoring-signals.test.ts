import { describe, expect, it } from 'vitest';
import { DEFAULT_SCORING } from '../../src/manifest/defaults.ts';
import type { AnyRow, BlockRow, FactRow, SourceClass } from '../../src/model/block.ts';
import {
  type Instant,
  parseInstant,
  parseTenant,
  parseUuid,
  toInstant,
} from '../../src/model/ids.ts';
import { frequency } from '../../src/model/signals/frequency.ts';
import { importance } from '../../src/model/signals/importance.ts';
import { SIGNALS } from '../../src/model/signals/index.ts';
import { recency } from '../../src/model/signals/recency.ts';
import { denseSignal, fuse } from '../../src/scoring/fusion.ts';
import { scoreOf } from '../../src/scoring/score.ts';
import { type SignalInput, signalsOf, spokenQuery, tagMatches } from '../../src/scoring/signals.ts';

const ID = parseUuid('00000000-0000-4000-8000-000000000001', 'id');
const BORN = parseInstant('2026-01-01T00:00:00Z', 'born');
const days = (count: number): Instant => toInstant(Date.parse(BORN) + count * 86_400_000);

const versioned = {
  tenant_id: parseTenant('local'),
  uuid: ID,
  root_uuid: ID,
  scope_uuid: ID,
  valid_from: BORN,
  valid_until: null,
  closed_seq: null,
  recorded_seq: 1,
  retired_seq: null,
  superseded_by: null,
  cause: null,
  status: 'live',
  operation: 'ADD',
  recut_of: null,
} as const;
const fact = (row: Partial<FactRow> = {}): AnyRow => ({
  table: 'memory_open_set',
  row: {
    ...versioned,
    content: 'The beta starts in March.',
    subject: null,
    category: null,
    class: 'fact',
    importance: 0.8,
    confidence: 0.9,
    tags: [],
    metadata: {},
    provenance: {},
    ...row,
  },
});
const block = (row: Partial<BlockRow> = {}): AnyRow => ({
  table: 'blocks',
  row: {
    ...versioned,
    parent_uuid: null,
    block_type: 'message',
    is_scope: false,
    role: 'user',
    author: null,
    occurred_at: BORN,
    title: null,
    content: 'Hello',
    tags: [],
    metadata: {},
    provenance: {},
    ...row,
  },
});
const input = (more: Partial<SignalInput> = {}): SignalInput => ({
  source: fact(),
  legs: { dense: 0.5, lexical: 0.4 },
  usage: null,
  now: days(30),
  query: spokenQuery('When does the beta start?'),
  depth: 1,
  lambda: 0.5,
  settings: {
    beta: 1.5,
    fusion: { dense: 0.6, lexical: 0.4, words: 0 },
    documentFusion: { dense: 0.2, lexical: 0.8, words: 0 },
    recencyHalfLifeHours: 168,
    importanceHalfLifeDays: 90,
    importanceHalfLives: { fact: 180 },
    importanceFloor: 0.1,
    frequencyCap: 0.5,
    classBoosts: { lesson: 1.5, process: 0.85 },
    stalePenalty: 0.5,
    trust: DEFAULT_SCORING.trust,
  },
  ...more,
});
const usage = (more: object = {}) => ({
  stability: 10,
  difficulty: 5,
  reviewed_at: days(20),
  utility: 0.7,
  utility_variance: 0.1,
  utility_at: days(20),
  count: 3,
  touched_at: days(23),
  ...more,
});

describe('single signals', () => {
  it('halves after the half-life', () => {
    expect(recency(168)).toBe(0.5);
    expect(recency(24)).toBeCloseTo(0.906, 3);
    expect(recency(14 * 24)).toBe(0.25);
    expect(recency(-5)).toBe(1);
    expect([recency(0, 0), recency(1, 0)]).toEqual([1, 0]);
    expect(importance(0.8, 90)).toBe(0.4);
    expect(importance(0.2, 900)).toBe(0.1);
    expect(importance(0.8, 180, { halfLifeDays: 180, floor: 0.5 })).toBe(0.5);
  });

  it('counts outcomes on a capped logarithm', () => {
    expect([0, 1, 3, 31, 1000].map((count) => frequency(count))).toEqual([0, 0.1, 0.2, 0.5, 0.5]);
    expect(frequency(1000, 0.3)).toBe(0.3);
  });

  it('fuses the legs that ran', () => {
    const weights = { dense: 0.6, lexical: 0.4, words: 0 };
    expect(fuse({ dense: 0.5, lexical: 1 }, weights)).toBeCloseTo(0.7, 12);
    expect(fuse({ lexical: 1 }, weights)).toBeCloseTo(0.4, 12);
    expect(fuse({ lexical: 1 }, weights, { dense: false, lexical: true, words: false })).toBe(1);
    expect(
      fuse({ dense: 0.3 }, weights, { dense: true, lexical: false, words: false }),
    ).toBeCloseTo(0.3, 12);
    expect(
      fuse({ dense: 0.3, lexical: 1 }, weights, { dense: false, lexical: false, words: false }),
    ).toBe(0);
    expect(fuse({ dense: 0.3, lexical: 1 }, { dense: 0, lexical: 0, words: 0 })).toBe(0);
    expect(
      fuse({ dense: 0.5, lexical: 0.2, words: 1 }, { dense: 0.2, lexical: 0.4, words: 0.4 }),
    ).toBeCloseTo(0.58, 12);
    expect(denseSignal(-0.4)).toBe(0);
  });
});

describe('signalsOf', () => {
  it('weighs the legs by what the row is: a document by its words', () => {
    const block = (changes: Partial<BlockRow>) => ({
      table: 'blocks' as const,
      row: { ...fact().row, block_type: 'turn', role: null, ...changes } as unknown as BlockRow,
    });
    const simOf = (changes: Partial<BlockRow>): number | undefined =>
      signalsOf({ ...input(), source: block(changes) }).sim;
    expect(simOf({ block_type: 'chunk' })).toBeCloseTo(0.2 * 0.5 + 0.8 * 0.4, 9);
    expect(simOf({ block_type: 'turn' })).toBeCloseTo(0.6 * 0.5 + 0.4 * 0.4, 9);
    expect(simOf({ block_type: 'message', role: 'user' })).toBeCloseTo(0.46, 9);
  });
  it('gives every signal of the table, in its range', () => {
    const conversation = {
      window: 0.3,
      previous: 0,
      session: 0.2,
      author: 1,
      date: 0,
      when: 0,
      question: 0.5,
      length: 0.7,
      strangers: 0,
      unseen: 0,
      unnamed: 0,
    };
    const standing = { isAbsorbed: true, isReplaced: false };
    const signals = signalsOf({ ...input(), maxsim: 1, latest: 0, conversation, standing });
    expect(Object.keys(signals).sort()).toEqual(Object.keys(SIGNALS).sort());
    for (const [name, { range }] of Object.entries(SIGNALS)) {
      const value = signals[name as keyof typeof signals];
      expect(value, name).toBeGreaterThanOrEqual(range[0]);
      expect(value, name).toBeLessThanOrEqual(range[1]);
    }
    expect(signals).toMatchObject({
      sim: 0.46,
      R: 0.66752633,
      U: 0,
      frequency: 0,
      stale: 1,
      confidence: 0.9,
      age_days: 30,
      depth: 1,
      lambda: 0.5,
      beta: 1.5,
    });
  });

  it('counts from the last outcome', () => {
    const signals = signalsOf(input({ usage: usage() }));
    expect(signals).toMatchObject({ U: 0.7, recency: 0.5, frequency: 0.2 });
    expect(signals.R).toBeCloseTo(0.9, 6);
    expect(signals.importance).toBeCloseTo(0.8 * 0.5 ** (7 / 180), 8);
  });

  it('is not moved by servings that nobody used', () => {
    const ignored = usage({ count: 0, stability: 0, difficulty: 0, touched_at: days(29) });
    expect(signalsOf(input({ usage: ignored }))).toEqual(signalsOf(input()));
  });

  it('takes a row of the future as new', () => {
    expect(signalsOf(input({ now: days(-3) }))).toMatchObject({ R: 1, recency: 1, age_days: 0 });
  });
});

describe('trust', () => {
  const trustOf = (source: AnyRow): number | undefined => signalsOf(input({ source })).trust;

  it.each<[SourceClass, number]>([
    ['axiom', 1],
    ['user', 0.8],
    ['document', 0.7],
    ['model', 0.6],
    ['tool', 0.5],
    ['web', 0.4],
  ])('%s is %d', (source_class, trust) => {
    expect(trustOf(fact({ provenance: { source_class } }))).toBe(trust);
  });

  it('falls back to the role of a turn, then to the least', () => {
    expect(trustOf(block())).toBe(0.8);
    expect(trustOf(block({ role: 'assistant' }))).toBe(0.6);
    expect(trustOf(block({ role: 'user', provenance: { source_class: 'web' } }))).toBe(0.4);
    expect(trustOf(block({ role: null }))).toBe(0.4);
    expect(trustOf(fact())).toBe(0.4);
  });

  it('is what the settings say', () => {
    const { settings } = input();
    const trust = { ...DEFAULT_SCORING.trust, user: 0.1, unknown: 0.9 };
    const trustIn = (source: AnyRow): number | undefined =>
      signalsOf(input({ source, settings: { ...settings, trust } })).trust;
    expect([trustIn(block()), trustIn(fact())]).toEqual([0.1, 0.9]);
  });
});

describe('tagMatches', () => {
  const query = spokenQuery('Where is the budget-plan for Q3?');
  it('finds the words of a tag side by side, not inside other words', () => {
    expect(
      tagMatches(fact({ tags: ['budget plan', 'Q3', 'plan', 'get', 'for plan', '', '--'] }), query),
    ).toBe(3);
    expect(tagMatches(block({ tags: ['budget_plan'] }), query)).toBe(1);
  });
});

describe('scoreOf', () => {
  const formula = (evaluate: () => number) => ({ text: 'x', names: [], evaluate });
  it('turns what is not a number into a flagged 0', () => {
    expect(
      scoreOf(
        formula(() => Number.NaN),
        {},
      ),
    ).toEqual({ score: 0, isFinite: false });
    expect(
      scoreOf(
        formula(() => 1 / 0),
        {},
      ),
    ).toEqual({ score: 0, isFinite: false });
    expect(
      scoreOf(
        formula(() => -0),
        {},
      ),
    ).toEqual({ score: 0, isFinite: true });
    expect(
      scoreOf(
        formula(() => -1.5),
        {},
      ),
    ).toEqual({ score: -1.5, isFinite: true });
  });
});
