/** The budget of one call: the manifest's, in the window of the model that the call names. */
import { ContextEngineError } from '../codes/errors.ts';
import { WINDOW_PRESETS } from '../manifest/defaults.ts';
import { modelFacts } from '../model/language-model.ts';
import type { Encoding, LayerSettings, Manifest } from '../model/manifest.ts';

export interface CallBudget {
  /** Tokens for all layers together, tags included. */
  readonly totalTokens: number;
  /** Tokens kept for the query, the response and safety together. */
  readonly reservedTokens: number;
  readonly encoding: Encoding;
  /**
   * What the call's model leaves of the manifest's budget; 1 = all of it. Limits of layers shrink
   * with it.
   */
  readonly share: number;
}

const sumOf = ({ query, response, safety }: Manifest['budget']['reserve']): number =>
  query + response + safety;

/**
 * Without a model of its own, a call has the manifest's budget. `window_4k`, `window_8k` and
 * `window_128k` bring the budget of that preset. Any other model brings its tokenizer and its
 * window: a larger window changes nothing, because the manifest owns what a call costs; in a
 * smaller one all parts, the reserves too, shrink in proportion. Throws `BUDGET.INVALID` where the
 * window leaves no token for the layers.
 */
export function callBudget(manifest: Manifest, model: string | null): CallBudget {
  const { totalTokens, reserve } = manifest.budget;
  const reservedTokens = sumOf(reserve);
  if (model === null)
    return { totalTokens, reservedTokens, encoding: manifest.model.encoding, share: 1 };
  const { encoding, windowTokens } = modelFacts(model);
  const preset = Object.hasOwn(WINDOW_PRESETS, model) ? WINDOW_PRESETS[model] : undefined;
  if (preset)
    return {
      totalTokens: preset.totalTokens,
      reservedTokens: sumOf(preset.reserve),
      encoding,
      share: shareOf(preset.totalTokens, totalTokens),
    };
  const needed = totalTokens + reservedTokens;
  if (windowTokens === null || needed <= windowTokens)
    return { totalTokens, reservedTokens, encoding, share: 1 };
  const kept = Math.floor((totalTokens * windowTokens) / needed);
  if (kept < 1)
    throw new ContextEngineError('BUDGET.INVALID', {
      message:
        `The window of \`${model}\` has \`${windowTokens}\` tokens; \`${manifest.name}\` keeps ` +
        `\`${reservedTokens}\` of its \`${needed}\` for the query and the response.`,
      fix: 'Name a model with a larger window, or lower `budget.reserve`.',
      where: { field: 'model' },
    });
  return {
    totalTokens: kept,
    reservedTokens: windowTokens - kept,
    encoding,
    share: shareOf(kept, totalTokens),
  };
}

const shareOf = (tokens: number, of: number): number => (of > tokens ? tokens / of : 1);

/** A layer's own limits in a smaller budget. */
export function withShare(settings: LayerSettings, { share }: CallBudget): LayerSettings {
  if (share === 1) return settings;
  return {
    ...settings,
    minTokens: Math.floor(settings.minTokens * share),
    maxTokens: settings.maxTokens && Math.max(1, Math.floor(settings.maxTokens * share)),
  };
}
