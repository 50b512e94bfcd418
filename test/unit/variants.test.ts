/** Variants of a manifest: which settings each has, which scopes it serves, and what is refused. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTokenCounter } from '../../src/index.ts';
import { lintManifests } from '../../src/manifest/lint/index.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { lockOf } from '../../src/manifest/lock.ts';
import { assertOverridesTaken, toOverrides } from '../../src/manifest/overrides.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { pickVariant, variantNamed } from '../../src/manifest/pick-variant.ts';
import { planBetween } from '../../src/manifest/plan.ts';
import { parseUuid, type Uuid } from '../../src/model/ids.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { createPolicy } from '../../src/permission/policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'variants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = (name: string) =>
  `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: ${name}, version: 1, scope_block_type: thread }\n`;
const BASE = 'layers: { recent: { limit: 5 }, semantic: true }\n  scoring: { floor: 0.1 }\n';
const textOf = (variants: string, { name = 'chat', base = BASE } = {}): string =>
  `${HEAD(name)}spec:\n  ${base}  variants:\n${variants}`;
const parsed = (text: string) => parseManifest(text, { path: 'm.yaml' });

function manifestOf(text: string): Manifest {
  const { manifest, findings } = parsed(text);
  if (!manifest) throw new Error(JSON.stringify(findings));
  return manifest;
}
const found = (text: string) =>
  parsed(text).findings.map(
    ({ code, line, column, message, fix }) => `${code} ${line}:${column} ${message} ${fix}`,
  );

/** Different from each other like random ones, and the same in every run. */
const scopes = (many: number): readonly Uuid[] =>
  Array.from({ length: many }, (_, index) => {
    const hex = createHash('sha256').update(`scope ${index}`).digest('hex');
    return parseUuid(
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
      'scope',
    );
  });
const TEN_THOUSAND = scopes(10_000);

const shares = (manifest: Manifest): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const scope of TEN_THOUSAND) {
    const name = pickVariant(manifest, scope).variant ?? '(as written)';
    counts[name] = (counts[name] ?? 0) + 1 / TEN_THOUSAND.length;
  }
  return counts;
};

const TWO =
  '    wide: { weight: 0.3, layers: { semantic: { top_k: 20 } } }\n' +
  '    strict: { weight: 0.2, scoring: { floor: 0.4 }, budget: { total_tokens: 2500 }, render: { format: markdown } }\n';

describe('a variant', () => {
  it('has what it changes, and the rest of the manifest', () => {
    const manifest = manifestOf(textOf(TWO));
    expect(manifest.variants.map(({ name, weight }) => [name, weight])).toEqual([
      ['strict', 0.2],
      ['wide', 0.3],
    ]);
    const [strict, wide] = manifest.variants.map((variant) => variant.manifest);
    expect(strict).toMatchObject({
      ...{ name: 'chat', version: '1', digest: manifest.digest, source: manifest.source },
      ...{ variant: 'strict', variants: [], budget: { totalTokens: 2500 } },
      render: { format: 'markdown', order: 'static_first' },
    });
    const settings = (of: Manifest | undefined) =>
      of?.layers.map(({ name, topK, limit, scoring }) => [name, topK, limit, scoring.floor]);
    expect(settings(manifest)).toEqual(settings(manifestOf(`${HEAD('chat')}spec:\n  ${BASE}`)));
    const ofLayer = (of: Manifest | undefined, name: string) =>
      of?.layers.find((layer) => layer.name === name);
    expect(ofLayer(wide, 'semantic')).toMatchObject({ topK: 20, scoring: { floor: 0.1 } });
    expect(ofLayer(wide, 'recent')).toMatchObject({ topK: 0, limit: 5, scoring: { floor: 0.1 } });
    expect(ofLayer(strict, 'semantic')?.scoring.floor).toBe(0.4);
    expect(wide?.budget).toEqual(manifest.budget);
  });

  it('takes a formula away with a preset, a text with a file, and lists as a whole', () => {
    writeFileSync(join(folder, 'words.md'), 'Words of a file.\n');
    writeFileSync(
      join(folder, 'm.yaml'),
      textOf(
        '    other:\n      weight: 1\n      scoring: { preset: governed, lambda_by_intent: { fact: 2 } }\n' +
          '      layers: { system: { file: ./words.md }, open_set: { categories: [c], scoring: { fusion: { lexical: 1 } } } }\n',
        {
          base:
            'layers: { system: { text: Written. }, open_set: { categories: [a, b], scoring: { fusion: { dense: 1 } } } }\n' +
            '  scoring: { formula: sim, lambda_by_intent: { temporal: 1 } }\n',
        },
      ),
    );
    const { manifests, findings } = loadManifests({ paths: [join(folder, 'm.yaml')] });
    expect(findings).toEqual([]);
    const [manifest] = manifests;
    const other = manifest?.variants[0]?.manifest;
    expect(manifest?.layers.map(({ file }) => file)).toEqual(manifest?.layers.map(() => null));
    expect(other?.layers.find(({ kind }) => kind === 'system')).toMatchObject({
      text: null,
      file: { content: 'Words of a file.\n' },
    });
    expect(other?.layers.find(({ kind }) => kind === 'open_set')).toMatchObject({
      categories: ['c'],
      scoring: { preset: 'governed', fusion: { dense: 0, lexical: 1, words: 0 } },
    });
    expect([other?.intents['fact']?.lambda, other?.intents['temporal']?.lambda]).toEqual([2, 1]);
    // The source has the files of variants as well: what was served can be read again.
    const again = manifest && parseManifest(manifest.source, { path: manifest.path }).manifest;
    expect(again && variantNamed(again, 'other')?.layers[0]?.file).toEqual(other?.layers[0]?.file);
    expect(again?.digest).toBe(manifest?.digest);
  });
});

describe('the variant of a scope', () => {
  it('is shared out by weight over 10,000 scopes', () => {
    const seen = shares(manifestOf(textOf(TWO)));
    // Four standard deviations of a share of one half over 10,000 are .02.
    expect(Math.abs((seen['strict'] ?? 0) - 0.2)).toBeLessThan(0.02);
    expect(Math.abs((seen['wide'] ?? 0) - 0.3)).toBeLessThan(0.02);
    expect(Math.abs((seen['(as written)'] ?? 0) - 0.5)).toBeLessThan(0.02);
    const all = shares(manifestOf(textOf('    a: { weight: 0.001 }\n    b: { weight: 0.999 }\n')));
    expect(Object.keys(all).sort()).toEqual(['a', 'b']);
  });

  it('is the same for a scope always, whatever the order of the file', () => {
    const manifest = manifestOf(textOf(TWO));
    const turned = manifestOf(
      textOf(TWO.split('\n').reverse().join('\n').trimStart().replace(/^/, '    ')),
    );
    for (const scope of TEN_THOUSAND.slice(0, 1000)) {
      const { variant } = pickVariant(manifest, scope);
      expect(pickVariant(manifest, scope).variant).toBe(variant);
      expect(pickVariant(turned, scope).variant).toBe(variant);
    }
  });

  it('stays where another weight does not reach, and says nothing of another manifest', () => {
    const half = (name: string, weight: number) =>
      manifestOf(textOf(`    a: { weight: ${weight} }\n`, { name }));
    const [few, more, other] = [half('chat', 0.4), half('chat', 0.6), half('notes', 0.4)];
    const isIn = (manifest: Manifest) => (scope: Uuid) =>
      pickVariant(manifest, scope).variant === 'a';
    const inFew = TEN_THOUSAND.filter(isIn(few));
    expect(inFew.every(isIn(more))).toBe(true);
    expect(inFew.filter(isIn(other)).length / inFew.length).toBeGreaterThan(0.36);
    expect(inFew.filter(isIn(other)).length / inFew.length).toBeLessThan(0.44);
  });
});

describe('what is refused', () => {
  it.each<[name: string, variants: string, expected: readonly unknown[]]>([
    [
      'a weight of nothing',
      '    a: { weight: 0 }\n',
      [
        'MANIFEST.INVALID_VALUE 8:18 `weight` is `0`. Use a number from 0.001 to 1. Share of the scopes; all together at most 1.',
      ],
    ],
    ['a negative weight', '    a: { weight: -0.5 }\n', [expect.stringMatching(/8:18 .*`-0\.5`/)]],
    ['a weight over all', '    a: { weight: 1.5 }\n', [expect.stringMatching(/8:18 .*`1\.5`/)]],
    [
      'no weight',
      '    a: { scoring: { floor: 0 } }\n',
      [expect.stringMatching(/^MANIFEST\.MISSING 8:5 .*`weight`/)],
    ],
    [
      'weights over all together',
      '    a: { weight: 0.7 }\n    b: { weight: 0.6 }\n',
      [expect.stringMatching(/^MANIFEST\.INVALID_VALUE 7:3 .*sum to `1\.3`/)],
    ],
    [
      'one name twice',
      '    a: { weight: 0.1 }\n    a: { weight: 0.2 }\n',
      [expect.stringMatching(/^MANIFEST\.DUPLICATE 9:5 /)],
    ],
    ...(['Wide', '2nd', 'a-b', '""', '__proto__'] as const).map(
      (name): [string, string, readonly unknown[]] => [
        `the name ${name}`,
        `    ${name}: { weight: 0.1 }\n`,
        [expect.stringMatching(/^MANIFEST\.INVALID_VALUE 8:5 .*is not a name/)],
      ],
    ),
    [
      'a section that a variant has not',
      '    a: { weight: 0.1, permission: { reads: T1 } }\n',
      [expect.stringMatching(/^MANIFEST\.UNKNOWN_KEY 8:23 .*`permission`/)],
    ],
    [
      'a setting that is none',
      '    a: { weight: 0.1, scoring: { flor: 0.1 } }\n',
      [expect.stringMatching(/^MANIFEST\.UNKNOWN_KEY 8:34 .*`flor`.*`floor`/)],
    ],
    [
      'a layer that the manifest has not',
      '    a: { weight: 0.1, layers: { open_set: { top_k: 3 } } }\n',
      [expect.stringMatching(/^MANIFEST\.UNKNOWN_LAYER 8:33 Variant `a`: .*`open_set`/)],
    ],
    [
      'a layer switched off',
      '    a: { weight: 0.1, layers: { recent: { enabled: false } } }\n',
      [expect.stringMatching(/^MANIFEST\.UNKNOWN_KEY 8:43 .*`enabled`/)],
    ],
    [
      'a key of another kind of layer',
      '    a: { weight: 0.1, layers: { recent: { top_k: 3 } } }\n',
      [expect.stringMatching(/^MANIFEST\.UNKNOWN_KEY 8:43 Variant `a`: .*`top_k`/)],
    ],
    [
      'a number out of its range',
      '    a: { weight: 0.1, layers: { semantic: { top_k: 0 } } }\n',
      [expect.stringMatching(/^MANIFEST\.INVALID_VALUE 8:52 /)],
    ],
    [
      'a formula of nothing',
      '    a: { weight: 0.1, scoring: { formula: sim * nothing } }\n',
      [expect.stringMatching(/^MANIFEST\.FORMULA 8:49 Variant `a`: /)],
    ],
    [
      'minimums over the total',
      '    a: { weight: 0.1, budget: { total_tokens: 300, min_per_layer: { recent: 400 } } }\n',
      [expect.stringMatching(/^BUDGET\.\w+ 8:\d+ Variant `a`: /)],
    ],
    [
      'more than sixteen',
      Array.from({ length: 17 }, (_, index) => `    v${index}: { weight: 0.01 }\n`).join(''),
      [expect.stringMatching(/^MANIFEST\.INVALID_VALUE 8:5 .*at most 16/)],
    ],
  ])('%s', (_name, variants, expected) => {
    expect(found(textOf(variants))).toEqual(expected);
    expect(parsed(textOf(variants)).manifest).toBeNull();
  });

  it('warns of what a variant alone leaves without effect, once and under its name', () => {
    const text = textOf('    a: { weight: 0.1, layers: { semantic: { hype_enabled: true } } }\n', {
      base: 'layers: { semantic: { veto_threshold: 0.3 } }\n',
    });
    const manifest = manifestOf(text);
    expect(found(text)).toEqual([
      expect.stringMatching(/^FEATURE\.INERT 5:25 `veto_threshold`/),
      expect.stringMatching(/^FEATURE\.INERT 7:45 Variant `a`: `hype_enabled`/),
    ]);
    expect(manifest.warnings.length).toBe(1);
    expect(manifest.variants[0]?.manifest.warnings.length).toBe(2);
  });
});

describe('a manifest with variants', () => {
  it('shows in a plan what each variant changes', () => {
    const lock = (text: string) =>
      lockOf({ manifests: [manifestOf(text)], collections: {} }, (path) => path);
    const before = lock(`${HEAD('chat')}spec:\n  ${BASE}`);
    const changes = (a: typeof before, b: typeof before) =>
      planBetween(a, b).flatMap((entry) =>
        entry.changes.map(({ area, name, before: old, after }) => [area, name, old, after]),
      );
    expect(changes(before, lock(textOf(TWO)))).toEqual([
      ['variants', 'strict.budget.total_tokens', null, 2500],
      ['variants', 'strict.layers.semantic.scoring.floor', null, 0.4],
      ['variants', 'strict.render.format', null, 'markdown'],
      ['variants', 'strict.weight', null, 0.2],
      ['variants', 'wide.layers.semantic.top_k', null, 20],
      ['variants', 'wide.weight', null, 0.3],
    ]);
    expect(changes(lock(textOf(TWO)), lock(textOf(TWO.replace('0.3', '0.5'))))).toEqual([
      ['variants', 'wide.weight', 0.3, 0.5],
    ]);
  });

  it('is linted with its variants, each finding once', async () => {
    const countTokens = await createTokenCounter(['gpt-4o']);
    const text = textOf('    a: { weight: 0.1, scoring: { floor: 0.99 } }\n', {
      base: 'layers: { semantic: true }\n  scoring: { formula: 0.5 * sim }\n',
    });
    const findings = lintManifests({ manifests: [manifestOf(text)] }, { countTokens });
    expect(findings.map(({ code, line, message }) => [code, line, message.slice(0, 12)])).toEqual([
      [expect.any(String), 8, 'Variant `a`:'],
    ]);
  });

  it('takes overrides for all of its variants, weights too', () => {
    writeFileSync(join(folder, 'o.yaml'), textOf(TWO));
    const overrides = toOverrides({ 'scoring.floor': 0.2, 'variants.wide.weight': 0.7 });
    const { manifests } = loadManifests({ paths: [join(folder, 'o.yaml')], overrides });
    expect(manifests[0]?.variants.map(({ weight }) => weight)).toEqual([0.2, 0.7]);
    for (const { manifest } of manifests[0]?.variants ?? [])
      expect(manifest.layers.find(({ name }) => name === 'semantic')?.scoring.floor).toBe(0.2);
    expect(() => assertOverridesTaken(overrides, manifests)).not.toThrow();
    expect(() =>
      assertOverridesTaken(toOverrides({ 'variants.other.weight': 0.5 }), manifests),
    ).toThrow('variants.other.weight');
  });

  it('guards the types of block that an instructing layer of a variant reads', () => {
    const policy = createPolicy([
      manifestOf(
        textOf('    a: { weight: 0.1, layers: { project: { block_types: [house_rule] } } }\n', {
          base: 'layers: { project: {} }\n',
        }),
      ),
    ]);
    expect(policy.isInstruction({ block_type: 'house_rule', role: null })).toBe(true);
  });
});
