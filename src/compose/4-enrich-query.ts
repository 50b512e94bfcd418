/**
 * Stage 4: the query gets its vector. A provider that is down degrades the search to text; it never
 * fails the call.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { QueryVector } from '../cxri/contract.ts';
import type { Embedder } from '../inference/embedder.ts';
import { OutOfPatience, spaceName } from '../inference/embedder.ts';
import { loadWordSimilarity } from '../inference/word-similarity.ts';
import { layerKind } from '../layers/index.ts';
import { needsWords } from '../scoring/conversation.ts';
import { subQueries } from '../text/sub-queries.ts';
import { type StageContext, timeLeft } from './stage.ts';
import type { EnrichedPlan, GrantedPlan } from './state.ts';

/**
 * Longer queries are embedded by their beginning: one vector of a long text is a blur (and hosted
 * models refuse it).
 */
const MAX_EMBEDDED_CHARS = 8000;
/** Of the time that is left until the caller's deadline: the rest is for the search. */
const EMBEDDING_SHARE = 0.5;

export async function enrichQuery(
  plan: GrantedPlan,
  embedder: Embedder | null,
  context: StageContext,
): Promise<EnrichedPlan> {
  const comparesWords = plan.layers.some(
    ({ settings: { kind, scoring } }) => layerKind(kind).isScored && needsWords(scoring),
  );
  const similarity = comparesWords && plan.query.trim() !== '' ? await loadWordSimilarity() : null;
  const split = splitQuery(plan);
  const texts = split.subQueries.map(({ text }) => text);
  const [vector = null, ...vectors] = await vectorsOf(plan, texts, { embedder, context });
  return {
    ...plan,
    ...split,
    similarity,
    vector,
    subQueries: texts.map((text, place) => ({ text, vector: vectors[place] ?? null })),
  };
}

/** Without vectors: what a manifest that bypasses the stage searches with. */
export const unenriched = (plan: GrantedPlan): EnrichedPlan => ({
  ...plan,
  ...splitQuery(plan),
  vector: null,
  similarity: null,
});

function splitQuery(plan: GrantedPlan): Pick<EnrichedPlan, 'subQueries' | 'subQueriesLeftOut'> {
  if (!plan.layers.some(({ settings: { kind } }) => layerKind(kind).splitsQuery))
    return { subQueries: [], subQueriesLeftOut: 0 };
  const { texts, leftOut } = subQueries(plan.query);
  return {
    subQueries: texts.map((text) => ({ text, vector: null })),
    subQueriesLeftOut: leftOut,
  };
}

/** Of the query and of its sentences, in one call; none where nothing can be embedded. */
async function vectorsOf(
  plan: GrantedPlan,
  sentences: readonly string[],
  { embedder, context }: { readonly embedder: Embedder | null; readonly context: StageContext },
): Promise<readonly QueryVector[]> {
  const isSearched = plan.layers.some((layer) => layerKind(layer.settings.kind).isScored);
  if (!embedder || !isSearched || plan.query.trim() === '') return [];
  const left = timeLeft(context);
  const patience = new AbortController();
  const timer =
    left === null
      ? undefined
      : setTimeout(() => patience.abort(new OutOfPatience()), left * EMBEDDING_SHARE);
  const signal =
    left !== null && context.signal
      ? AbortSignal.any([context.signal, patience.signal])
      : context.signal;
  try {
    const texts = [plan.query, ...sentences].map((text) => text.slice(0, MAX_EMBEDDED_CHARS));
    const space = spaceName(embedder.space);
    const { tenant } = plan.grant;
    const found = await embedder.embed(texts, { kind: 'query', tenant, ...(signal && { signal }) });
    return found.map((values) => ({ space, values }));
  } catch (cause) {
    if (!(cause instanceof ContextEngineError)) throw cause;
    const isLate = patience.signal.aborted && context.signal?.aborted !== true;
    if (!cause.code.startsWith('INFERENCE.') && !isLate) throw cause;
    const reason = isLate
      ? 'The embedder took more than half of the time that `deadline_ms` left.'
      : `${cause.code}: ${cause.message}`;
    context.degraded.push({ part: 'embedding', reason: `${reason} Text search alone served.` });
    return [];
  } finally {
    clearTimeout(timer);
  }
}
