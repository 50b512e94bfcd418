/** Stage 8: exact token budgets. The count of the rendered whole decides; counts of parts only steer. */

import type { TokenCounter } from '../budget/counter.ts';
import { createCounter } from '../budget/counter.ts';
import type { BudgetItem, BudgetLayer, FittedContext, KeptLayer } from '../budget/fit.ts';
import { fitBudget } from '../budget/fit.ts';
import { modelFacts } from '../model/language-model.ts';
import { LAYER_KINDS } from '../model/layer.ts';
import type { Encoding } from '../model/manifest.ts';
import type { LayerRendering } from './render-layers.ts';
import { datamarkSeed, renderLayers, renderOneItem } from './render-layers.ts';
import type { PlacedLayer, ScoredLayer, ScoredLayers } from './state.ts';

export interface FittedLayers {
  readonly scored: ScoredLayers;
  readonly placed: readonly PlacedLayer[];
  readonly fitted: FittedContext;
  readonly rendering: LayerRendering;
  readonly encoding: Encoding;
  readonly counter: TokenCounter;
}

/** Of history: what summaries may take beside the recent turns (design: 30 % / 70 %). */
const SUMMARY_SHARE = 0.3;

export async function fitLayers(scored: ScoredLayers): Promise<FittedLayers> {
  const { plan } = scored;
  const manifest = plan.manifestUsed;
  const encoding = plan.model === null ? manifest.model.encoding : modelFacts(plan.model).encoding;
  const counter = await createCounter(encoding);
  const rendering: LayerRendering = {
    format: plan.format ?? manifest.render.format,
    datamark: manifest.render.datamark ? datamarkSeed(plan.query, plan.position) : null,
    layerNames: manifest.layers.map((layer) => layer.name),
  };
  const totalTokens = manifest.budget.totalTokens;
  const layers = scored.scored.map((layer) => budgetLayer(layer, { rendering, maxTokens: maxTokensOf(layer, scored, totalTokens) }));
  const fitted = fitBudget({ layers, totalTokens, counter, render: (kept) => renderLayers(placedLayers(scored, kept), rendering).text });
  return { scored, placed: placedLayers(scored, fitted.layers), fitted, rendering, encoding, counter };
}

function maxTokensOf(layer: ScoredLayer, scored: ScoredLayers, totalTokens: number): number | null {
  if (layer.settings.maxTokens !== null || layer.settings.kind !== 'summary') return layer.settings.maxTokens;
  const recent = scored.scored.find((other) => other.settings.kind === 'recent');
  return recent ? Math.floor(SUMMARY_SHARE * (recent.settings.maxTokens ?? totalTokens)) : null;
}

function budgetLayer(
  layer: ScoredLayer,
  { rendering, maxTokens }: { readonly rendering: LayerRendering; readonly maxTokens: number | null },
): BudgetLayer {
  const items = layer.candidates.map(
    (candidate): BudgetItem => ({
      key: candidate.key,
      text: candidate.text,
      bid: candidate.bid,
      render: (text) =>
        renderOneItem(
          layer.settings,
          { ...candidate, text, kept: text.length < candidate.text.length ? text.length : null, tokens: 0 },
          rendering,
        ),
    }),
  );
  return {
    name: layer.settings.name,
    rank: layer.settings.rank,
    cut: LAYER_KINDS[layer.settings.kind].cut,
    minTokens: layer.settings.minTokens,
    maxTokens,
    items,
  };
}

/** The candidates that the fit kept, cut as it says, in the order of the text. */
function placedLayers(scored: ScoredLayers, kept: readonly KeptLayer[]): readonly PlacedLayer[] {
  return scored.scored.flatMap((layer): PlacedLayer[] => {
    const fitted = kept.find((entry) => entry.name === layer.settings.name);
    const candidates = new Map(layer.candidates.map((candidate) => [candidate.key, candidate]));
    const items = (fitted?.items ?? []).flatMap((item) => {
      const candidate = candidates.get(item.key);
      if (!candidate) return [];
      const { source, key, isTrusted } = candidate;
      return [
        {
          source,
          key,
          isTrusted,
          text: item.kept === null ? candidate.text : candidate.text.slice(0, item.kept),
          kept: item.kept,
          tokens: item.tokens,
        },
      ];
    });
    return [{ settings: layer.settings, items }];
  });
}
