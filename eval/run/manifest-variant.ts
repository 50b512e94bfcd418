/** Variants of one manifest: the same file with a few values changed, so that an ablation changes one thing and nothing else. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ContextEngineError } from '../../src/index.ts';
import { readYaml } from '../read-yaml.ts';

/** A change of the manifest: paths such as `spec.scoring.floor` to their new values; null removes. */
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
}

/** Reads the manifest that variants are made of. Throws `EVAL.DATA`. */
export async function readBaseManifest(path: string): Promise<BaseManifest> {
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
    return { path: resolve(path), name, scopeType, text };
  throw new ContextEngineError('EVAL.DATA', {
    message: `\`${path}\` is not one manifest with \`metadata.name\` and \`metadata.scope_block_type\`.`,
    fix: 'Give a file with one ContextDomain; `contextengine validate` says what is wrong with it.',
    where: { file: path },
  });
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
    setAt(root, path.split('.'), value);
  if ('spec.budget.total_tokens' in variant.changes) fitMinimums(root);
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

/** A smaller budget than the manifest's keeps its minimums in proportion: as they stand they may not fit, and the manifest would be refused. */
function fitMinimums(root: Node): void {
  const spec = isNode(root['spec']) ? root['spec'] : {};
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
