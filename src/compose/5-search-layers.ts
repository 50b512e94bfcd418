/**
 * Stage 5: all layers ask the store in one round trip; each reads its answers and offers
 * candidates.
 */

import type { Connection, KeysPart, PartResult, QueryPart, SearchPart } from '../cxri/contract.ts';
import type { LayerAnswers, PlanningView } from '../layers/definition.ts';
import { HIDDEN_BLOCK_TYPES, layerKind, readsOf } from '../layers/index.ts';
import { itemText } from '../layers/item-text.ts';
import type { Dropped } from '../model/candidate.ts';
import { type Degradation, SEARCH_PART, WORDS_PART } from '../model/composition.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { needsConversation } from '../scoring/conversation.ts';
import { settingsOfKind } from './3-plan-layers.ts';
import { manifestText } from './manifest-text.ts';
import { askMounts, type Mounts } from './mounted-search.ts';
import { readsStale } from './rotation.ts';
import type { ServedMarks, SessionOf } from './served-marks.ts';
import type { StageContext } from './stage.ts';
import type { EnrichedPlan, GrantedPlan, OfferedLayer, SearchedLayers } from './state.ts';

export interface Searching {
  /** The authority behind its guard. */
  readonly guarded: Connection;
  readonly served: ServedMarks;
  readonly mounts: Mounts;
}

export async function searchLayers(
  plan: EnrichedPlan,
  { guarded: connection, served, mounts }: Searching,
  context: StageContext,
): Promise<SearchedLayers> {
  const view: PlanningView = {
    scope: plan.scope,
    query: plan.query,
    totalTokens: plan.budget.totalTokens,
    vector: plan.vector,
    subQueries: plan.subQueries,
    firing: new Set(plan.layers.map((layer) => layer.settings.kind)),
    hiddenTypes: HIDDEN_BLOCK_TYPES,
    needsConversation: ({ scoring }) => needsConversation(scoring.formula.names),
  };
  const planned = plan.layers.map(({ settings }) => ({
    settings,
    parts: readsOf(settings.kind).plan(settings, view),
  }));
  const layers = await askMounts(planned, plan, { mounts, context });
  const parts = layers.flatMap((layer) => layer.parts);
  // Side by side, so that what was served adds no wait; where no formula asks, nobody does.
  const who = rotates(plan) ? sessionOf(plan) : null;
  const rotation = who && { who, version: served.version(who) };
  const [answer, servedElsewhere] = await Promise.all([
    ask(plan, parts, { connection, context }),
    who ? servedElsewhereOf(who, plan, { served, context }) : NOWHERE,
  ]);
  const byId = new Map<string, PartResult>(answer.parts.map((part) => [part.id, part]));
  const { offered, dropped } = collect({ ...plan, layers }, byId, context);
  const searches = parts.filter(isRanked);
  const hasLexicalLeg = searches.some((part) => hasLexicalHit(byId.get(part.id)));
  // Rows are those of the position; how rare a word is, is counted over all that is stored now.
  if (plan.isWhatIf && hasLexicalLeg)
    context.warnings.push({
      code: 'SEARCH.STATISTICS_OF_NOW',
      message: 'Word statistics are those of now: scores may differ from those of that time.',
    });
  if (isBeforeRecords(plan, offered))
    context.warnings.push({
      code: 'PAST.NOTHING_RECORDED',
      message:
        `Nothing that was recorded by ${plan.validAt} is served: \`as_of\` asks what was known ` +
        'then. What was recorded later of that time is served with `recorded_as_of`, for example ' +
        `\`"recorded_as_of": "${context.now}"\`.`,
    });
  for (const { id } of searches) {
    const part = byId.get(id);
    if (part?.ok && part.is_cut) context.degraded.push(cutSearch(id));
    if (part?.ok && part.is_rebuilding) context.degraded.push(rebuiltSearch(id));
  }
  return {
    plan: { ...plan, layers },
    offered,
    dropped,
    nextEdge: answer.next_edge,
    servedElsewhere,
    rotation,
    hasDenseLeg: searches.some((part) => part.vector !== undefined),
    hasLexicalLeg,
  };
}

const NOWHERE: SearchedLayers['servedElsewhere'] = new Map();

/** Asked once for each span of time that a layer looks back. */
async function servedElsewhereOf(
  who: SessionOf,
  { layers, validAt }: EnrichedPlan,
  { served, context }: { readonly served: ServedMarks; readonly context: StageContext },
): Promise<SearchedLayers['servedElsewhere']> {
  const spans = layers.flatMap(({ settings }) =>
    isRotated(settings) ? [settings.scoring.staleMinutes] : [],
  );
  return new Map(
    await Promise.all(
      [...new Set(spans)].map(async (minutes) => {
        const roots = await served.elsewhere(who, { at: validAt, minutes }, context.signal);
        return [minutes, roots] as const;
      }),
    ),
  );
}

/** A what-if writes nothing, and is ranked by nothing that was served since. */
const rotates = (plan: EnrichedPlan): boolean =>
  !plan.isWhatIf && plan.layers.some(({ settings }) => isRotated(settings));

export const isRotated = ({ kind, scoring }: LayerSettings): boolean =>
  layerKind(kind).isScored && readsStale(scoring.formula);

export const sessionOf = ({ tenant, grant, scope }: GrantedPlan): SessionOf => ({
  tenant,
  // Of an agent that acts for somebody, the sessions are theirs.
  principal: grant.onBehalfOf ?? grant.principal,
  session: scope,
});

/** Found by relevance, here or by a mount. */
const isRanked = (part: QueryPart): part is SearchPart | KeysPart =>
  part.mode === 'search' || part.mode === 'keys';

/** A past that was imported since is asked for by both clocks, which is easily forgotten. */
const isBeforeRecords = (plan: EnrichedPlan, offered: SearchedLayers['offered']): boolean =>
  plan.raw.as_of !== undefined &&
  plan.raw.recorded_as_of === undefined &&
  offered.every(({ candidates }) => candidates.every(({ source }) => source === null));

async function ask(
  plan: EnrichedPlan,
  parts: readonly QueryPart[],
  by: { connection: Connection; context: StageContext },
): ReturnType<Connection['query']> {
  if (parts.length === 0) return { parts: [], next_edge: null };
  const { deadline_ms: deadlineMs } = plan.raw;
  return by.connection.query({
    tenant: plan.tenant,
    position: plan.position,
    valid_at: plan.validAt,
    parts,
    usage_position: plan.usagePosition,
    ...(deadlineMs !== undefined && { deadline_ms: deadlineMs }),
    ...(by.context.signal && { signal: by.context.signal }),
  });
}

/**
 * A query of stop words has no lexical leg: no hit carries a lexical signal, and the dense leg
 * stands alone.
 */
const hasLexicalHit = (part: PartResult | undefined): boolean =>
  part?.ok === true && part.hits.some((hit) => hit.signals.lexical !== undefined);

const cutSearch = (layer: string): Degradation => ({
  part: SEARCH_PART,
  reason:
    `Layer \`${layer}\`: of the query's commonest words the newest texts alone were read; ` +
    'older ones that hold no rarer word of it may be missing.',
});

const rebuiltSearch = (layer: string): Degradation => ({
  part: WORDS_PART,
  reason:
    `Layer \`${layer}\`: texts that an earlier version wrote are found by their meaning alone ` +
    'until ' +
    'their words are made again; `engine.embedPending()` or `contextengine migrate` does that.',
});

function collect(
  plan: EnrichedPlan,
  parts: ReadonlyMap<string, PartResult>,
  context: StageContext,
): { offered: readonly OfferedLayer[]; dropped: readonly Dropped[] } {
  const depths = new Map(plan.closure.map((entry) => [entry.scope.root_uuid, entry.depth]));
  const places = new Map(plan.position.map(({ scope }, place) => [scope, place]));
  const answers: LayerAnswers = {
    scope: plan.scope,
    query: plan.query,
    totalTokens: plan.budget.totalTokens,
    history: plan.manifestUsed.budget,
    parts,
    depthOf: (scope) => depths.get(scope) ?? 0,
    placeOf: (scope) => places.get(scope) ?? Number.MAX_SAFE_INTEGER,
    warn: (code, message) => context.warnings.push({ code, message }),
    settingsOf: (kind) => settingsOfKind(plan.layers, kind),
    manifestText: (layer) => manifestText(layer, plan.values),
    textOf: itemText,
  };
  const dropped: Dropped[] = [];
  const offered = plan.layers.map(({ settings, parts: asked }) => {
    const layer = readsOf(settings.kind).offer(settings, answers);
    dropped.push(...(layer.dropped ?? []));
    return {
      settings,
      unreadSeq: layer.unreadSeq ?? null,
      coveredBy: layer.coveredBy ?? null,
      asked: layer.asked ?? null,
      found: joined(asked, parts),
      candidates: layer.candidates,
    };
  });
  return { offered, dropped };
}

/**
 * The answers of a layer's searches as one: their rows are compared with each other. The first says
 * how rare words are.
 */
function joined(
  asked: readonly QueryPart[],
  parts: ReadonlyMap<string, PartResult>,
): OfferedLayer['found'] {
  const answered = asked.flatMap(({ mode, id }) => {
    const part = mode === 'search' || mode === 'keys' ? parts.get(id) : undefined;
    return part?.ok ? [part] : [];
  });
  const [first, ...others] = answered;
  if (!first || others.length === 0) return first ?? null;
  return { ...first, hits: answered.flatMap(({ hits }) => hits) };
}
