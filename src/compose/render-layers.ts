/**
 * Placed layers to text: one function for the fit, the composition and its replay, so that all
 * three see the same bytes.
 */
import type { LayerSettings, RenderFormat } from '../model/manifest.ts';
import type { RenderVersion } from '../model/render-version.ts';
import type { Position } from '../model/validity.ts';
import { renderContext, renderHead, renderPart } from '../render/render-context.ts';
import type { RenderLayer, RenderOptions, RenderPart } from '../render/render-layer.ts';
import { timeNotes } from './dated-facts.ts';
import { itemParts, subjectNotes } from './item-parts.ts';
import { headOfItem } from './shared-heads.ts';
import type { PlacedItem, PlacedLayer } from './state.ts';

/**
 * How the layers of one composition are rendered: the same for every part of it, and for its
 * replay.
 */
export interface LayerRendering {
  readonly format: RenderFormat;
  /** The seed of the marker where the manifest asks for datamarking. */
  readonly datamark: string | null;
  readonly layerNames: readonly string[];
  /** What the composition knew: a fact that was ended later had no end. */
  readonly position: Position;
  /** Absent = the one of today. */
  readonly version?: RenderVersion;
  /** Absent = nothing is kept: each item is rendered once. */
  readonly known?: KnownParts;
}

/** The fit renders an item by itself and in every whole that it tries: its part is made once. */
export interface KnownParts {
  /** By layer and item; of an item that is cut in several ways, the last. */
  readonly parts: Map<string, { readonly item: PlacedItem; readonly part: RenderPart }>;
  readonly texts: WeakMap<RenderPart, string>;
}

/**
 * The marker derives from request and position, so that the bytes stay the same. The position is
 * written as pairs: a store gives the keys of an object back in an order of its own.
 */
export const datamarkSeed = (query: string, position: Position): string =>
  JSON.stringify([query, position.map(({ scope, head }) => [scope, head])]);

export function renderLayers(
  layers: readonly PlacedLayer[],
  rendering: LayerRendering,
): RenderedLayers {
  const { text, lengths } = renderContext(
    layers.map(
      ({ settings, items, hasGap }): RenderLayer => ({
        name: settings.name,
        parts: [
          ...(hasGap && items.length > 0 ? [GAP] : []),
          ...items.map((item) => partOf(settings, item, rendering)),
        ],
      }),
    ),
    toOptions(rendering),
  );
  const segments = layers.map(({ settings: { name, kind } }, index) => ({
    name,
    kind,
    length: lengths[index] ?? 0,
  }));
  return { text, segments: segments.filter(({ length }) => length > 0) };
}

/** The text, and which part of it each layer is. */
export interface RenderedLayers {
  readonly text: string;
  readonly segments: readonly RenderedSegment[];
}
export interface RenderedSegment {
  readonly name: string;
  readonly kind: string;
  /** UTF-16 units. */
  readonly length: number;
}

/** Where the history has a hole, it says so. */
const GAP: RenderPart = { kind: 'mark', text: '(earlier turns are not shown)' };

/** One item as it stands in the whole. */
export const renderOneItem = (
  settings: LayerSettings,
  item: PlacedItem,
  rendering: LayerRendering,
): string => renderPart(partOf(settings, item, rendering), toOptions(rendering));

const toOptions = ({
  format,
  datamark,
  layerNames,
  version,
  known,
}: LayerRendering): RenderOptions => ({
  format,
  datamark,
  layerNames,
  ...(version && { version }),
  ...(known && { known: known.texts }),
});

function partOf(settings: LayerSettings, item: PlacedItem, rendering: LayerRendering): RenderPart {
  const { known } = rendering;
  if (!known) return toPart(settings, item, rendering);
  const key = `${settings.name}/${item.key}`;
  const last = known.parts.get(key);
  const isSame =
    last !== undefined &&
    last.item.source === item.source &&
    last.item.id === item.id &&
    last.item.kept === item.kept &&
    last.item.isDated === item.isDated &&
    last.item.inHead?.day === item.inHead?.day &&
    last.item.inHead?.subject === item.inHead?.subject &&
    last.item.text === item.text;
  if (isSame) return last.part;
  const part = toPart(settings, item, rendering);
  known.parts.set(key, { item, part });
  return part;
}

/** The head above an item where its group begins with it; '' for text of the manifest. */
export function renderItemHead(
  settings: LayerSettings,
  item: PlacedItem,
  rendering: LayerRendering,
): string {
  const part = partOf(settings, item, rendering);
  return 'kind' in part ? '' : renderHead(part, toOptions(rendering));
}

const subjectNotesOf = ({ source }: PlacedItem): readonly string[] =>
  source?.table === 'memory_open_set' ? subjectNotes(source.row) : [];

/** What a replay shows of a row that is gone. */
const ERASED = { author: null, role: null, notes: [], group: { date: null } };

function toPart(
  settings: LayerSettings,
  item: PlacedItem,
  { version, position }: LayerRendering,
): RenderPart {
  if (item.id === null) return { kind: 'trusted', text: item.text };
  const parts = item.source ? itemParts(settings, item.source, version) : ERASED;
  const isDated = item.isDated && item.inHead?.day !== true;
  const times = timeNotes(item.source, { position, version, isDated });
  const said = item.inHead?.subject === true ? subjectNotesOf(item) : [];
  const notes = [...times, ...parts.notes.filter((note) => !said.includes(note))];
  const text = item.kept === null ? item.text : `${item.text}…`;
  // A value's text begins with its subject, which stands in the head of its group.
  const skipped =
    item.source?.table === 'memory_schema_typed' ? item.source.row.subject.length + 1 : 0;
  const group = headOfItem(settings, item, version);
  return { ...parts, notes, group, id: item.id, text: text.slice(skipped) };
}
