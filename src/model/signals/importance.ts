/** `importance`: what the writer stated, fading while nobody touches the row. */
import type { AnyRow } from '../block.ts';
import { defineSignal, type ItemFacts } from './definition.ts';

const IMPORTANCE_HALF_LIFE_DAYS = 90;
/** Applied after the decay: what was once worth keeping never counts as nothing. */
const IMPORTANCE_FLOOR = 0.1;
/** Of rows whose table has no importance column. */
const DEFAULT_IMPORTANCE = 0.5;
const DAY_HOURS = 24;

interface Fading {
  readonly halfLifeDays?: number;
  readonly floor?: number;
}

/** `floor`..1. `idleDays` count from the last touch. */
export function importance(
  stated: number,
  idleDays: number,
  { halfLifeDays = IMPORTANCE_HALF_LIFE_DAYS, floor = IMPORTANCE_FLOOR }: Fading = {},
): number {
  const faded = halfLifeDays > 0 ? stated * 0.5 ** (Math.max(0, idleDays) / halfLifeDays) : 0;
  return Math.min(1, Math.max(floor, faded));
}

const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
const statedImportance = ({ table, row }: AnyRow): number =>
  table === 'memory_open_set' ? unit(row.importance) : DEFAULT_IMPORTANCE;

/** By category, else by class: what a person is called outlasts what they are working on. */
export function halfLifeOf(
  { table, row }: AnyRow,
  {
    importanceHalfLives: byCategory,
    importanceHalfLifeDays,
  }: Pick<ItemFacts['settings'], 'importanceHalfLives' | 'importanceHalfLifeDays'>,
): number {
  const names = table === 'memory_open_set' ? [row.category, row.class] : [];
  const own = names.find((name) => name !== null && Object.hasOwn(byCategory, name));
  return own ? (byCategory[own] ?? importanceHalfLifeDays) : importanceHalfLifeDays;
}

export const importanceSignal = defineSignal({
  name: 'importance',
  meaning: 'importance with the decay of its category, down to `importance_floor`',
  range: [0, 1],
  of: ({ source, idleHours, settings }) =>
    importance(statedImportance(source), idleHours / DAY_HOURS, {
      halfLifeDays: halfLifeOf(source, settings),
      floor: settings.importanceFloor,
    }),
});
