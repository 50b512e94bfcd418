/**
 * What the class of a document or fact is worth (seed 003: short lessons lose to long process
 * documents, which cover more ground).
 */
import type { AnyRow } from '../block.ts';
import { defineSignal } from './definition.ts';

/**
 * Written down to be remembered: the words of the ledger, and those that topic files of agents give
 * as their `type` (seed 003). `project` is left out: elsewhere it names notes of any length.
 */
const LESSONS: ReadonlySet<unknown> = new Set(['lesson', 'rule', 'feedback', 'memory']);
/** Long by necessity: specs, plans, reviews, runbooks. The last three are labels of the seed. */
const PROCESS: ReadonlySet<unknown> = new Set([
  'process',
  'process-doc',
  'wave-spec',
  'plans-review',
]);

export const MOST_BOOST = 3;
export const LEAST_BOOST = 0.1;

export const classBoostSignal = defineSignal({
  name: 'class_boost',
  meaning:
    'by class: `lesson_boost` for lessons, rules and feedback, `process_boost` for process ' +
    'documents, else 1',
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
