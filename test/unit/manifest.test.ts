import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANDED_KINDS } from '../../src/layers/index.ts';
import { parseCollection, parseManifest } from '../../src/manifest/parse.ts';
import { placeholdersOf } from '../../src/manifest/placeholders.ts';
import type { Manifest } from '../../src/model/manifest.ts';

const FIXTURE = join(import.meta.dirname, '../support/fixtures/seed-chat-session.yaml');

function manifest(spec: string, files: Readonly<Record<string, string>> = {}): Manifest {
  const text = `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: thread }\nspec:\n  ${spec}\n`;
  const parsed = parseManifest(text, { path: 'm.yaml', readFile: (path) => files[path] });
  if (!parsed.manifest) throw new Error(JSON.stringify(parsed.findings));
  return parsed.manifest;
}
const names = (of: Manifest): string[] => of.layers.map((layer) => layer.name);

describe('the manifest of the first design', () => {
  const { manifest: seed, findings } = parseManifest(readFileSync(FIXTURE, 'utf8'), {
    path: 'seed.yaml',
  });

  it('validates byte for byte, with warnings for what has not landed', () => {
    expect(findings.map((finding) => `${finding.severity} ${finding.code}`)).toEqual([
      'warning MANIFEST.NO_VERSION',
      'warning MANIFEST.UNKNOWN_COLLECTION',
      'warning FEATURE.INERT',
      'warning FEATURE.INERT',
      'warning FEATURE.INERT',
    ]);
    expect(seed?.warnings).toEqual(findings);
  });

  it('means what it says', () => {
    expect(seed).toMatchObject({
      name: 'chat-session',
      version: '0',
      scopeBlockType: 'chat_session',
      budget: { totalTokens: 4000 },
    });
    expect(seed?.permission).toMatchObject({
      reads: 'T1',
      writes: 'T2',
      cross_scope: 'T3',
      deletes: 'T1',
    });
    const byName = new Map(seed?.layers.map((layer) => [layer.name, layer]));
    expect([...byName.keys()]).toEqual([
      'system',
      'pinned',
      'schema_typed',
      'summary',
      'recent',
      'open_set',
      'semantic',
    ]);
    expect(byName.get('recent')).toMatchObject({ limit: 12, minTokens: 800 });
    expect(byName.get('schema_typed')).toMatchObject({
      collection: 'chat_user_profile',
      minTokens: 400,
    });
    expect(byName.get('open_set')?.topK).toBe(8);
    expect(byName.get('semantic')).toMatchObject({
      topK: 5,
      overfetch: 3,
      scoring: { preset: 'custom', beta: 1.5, floor: 0 },
    });
    expect(byName.get('semantic')?.scoring.formula.text).toBe(
      'sim * pow(R, lambda) * (1 + beta * U)',
    );
    expect(byName.get('system')?.text).toMatch(/data/);
  });
});

describe('layers', () => {
  it('system and pinned are on by themselves, everything else is off', () => {
    expect(names(manifest('{}'))).toEqual(['system', 'pinned']);
    expect(names(manifest('layers: { system: { enabled: false }, pinned: false }'))).toEqual([]);
    expect(names(manifest('layers: { recent: , summary: true, task: {}, index: false }'))).toEqual([
      'system',
      'pinned',
      'task',
      'summary',
      'recent',
    ]);
  });

  it('every landed kind can be named', () => {
    expect(
      names(manifest(`layers: { ${LANDED_KINDS.map((kind) => `${kind}: {}`).join(', ')} }`)).sort(),
    ).toEqual([...LANDED_KINDS].sort());
  });

  it('one kind can serve twice, under another name', () => {
    const two = manifest(
      'layers: { semantic: { block_types: [note] }, decisions: { kind: semantic, block_types: [decision], rank: 2 } }',
    );
    expect(
      two.layers
        .filter((layer) => layer.kind === 'semantic')
        .map(({ name, rank, blockTypes }) => [name, rank, blockTypes]),
    ).toEqual([
      ['semantic', 5, ['note']],
      ['decisions', 2, ['decision']],
    ]);
  });

  it('a system layer of another name takes the place of the built-in one', () => {
    expect(names(manifest('layers: { voice: { kind: system, text: Be brief. } }'))).toEqual([
      'voice',
      'pinned',
    ]);
  });

  it('stand as written where the manifest asks for it', () => {
    expect(
      names(
        manifest('layers: { recent: {}, system: {}, pinned: {} }\n  render: { order: as_written }'),
      ),
    ).toEqual(['recent', 'system', 'pinned']);
  });

  it('scoring of a layer overrides that of the manifest', () => {
    const layers = manifest(
      'layers: { semantic: { scoring: { preset: archival, floor: 0.3 } }, open_set: {} }\n  scoring: { beta: 2, fusion: { dense: 0.25 } }',
    ).layers;
    const [semantic, openSet] = ['semantic', 'open_set'].map(
      (name) => layers.find((layer) => layer.name === name)?.scoring,
    );
    expect(semantic).toMatchObject({
      preset: 'archival',
      beta: 2,
      floor: 0.3,
      fusion: { dense: 0.25, lexical: 0.75 },
    });
    expect(openSet).toMatchObject({ preset: 'governed', beta: 2, floor: 0 });
  });

  it('read their file with line feeds, and its digest', () => {
    const core = manifest('layers: { core: { file: ./core.md } }', {
      './core.md': '\uFEFFa\r\nb\r\n',
    }).layers.find((layer) => layer.name === 'core');
    expect(core?.file).toMatchObject({
      path: './core.md',
      content: 'a\nb\n',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('budget', () => {
  it.each([
    ['window_4k', 2300, 4096],
    ['window_8k', 5000, 8192],
    ['window_128k', 16_000, 29_000],
  ])('%s gives the blocks %d tokens of %d', (model, total, sum) => {
    const { budget } = manifest(`model: ${model}`);
    expect(budget.totalTokens).toBe(total);
    expect(total + budget.reserve.query + budget.reserve.response + budget.reserve.safety).toBe(
      sum,
    );
  });

  it('the smaller of two maximums holds', () => {
    const layers = manifest(
      'layers: { recent: { max_tokens: 900 }, semantic: { max_tokens: 100 } }\n  budget: { max_per_layer: { recent: 500, semantic: 700 } }',
    ).layers;
    expect(
      layers
        .filter((layer) => layer.maxTokens !== null)
        .map((layer) => [layer.name, layer.maxTokens]),
    ).toEqual([
      ['recent', 500],
      ['semantic', 100],
    ]);
  });
});

describe('intents', () => {
  const spec =
    'layers: { recent: {}, summary: {}, schema_typed: {}, open_set: {}, semantic: {}, task: false }';
  const fired = (of: Manifest, intent: string): string[] =>
    [...(of.intents[intent]?.layers ?? [])].sort();

  it('built-in ones pick by kind', () => {
    expect(fired(manifest(spec), 'recall_decision')).toEqual([
      'pinned',
      'schema_typed',
      'summary',
      'system',
    ]);
    expect(fired(manifest(spec), 'creative')).toEqual(['open_set', 'recent', 'semantic', 'system']);
    expect(fired(manifest(spec), 'follow_up')).toEqual([
      'open_set',
      'pinned',
      'recent',
      'schema_typed',
      'semantic',
      'summary',
      'system',
    ]);
  });

  it('can be changed and added; system always fires; a layer that is off never does', () => {
    const own = manifest(
      `${spec}\n  intents: { follow_up: { layers: [recent, task] }, recall_decision: { layers: [+semantic, -pinned] }, refund: { layers: [-semantic, -recent] }, none: { layers: [] } }`,
    );
    expect(fired(own, 'follow_up')).toEqual(['recent', 'system']);
    expect(fired(own, 'recall_decision')).toEqual([
      'schema_typed',
      'semantic',
      'summary',
      'system',
    ]);
    expect(fired(own, 'refund')).toEqual([
      'open_set',
      'pinned',
      'schema_typed',
      'summary',
      'system',
    ]);
    expect(fired(own, 'none')).toEqual(['system']);
  });

  it('take their weight of forgetting from themselves, their name, their class', () => {
    const own = manifest(
      `${spec}\n  intents: { compare: { lambda: 3 }, creative: { lambda: fact }, mine: { layers: [], floor: 0.2 } }\n  scoring: { lambda_by_intent: { fact: 0.1, new_topic: 2 } }`,
    );
    const lambdas = Object.fromEntries(
      Object.values(own.intents).map(({ name, lambda }) => [name, lambda]),
    );
    expect(lambdas).toMatchObject({
      compare: 3,
      creative: 0.1,
      fact: 0.1,
      recall_decision: 0.1,
      new_topic: 2,
      follow_up: 0.5,
      reasoning: 1,
      mine: 0.5,
    });
    expect(own.intents['mine']?.floor).toBe(0.2);
    expect(own.intents['constructor']).toBeUndefined();
  });
});

describe('texts', () => {
  it('placeholdersOf finds names with their places', () => {
    expect(placeholdersOf('a {{x}} {{ scope.title }} {{}} {y} {{open')).toEqual([
      { name: 'x', offset: 2 },
      { name: 'scope.title', offset: 8 },
      { name: '', offset: 26 },
    ]);
  });

  it('may use inputs and the built-in names', () => {
    const { inputs } = manifest(
      'layers: { task: { text: "{{product}} {{now}} {{query}} {{scope.title}}" } }\n  inputs: { product: { required: true }, tier: { default: 3 } }',
    );
    expect(inputs).toMatchObject({
      product: { isRequired: true, default: null },
      tier: { isRequired: false, default: '3' },
    });
  });
});

describe('YAML', () => {
  const text = readFileSync(FIXTURE, 'utf8');
  it('a byte order mark and carriage returns change nothing', () => {
    const plain = parseManifest(text, { path: 'm.yaml' });
    const other = parseManifest(`\uFEFF${text.replace(/\n/g, '\r\n')}`, { path: 'm.yaml' });
    expect(other.manifest?.digest).toBe(plain.manifest?.digest);
    expect(other.findings).toEqual(plain.findings);
  });

  it('anchors repeat values; a bomb of them is refused at once', () => {
    expect(
      manifest('x-list: &l [note]\n  layers: { semantic: { block_types: *l } }').layers.find(
        (layer) => layer.name === 'semantic',
      )?.blockTypes,
    ).toEqual(['note']);
    const bomb = [
      'x-a: &a [1]',
      ...'bcdefghijklmnop'
        .split('')
        .map(
          (name, index) =>
            `x-${name}: &${name} [${Array(9).fill(`*${'abcdefghijklmno'[index]}`).join(', ')}]`,
        ),
    ].join('\n  ');
    const { findings } = parseManifest(
      `apiVersion: contextengine/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: t }\nspec:\n  ${bomb}\n`,
      { path: 'm.yaml' },
    );
    expect(findings[0]).toMatchObject({
      code: 'MANIFEST.SYNTAX',
      message: expect.stringContaining('aliases'),
    });
  });

  it('is YAML 1.2, whatever a directive says', () => {
    const { findings } = parseManifest(
      '%YAML 1.1\n---\napiVersion: contextengine/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: t }\nspec: { render: { datamark: yes } }\n',
      { path: 'm.yaml' },
    );
    expect(findings.map((finding) => finding.code)).toContain('MANIFEST.WRONG_TYPE');
  });

  it.each([
    '[',
    '{a: ',
    '- ',
    '? ',
    '&a ',
    '*a ',
    '!a ',
    'a: "\n',
    '"',
    'k: 1\n',
    '\n',
    '\u0000',
    '---\n',
    '[,',
    ' ',
  ])('5 MB of %j are refused', (unit) => {
    const { findings } = parseManifest(unit.repeat(Math.ceil(5_000_000 / unit.length)), {
      path: 'm.yaml',
    });
    expect(findings[0]).toMatchObject({ code: 'MANIFEST.SYNTAX', line: 1 });
  });
  it.each(['[', '{a: ', '- ', '? '])(
    'the longest allowed run of %j is refused, not fatal',
    (unit) => {
      const { findings } = parseManifest(unit.repeat(Math.floor(131_072 / unit.length)), {
        path: 'm.yaml',
      });
      expect(findings[0]?.code).toBe('MANIFEST.SYNTAX');
    },
  );
});

describe('collections', () => {
  const parse = (properties: string) =>
    parseCollection(
      `apiVersion: contextengine.test/v1\nkind: Collection\nmetadata: { name: people, version: 2 }\nspec:\n  properties: ${properties}\n`,
      { path: 'c.yaml' },
    );
  it('declare typed properties', () => {
    const { collection, findings } = parse(
      '{ language: { type: option, options: [en, de] }, works_on: { type: text, cardinality: many } }',
    );
    expect(findings).toEqual([]);
    expect(collection).toMatchObject({
      name: 'people',
      version: '2',
      properties: {
        language: { type: 'option', options: ['en', 'de'], cardinality: 'one' },
        works_on: { cardinality: 'many' },
      },
    });
  });
  it.each([
    ['{ a: { type: option } }', 'MANIFEST.MISSING'],
    ['{ a: { type: text, options: [b] } }', 'MANIFEST.INVALID_VALUE'],
    ['{ a: { type: number } }', 'MANIFEST.INVALID_VALUE'],
    ['{ a: {} }', 'MANIFEST.MISSING'],
    ['{ A: { type: text } }', 'MANIFEST.INVALID_VALUE'],
    ['{}', 'MANIFEST.INVALID_VALUE'],
    ['[a]', 'MANIFEST.WRONG_TYPE'],
    ['{ a: { type: text, unit: kg } }', 'MANIFEST.UNKNOWN_KEY'],
  ])('%s is refused: %s', (properties, code) => {
    const { collection, findings } = parse(properties);
    expect(collection).toBeNull();
    expect(findings.map((finding) => finding.code)).toEqual([code]);
  });
});
