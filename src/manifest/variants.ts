/**
 * Variants of a manifest: a share of its scopes is served with other numbers, for A/B. Each is
 * checked as a manifest of its own when the manifest is loaded. A variant changes settings, never
 * which layers, intents, inputs or rights there are: the calls that a manifest serves hold for all.
 */
import type { Finding } from '../codes/finding.ts';
import { shown } from '../model/ids.ts';
import { createReporter, type Locator, type Path, type Report, type Reporter } from './reporter.ts';
import { didYouMean } from './suggest.ts';
import { byName } from './version.ts';
import type {
  RawBudget,
  RawContextDomain,
  RawLayer,
  RawScoring,
  RawSpec,
  RawVariant,
} from './wire-manifest.ts';

/**
 * The `spec` with the changes of one variant made, and without variants. Maps are changed key by
 * key, lists, `fusion` and `document_fusion` as a whole.
 */
export function specOfVariant({ variants, ...spec }: RawSpec, name: string): RawSpec {
  const { layers = {}, budget, scoring, render } = variants?.[name] ?? {};
  return {
    ...spec,
    layers: {
      ...spec.layers,
      ...mapValues(layers, (layer, of) => withLayer(spec.layers?.[of], layer)),
    },
    ...(budget && { budget: withBudget(spec.budget, budget) }),
    ...(scoring && { scoring: withScoring(spec.scoring, scoring) }),
    ...(render && { render: { ...spec.render, ...render } }),
  };
}

const mapValues = <T, R>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => R,
): Readonly<Record<string, R>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));

/** A layer has a text or a file: a variant that writes one takes the other away. */
function withLayer(base: RawLayer | boolean | null | undefined, changes: RawLayer): RawLayer {
  const { text, file, scoring, ...kept } = typeof base === 'object' && base !== null ? base : {};
  const isSourceChanged = changes.text !== undefined || changes.file !== undefined;
  const changed = changes.scoring ? withScoring(scoring, changes.scoring) : scoring;
  return {
    ...kept,
    ...(!isSourceChanged && text !== undefined && { text }),
    ...(!isSourceChanged && file !== undefined && { file }),
    ...changes,
    ...(changed && { scoring: changed }),
  };
}

const SCORING_MAPS = [
  'lambda_by_intent',
  'importance_half_lives',
  'weights',
  'conversation_weights',
] as const satisfies readonly (keyof RawScoring)[];

/** A formula is written or has a name: a variant that says one takes the other away. */
function withScoring(
  { preset, formula, ...kept }: RawScoring = {},
  changes: RawScoring,
): RawScoring {
  const isFormulaChanged = changes.preset !== undefined || changes.formula !== undefined;
  const maps = SCORING_MAPS.flatMap((key) =>
    kept[key] || changes[key] ? [[key, { ...kept[key], ...changes[key] }] as const] : [],
  );
  return {
    ...kept,
    ...(!isFormulaChanged && preset !== undefined && { preset }),
    ...(!isFormulaChanged && formula !== undefined && { formula }),
    ...changes,
    ...Object.fromEntries(maps),
  };
}

const BUDGET_MAPS = ['min_per_layer', 'max_per_layer', 'reserve'] as const;

function withBudget(base: RawBudget = {}, changes: RawBudget): RawBudget {
  const maps = BUDGET_MAPS.flatMap((key) =>
    base[key] || changes[key] ? [[key, { ...base[key], ...changes[key] }] as const] : [],
  );
  return { ...base, ...changes, ...Object.fromEntries(maps) };
}

/** In order of their names: the order of the file means nothing. */
export const variantNames = ({ variants = {} }: RawSpec): readonly string[] =>
  Object.keys(variants).sort(byName);

/**
 * Finds what the spec of a variant says: in the variant where it is written there, else in the
 * manifest.
 */
export const locatorOfVariant = (locator: Locator, spec: RawSpec, name: string): Locator => ({
  position(path, on, offset) {
    const [head, ...rest] = path;
    const own: Path = ['spec', 'variants', name, ...rest];
    const isOwn = head === 'spec' && rest.length > 0 && holds(spec.variants?.[name], rest);
    return locator.position(isOwn ? own : path, on, offset);
  },
});

function holds(value: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  return holds(Reflect.get(value, key), rest);
}

/**
 * What is wrong with a variant and not with the manifest as written, under the name of the variant.
 */
export function findingsOfVariant(
  name: string,
  found: readonly Finding[],
  asWritten: readonly Finding[],
): readonly Finding[] {
  const known = new Set(asWritten.map(keyOf));
  return found
    .filter((finding) => !known.has(keyOf(finding)))
    .map((finding) => ({ ...finding, message: `Variant \`${name}\`: ${finding.message}` }));
}

const keyOf = ({ code, line, column, message }: Finding): string =>
  JSON.stringify([code, line, column, message]);

export interface ResolvedVariant<R> {
  readonly name: string;
  readonly weight: number;
  readonly resolved: R;
  readonly findings: readonly Finding[];
}

interface VariantContext<R> {
  readonly path: string;
  readonly locator: Locator;
  readonly reporter: Reporter;
  /** Layers that the manifest has and that are on. */
  readonly layers: readonly string[];
  readonly resolve: (raw: RawContextDomain, reporter: Reporter) => R;
}

/**
 * Checks every variant of a manifest that is sound as written. Findings of a variant are reported
 * by its own reporter.
 */
export function resolveVariants<R>(
  raw: RawContextDomain,
  { path, locator, reporter, layers, resolve }: VariantContext<R>,
): readonly ResolvedVariant<R>[] {
  const asWritten = [...reporter.findings];
  const { spec } = raw;
  checkWeights(spec, reporter);
  return variantNames(spec).flatMap((name): ResolvedVariant<R>[] => {
    const variant = spec.variants?.[name];
    if (!variant || !hasKnownLayers(name, variant, { layers, reporter })) return [];
    const own = createReporter(path, locatorOfVariant(locator, spec, name));
    const resolved = resolve({ ...raw, spec: specOfVariant(spec, name) }, own);
    const findings = findingsOfVariant(name, own.findings, asWritten);
    return [{ name, weight: variant.weight, resolved, findings }];
  });
}

/** Sums of decimal fractions are a hair off. */
const EPSILON = 1e-9;

function checkWeights({ variants = {} }: RawSpec, reporter: Reporter): void {
  const sum = Object.values(variants).reduce((all, { weight }) => all + weight, 0);
  if (sum <= 1 + EPSILON) return;
  reporter.report({
    code: 'MANIFEST.INVALID_VALUE',
    at: ['spec', 'variants'],
    on: 'key',
    message: `The weights of \`variants\` sum to \`${Number(sum.toFixed(6))}\`.`,
    fix: 'Let them sum to at most 1; the rest is served by the manifest as written.',
  });
}

function hasKnownLayers(
  name: string,
  variant: RawVariant,
  { layers, reporter }: Pick<VariantContext<unknown>, 'layers' | 'reporter'>,
): boolean {
  const unknown = Object.keys(variant.layers ?? {}).filter((layer) => !layers.includes(layer));
  for (const layer of unknown) reporter.report(unknownLayer(name, layer, layers));
  return unknown.length === 0;
}

const unknownLayer = (name: string, layer: string, layers: readonly string[]): Report => ({
  code: 'MANIFEST.UNKNOWN_LAYER',
  at: ['spec', 'variants', name, 'layers', layer],
  on: 'key',
  message: `Variant \`${name}\`: the manifest has no layer \`${shown(layer)}\` that is on.`,
  fix: `${didYouMean(layer, layers)} A variant changes the settings of layers; it adds none.`,
});
