/**
 * What facts that stand together share stands in their head: the day where two or more show the
 * same, and the subject that their texts do not name. It depends on which items there are, not on
 * their order, so that a replay finds the same.
 */
import { layerKind } from '../layers/index.ts';
import type { FactRow } from '../model/block.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { RENDER_VERSION, type RenderVersion, SAID_EACH_TIME } from '../model/render-version.ts';
import type { RenderGroup } from '../render/render-layer.ts';
import { itemParts, unsaidSubject } from './item-parts.ts';
import type { PlacedItem } from './state.ts';

/** Where no more share a subject, the heads that it parts cost as much as they save. */
const LEAST_OF_SUBJECT = 3;

/** Items of a layer, each with what its head says for it. */
export function withHeads(
  settings: LayerSettings,
  items: readonly PlacedItem[],
  version: RenderVersion = RENDER_VERSION,
): readonly PlacedItem[] {
  if (version <= SAID_EACH_TIME || !layerKind(settings.kind).isGrouped) return items;
  const inEach = (
    all: readonly PlacedItem[],
    change: (group: readonly PlacedItem[]) => readonly PlacedItem[],
  ): readonly PlacedItem[] => {
    const changed = new Map<PlacedItem, PlacedItem>();
    for (const group of groupsOf(all, (item) => headKey(settings, item)).values())
      for (const [at, item] of change(group).entries()) changed.set(group[at] ?? item, item);
    return all.map((item) => changed.get(item) ?? item);
  };
  return inEach(inEach(items, withDayHeads), withSubjectHeads);
}

/** The head of an item, as it stands above it and its neighbours. */
export function headOfItem(
  settings: Pick<LayerSettings, 'kind'>,
  { source, inHead }: Pick<PlacedItem, 'source' | 'inHead'>,
  version?: RenderVersion,
): RenderGroup {
  if (source === null) return { date: null };
  const { group } = itemParts(settings, source, version);
  if (source.table !== 'memory_open_set' || !inHead) return group;
  const subject = inHead.subject ? unsaidSubject(source.row, version) : null;
  return {
    ...group,
    ...(inHead.day && { date: dayOf(source.row) }),
    ...(subject !== null && { about: subject }),
  };
}

export const headKey = (settings: LayerSettings, item: PlacedItem): string =>
  item.source === null ? '' : JSON.stringify(headOfItem(settings, item));

export function groupsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * The days that more than one of a month show. Of two about the same the last is the newer, so
 * what shows another day of the month stands wholly before or wholly behind these.
 */
function withDayHeads(month: readonly PlacedItem[]): readonly PlacedItem[] {
  const days = groupsOf(month, (item) => shownDayOf(item) ?? '');
  const isShared = (day: string | null): boolean =>
    day !== null && (days.get(day)?.length ?? 0) > 1;
  const dated = [...days.keys()].filter((day) => day !== '');
  const shared = dated.filter(isShared).sort();
  const alone = dated.filter((day) => !isShared(day)).sort();
  const isOrdered =
    alone.every((day) => day > (shared.at(-1) ?? '')) ||
    alone.every((day) => day < (shared[0] ?? ''));
  if (!isOrdered) return month;
  return month.map((item) =>
    isShared(shownDayOf(item)) ? { ...item, inHead: { day: true, subject: false } } : item,
  );
}

/** The subject that all of a head share, or many of it. */
function withSubjectHeads(group: readonly PlacedItem[]): readonly PlacedItem[] {
  const subjects = groupsOf(group, (item) => subjectOf(item) ?? '');
  return group.map((item) => {
    const subject = subjectOf(item);
    const count = subject === null ? 0 : (subjects.get(subject)?.length ?? 0);
    const isOfAll = count > 1 && count === group.length;
    // Those that show their days keep their places.
    const isOfMany = count >= LEAST_OF_SUBJECT && group.every(isWithoutDayNote);
    return isOfAll || isOfMany
      ? { ...item, inHead: { day: item.inHead?.day === true, subject: true } }
      : item;
  });
}

const isWithoutDayNote = ({ isDated, inHead }: PlacedItem): boolean =>
  !isDated || inHead?.day === true;

const shownDayOf = ({ source, isDated }: PlacedItem): string | null =>
  source?.table === 'memory_open_set' && isDated ? dayOf(source.row) : null;
const subjectOf = ({ source }: PlacedItem): string | null =>
  source?.table === 'memory_open_set' ? unsaidSubject(source.row) : null;

const dayOf = ({ valid_from }: FactRow): string => valid_from.slice(0, 10);
