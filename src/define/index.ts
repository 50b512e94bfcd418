/**
 * Manifests and collections in code, for those who want TypeScript and their own schemas: each
 * definition prints the YAML that it stands for. The command line reads that YAML alone, so that
 * `validate`, `lock`, `plan` and `generate` see both alike, and never run a project's code.
 *
 * @module contextengine/define
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printManifest } from '../manifest/print.ts';
import type {
  RawCollection,
  RawContextDomain,
  RawInput,
  RawProperty,
  RawSpec,
} from '../manifest/wire-manifest.ts';
import {
  type JsonSchemaObject,
  type Property,
  propertiesOf,
  type SchemaInCode,
  unfit,
} from './json-schema.ts';

export type {
  CollectionRegister,
  ProfileChange,
  ProfileValues,
} from '../model/collection-register.ts';
export type { JsonSchemaObject, SchemaInCode } from './json-schema.ts';

/** A manifest or collection in code, and the YAML that it stands for. */
export interface Definition {
  readonly name: string;
  readonly kind: 'ContextDomain' | 'Collection';
  /** As `contextengine fmt` writes it. */
  readonly yaml: string;
}

export type ManifestDefinition = Pick<RawContextDomain, 'metadata'> & {
  /** Default `contextengine.app/v1`. */
  readonly apiVersion?: string;
  readonly spec: Omit<RawSpec, 'inputs'> & {
    /** As YAML has them, or the schema of an object. */
    readonly inputs?: RawSpec['inputs'] | SchemaInCode;
  };
};

/**
 * A manifest of kind `ContextDomain`. Throws `CONFIG.INVALID_VALUE` for inputs that no manifest
 * has; all else is judged by `validate`, as of any YAML.
 */
export function defineManifest(definition: ManifestDefinition): Definition {
  const { apiVersion = GROUP, metadata, spec } = definition;
  const { inputs, ...rest } = spec;
  const isSchema = inputs !== undefined && '~standard' in inputs;
  const given = isSchema ? inputsOf(inputs as SchemaInCode) : inputs;
  const document = {
    apiVersion,
    kind: 'ContextDomain',
    metadata,
    spec: { ...rest, ...(given && { inputs: given }) },
  };
  return printed(metadata.name, 'ContextDomain', document);
}

export interface CollectionDefinition {
  readonly name: string;
  readonly version: string | number;
  readonly description?: string;
  /** Default `contextengine.app/v1`. */
  readonly apiVersion?: string;
  /** Of an object: a schema in code, or its JSON Schema. */
  readonly schema: SchemaInCode | JsonSchemaObject;
  /** Lists whose entries are values of their own (`cardinality: many`), each with its own time. */
  readonly many?: readonly string[];
  /** What a schema does not say, by property: sentences for capture, other words for values. */
  readonly capture?: Readonly<Record<string, Pick<RawProperty, 'patterns' | 'words'>>>;
}

/** A collection. Throws `CONFIG.INVALID_VALUE` for a property that no collection has. */
export function defineCollection(definition: CollectionDefinition): Definition {
  const { name, version, description, apiVersion = GROUP, many = [], capture = {} } = definition;
  const given = propertiesOf(definition.schema, name);
  for (const asked of [...many, ...Object.keys(capture)])
    if (!given.some((property) => property.name === asked))
      throw unfit(`${name}.${asked}`, 'is not in the schema', 'Name a property of the schema.');
  const properties = given.map((property): readonly [string, RawProperty] => [
    property.name,
    {
      ...collectionType(property, { name, isMany: many.includes(property.name) }),
      ...(property.description !== undefined && { description: property.description }),
      ...capture[property.name],
    },
  ]);
  const document: RawCollection = {
    apiVersion,
    kind: 'Collection',
    metadata: { name, version, ...(description !== undefined && { description }) },
    spec: { properties: Object.fromEntries(properties) },
  };
  return printed(name, 'Collection', document);
}

const GROUP = 'contextengine.app/v1';

function collectionType(
  { name: property, type, options, entry }: Property,
  { name, isMany }: { readonly name: string; readonly isMany: boolean },
): Pick<RawProperty, 'type' | 'options' | 'cardinality'> {
  const what = `${name}.${property}`;
  const one = (of: Pick<Property, 'type' | 'options'>): Pick<RawProperty, 'type' | 'options'> => {
    if (of.type === 'number' || of.type === 'list')
      throw unfit(
        what,
        `is a ${of.type === 'number' ? 'number with fractions' : 'list of lists'}`,
        'Take an integer (`z.int()`), or a text.',
      );
    return of.type === 'option' ? { type: of.type, options: of.options } : { type: of.type };
  };
  if (isMany && entry === null)
    throw unfit(what, 'is no list', 'Leave it out of `many`, or make it a list.');
  if (entry === null) return one({ type, options });
  // A list of texts can be one value; a list of anything else is many values.
  if (!isMany && entry.type === 'text') return { type: 'array' };
  return { ...one(entry), cardinality: 'many' };
}

function inputsOf(schema: SchemaInCode): Readonly<Record<string, RawInput>> {
  const inputs = propertiesOf(schema, 'inputs').map((input): readonly [string, RawInput] => {
    const { name, type, isRequired, description, default: value } = input;
    if (type === 'list')
      throw unfit(`inputs.${name}`, 'is a list', 'An input is a text, a number or a boolean.');
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    return [
      name,
      {
        ...(isRequired && !isPlain && { required: true }),
        ...(isPlain && { default: value as string | number | boolean }),
        ...(description !== undefined && { description }),
      },
    ];
  });
  return Object.fromEntries(inputs);
}

const printed = (name: string, kind: Definition['kind'], document: object): Definition => ({
  name,
  kind,
  yaml: printManifest(document, `${name}.yaml`),
});

export interface WrittenManifests {
  /** Files that were not as the definitions say. */
  readonly changed: readonly string[];
}

/**
 * Writes `NAME.yaml` for each definition into a folder, collections into `collections/`. With
 * `isCheck` nothing is written: a continuous integration asks whether `changed` is empty.
 */
export function writeManifests(
  folder: string,
  definitions: readonly Definition[],
  { isCheck = false }: { readonly isCheck?: boolean } = {},
): WrittenManifests {
  const files = definitions.map(({ name, kind, yaml }) => {
    if (!/^[A-Za-z][\w.-]*$/.test(name))
      throw unfit(
        name,
        'is no name of a file',
        'Begin with a letter; then letters, digits, `_.-`.',
      );
    const within = kind === 'Collection' ? join(folder, 'collections') : folder;
    return { within, path: join(within, `${name}.yaml`), text: `${HEAD}${yaml}` };
  });
  const twice = files.find(({ path }, at) => files.findIndex((one) => one.path === path) !== at);
  if (twice) throw unfit(twice.path, 'is defined twice', 'Give one of them another name.');
  const changed = files.filter(({ path, text }) => readText(path) !== text);
  for (const { within, path, text } of isCheck ? [] : changed) {
    mkdirSync(within, { recursive: true });
    writeFileSync(path, text);
  }
  return { changed: changed.map(({ path }) => path) };
}

const HEAD = '# Written by code (contextengine/define); do not edit.\n';

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return null; // it is written, or named as changed
  }
}
