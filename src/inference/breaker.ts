/**
 * A circuit breaker: after some failures in a row nothing is asked for a while, so that a provider
 * that is down costs no waiting.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { type Embedder, OutOfPatience, spaceName } from './embedder.ts';

/** Whoever gives up sooner says more of himself than of the provider. */
const SLOW_MS = 500;

export interface BreakerOptions {
  /** What stands behind it, for messages. */
  readonly subject: string;
  /** In a row; then it opens. */
  readonly failures: number;
  /** After this long one call is let through to try. */
  readonly halfOpenAfterMs: number;
  /** Milliseconds that never run backwards. */
  readonly now: () => number;
}
type BreakerState = 'closed' | 'open' | 'half_open';

export interface Breaker {
  readonly state: () => BreakerState;
  /**
   * Runs `call` unless open; then throws at once: `INFERENCE.REFUSED` where a key was refused last,
   * else `INFERENCE.UNAVAILABLE`. What counts as a failure: these two, unless a text was refused,
   * and a call that `isGivenUp` says ran out of patience after it had half a second.
   */
  run<T>(call: () => Promise<T>, isGivenUp?: () => boolean): Promise<T>;
}

export function createBreaker({
  subject,
  failures,
  halfOpenAfterMs,
  now,
}: BreakerOptions): Breaker {
  let failed = 0;
  let openedAt: number | null = null;
  let isProbing = false;
  /** The last failure, where a key was refused. */
  let refusal: ContextEngineError | null = null;
  const state = (): BreakerState =>
    openedAt === null ? 'closed' : now() - openedAt >= halfOpenAfterMs ? 'half_open' : 'open';

  return {
    state,
    async run(call, isGivenUp = () => false) {
      const before = state();
      const begun = now();
      const openedBefore = openedAt;
      if (before === 'open' || (before === 'half_open' && isProbing))
        throw openError(subject, refusal, Math.max(0, halfOpenAfterMs - (now() - (openedAt ?? 0))));
      isProbing ||= before === 'half_open';
      try {
        const result = await call();
        // A call that began before it opened says nothing of how it stands since.
        if (openedAt === openedBefore) {
          failed = 0;
          openedAt = null;
        }
        return result;
      } catch (error) {
        if (isProviderDown(error) || (isGivenUp() && now() - begun >= SLOW_MS)) {
          failed += 1;
          refusal = isRefusal(error) ? error : null;
          if (failed >= failures) openedAt = now();
        }
        throw error;
      } finally {
        if (before === 'half_open') isProbing = false;
      }
    },
  };
}

/** The embedder behind a breaker. */
export function withBreaker(inner: Embedder, options: Omit<BreakerOptions, 'subject'>): Embedder {
  const breaker = createBreaker({ ...options, subject: spaceName(inner.space) });
  return {
    space: inner.space,
    embed: (texts, embedOptions) =>
      breaker.run(
        () => inner.embed(texts, embedOptions),
        () => embedOptions.signal?.reason instanceof OutOfPatience,
      ),
    close: () => inner.close(),
  };
}

const isRefusal = (error: unknown): error is ContextEngineError =>
  error instanceof ContextEngineError && error.code === 'INFERENCE.REFUSED';

/** Of a text that it does not like, not of its state. */
const REFUSALS: readonly unknown[] = [400, 413, 422];
const isProviderDown = (error: unknown): boolean =>
  error instanceof ContextEngineError &&
  (error.code === 'INFERENCE.UNAVAILABLE' || error.code === 'INFERENCE.REFUSED') &&
  !REFUSALS.includes(error.meta['status']);
/** With the code of the last failure: whose key is refused learns that, and does not try again. */
const openError = (
  subject: string,
  last: ContextEngineError | null,
  waitMs: number,
): ContextEngineError =>
  new ContextEngineError(last?.code ?? 'INFERENCE.UNAVAILABLE', {
    message:
      `\`${subject}\` failed several times in a row and is left alone for another ` +
      `\`${Math.ceil(waitMs)}\` ms.`,
    fix: last?.fix ?? 'Check the embedding provider; it is tried again by itself.',
    meta: { circuit: 'open', retry_after_ms: Math.ceil(waitMs) },
  });
