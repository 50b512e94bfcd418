/** Placed layers to text: one function for the fit, the composition and its replay, so that all three see the same bytes. */
import { LAYER_KINDS } from '../model/layer.ts';
import type { LayerSettings, RenderFormat } from '../model/manifest.ts';
import type { Position } from '../model/validity.ts';
import { type RenderedContext, renderContext, renderPart } from '../render/render-context.ts';
import type { RenderLayer, RenderOptions, RenderPart } from '../render/render-layer.ts';
import { itemAttributes } from './item-text.ts';
import type { PlacedItem, PlacedLayer } from './state.ts';

/** How the layers of one composition are rendered: the same for every part of it, and for its replay. */
export interface LayerRendering {
  readonly format: RenderFormat;
  /** The seed of the marker where the manifest asks for datamarking. */
  readonly datamark: string | null;
  readonly layerNames: readonly string[];
}

/** The marker derives from request and position, so that the bytes stay the same. */
export const datamarkSeed = (query: string, position: Position): string => JSON.stringify([query, position]);

export function renderLayers(layers: readonly PlacedLayer[], rendering: LayerRendering): RenderedContext {
  return renderContext(
    layers.map(
      ({ settings, items }): RenderLayer => ({
        name: settings.name,
        isStatic: LAYER_KINDS[settings.kind].isStatic,
        body: { kind: 'items', items: items.map((item) => toPart(settings, item)) },
      }),
    ),
    toOptions(rendering),
  );
}

/** One item as it stands in the whole. */
export const renderOneItem = (settings: LayerSettings, item: PlacedItem, rendering: LayerRendering): string =>
  renderPart(toPart(settings, item), toOptions(rendering));

const toOptions = ({ format, datamark, layerNames }: LayerRendering): RenderOptions => ({ format, datamark, layerNames });

/** What a replay shows of a row that is gone. */
const ERASED = { tag: 'erased', attributes: {} };

function toPart(settings: LayerSettings, item: PlacedItem): RenderPart {
  if (item.isTrusted) return { kind: 'trusted', text: item.text };
  const { tag, attributes } = item.source ? itemAttributes(settings, item.source) : ERASED;
  return { tag, attributes, text: item.kept === null ? item.text : `${item.text}…` };
}
