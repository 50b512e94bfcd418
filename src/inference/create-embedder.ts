/** From the engine's option to an embedder behind its cache. A new provider is one file and one line here. */
import { ContextEngineError } from '../errors.ts';
import { shown } from '../model/ids.ts';
import { withBreaker } from './breaker.ts';
import { cachedEmbedder } from './cached-embedder.ts';
import type { Embedder } from './embedder.ts';
import { openaiEmbedder } from './openai-embedder.ts';
import { ownEmbedder } from './own-embedder.ts';
import { type TransformersEmbedderOptions, transformersEmbedder } from './transformers-embedder.ts';
import { wordEmbedder } from './word-embedder.ts';

export type EmbedderChoice =
  | 'builtin'
  | 'off'
  | {
      readonly provider: 'openai';
      readonly model: string;
      readonly dimensions: number;
      readonly baseUrl?: string;
      readonly apiKey?: string;
      readonly timeoutMs?: number;
      readonly maxRetries?: number;
      readonly batchSize?: number;
    }
  | (TransformersEmbedderOptions & { readonly provider: 'transformers' })
  | Embedder;

/** Vectors kept in process: a kilobyte each at 256 dimensions. */
const CACHED_VECTORS = 10_000;

/** A provider that failed three times is left alone for half a minute: until then the search is text alone, without waiting. */
const BREAKER = { failures: 3, halfOpenAfterMs: 30_000 } as const;

/** `off` gives null: text search alone. `stopwatch`: milliseconds that never run backwards. */
export function createEmbedder(choice: EmbedderChoice, stopwatch: () => number): Embedder | null {
  if (choice === 'off') return null;
  if (choice === 'builtin') return cachedEmbedder(wordEmbedder(), { maxEntries: CACHED_VECTORS });
  if (typeof choice !== 'object' || choice === null) throw unknownEmbedder(choice);
  if ('provider' in choice && choice.provider === 'openai') {
    const { provider: _provider, ...options } = choice;
    return cachedEmbedder(withBreaker(openaiEmbedder(options), { ...BREAKER, now: stopwatch }), { maxEntries: CACHED_VECTORS });
  }
  if ('provider' in choice && choice.provider === 'transformers') {
    const { provider: _provider, ...options } = choice;
    return cachedEmbedder(transformersEmbedder(options), { maxEntries: CACHED_VECTORS });
  }
  if ('embed' in choice) return cachedEmbedder(ownEmbedder(choice), { maxEntries: CACHED_VECTORS });
  throw unknownEmbedder(choice);
}

const unknownEmbedder = (choice: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`embedder\` is \`${shown(choice)}\`, none of the known providers.`,
    fix: "Use 'builtin', 'off', `{ provider: 'openai' | 'transformers', model, dimensions }` or an object with `space`, `embed` and `close`.",
    where: { field: 'embedder' },
  });
