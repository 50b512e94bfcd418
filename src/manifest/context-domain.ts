/**
 * From a document of the right shape to a manifest: everything that a schema cannot say is checked
 * here.
 */

import type { Finding } from '../codes/finding.ts';
import { LAYER_KIND_NAMES } from '../layers/index.ts';
import { DEFAULT_MODEL, modelFacts } from '../model/language-model.ts';
import {
  DEFAULT_UNUSED_DAYS,
  DEFAULT_WRITING,
  type LayerSettings,
  type Manifest,
} from '../model/manifest.ts';
import { resolveBudget, withTokenLimits } from './budget.ts';
import { sha256, toBundle } from './bundle.ts';
import { checkOverridden } from './check-overridden.ts';
import type { CollectionSource } from './collection.ts';
import { DEFAULT_PERMISSION, DEFAULT_TTL_SECONDS } from './defaults.ts';
import { resolveIntents } from './intents.ts';
import type { FileReader } from './layer-file.ts';
import { resolveLayers } from './layers.ts';
import { type Override, reportClamped, takenBy, withOverrides } from './overrides.ts';
import { resolveInputs } from './placeholders.ts';
import { byPosition, createReporter, hasErrors, type Report, type Reporter } from './reporter.ts';
import { defaultScoring, resolveScoring } from './scoring-settings.ts';
import { isContextDomain } from './shape.ts';
import { didYouMean } from './suggest.ts';
import { type ResolvedVariant, resolveVariants } from './variants.ts';
import { versionOf } from './version.ts';
import type { RawContextDomain, RawSpec } from './wire-manifest.ts';
import type { YamlDocument } from './yaml-document.ts';

export interface ContextDomainOptions {
  readonly path: string;
  readonly readFile?: FileReader | undefined;
  /** Loaded collections by name. */
  readonly collections: ReadonlyMap<string, CollectionSource>;
  /** What an operator set from outside. */
  readonly overrides?: readonly Override[] | undefined;
  /** Names of the mounts that a layer can be searched in. */
  readonly mounts?: readonly string[] | undefined;
}

export interface CheckedManifest {
  /** Absent where there is an error. */
  readonly manifest?: Manifest;
  readonly findings: readonly Finding[];
}

/** Findings are in order of position. */
export function checkContextDomain(
  document: YamlDocument,
  options: ContextDomainOptions,
): CheckedManifest {
  const written = document.value;
  const { overrides = [] } = options;
  if (overrides.length === 0 || !isContextDomain(written, createReporter('', document.locator)))
    return check(document, options, []);
  return checkOverridden(takenBy(written, overrides), (held, reports) =>
    check(document, { ...options, overrides: held }, reports),
  );
}

function check(
  document: YamlDocument,
  options: ContextDomainOptions,
  reports: readonly Report[],
): CheckedManifest {
  const reporter = createReporter(options.path, document.locator);
  const written = document.value;
  if (!isContextDomain(written, reporter)) return { findings: inOrder(reporter.findings) };
  const overrides = options.overrides ?? [];
  const raw = withOverrides(written, overrides);
  reportClamped(written, overrides, reporter);
  for (const report of reports) reporter.report(report);
  const resolved = resolve(raw, { document, options, reporter });
  const warnings = inOrder(reporter.findings);
  if (hasErrors(warnings)) return { findings: warnings };
  const variants = resolveVariants(raw, {
    path: options.path,
    locator: document.locator,
    reporter,
    layers: resolved.layers.map(({ name }) => name),
    // What an operator sets holds for every variant.
    resolve: (changed, own) =>
      resolve(withOverrides(changed, overrides), { document, options, reporter: own }),
  });
  const findings = inOrder([
    ...reporter.findings,
    ...variants.flatMap((variant) => variant.findings),
  ]);
  if (hasErrors(findings)) return { findings };
  return { manifest: joined({ ...resolved, warnings }, variants, document), findings };
}

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort(byPosition);

/** One source, with the files and collections of all variants, and so one digest. */
function joined(
  base: Resolved & Pick<Manifest, 'warnings'>,
  variants: readonly ResolvedVariant<Resolved>[],
  document: YamlDocument,
): Manifest {
  const all = [base, ...variants.map(({ resolved }) => resolved)];
  const source = toBundle({
    manifest: document.text,
    files: Object.fromEntries(
      all.flatMap(({ layers }) =>
        layers.flatMap(({ file }) => (file ? [[file.path, file.content]] : [])),
      ),
    ),
    collections: Object.assign({}, ...all.map(({ collections }) => collections)),
  });
  const made = ({ collections: _collections, ...manifest }: typeof base): Manifest => ({
    ...manifest,
    digest: sha256(source),
    source,
    variant: null,
    variants: [],
  });
  return {
    ...made(base),
    variants: variants.map(({ name, weight, resolved, findings }) => ({
      name,
      weight,
      manifest: {
        ...made({ ...resolved, warnings: [...base.warnings, ...findings] }),
        variant: name,
      },
    })),
  };
}

/**
 * A manifest before its source is put together, with the texts of the collections that it names.
 */
type Resolved = Omit<Manifest, 'warnings' | 'digest' | 'source' | 'variant' | 'variants'> & {
  readonly collections: Readonly<Record<string, string>>;
};

interface ResolveContext {
  readonly document: YamlDocument;
  readonly options: ContextDomainOptions;
  readonly reporter: Reporter;
}

function resolve(raw: RawContextDomain, { document, options, reporter }: ResolveContext): Resolved {
  const { metadata, spec } = raw;
  const inputs = resolveInputs(spec, reporter);
  const scoring = resolveScoring(spec.scoring, defaultScoring(), {
    at: ['spec', 'scoring'],
    reporter,
  });
  const resolved = resolveLayers(spec, {
    reporter,
    scoring,
    manifestScoring: spec.scoring,
    inputs: Object.keys(inputs),
    readFile: options.readFile,
    mounts: options.mounts ?? [],
  });
  const model = { name: spec.model ?? DEFAULT_MODEL, ...modelFacts(spec.model ?? DEFAULT_MODEL) };
  const budget = resolveBudget({ spec, model, reporter });
  const order = spec.render?.order ?? 'static_first';
  const layers = inRenderOrder(
    withTokenLimits(resolved.enabled, {
      spec,
      declared: resolved.declared,
      totalTokens: budget.totalTokens,
      reporter,
    }),
    order,
  );
  const intents = resolveIntents({ spec, layers: { ...resolved, enabled: layers }, reporter });
  const collections = namedCollections(layers, options, reporter);
  checkInertSections(spec, reporter);
  return {
    apiVersion: raw.apiVersion,
    name: metadata.name,
    version: versionOf(document, metadata.version, reporter),
    scopeBlockType: metadata.scope_block_type,
    description: metadata.description ?? null,
    path: options.path,
    ...(document.line > 1 && { line: document.line }),
    collections,
    model,
    layers,
    inputs,
    intents,
    budget,
    permission: { ...DEFAULT_PERMISSION, ...spec.permission },
    cache: { ttlSeconds: spec.cache?.ttl_seconds ?? DEFAULT_TTL_SECONDS },
    bypass: new Set(spec.bypass),
    retention: resolveRetention(spec.retention),
    writing: resolveWriting(spec.writing),
    render: {
      format: spec.render?.format ?? 'xml',
      order,
      datamark: spec.render?.datamark ?? false,
    },
  };
}

/**
 * The order of the kinds, static ones first and what each query finds last; layers of one kind as
 * written.
 */
function inRenderOrder(
  layers: readonly LayerSettings[],
  order: Manifest['render']['order'],
): readonly LayerSettings[] {
  if (order === 'as_written') return layers;
  const kinds: readonly string[] = LAYER_KIND_NAMES;
  return [...layers].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/**
 * Texts of the collections that layers name. A missing one is a warning: the layer shows whatever
 * properties are stored under its name.
 */
function namedCollections(
  layers: readonly LayerSettings[],
  { collections }: ContextDomainOptions,
  reporter: Reporter,
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { name, collection } of layers) {
    if (collection === null) continue;
    const found = collections.get(collection);
    if (found) texts[collection] = found.text;
    else {
      const fix =
        collections.size === 0
          ? 'Load the Collection manifest beside this one, or write it.'
          : `${didYouMean(collection, [...collections.keys()])} Or load the Collection ` +
            'manifest beside this one.';
      reporter.report({
        code: 'MANIFEST.UNKNOWN_COLLECTION',
        at: ['spec', 'layers', name, 'collection'],
        message: `No Collection manifest named \`${collection}\` is loaded.`,
        fix,
      });
    }
  }
  return texts;
}

function resolveWriting(raw: RawSpec['writing']): Manifest['writing'] {
  if (raw === undefined) return null;
  return {
    capture: raw.capture ?? DEFAULT_WRITING.capture,
    nearDuplicate: raw.near_duplicate ?? DEFAULT_WRITING.nearDuplicate,
    costBudgetUsdPerDay: raw.cost_budget_usd_per_day ?? DEFAULT_WRITING.costBudgetUsdPerDay,
    minConfidence: raw.min_confidence ?? DEFAULT_WRITING.minConfidence,
    into: raw.into ?? DEFAULT_WRITING.into,
    never: raw.never ?? DEFAULT_WRITING.never,
  };
}

function resolveRetention(raw: RawSpec['retention']): Manifest['retention'] {
  const { grace_days: graceDays = null, archive_under: archiveUnder = 0 } = raw ?? {};
  if (archiveUnder === 0) return { graceDays, upkeep: null };
  const { unused_days: unusedDays = DEFAULT_UNUSED_DAYS } = raw ?? {};
  const { prune_after_days: pruneAfterDays = null } = raw ?? {};
  return { graceDays, upkeep: { archiveUnder, unusedDays, pruneAfterDays } };
}

/** Of `retention`, what has landed. */
const LANDED = ['grace_days', 'archive_under', 'unused_days', 'prune_after_days'];

function checkInertSections(spec: RawSpec, reporter: Reporter): void {
  const ages = Object.keys(spec.retention ?? {}).filter((key) => !LANDED.includes(key));
  const inert = [
    ...(spec.distillation === undefined ? [] : [['distillation']]),
    ...ages.map((key) => ['retention', key]),
  ];
  for (const path of inert) {
    reporter.report({
      code: 'FEATURE.INERT',
      at: ['spec', ...path],
      on: 'key',
      message: `\`${path.join('.')}\` has no effect: it has not landed in this version.`,
      fix: 'Keep it for a version that has it, or remove it.',
    });
  }
}
