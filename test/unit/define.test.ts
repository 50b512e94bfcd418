/** Manifests and collections in code: what they print is what a person would have written. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineCollection,
  defineManifest,
  type SchemaInCode,
  writeManifests,
} from '../../src/define/index.ts';
import { declarationsOf } from '../../src/manifest/declarations.ts';
import { formatManifest } from '../../src/manifest/format.ts';
import { loadManifests } from '../../src/manifest/load.ts';

const CUSTOMER = z.object({
  plan: z.enum(['free', 'pro']).describe('What they pay for.'),
  tone: z.union([z.literal('kind'), z.literal('dry')]),
  seats: z.int().nullable(),
  since: z.iso.date().optional(),
  seen_at: z.iso.datetime(),
  is_paying: z.boolean(),
  note: z.string().nullable().optional(),
  tags: z.array(z.string()),
  contacts: z.array(z.string()),
  visits: z.array(z.iso.date()),
});

const customer = () =>
  defineCollection({
    name: 'customer',
    version: 2,
    description: 'Who buys.',
    schema: CUSTOMER,
    many: ['contacts'],
    capture: { plan: { patterns: ['i am on the {value} plan'], words: { paid: 'pro' } } },
  });

const desk = () =>
  defineManifest({
    metadata: { name: 'support-desk', version: '1.10', scope_block_type: 'ticket' },
    spec: {
      model: 'gpt-4o',
      layers: {
        task: { text: 'Help with {{product}} in {{tone}} words, {{count}}.' },
        recent: { limit: 8 },
        customer: { kind: 'schema_typed', collection: 'customer' },
      },
      intents: { refund: { layers: ['recent', 'customer'], lambda: 'fact' } },
      inputs: z.object({
        product: z.string().describe('What they ask of.'),
        tone: z.enum(['kind', 'dry']).default('kind'),
        count: z.number().optional(),
      }),
    },
  });

const reasonOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

it('prints the YAML of a collection, types and all', () => {
  expect(customer().yaml).toBe(`apiVersion: contextengine.app/v1
kind: Collection
metadata:
  name: customer
  version: 2
  description: Who buys.
spec:
  properties:
    plan:
      type: option
      options:
        - free
        - pro
      description: What they pay for.
      patterns:
        - i am on the {value} plan
      words:
        paid: pro
    tone:
      type: option
      options:
        - kind
        - dry
    seats:
      type: int
    since:
      type: date
    seen_at:
      type: date
    is_paying:
      type: bool
    note:
      type: text
    tags:
      type: array
    contacts:
      type: text
      cardinality: many
    visits:
      type: date
      cardinality: many
`);
});

it('is loaded, checked and typed as YAML is, and formatted as fmt writes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'define-'));
  try {
    const written = writeManifests(folder, [customer(), desk()]);
    expect(written.changed).toEqual([
      join(folder, 'collections/customer.yaml'),
      join(folder, 'support-desk.yaml'),
    ]);
    const set = loadManifests({ paths: [folder] });
    expect(set.findings).toEqual([]);
    const [manifest] = set.manifests;
    expect(manifest).toMatchObject({ name: 'support-desk', version: '1.10' });
    expect(manifest?.inputs).toMatchObject({
      product: { isRequired: true, description: 'What they ask of.' },
      tone: { isRequired: false, default: 'kind' },
      count: { isRequired: false },
    });
    const types = declarationsOf(set);
    expect(types).toContain("plan: 'free' | 'pro';");
    expect(types).toContain('visits: readonly string[];');
    for (const path of written.changed) {
      const text = readFileSync(path, 'utf8');
      expect(formatManifest(text, path)).toEqual({ text });
    }
    expect(writeManifests(folder, [customer(), desk()]).changed).toEqual([]);
    const other = defineCollection({ name: 'customer', version: 3, schema: CUSTOMER });
    expect(writeManifests(folder, [other], { isCheck: true }).changed).toHaveLength(1);
    expect(loadManifests({ paths: [folder] }).collections['customer']?.version).toBe('2');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('takes any Standard Schema that converts itself, and plain JSON Schema', () => {
  const json = { type: 'object', properties: { a: { type: ['string', 'null'] } } };
  const standard: SchemaInCode = {
    '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => json } },
  };
  for (const schema of [json, standard, z.toJSONSchema(z.object({ a: z.string() }))])
    expect(defineCollection({ name: 'c', version: 1, schema }).yaml).toMatch(
      /a:\n\s+type: text\n$/,
    );
});

it('says what a schema has that no manifest has, and how to write it', () => {
  const of = (schema: object) => () =>
    defineCollection({ name: 'c', version: 1, schema: schema as SchemaInCode });
  const cases: readonly (readonly [() => unknown, RegExp])[] = [
    [of(z.object({ price: z.number() })), /`c\.price` is a number with fractions/],
    [of(z.object({ at: z.date() })), /JSON Schema does not have/],
    [of(z.object({ of: z.object({}) })), /`c\.of` is/],
    [of(z.object({ of: z.array(z.array(z.string())) })), /`c\.of` is/],
    [of(z.string()), /is not of an object/],
    [of({ '~standard': { version: 1, vendor: 'valibot' } }), /of `valibot` that does not convert/],
    [
      () => defineCollection({ name: 'c', version: 1, schema: CUSTOMER, many: ['tag'] }),
      /`c\.tag` is not in the schema/,
    ],
    [
      () => defineCollection({ name: 'c', version: 1, schema: CUSTOMER, many: ['note'] }),
      /`c\.note` is no list/,
    ],
    [
      () =>
        defineManifest({
          metadata: { name: 'm', scope_block_type: 's' },
          spec: { inputs: z.object({ tags: z.array(z.string()) }) },
        }),
      /`inputs\.tags` is a list/,
    ],
    [() => writeManifests('/nowhere', [{ ...customer(), name: '../x' }]), /no name of a file/],
  ];
  for (const [call, says] of cases)
    expect(reasonOf(call)).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
      message: expect.stringMatching(says),
      fix: expect.stringMatching(/.{10}/),
    });
});
