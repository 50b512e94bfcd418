/** The layers of a manifest: names resolved to kinds, defaults filled in, keys checked against the kind. */
import { shown } from '../model/ids.ts';
import { LANDED_KINDS, LAYER_KIND_NAMES, LAYER_KINDS, type LayerKind } from '../model/layer.ts';
import type { LayerSettings, ScoringSettings } from '../model/manifest.ts';
import { DEFAULT_SYSTEM_TEXT } from './defaults.ts';
import { type FileReader, readLayerFile } from './layer-file.ts';
import {
  COMMON_LAYER_KEYS,
  DEFAULT_CLASSES,
  DEFAULT_LIMITS,
  DEFAULT_MAX_LINES,
  DEFAULT_OVERFETCH,
  DEFAULT_TOP_K,
  LAYER_KEYS,
  SUMMARY_KINDS,
  TEXT_KINDS,
} from './layer-keys.ts';
import { checkPlaceholders } from './placeholders.ts';
import type { RawLayer, RawSpec } from './raw.ts';
import type { Reporter } from './reporter.ts';
import { resolveScoring } from './scoring-settings.ts';
import { didYouMean } from './suggest.ts';

export interface LayerContext {
  readonly reporter: Reporter;
  readonly scoring: ScoringSettings;
  /** Names of the declared inputs. */
  readonly inputs: readonly string[];
  readonly readFile: FileReader | undefined;
}

export interface ResolvedLayers {
  /** In the order of the file, the ones that nobody named first. */
  readonly enabled: readonly LayerSettings[];
  /** Every name that stands in the file or is on by itself, also of layers that are off. */
  readonly declared: readonly string[];
}

export const isLayerKind = (name: string): name is LayerKind =>
  (LAYER_KIND_NAMES as readonly string[]).includes(name);

export function resolveLayers(spec: RawSpec, context: LayerContext): ResolvedLayers {
  const written = Object.entries(spec.layers ?? {});
  const kindsWritten = new Set(
    written.map(([name, raw]) => (typeof raw === 'object' && raw?.kind) || name),
  );
  const unnamed = LAYER_KIND_NAMES.filter(
    (kind) => LAYER_KINDS[kind].isDefault && !kindsWritten.has(kind),
  );
  const entries: readonly (readonly [string, RawLayer])[] = [
    ...unnamed.map((kind) => [kind, {}] as const),
    ...written.map(([name, raw]) => [name, toLayer(raw)] as const),
  ];
  const enabled = entries.flatMap(([name, raw]) => resolveLayer(name, raw, context) ?? []);
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
  const kind = kindOf(name, raw, reporter);
  if (kind === undefined) return undefined;
  checkKeys(name, kind, { raw, reporter });
  if (raw.enabled === false) return undefined;
  if (!LAYER_KINDS[kind].isLanded) {
    reporter.report({
      code: 'FEATURE.NOT_LANDED',
      at,
      on: 'key',
      message: `The layer kind \`${kind}\` has not landed in this version.`,
      fix: `Set \`enabled: false\`, or use one of ${LANDED_KINDS.map((known) => `\`${known}\``).join(', ')}.`,
    });
    return undefined;
  }
  checkFeatures(name, kind, { raw, reporter });
  const file = readLayerFile({ name, kind, raw }, context);
  const text =
    raw.text ?? (kind === 'system' && raw.file === undefined ? DEFAULT_SYSTEM_TEXT : null);
  if (raw.text !== undefined) checkPlaceholders(raw.text, [...at, 'text'], context);
  return {
    name,
    kind,
    rank: raw.rank ?? LAYER_KINDS[kind].rank,
    maxTokens: raw.max_tokens ?? null,
    minTokens: 0,
    source: raw.source ?? 'ledger',
    scoring: resolveScoring(raw.scoring, context.scoring, { at: [...at, 'scoring'], reporter }),
    text: TEXT_KINDS.includes(kind) ? text : null,
    file,
    maxLines: raw.max_lines ?? DEFAULT_MAX_LINES,
    limit: raw.limit ?? DEFAULT_LIMITS[kind] ?? 0,
    topK: raw.top_k ?? DEFAULT_TOP_K[kind] ?? 0,
    kinds: raw.kinds ?? SUMMARY_KINDS,
    collection: raw.collection ?? null,
    categories: raw.categories ?? [],
    classes: raw.classes ?? DEFAULT_CLASSES[kind] ?? [],
    tags: raw.tags ?? [],
    blockTypes: raw.block_types ?? [],
    overfetch: raw.overfetch ?? DEFAULT_OVERFETCH,
    neighbours: raw.neighbours ?? null,
  };
}

/** A layer is of the kind that it is named after, or of the kind it says; never both. */
function kindOf(name: string, raw: RawLayer, reporter: Reporter): LayerKind | undefined {
  const kind = raw.kind ?? name;
  if (!isLayerKind(kind)) return undefined; // the shape check has said so
  if (!isLayerKind(name) || name === kind) return kind;
  reporter.report({
    code: 'MANIFEST.INVALID_VALUE',
    at: ['spec', 'layers', name, 'kind'],
    message: `The layer \`${name}\` says that it is a \`${kind}\`.`,
    fix: 'Remove `kind`, or give the layer a name that is no kind.',
  });
  return undefined;
}

interface Checked {
  readonly raw: RawLayer;
  readonly reporter: Reporter;
}

function checkKeys(name: string, kind: LayerKind, { raw, reporter }: Checked): void {
  const known: readonly string[] = [...COMMON_LAYER_KEYS, ...LAYER_KEYS[kind]];
  const everywhere: readonly string[] = Object.values(LAYER_KEYS).flat();
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

function checkFeatures(name: string, kind: LayerKind, { raw, reporter }: Checked): void {
  const at = ['spec', 'layers', name];
  const inert = (key: string, why: string): void =>
    reporter.report({
      code: 'FEATURE.INERT',
      at: [...at, key],
      on: 'key',
      message: `\`${key}\` of \`${name}\` has no effect: ${why}.`,
      fix: 'Keep it for a version that has it, or remove it.',
    });
  if (raw.source !== undefined && raw.source !== 'ledger') {
    reporter.report({
      code: 'FEATURE.NOT_LANDED',
      at: [...at, 'source'],
      message: `The source \`${raw.source}\` of \`${name}\` is not mounted: only \`ledger\` has landed in this version.`,
      fix: 'Remove `source`, or write `ledger`.',
    });
  }
  if (raw.hype_enabled === true)
    inert('hype_enabled', 'questions written beside items have not landed in this version');
  if (raw.veto_threshold !== undefined)
    inert('veto_threshold', 'the cross-encoder veto has not landed in this version');
  if (raw.scoring !== undefined && !LAYER_KINDS[kind].isScored)
    inert('scoring', `a \`${kind}\` layer is not scored`);
}
