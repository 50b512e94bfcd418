/** The order of a layer's items in the text: those that share a head stand together. */
import { layerKind } from '../layers/index.ts';
import type { Instant } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { itemParts } from './item-parts.ts';
import type { PlacedItem } from './state.ts';

/**
 * Of a searched layer the group with the best item comes first; within a group, blocks stand in the
 * order of their time, and so do facts that show their day: of two about the same, the last is the
 * newer. Other facts keep the order of their rank, and so does what is pinned, and a history.
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
  return [...groups.values()].flatMap(inTime);
}

/** The places of those that stand in the order of their time are theirs still. */
function inTime(group: readonly PlacedItem[]): readonly PlacedItem[] {
  const isInTime = ({ source, isDated }: PlacedItem): boolean =>
    source?.table === 'blocks' || isDated;
  const ordered = group.filter(isInTime).sort(byTime);
  return group.map((item) => (isInTime(item) ? (ordered.shift() ?? item) : item));
}

function byTime(a: PlacedItem, b: PlacedItem): number {
  const [first, second] = [timeOf(a), timeOf(b)];
  if (!first || !second) return 0;
  if (first.at !== second.at) return first.at < second.at ? -1 : 1;
  return first.seq - second.seq;
}

function timeOf({ source }: PlacedItem): { readonly at: Instant; readonly seq: number } | null {
  if (source?.table === 'blocks')
    return { at: source.row.occurred_at, seq: source.row.recorded_seq };
  if (source?.table === 'memory_open_set')
    return { at: source.row.valid_from, seq: source.row.recorded_seq };
  return null;
}
