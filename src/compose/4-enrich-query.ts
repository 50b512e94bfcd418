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
  return { ...plan, similarity, vector: await vectorOf(plan, embedder, context) };
}

async function vectorOf(
  plan: GrantedPlan,
  embedder: Embedder | null,
  context: StageContext,
): Promise<QueryVector | null> {
  const isSearched = plan.layers.some((layer) => layerKind(layer.settings.kind).isScored);
  if (!embedder || !isSearched || plan.query.trim() === '') return null;
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
    const [values] = await embedder.embed([plan.query.slice(0, MAX_EMBEDDED_CHARS)], {
      kind: 'query',
      ...(signal && { signal }),
    });
    return values ? { space: spaceName(embedder.space), values } : null;
  } catch (cause) {
    if (!(cause instanceof ContextEngineError)) throw cause;
    const isLate = patience.signal.aborted && context.signal?.aborted !== true;
    if (!cause.code.startsWith('INFERENCE.') && !isLate) throw cause;
    const reason = isLate
      ? 'The embedder took more than half of the time that `deadline_ms` left.'
      : `${cause.code}: ${cause.message}`;
    context.degraded.push({ part: 'embedding', reason: `${reason} Text search alone served.` });
    return null;
  } finally {
    clearTimeout(timer);
  }
}
