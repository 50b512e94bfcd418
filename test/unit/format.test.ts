import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatManifest } from '../../src/manifest/format.ts';
import { commentsOf } from '../../src/manifest/format-layout.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { ROOT, readRepositoryFile, repositoryPaths } from '../support/source-files.ts';

const HEAD =
  'apiVersion: contextengine/v1\nkind: ContextDomain\nmetadata: { name: a, version: 1, scope_block_type: a }\n';

function format(text: string): string {
  const result = formatManifest(text, 'm.yaml');
  if ('findings' in result)
    return result.findings.map(({ code, line, column }) => `${code} ${line}:${column}`).join('\n');
  return result.text;
}
/** Formats what stands below the head. */
const spec = (text: string): string =>
  format(`${HEAD}spec:\n${text}`).slice(`${HEAD}spec:\n`.length);

describe('a formatted manifest', () => {
  it('has its keys in the order of the schema, and layers, inputs and intents in their own', () => {
    expect(
      format(
        'spec: {}\nmetadata: { scope_block_type: a, name: a, x-owner: me, version: 1 }\nkind: ContextDomain\napiVersion: contextengine/v1\n',
      ),
    ).toBe(`${HEAD.replace(' }', ', x-owner: me }')}spec: {}\n`);
    expect(
      spec(
        '  budget: { reserve: { safety: 1, query: 2 }, total_tokens: 9 }\n  intents: { b: { layers: [] }, a: { layers: [] } }\n  layers:\n    semantic: { scoring: {}, top_k: 5, kind: semantic }\n    recent: {}\n  model: gpt-4o\n',
      ),
    ).toBe(
      '  model: gpt-4o\n  layers:\n    semantic: { kind: semantic, top_k: 5, scoring: {} }\n    recent: {}\n  intents: { b: { layers: [] }, a: { layers: [] } }\n  budget: { total_tokens: 9, reserve: { query: 2, safety: 1 } }\n',
    );
  });

  it('moves comments with their keys', () => {
    expect(
      spec(
        '  # of the budget\n  budget: {} # behind it\n\n  # of the model\n  # in two lines\n  model: gpt-4o # behind that\n  # at the end\n',
      ),
    ).toBe(
      '  # of the model\n  # in two lines\n  model: gpt-4o # behind that\n  # of the budget\n  budget: {} # behind it\n  # at the end\n',
    );
  });

  it('keeps the first comment of the file in front', () => {
    const text = `# yaml-language-server: $schema=x.json\n# About this file.\nspec: {}\n${HEAD}`;
    expect(format(text)).toBe(
      `# yaml-language-server: $schema=x.json\n# About this file.\n${HEAD}spec: {}\n`,
    );
  });

  it('keeps single blank lines and drops the others', () => {
    expect(spec('  model: gpt-4o\n\n\n\n  layers: {}\n\n  cache: {}\n\n\n')).toBe(
      '  model: gpt-4o\n\n  layers: {}\n\n  cache: {}\n',
    );
  });

  it('indents by two, and pads braces and not brackets', () => {
    expect(
      spec(
        '        layers:\n            recent:   {limit:   3}\n            summary: { kinds: [ rolling,lineage ] }\n',
      ),
    ).toBe('  layers:\n    recent: { limit: 3 }\n    summary: { kinds: [rolling, lineage] }\n');
  });

  it('unfolds what does not fit on a line, from the outside in', () => {
    const names = Array.from({ length: 30 }, (_, index) => `category_${index}`);
    const text = `"${'word '.repeat(60)}end"`;
    expect(
      spec(`  layers: { open_set: { categories: [${names.join(', ')}] }, recent: { limit: 3 } }\n`),
    ).toBe(
      `  layers:\n    open_set:\n      categories:\n${names.map((name) => `        - ${name}\n`).join('')}    recent: { limit: 3 }\n`,
    );
    expect(spec(`  layers: { task: { text: ${text} } }\n`)).toBe(
      `  layers:\n    task:\n      text: ${text}\n`,
    );
    expect(spec('  layers: {\n    recent: { limit: 3 },\n    task: {} }\n')).toBe(
      '  layers: { recent: { limit: 3 }, task: {} }\n',
    );
    expect(spec('  layers: {\n    recent: {}, # the last\n    task: {} }\n')).toBe(
      '  layers:\n    recent: {} # the last\n    task: {}\n',
    );
  });

  it('puts comments of neighbouring lines in one column, where the line has room', () => {
    expect(
      spec(
        '  model: gpt-4o # a\n  cache: { ttl_seconds: 3 }   # b\n  bypass: []\n  x-a: 1      # c\n',
      ),
    ).toBe(
      '  model: gpt-4o             # a\n  cache: { ttl_seconds: 3 } # b\n  bypass: []\n  x-a: 1 # c\n',
    );
    const long = `# ${'c'.repeat(120)}`;
    expect(spec(`  model: gpt-4o ${long}\n  cache: { ttl_seconds: 3 } # b\n`)).toBe(
      `  model: gpt-4o ${long}\n  cache: { ttl_seconds: 3 } # b\n`,
    );
  });

  it('writes line feeds and no byte order mark', () => {
    expect(format(`\uFEFF${HEAD}spec: {}\n`.replaceAll('\n', '\r\n'))).toBe(`${HEAD}spec: {}\n`);
  });

  it('keeps how numbers and texts are spelled', () => {
    const text =
      '  x-a: [1.10, 0x1F, 1e3, 0.50, +1, ~, null, True, "1", \'b\', "\\u263a"]\n  x-b: |\n    one [ two ] # three\n      four\n  x-c: >-\n    folded\n    text\n';
    expect(spec(text)).toBe(
      text.replace('folded\n    text', 'folded text').replace('\\u263a', '☺'),
    );
  });

  it('leaves the order of a document with aliases', () => {
    const text =
      '  layers: { open_set: &a { top_k: 3 }, facts: { kind: open_set, top_k: 4 } }\n  model: gpt-4o\n  x-same: *a\n';
    expect(spec(text)).toBe(text);
  });

  it('formats each document of a file', () => {
    expect(
      format(`${HEAD}spec:   {}\n---\n# second\nkind: Collection\napiVersion: contextengine/v1\n`),
    ).toBe(`${HEAD}spec: {}\n---\n# second\napiVersion: contextengine/v1\nkind: Collection\n`);
  });

  it('is refused with the place where it is no YAML, stands twice or is no manifest', () => {
    expect(format(`${HEAD}spec: [\n`)).toMatch(/^MANIFEST\.SYNTAX \d:\d/);
    expect(format(`${HEAD}spec: {}\nspec: {}\n`)).toBe('MANIFEST.DUPLICATE 5:1');
    expect(format('services: {}\n')).toBe('MANIFEST.MISSING 1:1');
    expect(format('')).toBe('MANIFEST.MISSING 1:1');
  });

  it('is what ships', () => {
    const paths = repositoryPaths().filter(
      (path) => path.startsWith('manifests/') && path.endsWith('.yaml'),
    );
    expect(paths.length).toBeGreaterThanOrEqual(6);
    expect(
      paths.filter(
        (path) => format(readRepositoryFile(path).text) !== readRepositoryFile(path).text,
      ),
    ).toEqual([]);
  });

  const shipped = loadManifests({ paths: [join(ROOT, 'manifests')] }).manifests.map(({ path }) =>
    path.slice(ROOT.length + 1),
  );
  it.each([...shipped, 'test/support/fixtures/seed-chat-session.yaml'])(
    'means what %s means, with all its comments',
    (path) => {
      const before = readRepositoryFile(path).text;
      const after = format(before);
      const meaning = (text: string) => {
        const { manifest } = parseManifest(text, { path, readFile: () => 'Rules.\n' });
        const {
          digest: _,
          source: __,
          warnings: ___,
          ...rest
        } = manifest ?? { digest: '', source: '', warnings: [] };
        return JSON.stringify(rest);
      };
      expect(meaning(after)).toBe(meaning(before));
      expect([...commentsOf(after)].sort()).toEqual([...commentsOf(before)].sort());
      expect(format(after)).toBe(after);
    },
  );
});
