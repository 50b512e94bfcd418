/** The order of a layer's items in the text: those that share a head stand together. */
import { layerKind } from '../layers/index.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { itemParts } from './item-parts.ts';
import type { PlacedItem } from './state.ts';

/**
 * Of a searched layer the group with the best item comes first; within a group, blocks stand in
 * the order of their time. A history keeps its order, and so does what is pinned.
 */
export function inGroups(
  settings: LayerSettings,
  items: readonly PlacedItem[],
): readonly PlacedItem[] {
  if (!layerKind(settings.kind).isGrouped) return items;
  const groups = new Map<string, PlacedItem[]>();
  for (const item of items) {
    const key = item.source ? JSON.stringify(itemParts(settings, item.source).group) : '';
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].flatMap((group) => group.sort(byTime));
}

function byTime(a: PlacedItem, b: PlacedItem): number {
  if (a.source?.table !== 'blocks' || b.source?.table !== 'blocks') return 0;
  const [first, second] = [a.source.row, b.source.row];
  if (first.occurred_at !== second.occurred_at)
    return first.occurred_at < second.occurred_at ? -1 : 1;
  return first.recorded_seq - second.recorded_seq;
}
