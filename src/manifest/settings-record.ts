/**
 * A checked manifest or collection as a flat record, `path -> value`: everything that a composition
 * can depend on, defaults filled in. Two of them can be compared line by line, which is what the
 * lock keeps and `contextengine plan` shows.
 */
import { layerKind } from '../layers/index.ts';
import { OWN_LAYER_KEYS } from '../layers/keys.ts';
import type { Collection, LayerSettings, Manifest } from '../model/manifest.ts';
import { needsClasses } from '../model/signals/index.ts';
import { sha256 } from './bundle.ts';
import { byName } from './version.ts';

export type Setting = string | number | boolean;
/** In order of the paths. */
export type SettingsRecord = Readonly<Record<string, Setting>>;

/**
 * What names the manifest, or is for people: no composition changes with it. `layers` is written
 * apart.
 */
const APART = new Set([
  'apiVersion',
  'name',
  'version',
  'description',
  'path',
  'line',
  'digest',
  'source',
  'warnings',
  'layers',
  'variant',
  'variants',
]);
/** A longer text is shown by its length and digest: the file itself is the place to read it. */
const MAX_SHOWN = 160;

export function settingsOfManifest(
  manifest: Manifest,
  collections: Readonly<Record<string, Collection>>,
): SettingsRecord {
  const found: Record<string, Setting> = {
    layers: manifest.layers.map(({ name }) => name).join(', '),
  };
  for (const [key, value] of Object.entries(manifest))
    if (!APART.has(key)) flatten(snakeCase(key), value, found);
  for (const layer of manifest.layers) {
    flatten(`layers.${layer.name}`, ownKeys(layer), found);
    const collection = layer.collection === null ? undefined : collections[layer.collection];
    if (collection)
      found[`layers.${layer.name}.collection`] =
        `${collection.name}@${collection.version} sha256 ${short(contentOfCollection(collection))}`;
  }
  for (const { name, weight, manifest: variant } of manifest.variants) {
    found[`variants.${name}.weight`] = weight;
    const own = settingsOfManifest(variant, collections);
    for (const path of new Set([...Object.keys(found), ...Object.keys(own)]))
      if (!path.startsWith('variants.') && own[path] !== found[path])
        found[`variants.${name}.${path}`] = own[path] ?? REMOVED;
  }
  return inOrder(found);
}

/**
 * What a variant has no value of: the formula's parts of a preset, a text in whose place it names a
 * file.
 */
const REMOVED = '(none)';

export function settingsOfCollection(collection: Collection): SettingsRecord {
  const found: Record<string, Setting> = {};
  flatten('properties', collection.properties, found);
  for (const { name, description } of Object.values(collection.properties))
    if (description !== null) found[`properties.${name}.description`] = shownText(description);
  return inOrder(found);
}

/** What a collection says, whatever the layout of its file. */
export const contentOfCollection = (collection: Collection): string =>
  sha256(JSON.stringify(settingsOfCollection(collection)));

const KEYS_OF_SOME_KIND = new Set<string>(OWN_LAYER_KEYS);

/** What a layer of this kind reads: the settings of other kinds hold defaults that say nothing. */
function ownKeys(layer: LayerSettings): Readonly<Record<string, unknown>> {
  const { isScored, keys } = layerKind(layer.kind);
  const known: readonly string[] = keys;
  const isOwn = (key: string): boolean =>
    key === 'scoring'
      ? isScored
      : !KEYS_OF_SOME_KIND.has(snakeCase(key)) || known.includes(snakeCase(key));
  return Object.fromEntries(Object.entries(layer).filter(([key]) => isOwn(key)));
}

function flatten(path: string, value: unknown, found: Record<string, Setting>): void {
  if (value === null || value === undefined || typeof value === 'function') return;
  if (typeof value === 'string') found[path] = shownText(value);
  else if (typeof value === 'number' || typeof value === 'boolean') found[path] = value;
  else if (value instanceof Set || Array.isArray(value)) {
    const list = [...value].map((entry) =>
      typeof entry === 'object' ? JSON.stringify(entry) : String(entry),
    );
    if (list.length > 0) found[path] = shownText(list.join(', '));
  } else if (isFormula(value)) found[path] = value.text;
  else
    for (const [key, entry] of Object.entries(value)) {
      if (NAMED_BY_USERS.has(path)) flatten(`${path}.${key}`, entry, found);
      else if (!isAside(path, key, entry) && !isUnread(key, value))
        flatten(`${path}.${snakeCase(key)}`, entry, found);
    }
}

/** Records whose keys are names that the manifest gives. */
const NAMED_BY_USERS = new Set(['inputs', 'intents', 'properties']);

/** For people, or already in the path. */
const isAside = (path: string, key: string, value: unknown): boolean =>
  key === 'description' ||
  key === 'digest' ||
  (key === 'name' && path.endsWith(`.${String(value)}`));

/** Numbers that stand in the text of the formula, where its preset has them. */
const IN_FORMULA = new Set(['governedWeights', 'conversationWeights', 'documentFactors']);

/** What a setting is for: of a formula that does not read it, it says nothing. */
const READ_BY: Readonly<Record<string, (names: readonly string[]) => boolean>> = {
  classBoosts: needsClasses,
  latest: (names) => names.includes('latest'),
  rivalShare: (names) => names.includes('stale'),
  stalePenalty: (names) => names.includes('stale'),
  staleMinutes: (names) => names.includes('stale'),
  trust: (names) => names.includes('trust'),
};

function isUnread(key: string, settings: object): boolean {
  if (IN_FORMULA.has(key)) return true;
  const isReadBy = Object.hasOwn(READ_BY, key) ? READ_BY[key] : undefined;
  if (!isReadBy || !('formula' in settings) || !isFormula(Object(settings.formula))) return false;
  return !isReadBy(Object(settings.formula).names);
}

const isFormula = (value: object): value is { readonly text: string } =>
  'evaluate' in value && 'text' in value && typeof value.text === 'string';

const shownText = (text: string): string =>
  text.length <= MAX_SHOWN && !text.includes('\n')
    ? text
    : `${text.length} characters, sha256 ${short(sha256(text))}`;

const short = (digest: string): string => digest.slice(0, 12);
/** Our words as the YAML has them. */
const snakeCase = (key: string): string =>
  key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const inOrder = (record: Readonly<Record<string, Setting>>): SettingsRecord =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => byName(a, b)));
