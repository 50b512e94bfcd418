import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type FindingCode, severityOf } from '../../src/codes/code-table.ts';
import type { Finding } from '../../src/codes/finding.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { toOverrides } from '../../src/manifest/overrides.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { foundBy } from '../support/codes.ts';
import { loadUnused } from '../support/unused-collection.ts';

const HEAD =
  'apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: thread }\n';

interface Case {
  readonly spec?: string;
  readonly text?: string;
  /** Every one of them must be found, and nothing else: `code line:column words-of-the-message`. */
  readonly finds: readonly (readonly [code: FindingCode<'load'>, place: string, words: string])[];
  readonly fix?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'a tab as indentation': {
    text: 'a:\n\tb: 1\n',
    finds: [['MANIFEST.SYNTAX', '2:1', 'Tabs']],
    fix: 'spaces',
  },
  'tabs, and what was misread because of them': {
    text: 'a:\n  b:\n\tc: {}\n    d: {}\n',
    finds: [['MANIFEST.SYNTAX', '3:1', 'Tabs']],
  },
  'a key without its colon, and what was misread because of it': {
    text: 'a: 1\nspec\n  b: 2\n  c:\n    d: {}\n  e:\n    f: 1\n',
    finds: [['MANIFEST.SYNTAX', '2:1', 'keys']],
    fix: 'colon',
  },
  'an unclosed bracket': {
    text: 'a: [1, 2\nb: 3\n',
    finds: [['MANIFEST.SYNTAX', '1:4', 'list that begins here with `[`']],
    fix: 'Write `]`',
  },
  'an unclosed bracket within a map': {
    text: 'a:\n  b: { c: [1, 2 }\n  d: {}\n',
    finds: [['MANIFEST.SYNTAX', '2:11', 'list that begins here']],
  },
  'an unclosed brace': {
    text: 'a:\n  b: { c: 1\n  d: {}\n',
    finds: [['MANIFEST.SYNTAX', '2:6', 'map that begins here']],
    fix: 'Write `}`',
  },
  'an unclosed double quote': {
    text: 'a:\n  b: { c: "you help }\n  d: {}\n',
    finds: [['MANIFEST.SYNTAX', '2:11', 'text that begins here with `"`']],
    fix: 'Write `"`',
  },
  'an unclosed quote before another': {
    text: 'a:\n  b: "you help\n  c: ["d"]\n',
    finds: [['MANIFEST.SYNTAX', '2:6', 'text that begins here']],
  },
  'an apostrophe in single quotes': {
    text: "a:\n  b: 'It's me'\n",
    finds: [['MANIFEST.SYNTAX', '2:10', 'Unexpected']],
    fix: "`''`",
  },
  'a key without a colon': {
    text: 'a:\n  b: 1\n  c\n',
    finds: [['MANIFEST.SYNTAX', '3:3', 'keys']],
    fix: 'colon and a space',
  },
  'brackets without an end': {
    text: 'a: ['.repeat(900),
    finds: [['MANIFEST.SYNTAX', '1:803', '200']],
  },
  'marks of lists without an end': {
    text: '- '.repeat(60_000),
    finds: [['MANIFEST.SYNTAX', '1:1', '200']],
  },
  'a tag': {
    text: `${HEAD}spec: { x-a: !!binary aGk= }\n`,
    finds: [['MANIFEST.SYNTAX', '4:23', 'binary']],
    fix: 'Remove the tag',
  },
  'an unknown tag': {
    text: 'a: !ruby/object x\n',
    finds: [['MANIFEST.SYNTAX', '1:4', '!ruby/object']],
  },
  'an alias without its anchor': {
    text: `${HEAD}spec: { x-a: *nope }\n`,
    finds: [['MANIFEST.SYNTAX', '4:14', '`*nope`']],
  },
  'an alias in itself': {
    text: `${HEAD}spec: { x-a: &a [*a] }\n`,
    finds: [['MANIFEST.SYNTAX', '4:18', 'itself']],
  },
  'a key that is a list': {
    text: `${HEAD}spec: { x-a: { ? [1] : 2 } }\n`,
    finds: [['MANIFEST.SYNTAX', '4:18', 'key']],
  },
  'values nested too deep': {
    text: `${HEAD}spec: { x-a: ${'['.repeat(40)}${']'.repeat(40)} }\n`,
    finds: [['MANIFEST.SYNTAX', '4:45', 'deeper']],
  },
  'no document': { text: '# nothing\n', finds: [['MANIFEST.MISSING', '1:1', 'no document']] },
  'a list': { text: '- a\n', finds: [['MANIFEST.WRONG_TYPE', '1:1', 'not a map']] },
  'no kind': {
    text: 'apiVersion: contextengine/v1\n',
    finds: [['MANIFEST.MISSING', '1:1', 'no `kind`']],
  },
  'a misspelled kind': {
    text: 'kind: ContextDomian\n',
    finds: [['MANIFEST.INVALID_VALUE', '1:7', 'ContextDomian']],
    fix: 'Did you mean `ContextDomain`?',
  },
  'a later version of the format': {
    text: `${HEAD.replace('/v1', '/v2')}spec: {}\n`,
    finds: [['MANIFEST.INVALID_VALUE', '1:13', 'v2']],
    fix: '/v1',
  },
  'a required key that is not there': {
    text: 'kind: ContextDomain\napiVersion: contextengine/v1\nspec: {}\n',
    finds: [['MANIFEST.MISSING', '1:1', '`metadata`']],
  },
  'no name': {
    text: `${HEAD.replace('name: t, ', '')}spec: {}\n`,
    finds: [['MANIFEST.MISSING', '3:1', '`name`']],
  },
  'no version': {
    text: `${HEAD.replace('version: 1, ', '')}spec: {}\n`,
    finds: [['MANIFEST.NO_VERSION', '3:1', '`0`']],
  },
  'a version with a space': {
    text: `${HEAD.replace('version: 1', 'version: 1 beta')}spec: {}\n`,
    finds: [['MANIFEST.INVALID_VALUE', '3:31', '1 beta']],
  },
  'an unknown key': {
    spec: 'budgets: {}',
    finds: [['MANIFEST.UNKNOWN_KEY', '5:3', '`budgets`']],
    fix: 'Did you mean `budget`?',
  },
  'a map under an unknown key of the reserve': {
    spec: 'budget: { reserve: { safty: { x: 1 } } }',
    finds: [['MANIFEST.UNKNOWN_KEY', '5:24', '`safty`']],
    fix: 'Did you mean `safety`?',
  },
  'a key of another kind of layer': {
    spec: 'layers:\n    semantic: { limit: 5 }',
    finds: [['MANIFEST.UNKNOWN_KEY', '6:17', '`limit`']],
    fix: '`top_k`',
  },
  'a key that stands twice': {
    spec: 'model: gpt-4o\n  model: gpt-4',
    finds: [['MANIFEST.DUPLICATE', '6:3', '`model`']],
  },
  'a text for a number': {
    spec: 'layers: { recent: { limit: many } }',
    finds: [['MANIFEST.WRONG_TYPE', '5:30', '`many`']],
    fix: 'whole number',
  },
  'an empty value': {
    spec: 'budget:',
    finds: [['MANIFEST.WRONG_TYPE', '5:3', 'empty']],
    fix: 'remove the key',
  },
  'a number out of range': {
    spec: 'scoring: { beta: 11 }',
    finds: [['MANIFEST.INVALID_VALUE', '5:20', '`11`']],
    fix: 'from 0 to 10',
  },
  'a misspelled tier': {
    spec: 'permission: { reads: T4 }',
    finds: [['MANIFEST.INVALID_VALUE', '5:24', '`T4`']],
    fix: '`T1`',
  },
  'a layer that is no kind': {
    spec: 'layers: { recnt: { limit: 3 } }',
    finds: [['MANIFEST.UNKNOWN_LAYER', '5:13', '`recnt`']],
    fix: 'Did you mean `recent`?',
  },
  'a layer of one kind named after another': {
    spec: 'layers: { recent: { kind: semantic } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:29', '`semantic`']],
  },
  'a layer name that is no name': {
    spec: 'layers: { Mine: { kind: recent } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:13', '`Mine`']],
  },
  'a text and a file': {
    spec: 'layers: { task: { text: a, file: ./ok.md } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:30', 'both']],
  },
  'a file that is not there': {
    spec: 'layers: { core: { file: ./gone.md } }',
    finds: [['MANIFEST.MISSING', '5:27', '`./gone.md`']],
  },
  'a file by an absolute path': {
    spec: 'layers: { core: { file: /etc/passwd } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:27', '/etc/passwd']],
  },
  'core memory with too many lines': {
    spec: 'layers: { core: { file: ./long.md, max_lines: 2 } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:27', '`3` lines']],
  },
  'a placeholder in a text': {
    spec: 'layers: { system: { text: "You help {{custmer}}." } }\n  inputs: { customer: }',
    finds: [['MANIFEST.UNKNOWN_PLACEHOLDER', '5:39', '`{{custmer}}`']],
    fix: 'Did you mean `customer`?',
  },
  'a placeholder in a block of text': {
    spec: 'layers:\n    task:\n      text: |\n        One.\n        Two {{who}}.',
    finds: [['MANIFEST.UNKNOWN_PLACEHOLDER', '9:13', '`{{who}}`']],
  },
  'a placeholder in a file': {
    spec: 'layers: { core: { file: ./core.md } }',
    finds: [['MANIFEST.UNKNOWN_PLACEHOLDER', '5:27', 'line 2 of `./core.md`']],
  },
  'an input named like a built-in placeholder': {
    spec: 'inputs: { query: {} }',
    finds: [['MANIFEST.INVALID_VALUE', '5:13', '`query`']],
  },
  'an input required and defaulted': {
    spec: 'inputs: { a: { required: true, default: 1 } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:43', '`a`']],
  },
  'an intent with a layer that is not declared': {
    spec: 'intents: { mine: { layers: [recent] } }',
    finds: [['MANIFEST.UNKNOWN_INTENT_LAYER', '5:31', '`recent`']],
  },
  'an intent without layers': {
    spec: 'intents: { mine: { lambda: 1 } }',
    finds: [['MANIFEST.MISSING', '5:14', '`mine`']],
  },
  'an intent that mixes names and changes': {
    spec: 'intents: { mine: { layers: [pinned, +system] } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:39', 'sign']],
  },
  'an intent that switches system off': {
    spec: 'intents: { mine: { layers: [-system] } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:31', 'every intent']],
  },
  'a class of forgetting that is none': {
    spec: 'intents: { fact: { lambda: tempural } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:30', 'tempural']],
    fix: '`temporal`',
  },
  'a weight of forgetting out of range': {
    spec: 'intents: { fact: { lambda: 5 } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:30', '`5`']],
  },
  'a weight for an intent that is none': {
    spec: 'scoring: { lambda_by_intent: { folow_up: 1 } }',
    finds: [['MANIFEST.UNKNOWN_KEY', '5:34', 'folow_up']],
    fix: '`follow_up`',
  },
  'a formula that is code': {
    spec: 'scoring: { formula: "process.exit()" }',
    finds: [['MANIFEST.FORMULA', '5:24', '`process`']],
  },
  'a formula wrong in the middle': {
    spec: "scoring: { formula: 'sim * * R' }",
    finds: [['MANIFEST.FORMULA', '5:30', '`*`']],
  },
  'a formula and a preset': {
    spec: 'scoring: { formula: sim, preset: governed }',
    finds: [['MANIFEST.INVALID_VALUE', '5:28', 'both']],
  },
  'weights that do not sum to 1': {
    spec: 'scoring: { fusion: { dense: 0.5, lexical: 0.6 } }',
    finds: [['MANIFEST.INVALID_VALUE', '5:14', '`1.1`']],
  },
  'a weight of forgetting in a layer': {
    spec: 'layers: { semantic: { scoring: { lambda_by_intent: { fact: 0 } } } }',
    finds: [['MANIFEST.UNKNOWN_KEY', '5:36', 'lambda_by_intent']],
  },
  'a negative budget': {
    spec: 'budget: { total_tokens: -5 }',
    finds: [['BUDGET.INVALID', '5:27', '`-5`']],
  },
  'a budget over the window': {
    spec: 'model: window_4k\n  budget: { total_tokens: 4000 }',
    finds: [['BUDGET.INVALID', '6:27', '`5796`']],
    fix: 'at most 2300',
  },
  'minimums over the total': {
    spec: 'layers: { recent: {} }\n  budget: { total_tokens: 100, min_per_layer: { recent: 101 } }',
    finds: [['BUDGET.INVALID', '6:32', '`101`']],
  },
  'a minimum over its maximum': {
    spec: 'layers: { recent: { max_tokens: 10 } }\n  budget: { min_per_layer: { recent: 11 } }',
    finds: [['BUDGET.INVALID', '6:38', '`11`']],
  },
  'a minimum of a layer that is not declared': {
    spec: 'budget: { min_per_layer: { recent: 5 } }',
    finds: [['MANIFEST.UNKNOWN_LAYER', '5:30', '`recent`']],
  },
  'both names of schema_typed': {
    spec: 'layers: { schema_typed: {} }\n  budget: { min_per_layer: { typed: 5, schema_typed: 6 } }',
    finds: [['MANIFEST.DUPLICATE', '6:40', 'same layer']],
  },
  'a layer kind to come': {
    spec: 'layers: { neighbours: {} }',
    finds: [['FEATURE.NOT_LANDED', '5:13', '`neighbours`']],
  },
  'a signal to come': {
    spec: 'scoring: { formula: sim * co_occurs }',
    finds: [['FEATURE.NOT_LANDED', '5:29', '`co_occurs`']],
  },
  'a source to come': {
    spec: 'layers: { semantic: { source: wiki } }',
    finds: [['MANIFEST.UNKNOWN_MOUNT', '5:33', '`wiki`']],
  },
  'settings without effect': {
    spec: 'layers: { semantic: { hype_enabled: true, veto_threshold: 0.1 }, recent: { scoring: { beta: 1 } } }\n  distillation: { policy: nightly }\n  retention: { grace_days: 7, turns_days: 30 }',
    finds: [
      ['FEATURE.INERT', '5:25', 'hype_enabled'],
      ['FEATURE.INERT', '5:45', 'veto_threshold'],
      ['FEATURE.INERT', '5:78', 'scoring'],
      ['FEATURE.INERT', '6:3', 'distillation'],
      ['FEATURE.INERT', '7:31', 'retention.turns_days'],
    ],
  },
  'a collection that is not loaded': {
    spec: 'layers: { schema_typed: { collection: people } }',
    finds: [['MANIFEST.UNKNOWN_COLLECTION', '5:41', '`people`']],
  },
};

const FILES: Readonly<Record<string, string>> = {
  './ok.md': 'ok',
  './long.md': '1\n2\n3\n',
  './core.md': 'One.\nTwo {{nope}}.\n',
};
const textOf = (one: Case): string => one.text ?? `${HEAD}spec:\n  ${one.spec}\n`;
const check = (one: Case) =>
  parseManifest(textOf(one), { path: 'm.yaml', readFile: (path) => FILES[path] });

const folder = mkdtempSync(join(tmpdir(), 'contextengine-manifest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What needs files, or an operator. */
function loadFiles(): readonly Finding[] {
  const path = join(folder, 'two.yaml');
  writeFileSync(path, `${HEAD}spec: {}\n---\n${HEAD.replace('name: t', 'name: u')}spec: {}\n`);
  const large = join(folder, 'large.yaml');
  writeFileSync(large, `# ${'x'.repeat(400_000)}\n`);
  const overrides = toOverrides({ 'scoring.floor': 7 });
  return [
    ...loadManifests({ paths: [path, large], overrides }).findings,
    ...loadUnused(folder).findings,
  ];
}

describe('findings', () => {
  it.each(Object.entries(CASES))('%s', (_name, one) => {
    const { findings, manifest } = check(one);
    expect(findings.map((finding) => `${finding.code} ${finding.line}:${finding.column}`)).toEqual(
      one.finds.map(([code, place]) => `${code} ${place}`),
    );
    for (const [index, [, , words]] of one.finds.entries())
      expect(findings[index]?.message).toContain(words);
    if (one.fix !== undefined) expect(findings[0]?.fix).toContain(one.fix);
    expect(manifest === null).toBe(findings.some((finding) => finding.severity === 'error'));
    for (const finding of findings)
      expect(finding).toMatchObject({
        file: 'm.yaml',
        severity: severityOf(finding.code),
        fix: expect.stringMatching(/\S/),
      });
  });

  it('has a case for every code of the table, and no finding has another code', () => {
    const provoked = [
      ...Object.values(CASES).flatMap((one) => check(one).findings),
      ...loadFiles(),
    ].map((finding) => finding.code);
    expect([...new Set(provoked)].sort()).toEqual([...foundBy('load')].sort());
  });

  it('counts no more than a hundred', () => {
    const keys = Array.from({ length: 500 }, (_, index) => `  k${index}: 1`).join('\n');
    const { findings } = parseManifest(`${HEAD}spec:\n${keys}\n`, { path: 'm.yaml' });
    expect(findings).toHaveLength(100);
    expect(findings.at(-1)?.fix).toContain('not shown');
  });
});
