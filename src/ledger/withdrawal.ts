/** Which retirements take what was derived with them. */
import type { AnyRow, Cause } from '../model/block.ts';

/**
 * Causes that say "this was wrong": what was made from it is wrong too. A change leaves the past as
 * it was.
 */
export const WITHDRAWING: ReadonlySet<Cause | null> = new Set<Cause | null>([
  'correction',
  'prune',
  'redaction',
  'cascade',
]);

export const isWithdrawn = (row: Pick<AnyRow['row'], 'retired_seq' | 'cause'>): boolean =>
  row.retired_seq !== null && WITHDRAWING.has(row.cause);
