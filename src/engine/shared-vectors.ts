/**
 * Joins the embedding cache with its shared level: a table of the database, or Redis. The built-in
 * embedder has none: it embeds a text in less time than its vector takes to fetch.
 */
import { openRedisLevel } from '../../connectors/index.ts';
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { CachedEmbedder } from '../inference/cached-embedder.ts';
import { spaceName } from '../inference/embedder.ts';
import { type Instant, toEpochMs, toInstant } from '../model/ids.ts';
import type { EmbeddingCacheChoice, SharedLevel } from '../model/shared-level.ts';
import type { KeptVectors } from './kept-vectors.ts';

interface Sharing {
  readonly choice: EmbeddingCacheChoice;
  readonly authority: Authority;
  readonly now: () => Instant;
}

const KEPT_MS = 90 * 86_400_000;

/** What is kept of the first level, with the shared one beside it. */
export async function withSharedVectors(
  kept: KeptVectors,
  embedder: CachedEmbedder | null,
  { choice, authority, now }: Sharing,
): Promise<KeptVectors> {
  if (choice === 'off') return kept;
  if (embedder === null || embedder.space.provider === 'builtin')
    return choice === 'database' ? kept : alsoDropping(kept, choice);
  const level = choice === 'database' ? inDatabase(authority, now) : await openRedisLevel(choice);
  embedder.shareWith({ level, digestKey: (tenant) => authority.digestKey(tenant) });
  return {
    async save() {
      await kept.save();
      await embedder.settled();
      // Neither a clock that broke nor a database that went keeps an engine from closing.
      await addUse(embedder, { authority, now }).catch(() => undefined);
      await level.close();
    },
    async drop(tenant) {
      await kept.drop(tenant);
      await level.drop(tenant).catch(unreachable);
    },
  };
}

/** Nothing is looked up, but vectors of a run with another embedder may be there. */
const alsoDropping = (kept: KeptVectors, url: string): KeptVectors => ({
  ...kept,
  async drop(tenant) {
    await kept.drop(tenant);
    const level = await openRedisLevel(url);
    try {
      await level.drop(tenant).catch(unreachable);
    } finally {
      await level.close();
    }
  },
});

function unreachable(cause: unknown): never {
  if (cause instanceof ContextEngineError) throw cause;
  throw new ContextEngineError('CONNECTOR.UNAVAILABLE', {
    message: 'The shared embedding cache does not answer: vectors of forgotten texts may be in it.',
    fix: 'Erase again when it answers; nothing is certified before.',
    cause,
  });
}

async function addUse(
  embedder: CachedEmbedder,
  { authority, now }: Pick<Sharing, 'authority' | 'now'>,
): Promise<void> {
  const day = now().slice(0, 10);
  const space = spaceName(embedder.space);
  for (const [tenant, counts] of embedder.takeCounts())
    await authority.addEmbeddingUse(tenant, { day, space, ...counts });
}

const inDatabase = (authority: Authority, now: () => Instant): SharedLevel => ({
  find: (tenant, asked, signal) => authority.sharedVectors(tenant, asked, signal),
  share: (tenant, given) => {
    const at = now();
    const kept_since = toInstant(toEpochMs(at) - KEPT_MS);
    return authority.shareVectors(tenant, { ...given, at, kept_since });
  },
  drop: (tenant) => authority.dropSharedVectors(tenant),
  close: async () => undefined,
});
