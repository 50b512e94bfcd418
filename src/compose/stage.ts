/**
 * What every stage runs in: a clock reading, a deadline, and the record of how long each stage
 * took.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Degradation, StageTiming, Warning } from '../model/composition.ts';
import type { Instant } from '../model/ids.ts';

export interface StageContext {
  /** The instant of the call; every stage sees the same one. */
  readonly now: Instant;
  /** Monotonic milliseconds, for timings only: never enters a result. */
  readonly stopwatch: () => number;
  readonly signal: AbortSignal | undefined;
  /** What the caller allows for the whole call, in milliseconds; null = as long as it takes. */
  readonly deadlineMs: number | null;
  /** Reading of the stopwatch when the call came in. */
  readonly begunMs: number;
  /** Where the call is, for who learns that it ran out of time. */
  readonly progress: { stage: string };
  readonly timings: StageTiming[];
  readonly warnings: Warning[];
  readonly degraded: Degradation[];
}

export function createStageContext(
  options: Pick<StageContext, 'now' | 'stopwatch' | 'signal' | 'deadlineMs'>,
): StageContext {
  return {
    ...options,
    begunMs: options.stopwatch(),
    progress: { stage: 'judge_claim' },
    timings: [],
    warnings: [],
    degraded: [],
  };
}

/** Of the caller's deadline, in milliseconds; null = there is none. */
export const timeLeft = ({ deadlineMs, begunMs, stopwatch }: StageContext): number | null =>
  deadlineMs === null ? null : Math.max(0, deadlineMs - (stopwatch() - begunMs));

/** Runs one stage: refuses to begin after the deadline, times it, and passes its result on. */
export async function runStage<T>(
  context: StageContext,
  stage: string,
  body: () => T | Promise<T>,
): Promise<T> {
  context.progress.stage = stage;
  assertInTime(context, stage);
  const begun = context.stopwatch();
  const result = await body();
  context.timings.push({ stage, ms: round(context.stopwatch() - begun), bypassed: false });
  return result;
}

/**
 * Runs a whole call: it ends with `CONNECTOR.DEADLINE` once the signal fires, whatever it waits
 * for. Every wait of the call is inside, so no part has to know of the deadline to keep it; those
 * that do stop their work early.
 */
export async function runInTime<T>(context: StageContext, body: () => Promise<T>): Promise<T> {
  const { signal } = context;
  if (!signal) return body();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(outOfTime(context, `in stage \`${context.progress.stage}\``));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, body()]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * A stage that the manifest switched off: it leaves its mark in the trace and hands its input on.
 */
export function bypassStage<T>(context: StageContext, stage: string, input: T): T {
  context.timings.push({ stage, ms: 0, bypassed: true });
  return input;
}

export function assertInTime(context: Pick<StageContext, 'signal'>, stage: string): void {
  if (context.signal?.aborted) throw outOfTime(context, `before stage \`${stage}\``);
}

const outOfTime = ({ signal }: Pick<StageContext, 'signal'>, where: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.DEADLINE', {
    message: `The call was aborted or ran out of time ${where}.`,
    fix: 'Raise `deadline_ms`, or narrow the manifest.',
    cause: signal?.reason,
  });

const round = (ms: number): number => Math.round(ms * 1000) / 1000;
