/** Receipts on their way to the store: bounded, in order, off the request path; what is lost is counted. */
import type { Artifact, Authority } from '../cxri/authority.ts';
import type { CompositionReceipt } from '../model/composition.ts';
import type { TenantId } from '../model/ids.ts';

/** More than this waiting means that the store is down: the oldest are let go, so that memory stays bounded. */
const MAX_WAITING = 1000;
const BATCH = 50;
/**
 * How long a receipt waits for others, in milliseconds. Stored at once, it stood in front of the next call on an embedded database's single
 * connection (resolve scope 0.5 -> 3.7 ms, measured).
 */
const LINGER_MS = 200;

interface Entry {
  readonly tenant: TenantId;
  readonly receipt: CompositionReceipt;
  readonly artifact: Artifact;
}

export interface Outbox {
  push(entry: Entry): void;
  /** Waits until all that was pushed so far is stored or lost. */
  drain(): Promise<void>;
  readonly lost: number;
  /** Of the last failure; null = none. */
  readonly lastError: unknown;
}

export function createOutbox(authority: Authority): Outbox {
  const waiting: Entry[] = [];
  const known = new Set<string>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lost = 0;
  let lastError: unknown = null;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const tenant = waiting[0]?.tenant;
      const batch = waiting.slice(0, BATCH).filter((entry) => entry.tenant === tenant);
      const taken = new Set(batch);
      try {
        await store(authority, batch, known);
      } catch (error) {
        lost += batch.length;
        lastError = error;
      }
      for (let index = waiting.length - 1; index >= 0; index--) if (taken.has(waiting[index] as Entry)) waiting.splice(index, 1);
    }
  };
  const start = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    running ??= flush().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    push(entry) {
      if (waiting.length >= MAX_WAITING) {
        waiting.shift();
        lost += 1;
      }
      waiting.push(entry);
      if (waiting.length >= BATCH) void start();
      else timer ??= setTimeout(start, LINGER_MS);
    },
    async drain() {
      while (waiting.length > 0 || running) await start();
    },
    get lost() {
      return lost;
    },
    get lastError() {
      return lastError;
    },
  };
}

async function store(authority: Authority, batch: readonly Entry[], known: Set<string>): Promise<void> {
  for (const { tenant, artifact } of batch) {
    const key = `${tenant}/${artifact.digest}`;
    if (known.has(key)) continue;
    await authority.saveArtifact(tenant, artifact);
    known.add(key);
  }
  const [first] = batch;
  if (first)
    await authority.saveReceipts(
      first.tenant,
      batch.map((entry) => entry.receipt),
    );
}
