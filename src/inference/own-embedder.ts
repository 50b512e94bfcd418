/** An embedder of the caller's own, held to what the port promises. */
import { ContextEngineError } from '../errors.ts';
import { throwIfAborted } from './abort.ts';
import { type Embedder, type EmbedOptions, spaceName } from './embedder.ts';
import { toUnit } from './vectors.ts';

/**
 * Whatever it throws is `INFERENCE.UNAVAILABLE`, unless it is coded already: a write then stays `pending` and a composition says `degraded`,
 * as with any provider that is down. Vectors of another space are `INFERENCE.DIMENSIONS`.
 */
export function ownEmbedder(own: Embedder): Embedder {
  return {
    space: own.space,
    async embed(texts, options) {
      const vectors = await vectorsOf(own, texts, options);
      if (vectors.length !== texts.length)
        throw unavailable(own, `gave \`${vectors.length}\` vectors for \`${texts.length}\` texts`, undefined);
      return vectors.map((vector) => toUnit(vector, own.space));
    },
    close: () => own.close(),
  };
}

async function vectorsOf(own: Embedder, texts: readonly string[], options: EmbedOptions): ReturnType<Embedder['embed']> {
  try {
    return await own.embed(texts, options);
  } catch (cause) {
    throwIfAborted(options.signal);
    if (cause instanceof ContextEngineError) throw cause;
    throw unavailable(own, `failed: \`${cause instanceof Error ? cause.message : String(cause)}\``, cause);
  }
}

const unavailable = (own: Embedder, what: string, cause: unknown): ContextEngineError =>
  new ContextEngineError('INFERENCE.UNAVAILABLE', {
    message: `The embedder of \`${spaceName(own.space)}\` ${what}.`,
    fix: 'Mend the embedder that was passed to `createContextEngine`; `embedPending` then embeds what is missing.',
    cause,
  });
