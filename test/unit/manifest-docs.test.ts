/**
 * manifests/README.md is what the schema generates, says every field, and its examples are sound
 * manifests in the layout of `fmt`.
 */
import { describe, expect, it } from 'vitest';
import { manifestDocs } from '../../scripts/generate-manifest-docs.mjs';
import { EXAMPLES } from '../../scripts/manifest-examples.mjs';
import * as codeTable from '../../src/codes/code-table.ts';
import * as layers from '../../src/layers/index.ts';
import * as defaults from '../../src/manifest/defaults.ts';
import { formatManifest } from '../../src/manifest/format.ts';
import * as formulaPresets from '../../src/manifest/formula-presets.ts';
import { parseCollection, parseManifest } from '../../src/manifest/parse.ts';
import * as schema from '../../src/manifest/schema.ts';
import * as intent from '../../src/model/intent.ts';
import * as signal from '../../src/model/signals/index.ts';
import { readRepositoryFile } from '../support/source-files.ts';

const page = () => readRepositoryFile('manifests/README.md').text;

/** Names of all fields below a schema; a field may itself be named `properties`. */
function fieldsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'properties'
      ? [...Object.keys(inner), ...Object.values(inner).flatMap(fieldsOf)]
      : fieldsOf(inner),
  );
}

describe('manifests/README.md', () => {
  it('is what the schema generates', () => {
    const written = manifestDocs({
      schema,
      defaults,
      codeTable,
      formulaPresets,
      intent,
      layers,
      signal,
    });
    expect(
      page() === written,
      'manifests/README.md is stale: run `node scripts/generate-manifest-docs.mjs`',
    ).toBe(true);
  });

  it('names every field of the schema', () => {
    const fields = [...new Set(fieldsOf(schema.manifestSchema))];
    expect(fields.length).toBeGreaterThan(80);
    expect(
      fields.filter((name) => !new RegExp(`(\`|\\.|### )${name}(\`|\n)`).test(page())),
    ).toEqual([]);
  });

  const HEAD =
    'apiVersion: contextengine/v1\nkind: ContextDomain\nmetadata: { name: a, version: 1, scope_block_type: a }\n';
  it.each(Object.keys(EXAMPLES))('has a sound example of %s, formatted', (name) => {
    const example = `${EXAMPLES[name]?.trim()}\n`;
    expect(page()).toContain(`\`\`\`yaml\n${example}\`\`\``);
    const text = example.startsWith('spec:') ? `${HEAD}${example}` : example;
    const { findings } = text.includes('kind: Collection')
      ? parseCollection(text, { path: name })
      : parseManifest(text, { path: name });
    expect(findings.filter(({ code }) => code !== 'FEATURE.INERT')).toEqual([]);
    expect(formatManifest(text, name)).toEqual({ text });
  });

  it('has an example of every section of spec', () => {
    const sections = [...page().matchAll(/^### (\w+)$/gm)].map((match) => match[1] ?? '');
    expect(sections.length).toBeGreaterThan(12);
    expect(sections.filter((name) => !Object.hasOwn(EXAMPLES, name))).toEqual([]);
  });
});
