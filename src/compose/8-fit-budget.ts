/**
 * Stage 8: exact token budgets. The count of the rendered whole decides; counts of parts only
 * steer.
 */

import type { BudgetItem, BudgetLayer, FittedContext, KeptLayer } from '../budget/budget-layer.ts';
import type { TokenCounter } from '../budget/counter.ts';
import { createCounter } from '../budget/counter.ts';
import { fitStored } from '../budget/cut-stored.ts';
import type { OfferedCandidate } from '../layers/definition.ts';
import { layerKind } from '../layers/index.ts';
import { guardedNames } from '../layers/system.ts';
import type { Uuid } from '../model/ids.ts';
import { withDays } from './dated-facts.ts';
import { inGroups } from './group-items.ts';
import type { LayerRendering } from './render-layers.ts';
import { datamarkSeed, renderItemHead, renderLayers, renderOneItem } from './render-layers.ts';
import { withHeads } from './shared-heads.ts';
import { distinctIds, shortId } from './short-ids.ts';
import type { PlacedItem, PlacedLayer, ScoredLayer, ScoredLayers } from './state.ts';

export interface FittedLayers {
  readonly scored: ScoredLayers;
  readonly placed: readonly PlacedLayer[];
  readonly fitted: FittedContext;
  readonly rendering: LayerRendering;
  readonly counter: TokenCounter;
}

export async function fitLayers(scored: ScoredLayers): Promise<FittedLayers> {
  const { plan } = scored;
  const manifest = plan.manifestUsed;
  const { totalTokens } = plan.budget;
  const counter = await createCounter(plan.budget.encoding);
  const rendering: LayerRendering = {
    format: plan.format ?? manifest.render.format,
    datamark: manifest.render.datamark ? datamarkSeed(plan.query, plan.position) : null,
    layerNames: guardedNames(manifest),
    position: plan.position,
    known: { parts: new Map(), texts: new WeakMap() },
  };
  const idOf = idsOf(scored);
  const placing: Placing = { scored, idOf, candidates: candidatesByKey(scored) };
  const layers = scored.scored.map((layer) =>
    budgetLayer(layer, { rendering, idOf, maxTokens: maxTokensOf(layer, scored, totalTokens) }),
  );
  const fitted = fitStored({
    layers,
    totalTokens,
    counter,
    render: (kept) => renderLayers(placedLayers(placing, kept), rendering).text,
  });
  const placed = placedLayers(placing, fitted.layers);
  return { scored, placed, fitted, rendering, counter };
}

type IdOf = (candidate: Pick<OfferedCandidate, 'source'>) => string | null;

/** What all candidates are called: an id does not depend on which of them are served. */
function idsOf({ plan, scored }: ScoredLayers): IdOf {
  const closure = plan.position.map(({ scope }) => scope);
  const rows = scored.flatMap(({ candidates }) =>
    candidates.flatMap(({ source }) => (source ? [source.row] : [])),
  );
  const ids = distinctIds(rows.map((row) => ({ uuid: row.uuid, id: shortId(row, closure) })));
  return ({ source }) => (source ? (ids.get(source.row.uuid) ?? null) : null);
}

const isHistory = ({ settings }: ScoredLayer): boolean => layerKind(settings.kind).isHistory;

function maxTokensOf(layer: ScoredLayer, scored: ScoredLayers, totalTokens: number): number | null {
  if (layer.settings.maxTokens !== null || layer.settings.kind !== 'summary')
    return layer.settings.maxTokens;
  const recent = scored.scored.find((other) => isHistory(other));
  const { summaryShare } = scored.plan.manifestUsed.budget;
  return recent ? Math.floor(summaryShare * (recent.settings.maxTokens ?? totalTokens)) : null;
}

function budgetLayer(
  layer: ScoredLayer,
  {
    rendering,
    idOf,
    maxTokens,
  }: {
    readonly rendering: LayerRendering;
    readonly idOf: IdOf;
    readonly maxTokens: number | null;
  },
): BudgetLayer {
  const { isHistory: isRun, isScored } = layerKind(layer.settings.kind);
  // What a person put in a layer stands there, whether or not the history shows it as well.
  const isEither = isRun || isScored;
  // Of those that are served no more show their day.
  const items = withDays(layer.candidates).map((candidate): BudgetItem => {
    const { source, key, text, bid, isSpare, isDated } = candidate;
    const id = idOf(candidate);
    const placed = (part: string, kept: number | null): PlacedItem => ({
      source,
      key,
      id,
      text: part,
      kept,
      tokens: 0,
      isDated,
    });
    return {
      key,
      text,
      bid,
      isSpare,
      isStored: source !== null,
      ...(isEither && source && { same: source.row.root_uuid }),
      head: renderItemHead(layer.settings, placed(text, null), rendering),
      render: (part) =>
        renderOneItem(
          layer.settings,
          placed(part, part.length < text.length ? part.length : null),
          rendering,
        ),
    };
  });
  return {
    name: layer.settings.name,
    rank: layer.settings.rank,
    cut: layerKind(layer.settings.kind).cut,
    isHistory: isRun,
    minTokens: layer.settings.minTokens,
    maxTokens,
    items,
  };
}

/** What every whole that the fit tries is placed from. */
interface Placing {
  readonly scored: ScoredLayers;
  readonly idOf: IdOf;
  readonly candidates: ReadonlyMap<ScoredLayer, ReadonlyMap<string, Candidate>>;
}
type Candidate = ScoredLayer['candidates'][number];

const candidatesByKey = ({ scored }: ScoredLayers): Placing['candidates'] =>
  new Map(
    scored.map((layer) => [
      layer,
      new Map(layer.candidates.map((candidate) => [candidate.key, candidate])),
    ]),
  );

/** The candidates that the fit kept, cut as it says, in the order of the text. */
function placedLayers(
  { scored, idOf, candidates }: Placing,
  kept: readonly KeptLayer[],
): readonly PlacedLayer[] {
  const byName = new Map(kept.map((layer) => [layer.name, layer.items]));
  return scored.scored.map((layer): PlacedLayer => {
    const { settings } = layer;
    const items = (byName.get(settings.name) ?? []).flatMap((item) => {
      const candidate = candidates.get(layer)?.get(item.key);
      if (!candidate) return [];
      const { source, key, text } = candidate;
      return [
        {
          source,
          key,
          id: idOf(candidate),
          text: item.kept === null ? text : text.slice(0, item.kept),
          kept: item.kept,
          tokens: item.tokens,
        },
      ];
    });
    return {
      settings,
      items: inGroups(settings, withHeads(settings, withDays(items))),
      hasGap: isHistory(layer) && hasGap(layer, scored.scored, byName),
    };
  });
}

type KeptByName = ReadonlyMap<string, KeptLayer['items']>;

/** A turn that neither the history shows nor a summary covers. */
function hasGap(layer: ScoredLayer, scored: ScoredLayers['scored'], kept: KeptByName): boolean {
  const shown = new Set(kept.get(layer.settings.name)?.map(({ key }) => key));
  const covered = coveredSeq(layer.coveredBy, scored, kept);
  const isMissing = (seq: number): boolean => seq > covered;
  return (
    (layer.unreadSeq !== null && isMissing(layer.unreadSeq)) ||
    layer.candidates.some(
      ({ key, source }) => !shown.has(key) && isMissing(source?.row.recorded_seq ?? 0),
    )
  );
}

/** How far a summary covers the history where some layer shows it to its end; else 0. */
function coveredSeq(uuid: Uuid | null, scored: ScoredLayers['scored'], kept: KeptByName): number {
  for (const { settings, candidates } of scored)
    for (const { key, source } of candidates) {
      if (source?.table !== 'subtree_summaries' || source.row.uuid !== uuid) continue;
      const items = kept.get(settings.name) ?? [];
      if (items.some((item) => item.key === key && item.kept === null))
        return source.row.covers_to_seq;
    }
  return 0;
}
