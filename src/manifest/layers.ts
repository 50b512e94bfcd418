/**
 * The layers of a manifest: names resolved to kinds, defaults filled in, keys checked against the
 * kind.
 */
import type { LayerDefaults, LayerDefinition } from '../layers/definition.ts';
import { isLayerKind, LANDED_KINDS, LAYERS, layerKind } from '../layers/index.ts';
import {
  COMMON_LAYER_KEYS,
  DEFAULT_MAX_LINES,
  DEFAULT_OVERFETCH,
  OWN_LAYER_KEYS,
  SUMMARY_KINDS,
} from '../layers/keys.ts';
import { namingInstructions } from '../layers/system.ts';
import { shown } from '../model/ids.ts';
import type { LayerSettings, ScoringSettings } from '../model/manifest.ts';
import { type FileReader, readLayerFile } from './layer-file.ts';
import { checkPlaceholders } from './placeholders.ts';
import type { Reporter } from './reporter.ts';
import { resolveScoring, withTagBoost } from './scoring-settings.ts';
import { didYouMean } from './suggest.ts';
import type { RawLayer, RawScoring, RawSpec } from './wire-manifest.ts';

export interface LayerContext {
  readonly reporter: Reporter;
  readonly scoring: ScoringSettings;
  /** What `scoring` was resolved from. */
  readonly manifestScoring: RawScoring | undefined;
  /** Names of the declared inputs. */
  readonly inputs: readonly string[];
  readonly readFile: FileReader | undefined;
  /** Names of the mounts that a layer can be searched in. */
  readonly mounts: readonly string[];
}

export interface ResolvedLayers {
  /** In the order of the file, the ones that nobody named first. */
  readonly enabled: readonly LayerSettings[];
  /** Every name that stands in the file or is on by itself, also of layers that are off. */
  readonly declared: readonly string[];
}

export function resolveLayers(spec: RawSpec, context: LayerContext): ResolvedLayers {
  const written = Object.entries(spec.layers ?? {});
  const kindsWritten = new Set(
    written.map(([name, raw]) => (typeof raw === 'object' && raw?.kind) || name),
  );
  const unnamed = LAYERS.filter(({ isDefault, name }) => isDefault && !kindsWritten.has(name));
  const entries: readonly (readonly [string, RawLayer])[] = [
    ...unnamed.map(({ name }) => [name, {}] as const),
    ...written.map(([name, raw]) => [name, toLayer(raw)] as const),
  ];
  const resolved = entries.flatMap(([name, raw]) => resolveLayer(name, raw, context) ?? []);
  const enabled = resolved.map((layer) => ({
    ...layer,
    text: namingInstructions(layer.text, resolved),
  }));
  return { enabled, declared: entries.map(([name]) => name) };
}

const toLayer = (raw: RawLayer | boolean | null): RawLayer =>
  raw === false ? { enabled: false } : raw === true || raw === null ? {} : raw;

function resolveLayer(
  name: string,
  raw: RawLayer,
  context: LayerContext,
): LayerSettings | undefined {
  const { reporter } = context;
  const at = ['spec', 'layers', name];
  const definition = definitionOf(name, raw, reporter);
  if (definition === undefined) return undefined;
  const { name: kind, defaults } = definition;
  checkKeys(name, definition, { raw, reporter });
  if (raw.enabled === false) return undefined;
  if (definition.reads === null) {
    reporter.report({
      code: 'FEATURE.NOT_LANDED',
      at,
      on: 'key',
      message: `The layer kind \`${kind}\` has not landed in this version.`,
      fix:
        'Set `enabled: false`, or use one of ' +
        `${LANDED_KINDS.map((known) => `\`${known}\``).join(', ')}.`,
    });
    return undefined;
  }
  checkFeatures(name, definition, { raw, reporter, mounts: context.mounts });
  const file = readLayerFile({ name, kind, raw }, context);
  const text = raw.text ?? (raw.file === undefined ? (defaults.text ?? null) : null);
  if (raw.text !== undefined) checkPlaceholders(raw.text, [...at, 'text'], context);
  return {
    name,
    kind,
    rank: raw.rank ?? definition.rank,
    maxTokens: raw.max_tokens ?? null,
    minTokens: 0,
    source: raw.source ?? 'ledger',
    scoring: withTagBoost(
      resolveScoring(withPreset(raw.scoring, defaults.preset), context.scoring, {
        at: [...at, 'scoring'],
        reporter,
        holdsDocuments: definition.holdsDocuments,
        manifest: context.manifestScoring,
      }),
      raw.tag_boost ?? defaults.tagBoost ?? 0,
    ),
    text: definition.keys.includes('text') ? text : null,
    file,
    maxLines: raw.max_lines ?? DEFAULT_MAX_LINES,
    limit: raw.limit ?? defaults.limit ?? 0,
    topK: raw.top_k ?? defaults.topK ?? 0,
    kinds: raw.kinds ?? SUMMARY_KINDS,
    collection: raw.collection ?? null,
    categories: raw.categories ?? [],
    classes: raw.classes ?? defaults.classes ?? [],
    tags: raw.tags ?? [],
    blockTypes: raw.block_types ?? [],
    categoryShare: raw.category_share ?? defaults.categoryShare ?? 1,
    overfetch: raw.overfetch ?? DEFAULT_OVERFETCH,
    neighbours: raw.neighbours ?? null,
  };
}

/**
 * The formula of the kind, where the layer names none: one of the manifest's is for its other
 * layers.
 */
const withPreset = (
  raw: RawScoring | undefined,
  preset: LayerDefaults['preset'],
): RawScoring | undefined =>
  preset === undefined || raw?.preset !== undefined || raw?.formula !== undefined
    ? raw
    : { ...raw, preset };

/** A layer is of the kind that it is named after, or of the kind it says; never both. */
function definitionOf(
  name: string,
  raw: RawLayer,
  reporter: Reporter,
): LayerDefinition | undefined {
  const kind = raw.kind ?? name;
  if (!isLayerKind(kind)) return undefined; // the shape check has reported it
  if (!isLayerKind(name) || name === kind) return layerKind(kind);
  reporter.report({
    code: 'MANIFEST.INVALID_VALUE',
    at: ['spec', 'layers', name, 'kind'],
    message: `The layer \`${name}\` says that it is a \`${kind}\`.`,
    fix: 'Remove `kind`, or give the layer a name that is no kind.',
  });
  return undefined;
}

const LEDGER = 'ledger';

interface Checked {
  readonly raw: RawLayer;
  readonly reporter: Reporter;
  readonly mounts: readonly string[];
}

function checkKeys(
  name: string,
  { name: kind, keys }: LayerDefinition,
  { raw, reporter }: Omit<Checked, 'mounts'>,
): void {
  const known: readonly string[] = [...COMMON_LAYER_KEYS, ...keys];
  const everywhere: readonly string[] = OWN_LAYER_KEYS;
  for (const key of Object.keys(raw)) {
    // A key of no kind at all has been reported by the shape check.
    if (known.includes(key) || !everywhere.includes(key)) continue;
    reporter.report({
      code: 'MANIFEST.UNKNOWN_KEY',
      at: ['spec', 'layers', name, key],
      on: 'key',
      message: `A \`${kind}\` layer has no key \`${shown(key)}\`.`,
      fix: didYouMean(key, known),
    });
  }
  if (raw.scoring?.lambda_by_intent !== undefined) {
    reporter.report({
      code: 'MANIFEST.UNKNOWN_KEY',
      at: ['spec', 'layers', name, 'scoring', 'lambda_by_intent'],
      on: 'key',
      message: 'A layer has no `lambda_by_intent`: an intent has one weight for all layers.',
      fix: 'Move it to `spec.scoring`.',
    });
  }
}

function checkFeatures(name: string, definition: LayerDefinition, checked: Checked): void {
  const { name: kind, isScored } = definition;
  const { raw, reporter } = checked;
  const at = ['spec', 'layers', name];
  const inert = (key: string, why: string): void =>
    reporter.report({
      code: 'FEATURE.INERT',
      at: [...at, key],
      on: 'key',
      message: `\`${key}\` of \`${name}\` has no effect: ${why}.`,
      fix: 'Keep it for a version that has it, or remove it.',
    });
  checkSource(name, definition, checked);
  if (raw.hype_enabled === true)
    inert('hype_enabled', 'questions written beside items have not landed in this version');
  if (raw.veto_threshold !== undefined)
    inert('veto_threshold', 'the cross-encoder veto has not landed in this version');
  if (raw.scoring !== undefined && !isScored) inert('scoring', `a \`${kind}\` layer is not scored`);
}

/** A mount is searched: a layer that lists or shows words of the manifest has nothing to ask it. */
function checkSource(
  name: string,
  { name: kind, isScored }: LayerDefinition,
  { raw: { source = LEDGER }, reporter, mounts }: Checked,
): void {
  if (source === LEDGER) return;
  const at = ['spec', 'layers', name, 'source'];
  if (!mounts.includes(source))
    reporter.report({
      code: 'MANIFEST.UNKNOWN_MOUNT',
      at,
      message: `The source \`${shown(source)}\` of \`${name}\` is not mounted.`,
      fix:
        'Write `ledger`, or name it under `mounts` in contextengine.config.json or in the ' +
        `options of the engine.${mounts.length > 0 ? ` Mounted: ${mounts.join(', ')}.` : ''}`,
    });
  else if (!isScored)
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `A \`${kind}\` layer is not searched, and cannot have the source \`${source}\`.`,
      fix: 'Remove `source`: a mount serves layers that are searched.',
    });
}
