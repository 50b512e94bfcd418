/** The budget: presets and defaults filled in, numbers judged together. */

import { shown } from '../model/ids.ts';
import type { ModelFacts } from '../model/language-model.ts';
import type { LayerSettings, Manifest } from '../model/manifest.ts';
import {
  DEFAULT_HISTORY,
  DEFAULT_RESERVE,
  DEFAULT_TOTAL_TOKENS,
  WINDOW_PRESETS,
} from './defaults.ts';
import type { Path, Reporter } from './reporter.ts';
import { didYouMean } from './suggest.ts';
import type { RawSpec } from './wire-manifest.ts';

type Budget = Manifest['budget'];

interface BudgetContext {
  readonly spec: RawSpec;
  readonly model: ModelFacts & { readonly name: string };
  readonly reporter: Reporter;
}

/** A budget of more than this is a typing error: no model has such a window. */
export const MAX_TOKENS = 10_000_000;

export function resolveBudget({ spec, model, reporter }: BudgetContext): Budget {
  const preset = Object.hasOwn(WINDOW_PRESETS, model.name) ? WINDOW_PRESETS[model.name] : undefined;
  const at: Path = ['spec', 'budget'];
  const base = preset?.reserve ?? DEFAULT_RESERVE;
  const totalTokens = spec.budget?.total_tokens ?? preset?.totalTokens ?? DEFAULT_TOTAL_TOKENS;
  // By name: an unknown key has been reported, and its value may be anything.
  const {
    query = base.query,
    response = base.response,
    safety = base.safety,
  } = spec.budget?.reserve ?? {};
  const reserve = { query, response, safety };
  checkRange(totalTokens, 1, { at: [...at, 'total_tokens'], reporter });
  for (const [part, value] of Object.entries(reserve))
    checkRange(value, 0, { at: [...at, 'reserve', part], reporter });
  const sum = totalTokens + reserve.query + reserve.response + reserve.safety;
  if (model.windowTokens !== null && sum > model.windowTokens) {
    reporter.report({
      code: 'BUDGET.INVALID',
      at: spec.budget?.total_tokens === undefined ? ['spec', 'model'] : [...at, 'total_tokens'],
      message:
        `Blocks \`${totalTokens}\` + query \`${reserve.query}\` + response ` +
        `\`${reserve.response}\` + safety \`${reserve.safety}\` = \`${sum}\`, over the ` +
        `\`${model.windowTokens}\` tokens of \`${model.name}\`.`,
      fix:
        'Lower budget.total_tokens to at most ' +
        `${Math.max(0, model.windowTokens - (sum - totalTokens))}, or lower budget.reserve.`,
    });
  }
  return { totalTokens, reserve, ...historyOf(spec) };
}

type History = 'summaryShare' | 'historyShare' | 'historyKept' | 'shortHistoryTokens';

const historyOf = ({ budget }: RawSpec): Pick<Budget, History> => ({
  summaryShare: budget?.summary_share ?? DEFAULT_HISTORY.summaryShare,
  historyShare: budget?.history_share ?? DEFAULT_HISTORY.historyShare,
  historyKept: budget?.history_kept ?? DEFAULT_HISTORY.historyKept,
  shortHistoryTokens: budget?.short_history_tokens ?? DEFAULT_HISTORY.shortHistoryTokens,
});

function checkRange(
  value: number,
  least: number,
  { at, reporter }: { at: Path; reporter: Reporter },
): void {
  if (value >= least && value <= MAX_TOKENS) return;
  reporter.report({
    code: 'BUDGET.INVALID',
    at,
    message: `\`${at.at(-1)}\` is \`${value}\` tokens.`,
    fix: `Use a whole number from ${least} to ${MAX_TOKENS}.`,
  });
}

/** `typed` is what the first manifests called schema_typed. */
const layerName = (written: string): string => (written === 'typed' ? 'schema_typed' : written);

interface LimitsContext {
  readonly spec: RawSpec;
  readonly declared: readonly string[];
  readonly totalTokens: number;
  readonly reporter: Reporter;
}

/**
 * Layers with their shares of the budget. Settings of a layer that is off are kept quiet: it may be
 * switched on again.
 */
export function withTokenLimits(
  layers: readonly LayerSettings[],
  context: LimitsContext,
): readonly LayerSettings[] {
  const { spec, totalTokens, reporter } = context;
  const least = limitsOf('min_per_layer', context);
  const most = limitsOf('max_per_layer', context);
  const limited = layers.map((layer) => {
    const maxTokens = Math.min(
      layer.maxTokens ?? Number.POSITIVE_INFINITY,
      most.get(layer.name) ?? Number.POSITIVE_INFINITY,
    );
    return {
      ...layer,
      minTokens: least.get(layer.name) ?? 0,
      maxTokens: Number.isFinite(maxTokens) ? maxTokens : null,
    };
  });
  for (const layer of limited) {
    if (layer.maxTokens === null || layer.minTokens <= layer.maxTokens) continue;
    reporter.report({
      code: 'BUDGET.INVALID',
      at: writtenPath(spec, layer.name),
      message:
        `The layer \`${layer.name}\` keeps at least \`${layer.minTokens}\` and may take at ` +
        `most \`${layer.maxTokens}\` tokens.`,
      fix: 'Lower its minimum, or raise its maximum.',
    });
  }
  const sum = limited.reduce((total, layer) => total + layer.minTokens, 0);
  if (sum > totalTokens && totalTokens > 0) {
    reporter.report({
      code: 'BUDGET.INVALID',
      at: ['spec', 'budget', 'min_per_layer'],
      on: 'key',
      message:
        `The minimums of the layers sum to \`${sum}\`, over the total of \`${totalTokens}\` ` +
        'tokens.',
      fix: 'Lower the minimums, or raise budget.total_tokens.',
    });
  }
  return limited;
}

const writtenPath = (spec: RawSpec, layer: string): Path => {
  const written = Object.keys(spec.budget?.min_per_layer ?? {}).find(
    (name) => layerName(name) === layer,
  );
  return ['spec', 'budget', 'min_per_layer', written ?? layer];
};

function limitsOf(
  key: 'min_per_layer' | 'max_per_layer',
  { spec, declared, reporter }: LimitsContext,
): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const [written, value] of Object.entries(spec.budget?.[key] ?? {})) {
    const at: Path = ['spec', 'budget', key, written];
    const name = layerName(written);
    checkRange(value, key === 'min_per_layer' ? 0 : 1, { at, reporter });
    if (!declared.includes(name)) {
      reporter.report({
        code: 'MANIFEST.UNKNOWN_LAYER',
        at,
        on: 'key',
        message: `The manifest declares no layer \`${shown(written)}\`.`,
        fix: didYouMean(written, declared),
      });
    } else if (limits.has(name)) {
      reporter.report({
        code: 'MANIFEST.DUPLICATE',
        at,
        on: 'key',
        message: '`typed` and `schema_typed` are the same layer.',
        fix: 'Keep `schema_typed`.',
      });
    }
    limits.set(name, value);
  }
  return limits;
}
