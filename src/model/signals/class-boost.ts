/**
 * What the class of a document or fact is worth (seed 003: short lessons lose to long process
 * documents, which cover more ground).
 */
import type { AnyRow } from '../block.ts';
import { defineSignal } from './definition.ts';

/** Written down to be remembered. */
const LESSONS: ReadonlySet<unknown> = new Set(['lesson', 'rule']);
/** Long by necessity: specs, plans, reviews, runbooks. */
const PROCESS: ReadonlySet<unknown> = new Set(['process']);

export const MOST_BOOST = 3;
export const LEAST_BOOST = 0.1;

export const classBoostSignal = defineSignal({
  name: 'class_boost',
  meaning:
    'by class: `lesson_boost` for lessons and rules, `process_boost` for process documents, else 1',
  range: [LEAST_BOOST, MOST_BOOST],
  of: ({ source, standing, settings: { classBoosts } }) => {
    if (standing === null) return null;
    const kind = classOf(source);
    if (LESSONS.has(kind)) return classBoosts.lesson;
    return PROCESS.has(kind) ? classBoosts.process : 1;
  },
});

/** Of a fact its column, of a block what its adapter stamped. */
function classOf({ table, row }: AnyRow): unknown {
  if (table === 'memory_open_set') return row.class;
  return table === 'blocks' ? row.metadata['class'] : null;
}
