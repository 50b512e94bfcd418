/**
 * From the engine's option to an embedder behind its cache. A new provider is one file and one line
 * in `providers.ts`.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import { type CachedEmbedder, cachedEmbedder } from './cached-embedder.ts';
import type { Embedder } from './embedder.ts';
import { ownEmbedder } from './own-embedder.ts';
import { PROVIDERS, type ProviderChoice, providerNamed } from './providers.ts';
import { wordEmbedder } from './word-embedder.ts';

export type EmbedderChoice = 'builtin' | 'off' | ProviderChoice | Embedder;

/** Vectors kept in process: a kilobyte each at 256 dimensions. */
const CACHED_VECTORS = 10_000;

/** `off` gives null: text search alone. `stopwatch`: milliseconds that never run backwards. */
export function createEmbedder(
  choice: EmbedderChoice,
  stopwatch: () => number,
): CachedEmbedder | null {
  if (choice === 'off') return null;
  if (choice === 'builtin') return cachedEmbedder(wordEmbedder(), { maxEntries: CACHED_VECTORS });
  if (typeof choice !== 'object' || choice === null) throw unknownEmbedder(choice);
  const provider = 'provider' in choice ? providerNamed(choice.provider) : undefined;
  if (provider && 'provider' in choice) {
    const { provider: _provider, ...options } = choice;
    // The name picked the definition, which checks its options itself.
    const embedder = provider.create(options as never, { stopwatch });
    return cachedEmbedder(embedder, { maxEntries: CACHED_VECTORS });
  }
  if ('embed' in choice) return cachedEmbedder(ownEmbedder(choice), { maxEntries: CACHED_VECTORS });
  throw unknownEmbedder(choice);
}

const NAMES = PROVIDERS.map(({ name }) => `'${name}'`).join(' | ');

const unknownEmbedder = (choice: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`embedder\` is \`${shown(choice)}\`, none of the known providers.`,
    fix:
      `Use 'builtin', 'off', \`{ provider: ${NAMES}, model, dimensions }\` or an object with ` +
      '`space`, `embed` and `close`.',
    where: { field: 'embedder' },
  });
