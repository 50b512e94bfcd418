/** Stage 9: the text, and everything that is said about it. */
import type { FittedLayer } from '../budget/fit.ts';
import type { Dropped } from '../model/candidate.ts';
import type { ComposedItem, ComposedLayer, Composition, CompositionData, DroppedItem, MessagesOf, Trace } from '../model/composition.ts';
import type { Uuid } from '../model/ids.ts';
import { LAYER_KINDS } from '../model/layer.ts';
import { toMessages } from '../render/to-messages.ts';
import { VETO } from './6-veto.ts';
import type { FittedLayers } from './8-fit-budget.ts';
import { shownId } from './item-text.ts';
import { renderLayers } from './render-layers.ts';
import type { StageContext } from './stage.ts';
import type { PlacedLayer, ScoredLayer, ScoredLayers } from './state.ts';

export interface Rendered {
  readonly data: CompositionData;
  readonly placed: readonly PlacedLayer[];
  readonly dropped: readonly DroppedItem[];
}

/** `messages` needs where the static layers end; the data of a composition does not say it. */
const STATIC_LENGTH = new WeakMap<CompositionData['items'], number>();

export function renderComposition(
  { scored, placed, fitted, rendering, encoding, counter }: FittedLayers,
  context: StageContext,
  options: { readonly compositionId: Uuid; readonly isCacheOff: boolean },
): Rendered {
  const { plan } = scored;
  const manifest = plan.manifestUsed;
  const items = placed.flatMap((layer) => composedItems(layer, scored));
  const dropped = [...scored.dropped.map(toDroppedItem), ...droppedByFit(scored.scored, fitted.layers)];
  const { reserve, totalTokens } = manifest.budget;
  const tokens = {
    used: fitted.tokens,
    budget: totalTokens,
    reserved: reserve.query + reserve.response + reserve.safety,
    exact: counter.exact(fitted.text),
    encoding,
  };
  const warnings = [...manifest.warnings.map(({ code, message }) => ({ code, message })), ...context.warnings];
  const data: CompositionData = {
    composition_id: options.compositionId,
    text: fitted.text,
    layers: composedLayers(fitted.layers, scored.scored, dropped),
    items,
    tokens,
    cache: { state: options.isCacheOff ? 'off' : 'miss', age_ms: 0 },
    manifest: { name: manifest.name, version: manifest.version, digest: manifest.digest },
    intent: plan.intent,
    position: plan.position,
    usage_position: plan.usagePosition,
    as_of: plan.validAt,
    degraded: context.degraded,
    warnings,
    ...(plan.isTraced && { trace: traceOf(scored, dropped, context) }),
  };
  STATIC_LENGTH.set(items, renderLayers(placed, rendering).staticLength);
  return { data, placed, dropped };
}

/** Adds the one method that a composition has beside its data. */
export const withMessages = (data: CompositionData, query: string): Composition => ({
  ...data,
  messages: <F extends keyof MessagesOf>(format: F): MessagesOf[F] =>
    toMessages({ text: data.text, staticLength: STATIC_LENGTH.get(data.items) ?? 0, query }, format),
});

function composedItems({ settings, items }: PlacedLayer, scored: ScoredLayers): ComposedItem[] {
  const candidates = new Map(scored.scored.flatMap((layer) => layer.candidates.map((candidate) => [candidate.key, candidate] as const)));
  const { isScored } = LAYER_KINDS[settings.kind];
  return items.map((item): ComposedItem => {
    const candidate = candidates.get(item.key);
    const { source } = item;
    const provenance = source && 'provenance' in source.row ? source.row.provenance : {};
    return {
      uuid: source?.row.uuid ?? null,
      root_uuid: source?.row.root_uuid ?? null,
      id: source ? shownId(source.row.root_uuid) : null,
      table: source?.table ?? null,
      layer: settings.name,
      score: isScored && candidate ? candidate.score : null,
      signals: candidate?.signals ?? {},
      provenance: {
        ...provenance,
        scope: source?.row.scope_uuid ?? null,
        time: source ? (source.table === 'blocks' ? source.row.occurred_at : source.row.valid_from) : null,
      },
      tokens: item.tokens,
      truncated: item.kept !== null,
      text: item.text,
    };
  });
}

const composedLayers = (
  layers: readonly FittedLayer[],
  scored: readonly ScoredLayer[],
  dropped: readonly DroppedItem[],
): CompositionData['layers'] =>
  Object.fromEntries(
    layers.map((layer): [string, ComposedLayer] => [
      layer.name,
      {
        rank: scored.find(({ settings }) => settings.name === layer.name)?.settings.rank ?? 0,
        budget: layer.budget,
        tokens: layer.tokens,
        items: layer.items.length,
        dropped: dropped.filter((item) => item.layer === layer.name).length,
        truncated: layer.items.filter((item) => item.kept !== null).length,
      },
    ]),
  );

const toDroppedItem = (item: Dropped): DroppedItem => ({ ...item, signals: item.signals ?? {} });

function droppedByFit(scored: readonly ScoredLayer[], fitted: readonly FittedLayer[]): DroppedItem[] {
  return fitted.flatMap((layer) => {
    const candidates = new Map(
      scored.find(({ settings }) => settings.name === layer.name)?.candidates.map((candidate) => [candidate.key, candidate]),
    );
    const isScored = [...candidates.values()].some((candidate) => Object.keys(candidate.signals).length > 0);
    return layer.dropped.map(({ key, reason }): DroppedItem => {
      const candidate = candidates.get(key);
      const row = candidate?.source?.row;
      return {
        layer: layer.name,
        uuid: row?.uuid ?? null,
        root_uuid: row?.root_uuid ?? null,
        score: isScored ? (candidate?.score ?? null) : null,
        signals: candidate?.signals ?? {},
        reason,
      };
    });
  });
}

function traceOf(scored: ScoredLayers, dropped: readonly DroppedItem[], context: StageContext): Trace {
  const { plan } = scored;
  return {
    stages: context.timings,
    dropped,
    closure: plan.closure.map(({ scope, depth, head }) => ({ scope: scope.root_uuid, depth, head })),
    left_out: plan.leftOut,
    intent: { name: plan.intentUsed.name, lambda: plan.intentUsed.lambda, layers: plan.intentUsed.layers },
    veto: VETO,
    formulas: Object.fromEntries(
      plan.layers
        .filter(({ settings }) => LAYER_KINDS[settings.kind].isScored)
        .map(({ settings }) => [settings.name, settings.scoring.formula.text]),
    ),
  };
}
