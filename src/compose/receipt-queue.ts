/**
 * Receipts on their way to the store: bounded, in order, off the request path.
 * A transient failure is tried again; a batch that the store refuses is saved one by one, so that
 * a receipt that cannot be stored takes no other with it. What is lost is counted.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { Artifact } from '../cxri/ports/receipts.ts';
import type { ServedMark } from '../cxri/ports/served.ts';
import type { CompositionReceipt } from '../model/composition.ts';
import { type Instant, type TenantId, toEpochMs, toInstant } from '../model/ids.ts';

/**
 * More than this waiting means that the store is down: the oldest are let go, so that memory
 * stays bounded.
 */
const MAX_WAITING = 1000;
const BATCH = 50;
/** Marks are read for an hour; a day leaves room for clocks that differ. */
const SERVED_KEPT_MS = 24 * 60 * 60 * 1000;
/**
 * How long a receipt waits for others, in milliseconds. Stored at once, it stood in front of the
 * next call on an embedded database's single connection (resolve scope 0.5 -> 3.7 ms, measured).
 */
const LINGER_MS = 200;
/**
 * Delays before the tries after a transient failure. A server that restarts is back within some
 * seconds; after the last of these (33 s in all) a receipt is lost.
 */
const RETRY_MS = [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000] as const;
/** Tries when the engine closes, and the pause between them: closing never takes long. */
const CLOSING_TRIES = 5;

type Saving = Pick<Authority, 'saveArtifact' | 'saveReceipts' | 'saveServed'>;

interface Entry {
  readonly tenant: TenantId;
  readonly receipt: CompositionReceipt;
  readonly artifact: Artifact;
  /** What rotation marks; absent = nothing. */
  readonly served?: readonly ServedMark[];
}
interface Waiting extends Entry {
  /** Timed tries that failed. */
  failures: number;
}

export interface ReceiptQueue {
  push(entry: Entry): void;
  /** Tries to store all that was pushed so far. What a transient failure keeps back stays. */
  drain(): Promise<void>;
  /** Stores what waits, or counts it as lost. */
  close(): Promise<void>;
  readonly waiting: number;
  readonly lost: number;
  /** Of the last failure; null = none. */
  readonly lastError: unknown;
}

export interface ReceiptQueueOptions {
  /** Delays before the tries after a transient failure; their number is the bound. */
  readonly retryMs?: readonly number[];
}

export const createReceiptQueue = (
  authority: Saving,
  { retryMs = RETRY_MS }: ReceiptQueueOptions = {},
): ReceiptQueue => new WaitingReceipts(createSaver(authority), retryMs);

class WaitingReceipts implements ReceiptQueue {
  readonly #entries: Waiting[] = [];
  readonly #saver: Saver;
  readonly #retryMs: readonly number[];
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isRetrying = false;
  #overrun = 0;

  constructor(saver: Saver, retryMs: readonly number[]) {
    this.#saver = saver;
    this.#retryMs = retryMs;
  }

  push(entry: Entry): void {
    if (this.#entries.length >= MAX_WAITING) {
      this.#entries.shift();
      this.#overrun += 1;
    }
    this.#entries.push({ ...entry, failures: 0 });
    if (this.#entries.length >= BATCH && !this.#isRetrying) void this.#start(true);
    else this.#linger();
  }

  async drain(): Promise<void> {
    // A flush that is under way may have begun before the last push.
    if (this.#running) await this.#running;
    if (this.#entries.length > 0) await this.#start(false);
  }

  async close(): Promise<void> {
    for (let tries = 1; this.#running !== null || this.#entries.length > 0; tries += 1) {
      await this.#start(false);
      if (this.#entries.length === 0) break;
      if (tries === CLOSING_TRIES) this.#overrun += this.#entries.splice(0).length;
      else await new Promise((resolve) => setTimeout(resolve, this.#retryMs[0] ?? 0));
    }
    if (this.#timer) clearTimeout(this.#timer);
  }

  get waiting(): number {
    return this.#entries.length;
  }

  get lost(): number {
    return this.#overrun + this.#saver.refused;
  }

  get lastError(): unknown {
    return this.#saver.lastError;
  }

  #linger(): void {
    this.#timer ??= setTimeout(() => void this.#start(true), LINGER_MS);
  }

  #start(isTimed: boolean): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isRetrying = false;
    this.#running ??= this.#flush(isTimed).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Invariant: a timed try that fails counts against the batch; one that a reader asked for does
   * not. What is pushed meanwhile waits for others again: a save takes as long as a call where
   * they share a connection, so that else each call would be followed by a save of its own.
   */
  async #flush(isTimed: boolean): Promise<void> {
    const due = new Set(this.#entries);
    const isDue = (entry: Waiting | undefined): boolean => entry !== undefined && due.has(entry);
    while (isDue(this.#entries[0]) || this.#entries.length >= BATCH) {
      const tenant = this.#entries[0]?.tenant;
      const batch = this.#entries.slice(0, BATCH).filter((entry) => entry.tenant === tenant);
      const isStored = await this.#saver.save(batch);
      if (isTimed && !isStored) for (const entry of batch) entry.failures += 1;
      const given = isStored
        ? batch
        : batch.filter(({ failures }) => failures > this.#retryMs.length);
      if (!isStored) this.#overrun += given.length;
      const taken = new Set<Entry>(given);
      const left = this.#entries.filter((entry) => !taken.has(entry));
      this.#entries.splice(0, this.#entries.length, ...left);
      if (!isStored) return this.#retryLater();
    }
    if (this.#entries.length > 0) this.#linger();
  }

  #retryLater(): void {
    const [next] = this.#entries;
    if (!next) return;
    // What was pushed meanwhile waits with what is tried again.
    if (this.#timer) clearTimeout(this.#timer);
    const delay = this.#retryMs[next.failures] ?? this.#retryMs.at(-1) ?? 0;
    this.#isRetrying = true;
    this.#timer = setTimeout(() => void this.#start(true), delay);
    // A store that is down keeps no process alive.
    this.#timer.unref();
  }
}

interface Saver {
  /** False = a transient failure: the batch may be tried again. Saving twice is saving once. */
  save(batch: readonly Entry[]): Promise<boolean>;
  readonly refused: number;
  readonly lastError: unknown;
}

function createSaver(authority: Saving): Saver {
  const known = new Set<string>();
  const refusedIds = new Set<string>();
  let lastError: unknown = null;

  const store = async (batch: readonly Entry[]): Promise<void> => {
    for (const { tenant, artifact } of batch) {
      const key = `${tenant}/${artifact.digest}`;
      if (known.has(key)) continue;
      await authority.saveArtifact(tenant, artifact);
      known.add(key);
    }
    const [first] = batch;
    if (!first) return;
    await authority.saveReceipts(
      first.tenant,
      batch.map((entry) => entry.receipt),
    );
    const served = batch.flatMap((entry) => entry.served ?? []);
    const newest = served.reduce<Instant | null>(
      (last, { served_at: at }) => (last === null || at > last ? at : last),
      null,
    );
    if (newest !== null)
      await authority.saveServed(
        first.tenant,
        served,
        toInstant(toEpochMs(newest) - SERVED_KEPT_MS),
      );
  };
  const save = async (batch: readonly Entry[]): Promise<boolean> => {
    try {
      await store(batch);
      return true;
    } catch (error) {
      lastError = error;
      if (isTransient(error)) return false;
      if (batch.length === 1) {
        for (const { receipt } of batch) refusedIds.add(receipt.composition_id);
        return true;
      }
    }
    for (const entry of batch) if (!(await save([entry]))) return false;
    return true;
  };
  return {
    save,
    get refused() {
      return refusedIds.size;
    },
    get lastError() {
      return lastError;
    },
  };
}

const isTransient = (error: unknown): boolean =>
  error instanceof ContextEngineError && error.retryable;
