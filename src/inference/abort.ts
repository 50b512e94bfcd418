/** A caller that gave up gets one code, whoever noticed. */
import { ContextEngineError } from '../codes/errors.ts';

export const abortedError = (cause: unknown): ContextEngineError =>
  new ContextEngineError('CONNECTOR.DEADLINE', {
    message: 'The embedding was aborted by its caller.',
    fix: 'Allow more time (`deadline_ms`), or compose without waiting for vectors.',
    cause,
  });

/** Throws `CONNECTOR.DEADLINE` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal.reason);
}
