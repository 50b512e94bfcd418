/** An embedder of the caller's own, held to what the port promises. */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { throwIfAborted } from './abort.ts';
import { type Embedder, type EmbedOptions, spaceName } from './embedder.ts';
import { toUnit } from './vectors.ts';

/** What pgvector's `vector` holds. */
const MOST_DIMENSIONS = 16_000;

/**
 * Whatever it throws is `INFERENCE.UNAVAILABLE`, unless it is coded already: a write then stays
 * `pending` and a composition says `degraded`, as with any provider that is down. Vectors of
 * another space are `INFERENCE.DIMENSIONS`.
 */
export function ownEmbedder(own: Embedder): Embedder {
  checkShape(own);
  return {
    space: own.space,
    async embed(texts, options) {
      const vectors = await vectorsOf(own, texts, options);
      if (!Array.isArray(vectors) || !vectors.every(isVector))
        throw unavailable(
          own,
          `gave \`${shown(vectors)}\` instead of a list of vectors`,
          undefined,
        );
      if (vectors.length !== texts.length)
        throw unavailable(
          own,
          `gave \`${vectors.length}\` vectors for \`${texts.length}\` texts`,
          undefined,
        );
      return vectors.map((vector) => toUnit(vector, own.space));
    },
    close: () => own.close(),
  };
}

const isVector = (value: unknown): boolean => Array.isArray(value) || ArrayBuffer.isView(value);

function checkShape(own: Embedder): void {
  const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
    new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`${field}\` is \`${shown(value)}\`.`,
      fix,
      where: { field },
    });
  const space: Partial<Record<keyof Embedder['space'], unknown>> = Object(own.space);
  for (const name of ['provider', 'model'] as const)
    if (typeof space[name] !== 'string' || !/^\S{1,200}$/.test(space[name]))
      throw invalid(
        `embedder.space.${name}`,
        space[name],
        'Name it in 1 to 200 characters without spaces.',
      );
  const { dimensions } = space;
  if (
    typeof dimensions !== 'number' ||
    !Number.isInteger(dimensions) ||
    dimensions < 1 ||
    dimensions > MOST_DIMENSIONS
  )
    throw invalid(
      'embedder.space.dimensions',
      dimensions,
      `Pass a whole number from 1 to ${MOST_DIMENSIONS}.`,
    );
  for (const name of ['embed', 'close'] as const)
    if (typeof own[name] !== 'function')
      throw invalid(`embedder.${name}`, own[name], `Pass a function as \`${name}\`.`);
}

async function vectorsOf(
  own: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): ReturnType<Embedder['embed']> {
  try {
    return await own.embed(texts, options);
  } catch (cause) {
    throwIfAborted(options.signal);
    if (cause instanceof ContextEngineError) throw cause;
    throw unavailable(
      own,
      `failed: \`${cause instanceof Error ? cause.message : String(cause)}\``,
      cause,
    );
  }
}

const unavailable = (own: Embedder, what: string, cause: unknown): ContextEngineError =>
  new ContextEngineError('INFERENCE.UNAVAILABLE', {
    message: `The embedder of \`${spaceName(own.space)}\` ${what}.`,
    fix:
      'Fix the embedder that was passed to `createContextEngine`; `embedPending` then embeds ' +
      'what is missing.',
    cause,
  });
