/**
 * The outage marker as a running engine keeps it: left by a write that fails, cleared by the next
 * that succeeds; every composition in between reports it.
 */
import { ContextEngineError, type ErrorCode } from '../codes/errors.ts';
import type { Warning } from '../model/composition.ts';
import { type Instant, toEpochMs } from '../model/ids.ts';
import { clearOutage, type Outage, type OutageReading, readOutage, writeOutage } from './outage.ts';

/**
 * Failures of the store: the same write would have been taken on a better day. None of them: a
 * caller that gives up; a claim that could not be judged, or whoever makes one could alarm every
 * tenant; a locked folder, whose holder is well and writes, while the refusal goes to who asked.
 */
const OUTAGES: readonly ErrorCode[] = [
  'CONNECTOR.UNAVAILABLE',
  'WRITE.COMMIT_UNKNOWN',
  'CONNECTOR.CORRUPT',
  'CONNECTOR.ROLE',
  'MIGRATION.PENDING',
  'MIGRATION.CHANGED',
  'MIGRATION.FAILED',
];
export const isOutage = (error: unknown): error is ContextEngineError =>
  error instanceof ContextEngineError && OUTAGES.includes(error.code);

/** A write that failed, as the marker says it. */
export const outageOf = (error: ContextEngineError, owner: string, time: Instant): Outage => ({
  reason: `${error.code}: ${error.message}`,
  hint: error.fix,
  owner,
  time,
});

/** Other processes leave markers as well; a look at the file costs some 50 microseconds. */
const LOOK_EVERY_MS = 1000;

export interface OutageMarker {
  /** Whatever state the file is in, it gives an answer. */
  reading(): Promise<OutageReading>;
  /** For a composition; null = nothing is known to be missing. */
  warning(): Promise<Warning | null>;
  /**
   * Runs a write and hands on how it ended. `hasWritten`: whether the store was reached, so that a
   * call with nothing to do clears nothing.
   */
  watch<T>(write: () => Promise<T>, hasWritten: (result: T) => boolean): Promise<T>;
}

export interface MarkerOptions {
  /** null: known to this process alone. */
  readonly path: string | null;
  /** Who leaves it. */
  readonly owner: string;
  readonly now: () => Instant;
  readonly stopwatch: () => number;
}

export function createOutageMarker({ path, owner, now, stopwatch }: MarkerOptions): OutageMarker {
  let known: OutageReading = { state: 'clear' };
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** There is no file, or it could not be written: this process alone keeps what it knows. */
  let isKeptHere = path === null;
  const learn = (reading: OutageReading): void => {
    known = reading;
    lookedAt = stopwatch();
  };
  const look = async (): Promise<OutageReading> => {
    if (path !== null && !isKeptHere) learn(await readOutage(path, new Date(toEpochMs(now()))));
    return known;
  };
  const reading = async (): Promise<OutageReading> =>
    stopwatch() - lookedAt < LOOK_EVERY_MS ? known : look();
  return {
    reading,
    warning: async () => warningOf(await reading()),
    async watch(write, hasWritten) {
      const time = now();
      try {
        const result = await write();
        if (hasWritten(result) && (await look()).state !== 'clear') {
          learn({ state: 'clear' });
          if (path !== null) isKeptHere = !(await clearOutage(path));
        }
        return result;
      } catch (error) {
        if (isOutage(error)) {
          const outage = outageOf(error, owner, time);
          learn({ state: 'outage', outage });
          if (path !== null) isKeptHere = !(await writeOutage(path, outage));
        }
        throw error;
      }
    },
  };
}

const warningOf = (reading: OutageReading): Warning | null =>
  reading.state === 'outage'
    ? {
        code: 'OUTAGE',
        // Without the reason, which names hosts and folders: `health` and `doctor` show it to those
        // who run the engine.
        message:
          `Memory may be missing something: at \`${reading.outage.time}\` ` +
          `\`${reading.outage.owner}\` could not write, and no write has succeeded since. See ` +
          '`contextengine doctor`.',
      }
    : null;
