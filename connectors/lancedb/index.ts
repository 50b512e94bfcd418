/**
 * A projection in a folder of LanceDB: vectors and words of the ledger, searched under a filter. It
 * takes no writes; it is fed, and can be made again at any time.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Capabilities } from '../../src/cxri/contract.ts';
import { throwIfAborted } from '../../src/cxri/deadline.ts';
import type {
  Projection,
  ProjectionConnector,
  ProjectionFeed,
  ProjectionOptions,
  ProjectionRebuild,
} from '../../src/cxri/projection.ts';
import type { Health } from '../../src/model/health.ts';
import { WORD_RULES } from '../../src/text/bm25.ts';
import { lockFolder } from '../folder-lock.ts';
import { bytesOf, type Copies, type Copy, copiesIn } from './copies.ts';
import { readCursor } from './cursors.ts';
import { applyTo, checkVectors, eraseFrom, keepUp, marked, mendCutOff } from './feed.ts';
import { type Lance, loadLance } from './load.ts';
import { queryCopy, readCopy } from './search.ts';
import { subscribe } from './subscribe.ts';

export interface LancedbOptions {
  /** A folder of its own; made where there is none. */
  readonly path: string;
}

export const LANCEDB_CAPABILITIES: Capabilities = {
  vector: true,
  text: true,
  hybrid: true,
  structured: true,
  blobs: false,
  changes: true,
  write: false,
  atomic: false,
  idempotent: true,
  prefilter: true,
  temporal: false,
  ordered_changes: true,
  read_your_writes: true,
  erase: true,
};

/**
 * Needs the optional packages `@lancedb/lancedb` and `apache-arrow`: `CONNECTOR.MISSING_PACKAGE`
 * without them.
 *
 * @example
 * ```ts
 * const archive = createLancedbProjection({ path: '.contextengine/archive' });
 * ```
 */
export function createLancedbProjection({ path }: LancedbOptions): ProjectionConnector {
  return {
    name: 'lancedb',
    connect: async ({ space, signal }) => {
      const lance = await loadLance();
      throwIfAborted('connect', signal);
      mkdirSync(path, { recursive: true });
      return projectionOf(copiesIn(path, space, lance), { space, lance });
    },
  };
}

interface Parts {
  readonly space: ProjectionOptions['space'];
  readonly lance: Lance;
}

function projectionOf(copies: Copies, parts: Parts): Projection {
  let isClosed = false;
  const subscriptions = new Set<AsyncDisposable>();
  const open = (): Copies => {
    if (isClosed)
      throw new ContextEngineError('CONNECTOR.CLOSED', {
        message: 'The mount was closed.',
        fix: 'Connect again.',
      });
    return copies;
  };
  return {
    name: 'lancedb',
    capabilities: LANCEDB_CAPABILITIES,
    query: async (request) =>
      ask(open(), (copy) => queryCopy(copy, request), {
        parts: request.parts.map(({ id }) => ({ id, ok: true, hits: [] })),
        next_edge: null,
      }),
    read: async (request) =>
      ask(open(), (copy) => readCopy(copy, request), { rows: [], cursor: null }),
    write: async () => refuse('a write'),
    subscribe: async (filter, listener) => {
      const current = async (): Promise<Copy | null> => open().current();
      const subscription = await subscribe(filter, { current, listener });
      subscriptions.add(subscription);
      subscription.ended.finally(() => subscriptions.delete(subscription)).catch(() => undefined);
      return subscription;
    },
    health: async () => health(open(), parts),
    cursor: async (tenant) =>
      ask(open(), async (copy) => readCursor(copy, tenant), { policy_epoch: 0, marks: [] }),
    feed: async () => feedOf(open(), parts),
    rebuild: async () => rebuildOf(open(), parts),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...subscriptions].map((one) => one[Symbol.asyncDispose]()));
      isClosed = true;
      copies.close();
    },
  };
}

/** Again where the copy was replaced while it was read; `none` where nothing was ever fed. */
async function ask<T>(copies: Copies, body: (copy: Copy) => Promise<T>, none: T): Promise<T> {
  const copy = await copies.current();
  if (copy === null) return none;
  try {
    return await body(copy);
  } catch (error) {
    const now = await copies.current();
    if (now === null || now.name === copy.name) throw error;
    return body(now);
  }
}

async function feedOf(copies: Copies, { space, lance }: Parts): Promise<ProjectionFeed> {
  const release = hold(copies, 'feed');
  try {
    await whileNoneIsMade(copies, async (isFree) => {
      if (isFree) copies.tidy();
    });
    let copy = await copies.current();
    if (copy === null) {
      const first = await copies.make();
      await copies.serve(first, 'stay');
      first.close();
      copy = await copies.current();
    }
    if (copy === null || !isOf(copy, space)) throw otherSpace(copy, space);
    mendCutOff(copy);
    return feedTo(copies, { copy, lance, seen: null, isServing: true, release });
  } catch (error) {
    release();
    throw error;
  }
}

async function rebuildOf(copies: Copies, { lance }: Parts): Promise<ProjectionRebuild> {
  const release = hold(copies, 'rebuild');
  const copy = await copies.make().catch((error: unknown) => {
    release();
    throw error;
  });
  let isServing = false;
  const feed = feedTo(copies, { copy, lance, seen: new Set(), isServing: false, release });
  return {
    ...feed,
    commit: async () => {
      await keepUp(copy, lance);
      // A feed that is under way writes to the copy before, or is about to replace it.
      const releaseFeed = await holdOnceFree(copies, 'feed');
      try {
        await copies.serve(copy, 'go');
      } finally {
        releaseFeed();
      }
      isServing = true;
    },
    [Symbol.asyncDispose]: async () => {
      if (isServing) copy.close();
      else copies.drop(copy);
      release();
    },
  };
}

interface Feeding {
  readonly copy: Copy;
  readonly lance: Lance;
  /** Versions that a fresh copy was given; null = it is not fresh. */
  readonly seen: Set<string> | null;
  readonly isServing: boolean;
  readonly release: () => void;
}

function feedTo(copies: Copies, { lance, seen, isServing, ...given }: Feeding): ProjectionFeed {
  let { copy } = given;
  const serve = (clean: Copy): Promise<void> =>
    whileNoneIsMade(copies, (isFree) => copies.serve(clean, isFree ? 'go' : 'stay'));
  return {
    apply: async (batch) => {
      checkVectors(copy, batch.upsert);
      await marked(copy, () => applyTo(copy, batch, { lance, seen }));
    },
    cursor: async (tenant) => readCursor(copy, tenant),
    erase: async (erasure) => {
      const by = { copies, lance, isServing, serve };
      const done = await marked(copy, () => eraseFrom(copy, erasure, by));
      ({ copy } = done);
      return done.erased;
    },
    upkeep: async (bounds) => marked(copy, () => keepUp(copy, lance, bounds)),
    [Symbol.asyncDispose]: async () => given.release(),
  };
}

/** A feed must not end a rebuild that is under way in another process. */
async function whileNoneIsMade<T>(
  copies: Copies,
  body: (isFree: boolean) => Promise<T>,
): Promise<T> {
  const release = holdIfFree(copies, 'rebuild');
  try {
    return await body(release !== null);
  } finally {
    release?.();
  }
}

function holdIfFree(copies: Copies, what: 'feed' | 'rebuild'): (() => void) | null {
  try {
    return hold(copies, what);
  } catch (error) {
    if (error instanceof ContextEngineError && error.code === 'CONNECTOR.LOCKED') return null;
    throw error;
  }
}

/** A feed with an upkeep of a large mount takes minutes; one that hangs must not hold for ever. */
const PATIENCE_MS = 900_000;
const POLL_MS = 50;

async function holdOnceFree(copies: Copies, what: 'feed' | 'rebuild'): Promise<() => void> {
  for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS; ) {
    const release = holdIfFree(copies, what);
    if (release) return release;
    await rest(POLL_MS);
  }
  return hold(copies, what);
}

/** One process at a time, by a lock that its death lets go. */
function hold({ folder }: Copies, what: 'feed' | 'rebuild'): () => void {
  const place = join(folder, `${what}.lock`);
  mkdirSync(place, { recursive: true });
  try {
    return lockFolder(place, { onLost: () => undefined }).release;
  } catch (cause) {
    if (!(cause instanceof ContextEngineError) || cause.code !== 'CONNECTOR.LOCKED') throw cause;
    throw new ContextEngineError('CONNECTOR.LOCKED', {
      message: `The mount in \`${folder}\` has a ${what} under way already.`,
      fix: 'Wait for it to end: one process feeds a mount at a time.',
      cause,
    });
  }
}

const isOf = (copy: Copy, space: Parts['space']): boolean => copy.space?.name === space?.name;

const otherSpace = (copy: Copy | null, space: Parts['space']): ContextEngineError =>
  new ContextEngineError('INFERENCE.DIMENSIONS', {
    message:
      `The mount holds vectors of \`${copy?.space?.name ?? 'no space'}\`, and the embedder makes ` +
      `those of \`${space?.name ?? 'no space'}\`.`,
    fix: 'Run `contextengine rebuild MOUNT`.',
  });

async function health(copies: Copies, { space }: Parts): Promise<Health> {
  const begun = performance.now();
  const copy = await copies.current();
  const rows = copy === null ? 0 : await copy.rows.countRows();
  const isStale = copy !== null && (copy.words !== WORD_RULES || !isOf(copy, space));
  return {
    verdict: isStale ? 'degraded' : 'ok',
    latency_ms: performance.now() - begun,
    lag: 0,
    advice: isStale ? ['Run `contextengine rebuild MOUNT`: its space or words changed.'] : [],
    details: {
      rows,
      bytes: copy === null ? 0 : bytesOf(copies.folder),
      space: copy?.space?.name ?? null,
      made: copy === null ? null : statSync(copy.folder).birthtime.toISOString(),
    },
  };
}

function refuse(what: string): never {
  throw new ContextEngineError('CONNECTOR.MISSING_CAPABILITY', {
    message: `A mount of \`lancedb\` does not take ${what}.`,
    fix: 'Ask the authority: a projection is fed from it.',
  });
}
