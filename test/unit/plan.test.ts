import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePreview } from '../../src/cli/plan/compare-compositions.ts';
import { entryReport, previewReport } from '../../src/cli/plan/plan-report.ts';
import type { ErrorCode, ManifestPreview } from '../../src/index.ts';
import { diffSettings, type Lock, type LockEntry, lockOf } from '../../src/manifest/lock.ts';
import { parseCollection, parseManifest } from '../../src/manifest/parse.ts';
import { changesOf, planBetween } from '../../src/manifest/plan.ts';
import { parseUuid, toInstant } from '../../src/model/ids.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

function manifestOf(spec: string, version = '1'): Manifest {
  const text = `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: ${version}, scope_block_type: t }\nspec:\n${spec}`;
  const { manifest, findings } = parseManifest(text, { path: 't.yaml' });
  if (!manifest) throw new Error(JSON.stringify(findings));
  return manifest;
}
const lockOfSpec = (spec: string, version?: string): Lock =>
  lockOf({ manifests: [manifestOf(spec, version)], collections: {} }, (path) => path);

const BASE = '  layers: { recent: {}, open_set: {}, semantic: {} }\n';
/** `area name before → after layers` of what changes from one spec to another. */
const changes = (before: string, after: string): readonly string[] =>
  planBetween(lockOfSpec(before), lockOfSpec(after)).flatMap((entry) =>
    entry.changes.map((change) =>
      [change.area, change.name, change.before, '→', change.after, ...change.layers].join(' '),
    ),
  );

describe('a plan between two manifests', () => {
  it.each<[name: string, after: string, expected: readonly string[]]>([
    ['nothing', BASE, []],
    ['a limit', BASE.replace('recent: {}', 'recent: { limit: 3 }'), ['layers recent.limit 12 → 3']],
    [
      'a layer that is gone tells its kind, and which intents lose it',
      BASE.replace(', semantic: {}', ''),
      expect.arrayContaining([
        'layers semantic semantic → ',
        expect.stringMatching(/^intents follow_up\.layers .*, semantic → /),
      ]),
    ],
    [
      'an order',
      BASE.replace('}\n', '}\n  render: { order: as_written }\n'),
      expect.arrayContaining(['rendering render.order static_first → as_written']),
    ],
    [
      'the budget, with the shares of layers',
      `${BASE}  budget: { total_tokens: 3000, min_per_layer: { recent: 500 }, max_per_layer: { semantic: 900 } }\n`,
      [
        expect.stringMatching(/^budget total_tokens \d+ → 3000$/),
        'budget recent.min_tokens 0 → 500',
        'budget semantic.max_tokens  → 900',
      ],
    ],
    ['a tier', `${BASE}  permission: { deletes: excluded }\n`, ['tiers deletes T1 → excluded']],
    [
      'a new intent is one change',
      `${BASE}  intents: { refund: { layers: [recent], lambda: fact, floor: 0.3 } }\n`,
      ['intents refund  → system, recent'],
    ],
    [
      'an intent that changes',
      `${BASE}  intents: { fact: { layers: [-semantic] } }\n`,
      [expect.stringMatching(/^intents fact\.layers .*semantic.* → /)],
    ],
    [
      'a number of the score that changes in all layers is one change',
      `${BASE}  scoring: { beta: 2 }\n`,
      ['scoring beta 1.5 → 2 open_set semantic'],
    ],
    [
      'and in one layer is one of that layer',
      BASE.replace('open_set: {}', 'open_set: { scoring: { floor: 0.2 } }'),
      [expect.stringMatching(/^scoring floor \S+ → 0\.2 open_set$/)],
    ],
    [
      'a formula',
      `${BASE}  scoring: { formula: "sim" }\n`,
      expect.arrayContaining([
        expect.stringMatching(/^scoring formula sim \* .* → sim open_set semantic$/),
      ]),
    ],
    ['an input', `${BASE}  inputs: { product: { required: true } }\n`, ['inputs product  → true']],
    [
      'the lifetime of the cache',
      `${BASE}  cache: { ttl_seconds: 5 }\n`,
      ['other cache.ttl_seconds 30 → 5'],
    ],
  ])('%s', (_name, after, expected) => {
    expect(changes(BASE, after)).toEqual(expected);
  });

  it('says what is new, gone, changed in words alone, and as it was', () => {
    const entry = (version: string, digest: string): LockEntry => ({
      version,
      digest,
      content: digest,
      file: 'f',
      settings: {},
    });
    const locked: Lock = {
      manifests: { gone: entry('1', 'a'), same: entry('1', 'b'), words: entry('1', 'c') },
      collections: {},
    };
    const working: Lock = {
      manifests: { same: entry('1', 'b'), words: entry('2', 'd') },
      collections: { constructor: entry('1', 'e') },
    };
    const states = (from: Lock | null) =>
      planBetween(from, working).map(({ kind, name, state }) => `${kind} ${name} ${state}`);
    expect(states(locked)).toEqual([
      'manifests gone removed',
      'manifests same same',
      'manifests words changed',
      'collections constructor added',
    ]);
    expect(states(null)).toEqual([
      'manifests same added',
      'manifests words added',
      'collections constructor added',
    ]);
    expect(planBetween(locked, working)[2]?.changes).toEqual([]);
  });

  it('sees a property of a collection', () => {
    const text = (options: string) =>
      `apiVersion: contextengine.test/v1\nkind: Collection\nmetadata: { name: c, version: 1 }\nspec:\n  properties:\n    units: { type: option, options: [${options}] }\n    age: { type: int }\n`;
    const lock = (options: string): Lock => {
      const { collection } = parseCollection(text(options), { path: 'c.yaml' });
      return lockOf(
        { manifests: [], collections: collection ? { c: collection } : {} },
        (path) => path,
      );
    };
    const [entry] = planBetween(lock('metric'), lock('metric, imperial'));
    expect(entry?.changes).toEqual([
      {
        area: 'properties',
        name: 'units.options',
        layers: [],
        before: 'metric',
        after: 'metric, imperial',
      },
    ]);
  });

  it('names every changed setting, in one place each', () => {
    const setting = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean());
    const path = fc.array(
      fc.constantFrom(
        'layers',
        'intents',
        'budget',
        'recent',
        'kind',
        'scoring',
        'beta',
        'constructor',
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    const record = fc
      .array(fc.tuple(path, setting))
      .map((entries) =>
        Object.fromEntries(entries.map(([keys, value]) => [keys.join('.'), value])),
      );
    fc.assert(
      fc.property(record, record, (before, after) => {
        const settings = diffSettings(before, after);
        expect(settings.every((change) => before[change.path] !== after[change.path])).toBe(true);
        expect(changesOf(settings).length).toBeLessThanOrEqual(settings.length);
        expect(diffSettings(after, after)).toEqual([]);
        expect(changesOf(settings).some(({ before: old, after: now }) => old === now)).toBe(false);
      }),
    );
  });
});

describe('the report of a plan', () => {
  const look = { ...memoryTerminal(), fileOf: (file: string) => `manifests/${file}` };

  it('tells a layer that all intents gain in one line', () => {
    const plan = planBetween(
      lockOfSpec(BASE),
      lockOfSpec(BASE.replace('recent: {},', 'recent: {}, task: {},'), '2'),
    );
    expect(
      plan.map((entry) => entryReport(entry, look)).join('\n'),
    ).toBe(`~ t 1 → 2  manifests/t.yaml
  layers
    + task  task
  intents
    ~ layers  +task  in compare, creative, fact, follow_up, new_topic, reasoning, temporal`);
  });

  it.each([
    ['# a comment\n', 'Only comments or layout.'],
    ['  x-owner: us\n', 'Only words that no composition depends on.'],
  ])('says when no composition changes: %j', (more, says) => {
    const [entry] = planBetween(lockOfSpec(BASE), lockOfSpec(`${BASE}${more}`));
    expect(entry && entryReport(entry, look)).toBe(`~ t 1 as before  manifests/t.yaml\n  ${says}`);
  });
});

describe('compositions compared', () => {
  const uuid = (n: number) =>
    parseUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 'id');
  const side = (
    text: string,
    layers: Readonly<Record<string, readonly (number | string)[]>>,
  ): ManifestPreview['requests'][number]['before'] => ({
    composition: {
      composition_id: uuid(99),
      text,
      static_length: 0,
      segments: [],
      layers: Object.fromEntries(
        Object.entries(layers).map(([name, items]) => [
          name,
          { rank: 1, budget: 1, tokens: 1, items: items.length, dropped: 0, truncated: 0 },
        ]),
      ),
      items: Object.entries(layers).flatMap(([layer, items]) =>
        items.map((item) => ({
          uuid: typeof item === 'number' ? uuid(item) : null,
          root_uuid: null,
          id: null,
          table: null,
          layer,
          score: null,
          signals: {},
          provenance: { scope: null, time: null },
          tokens: 1,
          truncated: false,
          text: String(item),
          turn: null,
        })),
      ),
      tokens: { used: text.length, budget: 100, reserved: 0, exact: true, encoding: 'o200k_base' },
      cache: { state: 'off', age_ms: 0 },
      manifest: { name: 'm', version: '1', digest: 'd' },
      intent: 'fact',
      position: [],
      usage_position: [],
      as_of: toInstant(0),
      degraded: [],
      warnings: [],
    },
  });
  const fails = (code: ErrorCode): ManifestPreview['requests'][number]['before'] => ({
    error: { code, message: 'no' },
  });
  const compared = (
    ...pairs: readonly (readonly [
      ManifestPreview['requests'][number]['before'],
      ManifestPreview['requests'][number]['before'],
    ])[]
  ) => {
    const requests: ManifestPreview['requests'] = pairs.map(([before, after], index) => ({
      composition_id: uuid(index),
      created_at: toInstant(0),
      intent: 'fact',
      before,
      after,
    }));
    return comparePreview({ requests });
  };

  it('sees items by their row, and the words of a manifest by themselves', () => {
    const { requests, summary } = compared(
      [
        side('aaaa', { system: ['be brief'], recent: [1, 2] }),
        side('aaaaaa', { system: ['be long'], recent: [2, 3, 4], task: ['do'] }),
      ],
      [side('same', { recent: [1] }), side('same', { recent: [1] })],
    );
    expect(requests[0]?.layers).toEqual([
      { layer: 'system', gained: ['text'], lost: ['text'] },
      { layer: 'recent', gained: [uuid(3), uuid(4)], lost: [uuid(1)] },
      { layer: 'task', gained: ['text'], lost: [] },
    ]);
    expect(summary).toEqual({
      requests: 2,
      changed: 1,
      failing: 0,
      gained: 4,
      lost: 2,
      tokens: { before: 8, after: 10 },
    });
    expect(previewReport({ requests, summary }, memoryTerminal())).toContain(
      'system reworded, recent +2 -1, task +1',
    );
  });

  it('tells requests that fail before, after, or both, and counts their tokens on no side', () => {
    const { requests, summary } = compared(
      [side('aaaa', {}), fails('SCOPE.CYCLE')],
      [fails('CLI.USAGE'), side('aaaa', {})],
      [fails('CLI.INPUT'), fails('CLI.INPUT')],
      [side('aa', { recent: [1] }), side('bb', { recent: [1] })],
    );
    expect(requests.map(({ outcome }) => outcome)).toEqual([
      'fails',
      'composes',
      'fails_under_both',
      'changed',
    ]);
    expect(summary).toMatchObject({ changed: 1, failing: 1, tokens: { before: 2, after: 2 } });
    const report = previewReport({ requests, summary }, memoryTerminal());
    for (const words of [
      'fails: SCOPE.CYCLE',
      'composes again, was CLI.USAGE',
      'fails under both: CLI.INPUT',
      'the same items, in other words',
      '1 no longer composes',
    ])
      expect(report).toContain(words);
  });

  it('says that there was no request', () => {
    expect(previewReport(compared(), memoryTerminal())).toBe('  No request was recorded.');
  });
});
