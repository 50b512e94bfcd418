import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { generateArtifacts } from '../../scripts/generate-schema.mjs';
import { LAYERS } from '../../src/layers/index.ts';
import { FORMULA_PRESETS } from '../../src/manifest/formula-presets.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { manifestSchema, shapeSchema } from '../../src/manifest/schema.ts';
import { layerDefinitions } from '../../src/manifest/schema-layer.ts';
import { scoringSchema } from '../../src/manifest/schema-scoring.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHIPPED = [
  'chat-session',
  'book-gen',
  'agent-run',
  'collections/chat-user-profile',
  'collections/book-outline',
  'collections/agent-run-state',
].map((name) => join(ROOT, 'manifests', `${name}.yaml`));

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

describe('the schema', () => {
  it.each(Object.entries(generateArtifacts({ manifestSchema, shapeSchema })))(
    '%s is what the schema generates',
    (path, text) => {
      expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
    },
  );

  it('says of no preset that has landed that it has not, and of each other that it has not', () => {
    const { description = '' } = (scoringSchema as Schema).properties?.['preset'] ?? {};
    const pending = Object.entries(FORMULA_PRESETS).flatMap(([name, { formula }]) =>
      formula === null ? [name] : [],
    );
    expect([...description.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual(pending);
    const kinds = LAYERS.map(({ name, reads }) => [
      name,
      !/not landed/.test((layerDefinitions[`layer_${name}`] as Schema).description ?? ''),
      reads !== null,
    ]);
    expect(kinds.filter(([, said, isLanded]) => said !== isLanded)).toEqual([]);
  });

  it('describes every field', () => {
    const fields: [path: string, schema: Schema][] = [];
    const visit = (schema: Schema, path: string): void => {
      const named = Object.entries({ ...schema.properties, ...schema.definitions });
      for (const [name, field] of named) visit(field, `${path}/${name}`);
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        fields.push([`${path}/${name}`, field]);
      if (typeof schema.additionalProperties === 'object')
        visit(schema.additionalProperties, `${path}/*`);
    };
    visit(manifestSchema, '');
    expect(fields.length).toBeGreaterThan(150);
    expect(
      fields
        .filter(([, field]) => field.description === undefined && field.$ref === undefined)
        .map(([path]) => path),
    ).toEqual([]);
  });

  const validate = new Ajv({ allowUnionTypes: true, keywords: ['patternErrorMessage'] }).compile(
    manifestSchema,
  );
  it.each([...SHIPPED, join(ROOT, 'test/support/fixtures/seed-chat-session.yaml')])(
    'accepts %s, as the parser does',
    (path) => {
      for (const document of parseAllDocuments(readFileSync(path, 'utf8')))
        expect(validate(document.toJS()) || validate.errors).toBe(true);
    },
  );
  it.each([
    { kind: 'ContextDomain' },
    {
      apiVersion: 'contextengine/v1',
      kind: 'ContextDomain',
      metadata: { name: 'a', scope_block_type: 'b' },
      spec: { layers: { semantic: { limit: 1 } } },
    },
  ])('refuses %j', (value) => {
    expect(validate(value)).toBe(false);
  });
});

describe('the shipped manifests', () => {
  const set = loadManifests({ paths: [join(ROOT, 'manifests')] });

  it('have no finding', () => {
    expect(set.findings).toEqual([]);
    expect(set.manifests.map((manifest) => manifest.name).sort()).toEqual([
      'agent-run',
      'book-gen',
      'chat-session',
    ]);
    expect(Object.keys(set.collections).sort()).toEqual([
      'agent_run_state',
      'book_outline',
      'chat_user_profile',
    ]);
  });

  it('differ in layers, budget, tiers, scoring and intents', () => {
    for (const facet of ['layers', 'budget', 'permission', 'intents'] as const)
      expect(new Set(set.manifests.map((manifest) => JSON.stringify(manifest[facet]))).size).toBe(
        3,
      );
    expect(
      new Set(
        set.manifests.map(
          (manifest) =>
            manifest.layers.find((layer) => layer.name === 'open_set')?.scoring.formula.text,
        ),
      ).size,
    ).toBe(3);
  });

  it('name a schema that is there, for the editor', () => {
    for (const path of SHIPPED) {
      const [, schema] =
        /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(path, 'utf8')) ?? [];
      expect(schema).toBeDefined();
      expect(existsSync(join(path, '..', schema ?? ''))).toBe(true);
    }
  });
});
