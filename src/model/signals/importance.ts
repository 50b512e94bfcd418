/** `importance`: what the writer stated, fading while nobody touches the row. */
import type { AnyRow } from '../block.ts';
import { defineSignal } from './definition.ts';

const IMPORTANCE_HALF_LIFE_DAYS = 90;
/** Applied after the decay: what was once worth keeping never counts as nothing. */
const IMPORTANCE_FLOOR = 0.1;
/** Of rows whose table has no importance column. */
const DEFAULT_IMPORTANCE = 0.5;
const DAY_HOURS = 24;

/** 0.1..1. `idleDays` count from the last touch. */
export function importance(
  stated: number,
  idleDays: number,
  halfLifeDays: number = IMPORTANCE_HALF_LIFE_DAYS,
): number {
  const faded = halfLifeDays > 0 ? stated * 0.5 ** (Math.max(0, idleDays) / halfLifeDays) : 0;
  return Math.min(1, Math.max(IMPORTANCE_FLOOR, faded));
}

const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
const statedImportance = ({ table, row }: AnyRow): number =>
  table === 'memory_open_set' ? unit(row.importance) : DEFAULT_IMPORTANCE;

export const importanceSignal = defineSignal({
  name: 'importance',
  meaning: 'importance with its decay, floor 0.1',
  range: [0, 1],
  of: ({ source, idleHours, settings }) =>
    importance(statedImportance(source), idleHours / DAY_HOURS, settings.importanceHalfLifeDays),
});
