/**
 * Layers whose source is a mount: the mount names candidates, and the authority judges them in the
 * round trip of all other layers. A mount that is down or late is left out, and said so.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { Connection, QueryPart, SearchPart } from '../cxri/contract.ts';
import type { FeedCursor } from '../cxri/projection.ts';
import type { TenantId, Uuid } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { type StageContext, timeLeft } from './stage.ts';
import type { EnrichedPlan } from './state.ts';

/** What a composition asks of a mount. */
export interface Mount extends Pick<Connection, 'query'> {
  cursor(tenant: TenantId): Promise<FeedCursor>;
  /** It was found behind the ledger. */
  fellBehind(): void;
}
/** The mount of a name; rejects where it cannot be opened. */
export type Mounts = (name: string, tenant: TenantId) => Promise<Mount>;

export interface PlannedParts {
  readonly settings: LayerSettings;
  readonly parts: readonly QueryPart[];
}

export const LEDGER = 'ledger';
/** Of the time that is left until the caller's deadline; and the longest, whatever is left. */
const SHARE = 0.4;
const MOST_MS = 2_000;
/** Of a part that names versions (src/inputs/request-schemas.ts). */
const MOST_NAMED = 1_000;

/** The parts that the authority is asked for in the place of those that a mount searched. */
export async function askMounts(
  layers: readonly PlannedParts[],
  plan: EnrichedPlan,
  by: { readonly mounts: Mounts; readonly context: StageContext },
): Promise<readonly PlannedParts[]> {
  // A projection holds the present alone.
  if (plan.isWhatIf) return layers;
  const names = new Set(layers.map(({ settings }) => settings.source));
  names.delete(LEDGER);
  if (names.size === 0) return layers;
  const found = new Map<string, Found>();
  await Promise.all(
    [...names].map(async (name) => {
      const parts = layers
        .filter(({ settings }) => settings.source === name)
        .flatMap((layer) => layer.parts.filter((part) => part.mode === 'search'));
      if (parts.length > 0) found.set(name, await askMount(name, parts, { plan, ...by }));
    }),
  );
  return layers.map((layer) => {
    const { source } = layer.settings;
    if (source === LEDGER) return layer;
    const parts = layer.parts.map((part) =>
      part.mode === 'search' ? toKeys(part, found.get(source)?.get(part.id) ?? []) : part,
    );
    return { ...layer, parts };
  });
}

/** By the id of a part. */
type Found = ReadonlyMap<string, readonly Uuid[]>;

/** A mount that found nothing is a part that names nothing: its layer knows its parts by id. */
function toKeys({ neighbours: _none, ...part }: SearchPart, uuids: readonly Uuid[]): QueryPart {
  const named = uuids.slice(0, MOST_NAMED);
  return { ...part, mode: 'keys', uuids: named, limit: Math.max(1, named.length) };
}

interface Asking {
  readonly plan: EnrichedPlan;
  readonly mounts: Mounts;
  readonly context: StageContext;
}

async function askMount(
  name: string,
  parts: readonly SearchPart[],
  { plan, mounts, context }: Asking,
): Promise<Found> {
  const left = timeLeft(context);
  const patience = new AbortController();
  const { signal: isOver } = patience;
  const limitMs = left === null ? MOST_MS : Math.min(MOST_MS, left * SHARE);
  const late = new Promise<never>((_, reject) => {
    isOver.addEventListener('abort', () => reject(outOfPatience(limitMs)));
  });
  const timer = setTimeout(() => patience.abort(), limitMs);
  const signal = context.signal ? AbortSignal.any([context.signal, isOver]) : isOver;
  try {
    const answer = await Promise.race([late, answered(name, parts, { plan, mounts, signal })]);
    for (const reason of answer.reasons) leaveOut(context, name, reason);
    return answer.found;
  } catch (cause) {
    if (context.signal?.aborted) throw cause;
    // What another engine says of itself names files of the server.
    const reason = cause instanceof ContextEngineError ? cause.message : 'it failed.';
    leaveOut(context, name, `It was left out: ${reason}`);
    return new Map();
  } finally {
    clearTimeout(timer);
    // A search that goes on behind a failed one is for nobody.
    patience.abort();
  }
}

interface Answered {
  readonly found: Found;
  /** Why some of it is missing. */
  readonly reasons: readonly string[];
}

/** Changes nothing of the composition: that may be finished when a late mount answers. */
async function answered(
  name: string,
  parts: readonly SearchPart[],
  { plan, mounts, signal }: Omit<Asking, 'context'> & { readonly signal: AbortSignal },
): Promise<Answered> {
  const { tenant, position, validAt } = plan;
  const mount = await mounts(name, tenant);
  if (signal.aborted) return { found: new Map(), reasons: [] };
  const [answer, cursor] = await Promise.all([
    mount.query({ tenant, position, valid_at: validAt, parts, signal }),
    mount.cursor(tenant),
  ]);
  const reasons: string[] = [];
  const fed = new Map(cursor.marks.map(({ scope, seq }) => [scope, seq]));
  const behind = position.reduce(
    (sum, { scope, head }) => sum + Math.max(0, head - (fed.get(scope) ?? 0)),
    0,
  );
  if (behind > 0) {
    mount.fellBehind();
    reasons.push(`It is \`${behind}\` writes behind the ledger.`);
  }
  const found = answer.parts.map((part) => {
    if (!part.ok) reasons.push(`${part.error.code}: ${part.error.message}`);
    return [part.id, part.ok ? part.hits.map(({ row }) => row.uuid) : []] as const;
  });
  return { found: new Map(found), reasons };
}

/** Under a name of its own, so that a composition which misses something is not cached. */
const leaveOut = ({ degraded }: StageContext, name: string, reason: string): void =>
  void degraded.push({ part: `mount ${name}`, reason });

const outOfPatience = (limitMs: number): ContextEngineError =>
  new ContextEngineError('CONNECTOR.DEADLINE', {
    message: `The mount did not answer within \`${Math.round(limitMs)}\` ms.`,
    fix: 'Raise `deadline_ms`, or look at the health of the mount.',
  });
