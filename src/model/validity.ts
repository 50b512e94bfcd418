/**
 * The bitemporal rule, as one pure function. SQL and the reference connector must both agree with
 * it.
 */
import type { Versioned } from './block.ts';
import type { Instant, Uuid } from './ids.ts';

/**
 * `{scope: head}`: what was committed in each scope of a closure. In closure order, nearest first.
 */
export type Position = readonly { readonly scope: Uuid; readonly head: number }[];

/**
 * Visible at valid time V and knowledge K (a sequence number of the row's own scope):
 * recorded by K, not retired by K, begun by V, and not ended by V as far as K knew.
 * Status is judged now, whatever K is: suppression and rejection have no past.
 */
export function isVisible(
  row: Pick<
    Versioned,
    'recorded_seq' | 'retired_seq' | 'valid_from' | 'valid_until' | 'closed_seq' | 'status'
  >,
  validAt: Instant,
  head: number,
): boolean {
  return (
    row.status === 'live' &&
    row.recorded_seq <= head &&
    (row.retired_seq === null || row.retired_seq > head) &&
    row.valid_from <= validAt &&
    (row.valid_until === null ||
      row.valid_until > validAt ||
      (row.closed_seq !== null && row.closed_seq > head))
  );
}

/**
 * The head of `scope` in `position`; `undefined` where the scope is not part of it, and then
 * nothing of it is visible.
 */
export const headOf = (position: Position, scope: Uuid): number | undefined =>
  position.find((entry) => entry.scope === scope)?.head;
