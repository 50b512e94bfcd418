import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type FindingCode, severityOf } from '../../src/codes/code-table.ts';
import { InternalError } from '../../src/codes/errors.ts';
import { createTokenCounter } from '../../src/index.ts';
import { parseFormula } from '../../src/manifest/formula.ts';
import { highestScore } from '../../src/manifest/lint/highest-score.ts';
import { lintManifests } from '../../src/manifest/lint/index.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { foundBy } from '../support/codes.ts';

const ROOT = join(import.meta.dirname, '../..');
const countTokens = await createTokenCounter(['gpt-4o']);
const HEAD =
  'apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: thread }\n';
const LONG = 'word '.repeat(120).trim();

interface Case {
  readonly spec: string;
  /** Every one of them must be found, and nothing else: `code line:column words-of-the-message`. */
  readonly finds: readonly (readonly [code: FindingCode<'lint'>, place: string, words: string])[];
}

/** Built-in intents, all changed so that they fire one layer. */
const only = (layer: string): string =>
  `intents:\n${['follow_up', 'new_topic', 'compare', 'recall_decision', 'creative', 'fact', 'reasoning', 'temporal'].map((name) => `    ${name}: { layers: [${layer}] }`).join('\n')}`;

const CASES: Readonly<Record<string, Case>> = {
  'a system text over its share': {
    spec: `layers: { system: { text: ${LONG} } }\n  budget: { max_per_layer: { system: 100 } }`,
    finds: [['BUDGET.STATIC_TOO_LONG', '5:29', '`120` tokens']],
  },
  'a system text over the total': {
    spec: `layers:\n    system: { text: ${LONG} }\n  budget: { total_tokens: 119 }`,
    finds: [['BUDGET.STATIC_TOO_LONG', '6:21', '`119`']],
  },
  'the built-in system text over the total': {
    spec: 'budget: { total_tokens: 20 }',
    finds: [['BUDGET.STATIC_TOO_LONG', '5:27', '`system`']],
  },
  'system and core together over the total': {
    spec: 'layers: { system: { file: ./long.md }, core: { file: ./long.md } }\n  budget: { total_tokens: 200 }',
    finds: [['BUDGET.STATIC_TOO_LONG', '6:27', '`240`']],
  },
  'minimums that the system text leaves no room for': {
    spec: `layers: { system: { text: ${LONG} }, recent: {} }\n  budget: { total_tokens: 400, min_per_layer: { recent: 300 } }`,
    finds: [['BUDGET.NO_ROOM', '6:32', '`300`']],
  },
  'a task text that is always cut': {
    spec: `layers: { task: { max_tokens: 100, text: ${LONG} } }`,
    finds: [['BUDGET.ALWAYS_CUT', '5:44', '`task`']],
  },
  'a layer that no intent fires': {
    spec: `layers: { recent: {}, semantic: {} }\n  ${only('recent')}`,
    finds: [['MANIFEST.UNREACHABLE_LAYER', '5:25', '`semantic`']],
  },
  'a summary of no kind': {
    spec: 'layers: { summary: { kinds: [] } }',
    finds: [['MANIFEST.UNREACHABLE_LAYER', '5:24', 'no kind']],
  },
  'a signal that needs a vector, without the stage that makes it': {
    spec: 'layers: { semantic: {} }\n  scoring: { formula: 0.5 * lexical + 0.5 * dense }\n  bypass: [enrich]',
    finds: [['MANIFEST.ABSENT_SIGNAL', '6:45', '`dense`']],
  },
  'signals of turns in a layer of facts': {
    spec: 'layers: { open_set: {}, semantic: {} }\n  scoring: { formula: sim + 0.2 * window + 0.1 * author }',
    finds: [['MANIFEST.ABSENT_SIGNAL', '6:50', '`author`']],
  },
  'the preset of conversations in a layer of facts': {
    spec: 'layers: { open_set: {}, semantic: {} }\n  scoring: { preset: conversation }',
    finds: [['MANIFEST.ABSENT_SIGNAL', '6:22', '`open_set`']],
  },
  'signals of turns in a layer without turns': {
    spec: 'layers: { semantic: { block_types: [chunk], scoring: { formula: sim + date } } }',
    finds: [['MANIFEST.ABSENT_SIGNAL', '5:73', '`date`']],
  },
  'a floor that absent signals put out of reach': {
    spec: 'layers: { open_set: { scoring: { formula: 0.5 * lexical + 0.5 * dense, floor: 0.6 } } }\n  bypass: [enrich]',
    finds: [
      ['MANIFEST.ABSENT_SIGNAL', '5:67', '`dense`'],
      ['MANIFEST.FLOOR_TOO_HIGH', '5:81', '`0.5`'],
    ],
  },
  'a floor over what the formula reaches': {
    spec: 'layers: { semantic: {} }\n  scoring: { formula: 0.5 * sim, floor: 0.6 }',
    finds: [['MANIFEST.FLOOR_TOO_HIGH', '6:41', '`0.5`']],
  },
  'a floor of an intent over what the formula reaches': {
    spec: 'layers: { semantic: {} }\n  scoring: { formula: 0.5 * sim }\n  intents: { fact: { floor: 0.6 } }',
    finds: [['MANIFEST.FLOOR_TOO_HIGH', '7:29', '`fact`']],
  },
  'a formula that is never over 0': {
    spec: 'layers: { semantic: { scoring: { formula: sim - 1 } } }',
    finds: [['MANIFEST.FLOOR_TOO_HIGH', '5:45', 'over 0']],
  },
  'numbers that no formula reads': {
    spec: 'layers: { semantic: {} }\n  scoring: { formula: sim, beta: 2, lambda_by_intent: { fact: 1 }, frequency_cap: 1, fusion: { dense: 1 } }',
    finds: [
      ['MANIFEST.UNUSED_SETTING', '6:28', '`beta`'],
      ['MANIFEST.UNUSED_SETTING', '6:37', '`lambda`'],
      ['MANIFEST.UNUSED_SETTING', '6:68', '`frequency`'],
    ],
  },
  'a number in a layer whose formula does not read it': {
    spec: 'layers: { open_set: {}, semantic: { scoring: { preset: archival, beta: 2 } } }',
    finds: [['MANIFEST.UNUSED_SETTING', '5:68', '`beta`']],
  },
  'numbers of a preset that scores nothing': {
    spec: 'layers: { semantic: {} }\n  scoring: { conversation_weights: { latest: 2 }, absorbed_cap: 0.4 }',
    finds: [
      ['MANIFEST.UNUSED_SETTING', '6:14', '`conversation`'],
      ['MANIFEST.UNUSED_SETTING', '6:51', '`class_aware`'],
    ],
  },
  'scoring beside its bypass': {
    spec: 'layers: { semantic: {} }\n  scoring: { beta: 2 }\n  bypass: [score]',
    finds: [['MANIFEST.UNUSED_SETTING', '6:3', 'bypass']],
  },
  'the time in front of static layers': {
    spec: 'layers:\n    system:\n      text: |\n        Help.\n        It is {{now}}.\n    index: {}',
    finds: [['MANIFEST.VOLATILE_PREFIX', '9:15', 'it and `index`']],
  },
  'the query in a static file': {
    spec: 'layers: { core: { file: ./query.md } }',
    finds: [['MANIFEST.VOLATILE_PREFIX', '5:27', '`./query.md`']],
  },
  'turns in front of static layers': {
    spec: 'layers: { recent: {}, system: {} }\n  render: { order: as_written }',
    finds: [['MANIFEST.VOLATILE_PREFIX', '5:13', '`system`']],
  },
  'a model that is not known': {
    spec: 'model: cluade-4',
    finds: [['MANIFEST.UNKNOWN_MODEL', '5:10', 'Did you mean `claude-4`?']],
  },
  'a model of a known family': {
    spec: 'model: gpt-9-ultra',
    finds: [
      ['MANIFEST.UNKNOWN_MODEL', '5:10', 'are not known: tokens are counted conservatively.'],
    ],
  },
  'a class that is captured and that no layer brings': {
    spec: 'layers: { open_set: {} }\n  writing: { into: { fact: user, rule: user } }',
    finds: [['MANIFEST.UNSERVED_CLASS', '6:34', '`rule`']],
  },
  'a scope type that is nearly a known one': {
    spec: 'layers: { open_set: {} }\n  writing: { into: { fact: usr, preference: user, lookup: guild } }',
    finds: [['MANIFEST.UNKNOWN_SCOPE_TYPE', '6:28', 'stays in the scope of its turns']],
  },
  'a block type that is nearly one of the engine': {
    spec: 'layers: { semantic: { block_types: [trun, turn, ticket] } }',
    finds: [['MANIFEST.UNKNOWN_BLOCK_TYPE', '5:39', '`trun`']],
  },
  'limits of layers over the budget of all': {
    spec: 'layers: { semantic: {}, open_set: { max_tokens: 3000 }, recent: {} }\n  budget: { total_tokens: 2500, max_per_layer: { semantic: 9000, recent: 2500 } }',
    finds: [
      ['BUDGET.LIMIT_OVER_TOTAL', '5:51', '`3000`'],
      ['BUDGET.LIMIT_OVER_TOTAL', '6:60', '`9000`'],
    ],
  },
  'typed values that no layer brings, lessons that documents do': {
    spec: 'layers: { documents: {} }\n  writing: { into: { lesson: user, typed: user } }',
    finds: [['MANIFEST.UNSERVED_CLASS', '6:36', '`typed`']],
  },
  'a model that is near none': {
    spec: 'model: house-brand-9b',
    finds: [['MANIFEST.UNKNOWN_MODEL', '5:10', 'counted conservatively']],
  },
  'other scopes easier to read than the own one': {
    spec: 'permission: { reads: T2, cross_scope: T1 }',
    finds: [['MANIFEST.WIDER_PERMISSION', '5:41', '`reads`']],
  },
  'deletes wider than writes': {
    spec: 'permission: { writes: excluded, deletes: T1 }',
    finds: [['MANIFEST.WIDER_PERMISSION', '5:44', '`excluded`']],
  },
  'distillation without money': {
    spec: 'distillation: { policy: every_3_turns, cost_budget_usd_per_day: 0 }',
    finds: [['MANIFEST.IDLE_DISTILLATION', '5:67', '`0` USD']],
  },
  'distillation without a policy': {
    spec: 'distillation: { cost_budget_usd_per_day: 1 }',
    finds: [['MANIFEST.IDLE_DISTILLATION', '5:3', 'no `policy`']],
  },
  'distillation after more turns than there will be': {
    spec: 'distillation: { policy: every_900000_turns AND token_pressure_70pct }',
    finds: [['MANIFEST.IDLE_DISTILLATION', '5:27', '`every_900000_turns`']],
  },
};

const FILES: Readonly<Record<string, string>> = {
  './long.md': LONG,
  './query.md': 'Rules for {{query}}.\n',
};

function lint(text: string) {
  const { manifest, findings } = parseManifest(text, {
    path: 'm.yaml',
    readFile: (path) => FILES[path],
  });
  if (!manifest) throw new InternalError(JSON.stringify(findings));
  return lintManifests({ manifests: [manifest] }, { countTokens });
}
const textOf = (spec: string): string => `${HEAD}spec:\n  ${spec}\n`;

describe('the lint', () => {
  it.each(Object.entries(CASES))('finds %s', (_name, { spec, finds }) => {
    const findings = lint(textOf(spec));
    expect(findings.map((finding) => `${finding.code} ${finding.line}:${finding.column}`)).toEqual(
      finds.map(([code, place]) => `${code} ${place}`),
    );
    for (const [index, [code, , words]] of finds.entries()) {
      expect(findings[index]?.message).toContain(words);
      expect(findings[index]).toMatchObject({
        file: 'm.yaml',
        severity: severityOf(code),
        fix: expect.stringMatching(/\w{3}/),
      });
    }
  });

  it('has a case for every code of its table, and finds no other', () => {
    const found = Object.values(CASES).flatMap(({ spec }) =>
      lint(textOf(spec)).map(({ code }) => code),
    );
    expect([...new Set(found)].sort()).toEqual([...foundBy('lint')].sort());
  });

  const SOUND: Readonly<Record<string, string>> = {
    'an empty spec': '{}',
    'a system text just within its share': `layers: { system: { text: ${LONG} } }\n  budget: { max_per_layer: { system: 120 } }`,
    'minimums that just fit': `layers: { system: { text: ${LONG} }, recent: {} }\n  budget: { total_tokens: 420, min_per_layer: { recent: 300 } }`,
    'a layer that one intent of many fires': `layers: { recent: {}, semantic: {} }\n  ${only('recent')}\n    mine: { layers: [semantic] }`,
    'a floor that is just reached':
      'layers: { semantic: {} }\n  scoring: { formula: 0.5 * sim, floor: 0.5 }',
    'signals of turns in a layer of blocks':
      'layers: { semantic: { scoring: { preset: conversation, floor: 0.3 } } }',
    'a number that one formula of two reads':
      'layers: { open_set: {}, semantic: { scoring: { preset: archival } } }\n  scoring: { beta: 2 }',
    'the time behind the static layers': 'layers: { index: {}, task: { text: "It is {{now}}." } }',
    'a title and an input in front':
      'layers: { system: { text: "{{scope.title}} {{a}}" } }\n  inputs: { a: }',
    'turns behind the static layers':
      'layers: { system: {}, index: {}, recent: {} }\n  render: { order: as_written }',
    'tiers in order':
      'permission: { reads: T1, writes: T2, cross_scope: T2, deletes: T2, approvals: T3 }',
    'only writes excluded': 'permission: { writes: excluded }',
    'a usual distillation':
      'distillation: { policy: every_3_turns OR token_pressure_70pct, cost_budget_usd_per_day: 0.5 }',
    'a long wait beside a short one':
      'distillation: { policy: every_900000_turns OR every_3_turns }',
    'manual distillation without money':
      'distillation: { policy: manual, cost_budget_usd_per_day: 0 }',
  };
  it.each(Object.entries(SOUND))('finds nothing in %s', (_name, spec) => {
    expect(lint(textOf(spec))).toEqual([]);
  });

  it('finds nothing in the shipped manifests', () => {
    const set = loadManifests({ paths: [join(ROOT, 'manifests')] });
    expect(set.manifests.length).toBeGreaterThanOrEqual(3);
    expect(lintManifests(set, { countTokens })).toEqual([]);
  });
});

describe('the highest score of a formula', () => {
  const highest = (text: string, fixed = {}) => {
    const result = parseFormula(text);
    if (!('formula' in result)) throw new InternalError(result.problem.message);
    return highestScore(result.formula, { fixed, enough: Number.POSITIVE_INFINITY });
  };
  it.each([
    ['0.5 * sim', 0.5],
    ['sim - recency', 1],
    ['sim * (1 - sim)', 0.25],
    ['sim - 2', 0],
    ['sim / 0', 0],
    ['sim - R + U - recency + importance - frequency + confidence - trust', 4],
    ['-(sim - 1) * (R - 2) * -1 + U + recency + importance + frequency + confidence + trust', 8],
  ])('%s: %d', (text, score) => {
    expect(highest(text)).toBeCloseTo(score, 9);
  });

  it('keeps what is fixed', () => {
    expect(highest('sim * (1 + beta * U)', { beta: 2 })).toBeCloseTo(3, 9);
    expect(highest('sim + dense', { dense: 0 })).toBeCloseTo(1, 9);
  });
});

describe('what loading refuses before any lint', () => {
  const REFUSED: Readonly<Record<string, readonly [spec: string, finding: string]>> = {
    'minimums above the total': [
      'layers: { recent: {}, semantic: {} }\n  budget: { total_tokens: 1000, min_per_layer: { recent: 600, semantic: 401 } }',
      'BUDGET.INVALID error 6:33',
    ],
    'beta out of range': ['scoring: { beta: 10.5 }', 'MANIFEST.INVALID_VALUE error 5:20'],
    'lambda out of range': [
      'scoring: { lambda_by_intent: { fact: -0.1 } }',
      'MANIFEST.INVALID_VALUE error 5:40',
    ],
    'lambda of an intent out of range': [
      'intents: { fact: { lambda: 4.1 } }',
      'MANIFEST.INVALID_VALUE error 5:30',
    ],
    'a threshold out of range': [
      'layers: { semantic: { veto_threshold: 1.1 } }',
      'MANIFEST.INVALID_VALUE error 5:41',
    ],
    'a floor out of range': ['scoring: { floor: 2 }', 'MANIFEST.INVALID_VALUE error 5:21'],
    'a half-life of 0 hours': [
      'scoring: { recency_half_life_hours: 0 }',
      'MANIFEST.INVALID_VALUE error 5:39',
    ],
    'a half-life of 0 days': [
      'scoring: { importance_half_life_days: 0 }',
      'MANIFEST.INVALID_VALUE error 5:41',
    ],
    'a formula for a layer that is not scored': [
      'layers: { recent: { scoring: { formula: sim } } }',
      'FEATURE.INERT warning 5:23',
    ],
    'a policy that is none': [
      'distillation: { policy: every_0_turns }',
      'MANIFEST.INVALID_VALUE error 5:27',
    ],
  };
  it.each(Object.entries(REFUSED))('%s', (_name, [spec, finding]) => {
    const { findings } = parseManifest(textOf(spec), { path: 'm.yaml' });
    expect(
      findings.map(({ code, severity, line, column }) => `${code} ${severity} ${line}:${column}`),
    ).toContain(finding);
  });
});

describe('the lint of several manifests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-lint-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const lintFile = (text: string) => {
    const path = join(folder, 'all.yaml');
    writeFileSync(path, text);
    return lintManifests(loadManifests({ paths: [path] }), { countTokens }).map(
      ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
    );
  };
  const named = (name: string, permission: string, type = 'thread') =>
    `${HEAD.replace('name: t', `name: ${name}`).replace('thread', type)}spec:\n  permission: ${permission}\n`;

  it('finds the wider of two that serve one type, at its line of the file', () => {
    const found = lintFile(
      `${named('strict', '{ reads: T2 }')}---\n${named('lax', '{ reads: T1 }')}`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^MANIFEST\.WIDER_PERMISSION 11:24 `reads` is `T1`; `strict@1`.*`lax`/,
    );
  });

  it('names two manifests of one type that no name tells apart', () => {
    const path = join(folder, 'twice.yaml');
    writeFileSync(path, `${named('one', '{}')}---\n${named('two', '{}')}`);
    expect(
      loadManifests({ paths: [path] }).findings.map(
        ({ code, line, column }) => `${code} ${line}:${column}`,
      ),
    ).toEqual(['MANIFEST.AMBIGUOUS_SCOPE 9:54']);
  });

  it('compares no manifests of different types', () => {
    expect(
      lintFile(`${named('strict', '{ reads: T2 }')}---\n${named('lax', '{ reads: T1 }', 'other')}`),
    ).toEqual([]);
  });
});
