import { describe, expect, it } from 'vitest';
import { checkContextDomain } from '../../src/manifest/context-domain.ts';
import {
  assertOverridesTaken,
  type Override,
  parseOverrides,
  toOverrides,
} from '../../src/manifest/overrides.ts';
import { parseDocuments } from '../../src/manifest/parse.ts';
import type { Manifest } from '../../src/model/manifest.ts';

const refusal = (run: () => unknown): { readonly code?: string; readonly message: string } => {
  try {
    run();
  } catch (error) {
    return error as Error & { code?: string };
  }
  throw new Error('nothing was refused');
};

const LAYERS = '{ recent: { limit: 5 }, semantic: true }';

function manifest(
  overrides: readonly Override[],
  { layers = LAYERS, scoring = '{ floor: 0.1 }' } = {},
): Manifest {
  const text =
    'apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: chat, version: 1, scope_block_type: thread }\n' +
    `spec: { layers: ${layers}, scoring: ${scoring} }\n`;
  const [document] = parseDocuments(text, 'm.yaml').documents;
  if (!document) throw new Error('no document');
  const { manifest: found, findings } = checkContextDomain(document.document, {
    path: 'm.yaml',
    collections: new Map(),
    overrides,
  });
  if (!found) throw new Error(JSON.stringify(findings));
  return found;
}

describe('overrides', () => {
  it('set numbers over the manifest, and leave its digest as it is', () => {
    const plain = manifest([]);
    const changed = manifest(
      parseOverrides('scoring.floor=0.4, chat:layers.semantic.top_k=7; budget.total_tokens=900'),
    );
    const semantic = changed.layers.find(({ name }) => name === 'semantic');
    expect(semantic?.topK).toBe(7);
    expect(semantic?.scoring.floor).toBe(0.4);
    expect(changed.budget.totalTokens).toBe(900);
    expect(changed.digest).toBe(plain.digest);
    expect(changed.source).toBe(plain.source);
  });

  it('reach the numbers of every preset and fusion, and the share of summaries', () => {
    const paths = [
      'scoring.document_fusion.dense',
      'scoring.conversation_weights.latest',
      'scoring.conversation_weights.window',
      'scoring.absorbed_factor',
      'scoring.absorbed_cap',
      'scoring.replaced_factor',
      'budget.summary_share',
    ];
    const changed = manifest(toOverrides(Object.fromEntries(paths.map((path) => [path, 0.25]))));
    const scoring = changed.layers.find(({ name }) => name === 'semantic')?.scoring;
    expect(scoring).toMatchObject({
      fusion: { dense: 0.2, lexical: 0.4, words: 0.4 },
      documentFusion: { dense: 0.25, lexical: 0.75, words: 0 },
      conversationWeights: { latest: 0.25, window: 0.25, dense: 0.34 },
      documentFactors: { absorbed: 0.25, absorbedCap: 0.25, replaced: 0.25 },
    });
    expect(changed.budget.summaryShare).toBe(0.25);
    const far = toOverrides(Object.fromEntries(paths.map((path) => [path, 99])));
    expect(far.map(({ value }) => value)).toEqual([1, 10, 10, 1, 3, 1, 1]);
  });

  it('reach what says how late, how stale and how trusted an item is, and how a history is cut', () => {
    const paths = [
      ...['per_place', 'by_tense', 'turns', 'turns_by_tense', 'facts', 'facts_by_tense'].map(
        (name) => `scoring.latest.${name}`,
      ),
      ...['axiom', 'user', 'document', 'model', 'tool', 'web', 'unknown'].map(
        (name) => `scoring.trust.${name}`,
      ),
      'scoring.governed_weights.latest',
      'scoring.stale_penalty',
      'scoring.rival_share',
      'scoring.courtesy_floor',
      'budget.history_share',
      'budget.history_kept',
    ];
    const { layers, budget } = manifest([
      ...toOverrides(Object.fromEntries(paths.map((path) => [path, 0.25]))),
      ...toOverrides({ 'scoring.near_duplicate': 0.75 }),
      ...toOverrides({ 'scoring.stale_minutes': 5, 'budget.short_history_tokens': 7 }),
    ]);
    const scoring = layers.find(({ name }) => name === 'semantic')?.scoring;
    if (!scoring) throw new Error('no layer `semantic`');
    expect(new Set(Object.values(scoring.latest))).toEqual(new Set([0.25]));
    expect(new Set(Object.values(scoring.trust))).toEqual(new Set([0.25]));
    expect(scoring.formula.text).toMatch(/0\.25\*latest/);
    expect(scoring).toMatchObject({
      ...{ stalePenalty: 0.25, staleMinutes: 5, rivalShare: 0.25 },
      ...{ courtesyFloor: 0.25, nearDuplicate: 0.75 },
    });
    expect(budget).toMatchObject({
      historyShare: 0.25,
      historyKept: 0.25,
      shortHistoryTokens: 7,
    });
  });

  it('are clamped to the range of the schema, and whole where it asks for that', () => {
    expect(
      toOverrides({ 'scoring.floor': 7, 'layers.recent.limit': -3, 'layers.recent.rank': 2.4 }),
    ).toMatchObject([{ value: 1 }, { value: 1 }, { value: 2 }]);
  });

  it('of one weight of a fusion leave the others their proportion', () => {
    const fusion = (text: string, scoring = '{ floor: 0.1 }') => {
      const { layers, warnings } = manifest(parseOverrides(text), { scoring });
      const found = layers.find(({ name }) => name === 'semantic')?.scoring.fusion;
      const shown = Object.entries(found ?? {}).map(([name, weight]) => [
        name,
        Number(weight.toFixed(6)),
      ]);
      return [Object.fromEntries(shown), warnings.map(({ code }) => code)];
    };
    const clamped = ['CONFIG.OVERRIDE_CLAMPED'];
    for (const [text, dense, lexical, words, codes] of [
      ['scoring.fusion.dense=0.2', 0.2, 0.4, 0.4, []],
      ['scoring.fusion.dense=0.6', 0.6, 0.2, 0.2, []],
      ['scoring.fusion.words=0', 0.333333, 0.666667, 0, []],
      ['scoring.fusion.dense=1', 1, 0, 0, []],
      ['scoring.fusion.dense=0.1, scoring.fusion.lexical=0.3', 0.1, 0.3, 0.6, []],
      ['scoring.fusion.dense=0.9, scoring.fusion.lexical=0.6', 0.6, 0.4, 0, clamped],
      [
        'scoring.fusion.dense=0.2, scoring.fusion.lexical=0.2, scoring.fusion.words=0.1',
        ...([0.4, 0.4, 0.2, clamped] as const),
      ],
    ] as const)
      expect(fusion(text), text).toEqual([{ dense, lexical, words }, codes]);
    const written = '{ fusion: { dense: 1 } }';
    expect(fusion('', written)[0]).toEqual({ dense: 1, lexical: 0, words: 0 });
    expect(fusion('scoring.fusion.dense=0.5', written)[0]).toEqual({
      ...{ dense: 0.5, lexical: 0.5, words: 0 },
    });
  });

  it('of a budget are clamped, and one that contradicts it is not taken', () => {
    for (const [text, value] of [
      ['budget.short_history_tokens=-5', 0],
      ['budget.short_history_tokens=1e9', 10_000_000],
      ['budget.reserve.query=-4', 0],
      ['budget.min_per_layer.semantic=-1', 0],
      ['budget.max_per_layer.semantic=0', 1],
      ['budget.total_tokens=0', 1],
      ['budget.total_tokens=20000000', 10_000_000],
    ] as const)
      expect(parseOverrides(text)[0]?.value, text).toBe(value);
    const changed = manifest(
      parseOverrides('budget.total_tokens=20000000, scoring.floor=0.4, budget.reserve.query=-4'),
    );
    expect(changed.budget.totalTokens).toBe(manifest([]).budget.totalTokens);
    expect(changed.layers.find(({ name }) => name === 'semantic')?.scoring.floor).toBe(0.4);
    expect(changed.warnings.map(({ code }) => code)).toEqual([
      'CONFIG.OVERRIDE_CLAMPED',
      'CONFIG.OVERRIDE_CLAMPED',
    ]);
    expect(changed.warnings[0]?.message).toContain('is not taken: Blocks');
    const least = manifest(parseOverrides('budget.min_per_layer.semantic=9000'));
    expect(least.warnings[0]?.message).toMatch(/`budget.min_per_layer.semantic`.*is not taken/);
  });

  it('that nothing reads are a warning', () => {
    const unread = (text: string, layers = LAYERS) =>
      manifest(parseOverrides(text), { layers })
        .warnings.filter(({ code }) => code === 'CONFIG.OVERRIDE_UNREAD')
        .map(({ message }) => /`(.*?)`/.exec(message)?.[1]);
    expect(unread('scoring.trust.user=0.1, scoring.floor=0.2')).toEqual(['scoring.trust.user']);
    expect(unread('scoring.stale_minutes=5')).toEqual(['scoring.stale_minutes']);
    const own = (formula: string) =>
      `{ semantic: true, own: { kind: semantic, scoring: { formula: '${formula}' } } }`;
    expect(unread('scoring.trust.user=0.1', own('sim * trust'))).toEqual([]);
    expect(unread('layers.own.scoring.governed_weights.latest=1', own('sim'))).toEqual([
      'layers.own.scoring.governed_weights.latest',
    ]);
    for (const text of [
      ...['scoring.floor=0.1', 'scoring.fusion.dense=0.2', 'budget.history_share=0.1'],
      ...['budget.total_tokens=4000', 'layers.recent.limit=5', 'scoring.mmr_lambda=1'],
    ])
      expect(unread(text), text).toEqual([]);
  });

  it('that are clamped are a warning of the manifest, at its place', () => {
    const { warnings } = manifest(
      toOverrides({ 'scoring.floor': 7, 'layers.recent.rank': 2.4, 'other:scoring.beta': 99 }),
    );
    expect(warnings.map(({ code, line, message }) => [code, line, message])).toEqual([
      [
        'CONFIG.OVERRIDE_CLAMPED',
        4,
        'The override `layers.recent.rank` is `2.4`, which it may not be; `2` holds.',
      ],
      [
        'CONFIG.OVERRIDE_CLAMPED',
        4,
        'The override `scoring.floor` is `7`, which it may not be; `1` holds.',
      ],
    ]);
    const last = parseOverrides('scoring.floor=7, scoring.floor=0.3');
    expect(manifest(last).warnings).toEqual([]);
  });

  it('of another manifest, or of a layer that a manifest has not, change nothing there', () => {
    const changed = manifest(
      toOverrides({
        'other:scoring.floor': 0.9,
        'layers.open_set.top_k': 3,
        'budget.min_per_layer.open_set': 300,
        'budget.max_per_layer.open_set': 600,
      }),
    );
    expect(JSON.stringify(changed.layers)).toBe(JSON.stringify(manifest([]).layers));
    expect(JSON.stringify(changed.budget)).toBe(JSON.stringify(manifest([]).budget));
  });

  it.each([
    ['scoring.flor=1', 'did you mean'],
    ['scoring.preset=1', 'no number'],
    ['scoring.floor', 'sets no number'],
    ['scoring.floor=high', 'sets no number'],
    ['__proto__.x=1', 'no field'],
    ['layers.__proto__.top_k=1', ''],
    ['budget.max_per_layer.open_set=600', 'no manifest takes'],
    ['scoring.floor.deep=1', 'no field'],
  ])('are refused as %s', (text, words) => {
    const run = (): unknown => {
      const overrides = parseOverrides(text);
      assertOverridesTaken(overrides, [manifest(overrides)]);
      return overrides;
    };
    const { code, message } = refusal(run);
    expect(code).toBe('CONFIG.INVALID_VALUE');
    expect(message.toLowerCase()).toContain(words);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('that no manifest takes are refused', () => {
    const overrides = toOverrides({ 'layers.archival.top_k': 3 });
    expect(refusal(() => assertOverridesTaken(overrides, [manifest(overrides)])).message).toContain(
      'layers.archival.top_k',
    );
  });
});

describe('floors', () => {
  const LAYERS_OF_ALL =
    '{ semantic: true, open_set: true, archival: true, documents: true, procedures: true, ' +
    'turns: { kind: semantic, scoring: { preset: class_aware } }, ' +
    'own: { kind: semantic, scoring: { preset: conversation, floor: 0.6, floor_of_best: 0.7 } } }';
  const floors = (scoring: string, overrides: readonly Override[] = []) =>
    Object.fromEntries(
      manifest(overrides, { layers: LAYERS_OF_ALL, scoring })
        .layers.filter(({ kind }) => kind !== 'system' && kind !== 'pinned')
        .map(({ name, scoring: { floor, floorOfBest } }) => [name, [floor, floorOfBest]]),
    );
  const everywhere = (both: readonly number[]) => ({
    ...{ semantic: both, open_set: both, archival: both, documents: both, procedures: both },
    ...{ turns: both, own: [0.6, 0.7] },
  });

  it('of presets hold where the manifest writes none', () => {
    expect(floors('{}')).toEqual({
      ...everywhere([0, 0]),
      ...{ documents: [0.1, 0], turns: [0.1, 0] },
    });
  });

  it('of the manifest, and of an operator, reach every layer that writes none', () => {
    expect(floors('{ floor: 0.35, floor_of_best: 0.4 }')).toEqual(everywhere([0.35, 0.4]));
    const overrides = toOverrides({ 'scoring.floor': 0.35, 'scoring.floor_of_best': 0.4 });
    expect(floors('{ floor: 0.05 }', overrides)).toEqual(everywhere([0.35, 0.4]));
  });
});
