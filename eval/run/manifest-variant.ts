/**
 * Variants of one manifest: the same file with a few values changed, so that an ablation changes
 * one thing and nothing else.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ContextEngineError } from '../../src/index.ts';
import { readYaml } from '../read-yaml.ts';

/**
 * A change of the manifest: paths such as `spec.scoring.floor` to their new values; null removes.
 */
export interface Variant {
  /** Letters, digits and dashes: it becomes the manifest's version. */
  readonly label: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

interface Node {
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface BaseManifest {
  readonly path: string;
  readonly name: string;
  readonly scopeType: string;
  readonly text: string;
  /** Of its A/B variants, the one that is measured; absent = the manifest as written. */
  readonly pinned?: string;
}

/**
 * Reads the manifest that variants are made of. Of the manifest's own A/B variants every question
 * gets the one that is named, or none: a measure is of one setting. Throws `EVAL.DATA`.
 */
export async function readBaseManifest(path: string, pinned?: string): Promise<BaseManifest> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ContextEngineError('EVAL.DATA', {
      message: `\`${path}\` cannot be read.`,
      fix: 'Give the path of a manifest.',
      cause,
    });
  });
  const root: unknown = readYaml(text, path);
  const metadata = isNode(root) ? root['metadata'] : undefined;
  const name = isNode(metadata) ? metadata['name'] : undefined;
  const scopeType = isNode(metadata) ? metadata['scope_block_type'] : undefined;
  if (typeof name === 'string' && typeof scopeType === 'string')
    return { path: resolve(path), name, scopeType, ...pin(root, { path, text, pinned }) };
  throw new ContextEngineError('EVAL.DATA', {
    message: `\`${path}\` is not one manifest with \`metadata.name\` and \`metadata.scope_block_type\`.`,
    fix: 'Give a file with one ContextDomain; `contextengine validate` says what is wrong with it.',
    where: { file: path },
  });
}

interface Pinning {
  readonly path: string;
  readonly text: string;
  readonly pinned: string | undefined;
}

/**
 * The text with the pinned variant for every scope, or with none; as it is where the manifest has
 * no variants.
 */
function pin(
  root: unknown,
  { path, text, pinned }: Pinning,
): Pick<BaseManifest, 'text' | 'pinned'> {
  const spec = isNode(root) && isNode(root['spec']) ? root['spec'] : {};
  const variants = isNode(spec['variants']) ? spec['variants'] : {};
  if (pinned !== undefined) {
    const found = Object.hasOwn(variants, pinned) ? variants[pinned] : undefined;
    const names = Object.keys(variants);
    if (!isNode(found))
      throw new ContextEngineError('EVAL.DATA', {
        message: `\`${path}\` has no variant \`${pinned}\`.`,
        fix: names.length === 0 ? 'Leave `--variant` out.' : `Use ${names.join(', ')}.`,
        where: { file: path },
      });
    spec['variants'] = { [pinned]: { ...found, weight: 1 } };
    return { text: `${JSON.stringify(root, null, 2)}\n`, pinned };
  }
  if (spec['variants'] === undefined) return { text };
  delete spec['variants'];
  return { text: `${JSON.stringify(root, null, 2)}\n` };
}

/** `name@version`: how a compose call asks for the variant. */
export const referenceOf = (
  base: Pick<BaseManifest, 'name'>,
  variant: Pick<Variant, 'label'>,
): string => `${base.name}@${variant.label}`;

/** The manifest with the changes made, as JSON, which is YAML as well. */
export function variantText(base: BaseManifest, variant: Variant): string {
  const root: unknown = readYaml(base.text, base.path);
  if (!isNode(root))
    throw new ContextEngineError('EVAL.DATA', {
      message: `\`${base.path}\` is empty.`,
      fix: 'Give a manifest.',
    });
  for (const [path, value] of Object.entries({
    ...variant.changes,
    'metadata.version': variant.label,
  }))
    for (const place of placesOf(path, base.pinned)) setAt(root, place, value);
  if ('spec.budget.total_tokens' in variant.changes)
    for (const spec of specsOf(root, base.pinned)) fitMinimums(spec);
  rebaseFiles(root, dirname(base.path));
  return `${JSON.stringify(root, null, 2)}\n`;
}

/** Writes a file for each variant; gives the folder's manifests as paths for the engine. */
export async function writeVariants(
  base: BaseManifest,
  variants: readonly Variant[],
  folder: string,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    variants.map(async (variant) => {
      const path = join(folder, `${variant.label}.yaml`);
      await writeFile(path, variantText(base, variant));
      return path;
    }),
  );
}

/**
 * Sections that an A/B variant may change: a change there must be made in the pinned one as well,
 * which has the last word.
 */
const SECTIONS = ['layers', 'budget', 'scoring', 'render'];

function placesOf(path: string, pinned: string | undefined): readonly (readonly string[])[] {
  const [head = '', ...rest] = path.split('.');
  const isOfVariant = pinned !== undefined && head === 'spec' && SECTIONS.includes(rest[0] ?? '');
  return isOfVariant
    ? [
        [head, ...rest],
        [head, 'variants', pinned, ...rest],
      ]
    : [[head, ...rest]];
}

function specsOf(root: Node, pinned: string | undefined): readonly Node[] {
  const spec = isNode(root['spec']) ? root['spec'] : {};
  const variants = isNode(spec['variants']) ? spec['variants'] : {};
  const own = pinned === undefined ? undefined : variants[pinned];
  return isNode(own) ? [spec, own] : [spec];
}

/**
 * A smaller budget than the manifest's keeps its minimums in proportion: as they stand they may not
 * fit, and the manifest would be refused.
 */
function fitMinimums(spec: Node): void {
  const budget = isNode(spec['budget']) ? spec['budget'] : {};
  const { total_tokens: total, min_per_layer: minimums } = budget;
  if (typeof total !== 'number' || !isNode(minimums)) return;
  const kept = Object.entries(minimums).flatMap(([name, least]) =>
    typeof least === 'number' ? [[name, least] as const] : [],
  );
  const sum = kept.reduce((all, [, least]) => all + least, 0);
  const room = total / 2;
  if (sum > room)
    budget['min_per_layer'] = Object.fromEntries(
      kept.map(([name, least]) => [name, Math.floor((least * room) / sum)]),
    );
}

function setAt(node: Node, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === null) delete node[key];
    else node[key] = value;
    return;
  }
  const next = node[key];
  const child: Node = isNode(next) ? next : {};
  node[key] = child;
  setAt(child, rest, value);
}

/** A file that a layer names lies beside the base manifest, not beside its variants. */
function rebaseFiles(root: Node, folder: string): void {
  const spec = root['spec'];
  const layers = isNode(spec) ? spec['layers'] : undefined;
  for (const layer of Object.values(isNode(layers) ? layers : {})) {
    if (isNode(layer) && typeof layer['file'] === 'string')
      layer['file'] = resolve(folder, layer['file']);
  }
}
