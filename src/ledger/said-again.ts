/**
 * What a statement leaves that says what is believed already: from when on it says so. Pure.
 *
 * Without it, `A` from Monday, `A` again on Friday and, arriving last, `B` from Wednesday end with
 * `B`: a stale answer (test/property/typed-updates.test.ts).
 */
import type { AnyRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { SaidAgain } from '../model/journal.ts';
import { isRange, type Operation } from '../model/operation.ts';

/**
 * null = nothing that the version does not say by itself, or of sources whose standing is not
 * followed here: ranges.
 */
export function saidAgainBy(
  operation: Operation,
  { valid_from }: Pick<AnyRow['row'], 'valid_from'>,
): SaidAgain | null {
  if (operation.operation !== 'ADD' && operation.operation !== 'UPDATE') return null;
  const sources = operation.sources ?? [];
  const named = sources.flatMap((source): readonly Uuid[] => (isRange(source) ? [] : [source]));
  const isFollowed = named.length === sources.length;
  // What ends says nothing of the time after that.
  const isOpen = operation.valid_until === undefined;
  return isFollowed && isOpen && valid_from < operation.valid_from
    ? { from: operation.valid_from, sources: named }
    : null;
}
