/**
 * Numbers of manifests that an operator sets from outside, to try a threshold in production and
 * take it back without a release (seed 003). A path is the manifest's own, below `spec`:
 * `scoring.floor`, `layers.semantic.top_k`; `chat-session:scoring.floor` is of one manifest. A
 * value outside the range that the schema gives is taken to its end, with a warning. The manifest's
 * bytes and digest stay as they are; the overrides enter the settings digest of every composition.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { shown } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import { MAX_TOKENS } from './budget.ts';
import type { Reporter } from './reporter.ts';
import { shapeSchema } from './schema.ts';
import type { JsonSchema } from './schema-values.ts';
import { OVERRIDDEN, type RawContextDomain } from './wire-manifest.ts';

export interface Override {
  /** null = every manifest. */
  readonly manifest: string | null;
  /** Keys below `spec`. */
  readonly path: readonly string[];
  /** Within the range of the schema. */
  readonly value: number;
  /** What was asked for, where that is out of the range. */
  readonly clampedFrom?: number;
}

/**
 * `path=number`, separated by commas, semicolons or line breaks; a later one of the same path wins.
 * Throws `CONFIG.INVALID_VALUE`.
 */
export function parseOverrides(text: string): readonly Override[] {
  const entries = text
    .split(/[,;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return toOverrides(
    Object.fromEntries(
      entries.map((entry) => {
        const [name = '', ...rest] = entry.split('=');
        const written = rest.join('=').trim();
        if (written === '' || !Number.isFinite(Number(written)))
          throw invalidOverride(
            `The override \`${shown(entry)}\` sets no number.`,
            'Write `path=number`, for example `scoring.floor=0.3`.',
          );
        return [name.trim(), Number(written)];
      }),
    ),
  );
}

/** Throws `CONFIG.INVALID_VALUE` for a path that is no number of a manifest. */
export function toOverrides(values: Readonly<Record<string, number>>): readonly Override[] {
  return Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw invalidOverride(
        `The override \`${shown(name)}\` is \`${shown(value)}\`.`,
        'Pass a finite number.',
      );
    const colon = name.indexOf(':');
    const path = name.slice(colon + 1).split('.');
    const within = clamp(value, rangeAt(path, name));
    return {
      manifest: colon < 0 ? null : name.slice(0, colon),
      path,
      value: within,
      ...(within !== value && { clampedFrom: value }),
    };
  });
}

/**
 * The document with the overrides that are its own; of a layer that it does not name there is
 * nothing to set.
 */
export function withOverrides(
  raw: RawContextDomain,
  overrides: readonly Override[],
): RawContextDomain {
  let spec: unknown = raw.spec;
  for (const { path, value } of takenBy(raw, overrides))
    spec = isOfFusion(path) ? setWeight(spec, path, value) : set(spec, path, value);
  // Cast: each value is of the type that the schema has at its path.
  return { ...raw, spec: spec as RawContextDomain['spec'] };
}

/**
 * Of each override of the document that was taken to the end of its range: a warning, which every
 * composition carries. Of several of one path the last one holds.
 */
export function reportClamped(
  raw: RawContextDomain,
  overrides: readonly Override[],
  reporter: Pick<Reporter, 'report'>,
): void {
  const byPath = new Map(takenBy(raw, overrides).map((taken) => [taken.path.join('.'), taken]));
  for (const [path, { path: keys, value, clampedFrom }] of byPath) {
    if (clampedFrom === undefined) continue;
    reporter.report({
      code: 'CONFIG.OVERRIDE_CLAMPED',
      at: ['spec', ...keys],
      message:
        `The override \`${path}\` is \`${clampedFrom}\`, which it may not be; ` +
        `\`${value}\` holds.`,
      fix: `Set \`${path}\` to a number that it may be: manifests/README.md lists the ranges.`,
    });
  }
}

/** The overrides that are of this document. */
export const takenBy = (
  raw: RawContextDomain,
  overrides: readonly Override[],
): readonly Override[] =>
  overrides.filter(({ manifest, path }) => {
    const layer = layerOf(path);
    const variant = variantOf(path);
    return (
      (manifest === null || manifest === raw.metadata.name) &&
      (layer === null || Object.hasOwn(raw.spec.layers ?? {}, layer)) &&
      (variant === null || Object.hasOwn(raw.spec.variants ?? {}, variant))
    );
  });

/**
 * Throws `CONFIG.INVALID_VALUE` for an override that no manifest takes: a threshold that is
 * believed to hold and does not is worse than none.
 */
export function assertOverridesTaken(
  overrides: readonly Override[],
  manifests: readonly Pick<Manifest, 'name' | 'layers' | 'variants'>[],
): void {
  for (const { manifest, path } of overrides) {
    const layer = layerOf(path);
    const variant = variantOf(path);
    const named = manifests.filter(({ name }) => manifest === null || manifest === name);
    const isTaken = named.some(
      ({ layers, variants }) =>
        (layer === null || layers.some(({ name }) => name === layer)) &&
        (variant === null || variants.some(({ name }) => name === variant)),
    );
    if (isTaken) continue;
    throw invalidOverride(
      'No manifest takes the override ' +
        `\`${manifest === null ? '' : `${manifest}:`}${path.join('.')}\`.`,
      `Name one of the manifests ${manifests.map(({ name }) => `\`${name}\``).join(', ')} ` +
        'and a layer or variant that it has.',
    );
  }
}

const invalidOverride = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', { message, fix, where: { field: 'overrides' } });

/** The layer that a path is about, and that a manifest must have to take it; null = about none. */
function layerOf([section, key, layer]: readonly string[]): string | null {
  if (section === 'layers') return key ?? null;
  const isPerLayer = section === 'budget' && (key === 'min_per_layer' || key === 'max_per_layer');
  return isPerLayer ? (layer ?? null) : null;
}

/**
 * The variant that a path is about, and that a manifest must have to take it; null = about none.
 */
const variantOf = ([section, name]: readonly string[]): string | null =>
  section === 'variants' ? (name ?? null) : null;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nodeOf = (value: unknown, key: string): JsonSchema | undefined => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
};

function resolved(schema: JsonSchema | undefined): JsonSchema | undefined {
  const reference = schema?.['$ref'];
  if (typeof reference !== 'string') return schema;
  return nodeOf(shapeSchema['definitions'], reference.slice('#/definitions/'.length));
}

function schemaAt(path: readonly string[], written: string): JsonSchema {
  const domain = nodeOf(shapeSchema['definitions'], 'context_domain');
  let at = nodeOf(domain?.['properties'], 'spec');
  for (const key of path) {
    const properties = at?.['properties'];
    const below = resolved(nodeOf(properties, key) ?? nodeOf(at, 'additionalProperties'));
    if (!below)
      throw invalidOverride(
        `\`${shown(written)}\` is no field of a ` +
          `manifest.${isObject(properties) ? suggest(key, Object.keys(properties)) : ''}`,
        'Write the path as the manifest has it below `spec`, for example `scoring.floor`.',
      );
    at = below;
  }
  const types = [at?.['type']].flat();
  if (!at || !(types.includes('number') || types.includes('integer')))
    throw invalidOverride(
      `\`${shown(written)}\` is no number of a manifest.`,
      'Override numbers alone, for example `scoring.floor`; anything else is a change of the ' +
        'manifest.',
    );
  return at;
}

/** Numbers of a budget are judged together, behind the schema. */
function rangeAt(path: readonly string[], written: string): JsonSchema {
  const schema = schemaAt(path, written);
  const key = path[path.lastIndexOf('budget') + 1] ?? '';
  if (!path.includes('budget') || schema['type'] !== 'integer') return schema;
  const minimum = key === 'total_tokens' || key === 'max_per_layer' ? 1 : 0;
  return { minimum, maximum: MAX_TOKENS, ...schema };
}

/** Another number that could stand at the path of an override. */
export function otherValue({ path, value }: Override): number {
  const range = rangeAt(path, path.join('.'));
  const others = [value / 2, value + 1, value - 1, value + 0.5].map((each) => clamp(each, range));
  return others.find((each) => each !== value) ?? value;
}

function clamp(value: number, { type, minimum, maximum }: JsonSchema): number {
  const least = typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY;
  const most = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY;
  const within = Math.min(most, Math.max(least, value));
  return type === 'integer' ? Math.round(within) : within;
}

/**
 * A copy with one value set; what stands in the way and is no object (`semantic: true`) becomes
 * one.
 */
function set(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const base = isObject(target) ? target : {};
  return { ...base, [key]: set(base[key], rest, value) };
}

const isOfFusion = (path: readonly string[]): boolean =>
  path.at(-2) === 'fusion' || path.at(-2) === 'document_fusion';

/** Beside what is written: the weights that nobody sets keep their proportion. */
function setWeight(spec: unknown, path: readonly string[], value: number): unknown {
  const [above, name = ''] = [path.slice(0, -1), path.at(-1)];
  let fusion: unknown = spec;
  for (const key of above) fusion = isObject(fusion) ? fusion[key] : undefined;
  const written = isObject(fusion) ? fusion : {};
  const before = (written as { [OVERRIDDEN]?: object })[OVERRIDDEN];
  return set(spec, above, { ...written, [OVERRIDDEN]: { ...before, [name]: value } });
}
