/** The order of a layer's items in the text: those that share a head stand together. */
import { layerKind } from '../layers/index.ts';
import type { Instant } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { itemParts } from './item-parts.ts';
import { groupsOf, headKey } from './shared-heads.ts';
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
  const isAlike = ({ source }: PlacedItem): string =>
    source ? JSON.stringify(itemParts(settings, source).group) : '';
  return [...groupsOf(items, isAlike).values()].flatMap((group) => byHead(settings, inTime(group)));
}

/** Facts of one month that have heads of their own: of days, in the order of their time. */
function byHead(settings: LayerSettings, month: readonly PlacedItem[]): readonly PlacedItem[] {
  const groups = [...groupsOf(month, (item) => headKey(settings, item)).values()];
  const days = groups.filter(([first]) => first?.inHead?.day === true);
  const others = groups.filter((group) => !days.includes(group));
  const firstDay = timeOf(days[0]?.[0])?.at ?? '';
  const isBefore = others
    .flat()
    .some((item) => item.isDated && (timeOf(item)?.at ?? '') < firstDay);
  return (isBefore ? [...others, ...days] : [...days, ...others]).flat();
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

function timeOf(
  { source }: Pick<PlacedItem, 'source'> = { source: null },
): { readonly at: Instant; readonly seq: number } | null {
  if (source?.table === 'blocks')
    return { at: source.row.occurred_at, seq: source.row.recorded_seq };
  if (source?.table === 'memory_open_set')
    return { at: source.row.valid_from, seq: source.row.recorded_seq };
  return null;
}
