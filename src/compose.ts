/**
 * The read path, as the diagram of the design draws it:
 * resolve scope → check permission → plan layers → (cache) → enrich query → search layers → veto → score → fit budget → render → remember.
 */
import type { Authority } from './cxri/authority.ts';
import type { Connection } from './cxri/contract.ts';
import type { Embedder } from './inference/embedder.ts';
import { spaceName } from './inference/embedder.ts';
import type { ComposeRequest, Composition, CompositionData, Warning } from './model/composition.ts';
import type { Instant, Uuid } from './model/ids.ts';
import { toEpochMs, toInstant } from './model/ids.ts';
import type { ManifestSet } from './model/manifest.ts';
import type { PermissionProfile } from './model/permission.ts';
import { LONGEST_TIMER_MS } from './model/time-limit.ts';
import { checkRequest, claimOf, parseRequest, resolveScope } from './pipeline/1-resolve-scope.ts';
import { checkPermission } from './pipeline/2-check-permission.ts';
import { planLayers } from './pipeline/3-plan-layers.ts';
import { enrichQuery } from './pipeline/4-enrich-query.ts';
import { searchLayers } from './pipeline/5-search-layers.ts';
import { veto } from './pipeline/6-veto.ts';
import { score } from './pipeline/7-score.ts';
import { fitLayers } from './pipeline/8-fit-budget.ts';
import { renderComposition, withMessages } from './pipeline/9-render.ts';
import { remember } from './pipeline/10-remember.ts';
import type { ComposeCache } from './pipeline/compose-cache.ts';
import { cacheKey } from './pipeline/compose-cache.ts';
import type { Outbox } from './pipeline/outbox.ts';
import type { StageContext } from './pipeline/stage.ts';
import { bypassStage, createStageContext, runStage } from './pipeline/stage.ts';
import type { ParsedRequest, ScoredLayers } from './pipeline/state.ts';
import type { OutageMarker } from './telemetry/outage-marker.ts';

export interface ComposeDependencies {
  readonly authority: Authority;
  /** The authority behind its guard: what the search goes through. */
  readonly guarded: Connection;
  readonly manifests: ManifestSet;
  readonly embedder: Embedder | null;
  readonly cache: ComposeCache;
  readonly outbox: Outbox;
  readonly outage: OutageMarker;
  readonly judgeClaim: (claim: PermissionProfile) => Promise<PermissionProfile>;
  readonly now: () => Instant;
  readonly stopwatch: () => number;
  readonly newId: () => Uuid;
  readonly digestOf: (text: string) => string;
  /** Overrides of operators and the version of the engine: they change bytes, so they are part of every key and receipt. */
  readonly settings: string;
}

export async function compose(request: ComposeRequest, dependencies: ComposeDependencies): Promise<Composition> {
  checkRequest(request);
  const { now, stopwatch } = dependencies;
  const deadlineMs = deadlineOf(request);
  const context = createStageContext({ now: now(), stopwatch, signal: signalOf(request, deadlineMs), deadlineMs });
  const parsed = parseRequest(request, await dependencies.judgeClaim(claimOf(request)), context.now);
  const settingsDigest = dependencies.digestOf(
    JSON.stringify([dependencies.settings, dependencies.embedder && spaceName(dependencies.embedder.space)]),
  );
  const key = parsed.isWhatIf || parsed.includeScopes.length > 0 ? null : cacheKey(parsed, settingsDigest);
  const outage = await dependencies.outage.warning();
  const cached = key === null || parsed.after.length > 0 ? null : await dependencies.cache.find(key, context.now);
  if (cached) return withMessages(told(cached, outage), parsed.query);

  const resolved = await runStage(context, 'resolve_scope', () => resolveScope(parsed, dependencies, context));
  const { bypass } = resolved.manifestUsed;
  const granted = await runStage(context, 'check_permission', () => checkPermission(resolved, dependencies, context));
  const plan = await runStage(context, 'plan_layers', () => planLayers(granted));
  const enriched = bypass.has('enrich')
    ? bypassStage(context, 'enrich_query', { ...plan, vector: null, similarity: null })
    : await runStage(context, 'enrich_query', () => enrichQuery(plan, dependencies.embedder, context));
  const searched = await runStage(context, 'search_layers', () => searchLayers(enriched, dependencies.guarded, context));
  const judged = bypass.has('veto') ? bypassStage(context, 'veto', searched) : await runStage(context, 'veto', () => veto(searched));
  const scored = await runStage(context, 'score', () => score(judged, context));
  const fitted = await runStage(context, 'fit_budget', () => fitLayers(scored));
  const rendered = await runStage(context, 'render', () =>
    renderComposition(fitted, context, { compositionId: dependencies.newId(), isCacheOff: key === null || bypass.has('cache') }),
  );
  const textSha256 = dependencies.digestOf(rendered.data.text);
  if (!bypass.has('remember')) remember({ ...rendered, scored: fitted.scored, settingsDigest, textSha256 }, dependencies.outbox);
  if (key !== null && !bypass.has('cache')) cacheComposition(key, { data: rendered.data, scored, context, parsed }, dependencies.cache);
  return withMessages(told(rendered.data, outage), parsed.query);
}

/** Said of the day, not of the composition: neither cache nor receipt keeps it. */
const told = (data: CompositionData, outage: Warning | null): CompositionData =>
  outage === null ? data : { ...data, warnings: [...data.warnings, outage] };

const deadlineOf = ({ deadline_ms: deadlineMs }: ComposeRequest): number | null =>
  deadlineMs === undefined ? null : Math.min(Math.ceil(deadlineMs), LONGEST_TIMER_MS);

/** The caller's signal and the deadline, whichever comes first. */
function signalOf({ signal }: ComposeRequest, deadlineMs: number | null): AbortSignal | undefined {
  const timeout = deadlineMs === null ? undefined : AbortSignal.timeout(deadlineMs);
  if (signal && timeout) return AbortSignal.any([signal, timeout]);
  return signal ?? timeout;
}

interface Composed {
  readonly data: CompositionData;
  readonly scored: ScoredLayers;
  readonly context: StageContext;
  readonly parsed: ParsedRequest;
}

/** Lives until the manifest's ttl or the next validity edge. A degraded composition is not kept: the next call may do better. */
function cacheComposition(key: string, { data, scored, context, parsed }: Composed, cache: ComposeCache): void {
  if (data.degraded.length > 0) return;
  const ttl = toInstant(toEpochMs(context.now) + scored.plan.manifestUsed.cache.ttlSeconds * 1000);
  const edge = scored.nextEdge;
  cache.store(key, {
    data,
    tenant: parsed.tenant,
    position: data.position,
    usagePosition: data.usage_position,
    policyEpoch: scored.plan.policyEpoch,
    composedAt: context.now,
    expiresAt: edge !== null && edge < ttl ? edge : ttl,
  });
}
