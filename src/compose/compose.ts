/**
 * The read path, as the diagram of the design draws it: resolve scope → check permission → plan
 * layers → (cache) → enrich query → search layers → veto → score → fit budget → render → remember.
 */
import type { Authority } from '../cxri/authority.ts';
import type { Connection } from '../cxri/contract.ts';
import type { Embedder } from '../inference/embedder.ts';
import { spaceName } from '../inference/embedder.ts';
import { checkInput } from '../inputs/check-input.ts';
import {
  type ComposeRequest,
  type Composition,
  type CompositionData,
  SEARCH_PART,
  type Warning,
} from '../model/composition.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { toEpochMs, toInstant } from '../model/ids.ts';
import type { ManifestSet } from '../model/manifest.ts';
import type { PermissionProfile } from '../model/permission.ts';
import { deepFreeze } from '../model/plain-copy.ts';
import { LONGEST_TIMER_MS } from '../model/time-limit.ts';
import type { PermissionDoor } from '../permission/door.ts';
import type { OutageMarker } from '../telemetry/outage-marker.ts';
import { resolveScope } from './1-resolve-scope.ts';
import { checkPermission } from './2-check-permission.ts';
import { planLayers } from './3-plan-layers.ts';
import { enrichQuery, unenriched } from './4-enrich-query.ts';
import { searchLayers } from './5-search-layers.ts';
import { veto } from './6-veto.ts';
import { score } from './7-score.ts';
import { fitLayers } from './8-fit-budget.ts';
import { renderComposition } from './9-render.ts';
import { remember } from './10-remember.ts';
import type { ComposeCache } from './compose-cache.ts';
import { cacheKey } from './compose-cache.ts';
import type { Mounts } from './mounted-search.ts';
import { claimOf, parseRequest } from './parse-request.ts';
import type { ReceiptQueue } from './receipt-queue.ts';
import type { ServedMarks } from './served-marks.ts';
import type { StageContext } from './stage.ts';
import { bypassStage, createStageContext, runInTime, runStage } from './stage.ts';
import type { ParsedRequest, ScoredLayers } from './state.ts';
import { withMessages } from './with-messages.ts';

export interface ComposeDependencies {
  readonly authority: Authority;
  readonly permission: PermissionDoor;
  /** The authority behind its guard: what the search goes through. */
  readonly guarded: Connection;
  readonly mounts: Mounts;
  readonly manifests: ManifestSet;
  readonly embedder: Embedder | null;
  readonly cache: ComposeCache;
  readonly receiptQueue: ReceiptQueue;
  readonly served: ServedMarks;
  readonly outage: OutageMarker;
  readonly judgeClaim: (claim: PermissionProfile) => Promise<PermissionProfile>;
  readonly now: () => Instant;
  readonly stopwatch: () => number;
  readonly newId: () => Uuid;
  readonly digestOf: (text: string) => string;
  /**
   * Overrides of operators and the version of the engine: they change bytes, so they are part of
   * every key and receipt.
   */
  readonly settings: string;
}

export async function compose(
  request: ComposeRequest,
  dependencies: ComposeDependencies,
): Promise<Composition> {
  checkInput('request', request);
  const { now, stopwatch } = dependencies;
  const deadlineMs = deadlineOf(request);
  const deadline = startDeadline(request, deadlineMs);
  const context = createStageContext({
    now: now(),
    stopwatch,
    signal: deadline.signal,
    deadlineMs,
  });
  try {
    return await runInTime(context, () => composeStages(request, dependencies, context));
  } finally {
    deadline.end();
  }
}

async function composeStages(
  request: ComposeRequest,
  dependencies: ComposeDependencies,
  context: StageContext,
): Promise<Composition> {
  const parsed = parseRequest(
    request,
    await dependencies.judgeClaim(claimOf(request)),
    context.now,
  );
  const settingsDigest = settingsDigestOf(dependencies, null);
  const key =
    parsed.isWhatIf || parsed.includeScopes.length > 0 ? null : cacheKey(parsed, settingsDigest);
  const outage = await dependencies.outage.warning();
  const cached =
    key === null || parsed.after.length > 0 ? null : await dependencies.cache.find(key, context);
  if (cached) return withMessages(withOutage(cached, outage), parsed.query);

  const resolved = await runStage(context, 'resolve_scope', () =>
    resolveScope(parsed, dependencies, context),
  );
  const granted = await runStage(context, 'check_permission', () =>
    checkPermission(resolved, dependencies, context),
  );
  const { bypass } = granted.manifestUsed;
  const plan = await runStage(context, 'plan_layers', () => planLayers(granted, context));
  const enriched = bypass.has('enrich')
    ? bypassStage(context, 'enrich_query', unenriched(plan))
    : await runStage(context, 'enrich_query', () =>
        enrichQuery(plan, dependencies.embedder, context),
      );
  const searched = await runStage(context, 'search_layers', () =>
    searchLayers(enriched, dependencies, context),
  );
  const judged = bypass.has('veto')
    ? bypassStage(context, 'veto', searched)
    : await runStage(context, 'veto', () => veto(searched));
  const scored = await runStage(context, 'score', () => score(judged, context));
  const fitted = await runStage(context, 'fit_budget', () => fitLayers(scored));
  const rendered = await runStage(context, 'render', () =>
    renderComposition(fitted, context, {
      compositionId: dependencies.newId(),
      isCacheOff: key === null || bypass.has('cache'),
    }),
  );
  // The cache, the receipt and the caller share it.
  deepFreeze(rendered.data);
  const textSha256 = dependencies.digestOf(rendered.data.text);
  if (!bypass.has('remember'))
    remember(
      {
        ...rendered,
        scored: fitted.scored,
        settingsDigest: settingsDigestOf(dependencies, granted.manifestUsed.variant),
        textSha256,
      },
      dependencies,
    );
  if (key !== null && !bypass.has('cache'))
    cacheComposition(key, { data: rendered.data, scored, context, parsed }, dependencies.cache);
  return withMessages(withOutage(rendered.data, outage), parsed.query);
}

/**
 * The cache asks before the variant is known: a scope has the same one as long as the engine has
 * its manifests.
 */
const settingsDigestOf = (
  { settings, embedder, digestOf }: ComposeDependencies,
  variant: string | null,
): string =>
  digestOf(
    JSON.stringify([
      settings,
      embedder && spaceName(embedder.space),
      ...(variant === null ? [] : [variant]),
    ]),
  );

/** Said of the day, not of the composition: neither cache nor receipt keeps it. */
const withOutage = (data: CompositionData, outage: Warning | null): CompositionData =>
  outage === null ? data : { ...data, warnings: [...data.warnings, outage] };

const deadlineOf = ({ deadline_ms: deadlineMs }: ComposeRequest): number | null =>
  deadlineMs === undefined ? null : Math.min(Math.ceil(deadlineMs), LONGEST_TIMER_MS);

interface Deadline {
  readonly signal: AbortSignal | undefined;
  end(): void;
}

/**
 * The caller's signal and the deadline, whichever comes first. The timer holds the process:
 * `AbortSignal.timeout` would not.
 */
function startDeadline({ signal }: ComposeRequest, deadlineMs: number | null): Deadline {
  if (deadlineMs === null) return { signal, end: () => undefined };
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException('The deadline passed.', 'TimeoutError')),
    deadlineMs,
  );
  return {
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    end: () => clearTimeout(timer),
  };
}

interface Composed {
  readonly data: CompositionData;
  readonly scored: ScoredLayers;
  readonly context: StageContext;
  readonly parsed: ParsedRequest;
}

/**
 * Lives until the manifest's ttl or the next validity edge. A degraded composition is not kept,
 * because the next call may do better; one whose search was cut is, because the same search is cut
 * again.
 */
function cacheComposition(
  key: string,
  { data, scored, context, parsed }: Composed,
  cache: ComposeCache,
): void {
  if (data.degraded.some(({ part }) => part !== SEARCH_PART)) return;
  const ttl = toInstant(toEpochMs(context.now) + scored.plan.manifestUsed.cache.ttlSeconds * 1000);
  const edge = scored.nextEdge;
  cache.store(key, {
    data,
    tenant: parsed.tenant,
    position: data.position,
    usagePosition: data.usage_position,
    policyEpoch: scored.plan.policyEpoch,
    rotation: scored.rotation,
    composedAt: context.now,
    expiresAt: edge !== null && edge < ttl ? edge : ttl,
  });
}
