/**
 * What each principal was served, by session: read from the store, and from memory what has not
 * reached it yet. A session is the scope of the call.
 */
import { LRUCache } from 'lru-cache';
import type { Authority } from '../cxri/authority.ts';
import type { ServedMark } from '../cxri/ports/served.ts';
import { type Instant, type TenantId, toEpochMs, toInstant, type Uuid } from '../model/ids.ts';

/** Remembered here for as long; what is older has reached the store. */
const WINDOW_MS = 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const MOST_PRINCIPALS = 500;
/** Of one principal that are remembered here; the store knows of all. */
const MOST_SESSIONS = 64;

export interface SessionOf {
  readonly tenant: TenantId;
  readonly principal: string;
  readonly session: Uuid;
}

export interface ServedMarks {
  /** Roots that other sessions of the principal were served in the minutes before `at`. */
  elsewhere(
    who: SessionOf,
    before: { readonly at: Instant; readonly minutes: number },
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /** Known here at once; the store hears of it with the receipt. */
  note(who: SessionOf, marks: readonly ServedMark[]): void;
  /** Moves when another session of the principal is served something in this process. */
  version(who: SessionOf): number;
}

interface Session {
  readonly roots: Map<Uuid, Instant>;
  moved: number;
}

export function createServedMarks(authority: Pick<Authority, 'servedTo'>): ServedMarks {
  const known = new LRUCache<string, Map<Uuid, Session>>({ max: MOST_PRINCIPALS });
  let moves = 0;
  const othersOf = ({ tenant, principal, session }: SessionOf): readonly Session[] =>
    [...(known.get(keyOf(tenant, principal)) ?? [])].flatMap(([uuid, each]) =>
      uuid === session ? [] : [each],
    );
  return {
    async elsewhere(who, { at, minutes }, signal) {
      const { tenant, principal, session } = who;
      const after = toInstant(toEpochMs(at) - minutes * MINUTE_MS);
      // Before the store is asked: what it has not heard of by then is still here.
      const recent = othersOf(who).flatMap(({ roots }) =>
        [...roots].flatMap(([root, servedAt]) => (servedAt > after ? [root] : [])),
      );
      const asked = { principal, except_session: session, after };
      const stored = await authority.servedTo(tenant, asked, signal);
      return new Set([...recent, ...stored]);
    },
    note({ tenant, principal, session }, marks) {
      if (marks.length === 0) return;
      const key = keyOf(tenant, principal);
      const sessions = known.get(key) ?? new Map<Uuid, Session>();
      known.set(key, sessions);
      const roots = sessions.get(session)?.roots ?? new Map<Uuid, Instant>();
      for (const { root_uuid: root, served_at: at } of marks) {
        // The latest last: those that no window reaches any more stand first.
        roots.delete(root);
        roots.set(root, at);
      }
      forgetBefore(roots, marks[0]?.served_at);
      moves += 1;
      // Newest last, so that the oldest is let go.
      sessions.delete(session);
      sessions.set(session, { roots, moved: moves });
      const [oldest] = sessions.keys();
      if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    },
    version: (who) => othersOf(who).reduce((last, { moved }) => Math.max(last, moved), 0),
  };
}

function forgetBefore(roots: Map<Uuid, Instant>, now: Instant | undefined): void {
  if (now === undefined) return;
  const least = toInstant(toEpochMs(now) - WINDOW_MS);
  for (const [root, at] of roots) {
    if (at > least) return;
    roots.delete(root);
  }
}

const keyOf = (tenant: TenantId, principal: string): string => JSON.stringify([tenant, principal]);
