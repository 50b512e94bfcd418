/**
 * Feeds the mounts by itself, off the path of calls: after what was written in this process, and
 * where a composition found a mount behind. What it does not get to is fed by the next one, or by
 * `contextengine work`.
 */
import type { Authority } from '../cxri/authority.ts';
import type { TenantId } from '../model/ids.ts';

export interface MountFeeder {
  /** Something of the tenant may be new. */
  wake(tenant: TenantId): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

export interface FeederWork {
  /** Mounts that are fed so. */
  readonly names: readonly string[];
  feed(name: string, tenant: TenantId, isStopped: () => boolean): Promise<unknown>;
}

/** What is written in a burst is one feed: each adds a version of the table and a file. */
const REST_MS = 250;
/** Where it fails, as while another process feeds, it rests twice as long each time. */
const LONGEST_REST_MS = 60_000;

export function createMountFeeder({ names, feed }: FeederWork): MountFeeder {
  const due = new Set<TenantId>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let failures = 0;
  let isStopped = false;

  const run = async (): Promise<void> => {
    const tenants = [...due];
    due.clear();
    let isLate = false;
    for (const tenant of tenants)
      for (const name of names) {
        if (isStopped) return;
        // Nobody waits here for an answer: `mounts.health` states what a mount is behind.
        await feed(name, tenant, () => isStopped).catch(() => {
          isLate = true;
          due.add(tenant);
        });
      }
    failures = isLate ? failures + 1 : 0;
  };
  const schedule = (): void => {
    if (timer !== null || running !== null || isStopped || due.size === 0) return;
    timer = setTimeout(
      () => {
        timer = null;
        running = run().finally(() => {
          running = null;
          schedule();
        });
      },
      Math.min(LONGEST_REST_MS, REST_MS * 2 ** failures),
    );
    timer.unref();
  };
  return {
    wake: (tenant) => {
      if (names.length === 0) return;
      due.add(tenant);
      schedule();
    },
    stop: async () => {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

/** The same authority; what it writes, settles, takes back, brings back or embeds is noted. */
export const withWake = (authority: Authority, wake: (tenant: TenantId) => void): Authority => {
  const noted =
    <A extends { readonly tenant: TenantId }, R>(body: (request: A) => Promise<R>) =>
    async (request: A): Promise<R> => {
      const done = await body(request);
      wake(request.tenant);
      return done;
    };
  return {
    ...authority,
    write: noted((request) => authority.write(request)),
    settleProposal: noted((request) => authority.settleProposal(request)),
    restoreScope: noted((request) => authority.restoreScope(request)),
    forget: noted((request) => authority.forget(request)),
    erase: noted((request) => authority.erase(request)),
    bringBack: noted((request) => authority.bringBack(request)),
    storeEmbeddings: async (space, rows) => {
      await authority.storeEmbeddings(space, rows);
      for (const tenant of new Set(rows.map(({ tenant }) => tenant))) wake(tenant);
    },
  };
};
