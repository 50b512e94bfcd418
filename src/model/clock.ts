/**
 * What a reader or writer whose clock lags does with times that it meets.
 *
 * A row that was written a moment ago begins at its writer's clock. Where the reader's clock is
 * behind, that is the future: `after` would be reached and the row not seen. So nobody stands
 * before what was committed: a composition's valid time is at least the newest journal time of the
 * scopes that it reads, and a write that takes its time from the clock begins no earlier than the
 * last write of its scope. Times that a caller names stay as they are, so what is planned stays
 * planned.
 */
import { type Instant, toEpochMs } from './ids.ts';
import { isOfTable, type Operation } from './operation.ts';

/**
 * An hour: what clocks without time service drift to. A time beyond it is a clock that is wrong,
 * and following it would let one writer end every TTL of a scope; such rows are seen when their
 * time comes, and the composition says so.
 */
const MAX_SKEW_MS = 3_600_000;

export const isBeyondSkew = (clock: Instant, met: Instant): boolean =>
  toEpochMs(met) - toEpochMs(clock) > MAX_SKEW_MS;

/** The clock's reading, or the time met where that is later by no more than clocks may differ. */
export const notBefore = (clock: Instant, met: Instant | null): Instant =>
  met !== null && met > clock && !isBeyondSkew(clock, met) ? met : clock;

/**
 * An operation whose times are the clock's begins no earlier than `last`, the newest journal time
 * of its scope.
 */
export function withScopeTime(operation: Operation, last: Instant | null): Operation {
  if (operation.is_time_defaulted !== true || !isOfTable(operation)) return operation;
  const from = notBefore(operation.valid_from, last);
  const until = 'valid_until' in operation ? operation.valid_until : undefined;
  if (from === operation.valid_from || (until !== undefined && until <= from)) return operation;
  if (operation.operation !== 'DELETE' && operation.table === 'blocks')
    return { ...operation, valid_from: from, content: { ...operation.content, occurred_at: from } };
  return { ...operation, valid_from: from };
}
