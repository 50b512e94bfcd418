/**
 * What moves between a lock and the manifests as they are: by manifest, in terms of what
 * compositions would change. Pure.
 */
import {
  diffSettings,
  type Lock,
  type LockEntry,
  type LockedKind,
  type SettingChange,
} from './lock.ts';

export interface PlanEntry {
  readonly kind: LockedKind;
  readonly name: string;
  readonly state: 'added' | 'removed' | 'changed' | 'same';
  readonly locked: LockEntry | null;
  readonly working: LockEntry | null;
  /** Comments, layout or the order of keys are all that changed. */
  readonly isLayoutOnly: boolean;
  /**
   * In the order of {@link AREAS}; none where only words changed that no composition depends on.
   */
  readonly changes: readonly AreaChange[];
}

/** The parts of a manifest as a reader of a plan thinks of them. */
export const AREAS = [
  'serves',
  'layers',
  'budget',
  'tiers',
  'intents',
  'scoring',
  'inputs',
  'rendering',
  'properties',
  'variants',
  'other',
] as const;
export type Area = (typeof AREAS)[number];

export interface AreaChange {
  readonly area: Area;
  /** What changed, as it is written in the area: `recent.limit`. */
  readonly name: string;
  /** The layers that changed in the same way, where there are several. */
  readonly layers: readonly string[];
  readonly before: SettingChange['before'];
  readonly after: SettingChange['after'];
}

/**
 * Every manifest and collection of either side. No lock at all is an empty one: everything is
 * added.
 */
export function planBetween(locked: Lock | null, working: Lock): readonly PlanEntry[] {
  return (['manifests', 'collections'] as const).flatMap((kind) => {
    const before = locked?.[kind] ?? {};
    const after = working[kind];
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.map((name) => entryOf({ kind, name }, own(before, name), own(after, name)));
  });
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null;

function entryOf(
  of: Pick<PlanEntry, 'kind' | 'name'>,
  locked: LockEntry | null,
  working: LockEntry | null,
): PlanEntry {
  const isLayoutOnly =
    locked !== null && locked.digest !== working?.digest && locked.content === working?.content;
  const pair = { ...of, locked, working, isLayoutOnly };
  if (!locked) return { ...pair, state: 'added', changes: [] };
  if (!working) return { ...pair, state: 'removed', changes: [] };
  const settings = diffSettings(locked.settings, working.settings);
  const isSame =
    locked.digest === working.digest && locked.version === working.version && settings.length === 0;
  return { ...pair, state: isSame ? 'same' : 'changed', changes: changesOf(settings) };
}

/** Settings by area; one that changed alike in several layers is one change. */
export function changesOf(settings: readonly SettingChange[]): readonly AreaChange[] {
  const whole = wholeThings(settings);
  const merged = new Map<string, AreaChange>();
  for (const setting of settings) {
    const place = placeOf(setting, whole);
    if (!place) continue;
    const key = JSON.stringify([
      place.area,
      place.name,
      place.layer === null ? '' : [setting.before, setting.after],
    ]);
    const known = merged.get(key);
    const layers = [...(known?.layers ?? []), ...(place.layer === null ? [] : [place.layer])];
    merged.set(key, {
      area: place.area,
      name: place.name,
      layers,
      before: setting.before,
      after: setting.after,
    });
  }
  return [...merged.values()].sort((a, b) => AREAS.indexOf(a.area) - AREAS.indexOf(b.area));
}

/**
 * Things that have settings of their own: which setting each of them always has, and which shows
 * most of one that came or went.
 */
const THINGS: Readonly<Record<string, { readonly always: string; readonly telling: string }>> = {
  layers: { always: 'kind', telling: 'kind' },
  intents: { always: 'lambda', telling: 'layers' },
  inputs: { always: 'is_required', telling: 'is_required' },
  properties: { always: 'type', telling: 'type' },
};

/** `layers.open_set`, `intents.refund`: what only one side has. */
function wholeThings(settings: readonly SettingChange[]): ReadonlySet<string> {
  const cameOrWent = settings.filter(({ path, before, after }) => {
    const [head = '', , key] = path.split('.');
    return (
      key !== undefined && key === own(THINGS, head)?.always && (before === null || after === null)
    );
  });
  return new Set(cameOrWent.map(({ path }) => path.split('.').slice(0, 2).join('.')));
}

interface Place {
  readonly area: Area;
  readonly name: string;
  readonly layer: string | null;
}

const AREA_OF: Readonly<Record<string, Area>> = {
  scope_block_type: 'serves',
  layers: 'layers',
  budget: 'budget',
  model: 'budget',
  permission: 'tiers',
  intents: 'intents',
  scoring: 'scoring',
  inputs: 'inputs',
  render: 'rendering',
  properties: 'properties',
  variants: 'variants',
};
/** Heads that the area says already. */
const SAID_BY_AREA = new Set([
  'budget',
  'permission',
  'intents',
  'inputs',
  'properties',
  'variants',
]);
/** Settings of layers that are shares of the budget. */
const SHARES = new Set(['max_tokens', 'min_tokens']);

function placeOf(setting: SettingChange, whole: ReadonlySet<string>): Place | null {
  const [head = '', thing = '', key = '', ...rest] = setting.path.split('.');
  const area = own(AREA_OF, head) ?? 'other';
  if (setting.path === 'layers')
    return isReordered(setting) ? { area, name: 'order', layer: null } : null;
  if (whole.has(`${head}.${thing}`))
    return key === own(THINGS, head)?.telling ? { area, name: thing, layer: null } : null;
  if (head !== 'layers')
    return {
      area,
      name: SAID_BY_AREA.has(head) ? setting.path.slice(head.length + 1) : setting.path,
      layer: null,
    };
  if (key === 'scoring') return { area: 'scoring', name: rest.join('.'), layer: thing };
  return {
    area: SHARES.has(key) ? 'budget' : area,
    name: [thing, key, ...rest].join('.'),
    layer: null,
  };
}

/** Whether layers of both sides changed places; one that came or went is reported by itself. */
function isReordered({ before, after }: SettingChange): boolean {
  const [old = [], now = []] = [before, after].map((list) => String(list ?? '').split(', '));
  const common = (list: readonly string[], other: readonly string[]): string =>
    list.filter((name) => other.includes(name)).join();
  return common(old, now) !== common(now, old);
}
