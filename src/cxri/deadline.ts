/** Time limits around an operation that may not know of them. */
import { ContextEngineError } from '../codes/errors.ts';
import { LONGEST_TIMER_MS } from '../model/time-limit.ts';
import { invalidRequest } from './refuse.ts';

export interface Limits {
  /** Milliseconds from now. */
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
}

/**
 * Rejects with `CONNECTOR.DEADLINE` once the time is up or the signal fires, whatever the work
 * does; its late result is dropped.
 */
export async function withinLimits<T>(
  limits: Limits,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const { deadline_ms: deadlineMs, signal } = limits;
  if (deadlineMs === undefined && signal === undefined) return work();
  if (deadlineMs !== undefined && !Number.isFinite(deadlineMs))
    throw invalidRequest('deadline_ms', deadlineMs, 'Pass milliseconds.');
  if (signal?.aborted) throw aborted(what, signal.reason);
  if (deadlineMs !== undefined && deadlineMs <= 0) throw late(what, deadlineMs);
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => settle(() => reject(aborted(what, signal?.reason)));
    const timer =
      deadlineMs === undefined
        ? undefined
        : setTimeout(
            () => settle(() => reject(late(what, deadlineMs))),
            Math.min(deadlineMs, LONGEST_TIMER_MS),
          );
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      end();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    work().then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Throws `CONNECTOR.DEADLINE` if the signal has fired. */
export function throwIfAborted(what: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(what, signal.reason);
}

const FIX =
  'Allow more time, or ask for less. A write that was under way may have been committed: ' +
  'repeat it with the same idempotency keys.';
const late = (what: string, deadlineMs: number): ContextEngineError =>
  new ContextEngineError('CONNECTOR.DEADLINE', {
    message: `\`${what}\` did not end within \`${deadlineMs}\` ms.`,
    fix: FIX,
  });
const aborted = (what: string, cause: unknown): ContextEngineError =>
  new ContextEngineError('CONNECTOR.DEADLINE', {
    message: `\`${what}\` was aborted.`,
    fix: FIX,
    cause,
  });
