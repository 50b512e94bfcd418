/**
 * Compositions that may be served again: read after the claim is judged, stored after stage 9.
 * Every hit re-reads the heads.
 */
import { LRUCache } from 'lru-cache';
import type { Authority } from '../cxri/authority.ts';
import type { CompositionData } from '../model/composition.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import { toEpochMs } from '../model/ids.ts';
import type { Position } from '../model/validity.ts';
import type { ServedMarks } from './served-marks.ts';
import type { StageContext } from './stage.ts';
import type { ParsedRequest, SearchedLayers } from './state.ts';

/** By number; a composition of 4,000 tokens is about 40 kB with its items. */
const MAX_ENTRIES = 500;

export interface CachedComposition {
  readonly data: CompositionData;
  readonly tenant: TenantId;
  readonly position: Position;
  readonly usagePosition: Position;
  readonly policyEpoch: number;
  /** Of one that rotates: it is over when another session of the principal is served. */
  readonly rotation: SearchedLayers['rotation'];
  readonly composedAt: Instant;
  /** min(ttl, the next validity edge). */
  readonly expiresAt: Instant;
}

export interface ComposeCache {
  /** A composition of the same request over the same heads; anything that moved makes it a miss. */
  find(key: string, at: Pick<StageContext, 'now' | 'signal'>): Promise<CompositionData | null>;
  store(key: string, entry: CachedComposition): void;
}

export function createComposeCache(
  authority: Authority,
  served: Pick<ServedMarks, 'version'>,
): ComposeCache {
  const entries = new LRUCache<string, CachedComposition>({ max: MAX_ENTRIES });
  return {
    async find(key, { now, signal }) {
      const entry = entries.get(key);
      if (!entry) return null;
      const dropped = (): null => {
        // Another call may have stored a newer one meanwhile.
        if (entries.peek(key) === entry) entries.delete(key);
        return null;
      };
      if (now >= entry.expiresAt || now < entry.composedAt) return dropped();
      const { rotation } = entry;
      // Other processes are not heard of: what they serve counts after `ttl_seconds` here.
      if (rotation && served.version(rotation.who) !== rotation.version) return dropped();
      const scopes = entry.position.map(({ scope }) => scope);
      const current = await authority.heads(entry.tenant, scopes, signal);
      const isSame =
        current.policy_epoch === entry.policyEpoch &&
        samePosition(current.position, entry.position) &&
        samePosition(current.usage_position, entry.usagePosition);
      if (!isSame) return dropped();
      return {
        ...entry.data,
        cache: { state: 'hit', age_ms: toEpochMs(now) - toEpochMs(entry.composedAt) },
      };
    },
    store(key, entry) {
      entries.set(key, entry);
    },
  };
}

/**
 * Everything of a request that can change its bytes. The heads, the policy epoch and the clock are
 * compared on each hit.
 */
export function cacheKey(request: ParsedRequest, settingsDigest: string): string {
  const {
    tenant,
    scope,
    intent,
    query,
    profile,
    inputs,
    manifest,
    model,
    format,
    timeZone,
    isTraced,
  } = request;
  return JSON.stringify([
    tenant,
    scope,
    intent,
    query,
    profile,
    Object.entries(inputs).sort(),
    manifest,
    model,
    format,
    timeZone,
    isTraced,
    settingsDigest,
  ]);
}

const samePosition = (a: Position, b: Position): boolean => {
  const heads = new Map<Uuid, number>(a.map(({ scope, head }) => [scope, head]));
  return a.length === b.length && b.every(({ scope, head }) => heads.get(scope) === head);
};
