/** How a row reads in a layer: a pure function of both, so that a replay shows the same words. */
import type { AnyRow } from '../model/block.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { layerKind } from './index.ts';

export const itemText = (layer: Pick<LayerSettings, 'kind' | 'maxLines'>, item: AnyRow): string =>
  layerKind(layer.kind).textOf(item, layer);
