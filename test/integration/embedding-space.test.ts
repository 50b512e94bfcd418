/**
 * Another embedder is another space: vectors of both stand side by side, and a store that was
 * filled with one opens with the other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ContextEngine, type Embedder, LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, refusalOf, SEED_MANIFEST } from '../support/engines.ts';

/** The space that the built-in embedder had before its word vectors. */
const earlier: Embedder = {
  space: { provider: 'builtin', model: 'signed-hash-v1', dimensions: 256 },
  embed: async (texts) =>
    texts.map((text) =>
      Array.from({ length: 256 }, (_, index) => (index === text.length % 256 ? 1 : 0)),
    ),
  close: async () => {},
};
const MEMORIES = [
  'She bought a new car',
  'The frost killed the tomatoes',
  'He plays the violin on Sundays',
];

let folder: string;
let scope: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedding-space-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withEngine<T>(
  embedder: Embedder | 'builtin',
  use: (engine: ContextEngine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine({
    database: { dataDir: folder },
    manifests: SEED_MANIFEST,
    embedder,
  });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** The greatest `dense` of the items that the query finds, by their text. */
async function densest(
  engine: ContextEngine,
  query: string,
): Promise<readonly [string | undefined, number]> {
  const { items } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query,
    permission_profile: LOCAL_PROFILE,
  });
  const [best] = [...items].sort((a, b) => (b.signals['dense'] ?? 0) - (a.signals['dense'] ?? 0));
  return [best?.text, best?.signals['dense'] ?? 0];
}

it('is filled beside the old one, and neither is lost', async () => {
  await withEngine(earlier, async (engine) => {
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }));
    await engine.remember(
      scope,
      MEMORIES.map((content) => ({ content })),
    );
    expect(await engine.embedPending()).toEqual({ embedded: 0, pending: 0 });
    const aborted = engine.embedPending({ signal: AbortSignal.abort() });
    expect((await refusalOf(aborted)).code).toBe('CONNECTOR.DEADLINE');
  });
  await withEngine('builtin', async (engine) => {
    expect(await densest(engine, 'which automobile did they purchase?')).toEqual([
      expect.anything(),
      0,
    ]);
    expect(await engine.embedPending()).toEqual({ embedded: MEMORIES.length, pending: 0 });
    const [text, dense] = await densest(engine, 'what automobile was purchased?');
    expect(text).toContain('She bought a new car');
    expect(dense).toBeGreaterThan(0.3);
  });
  await withEngine(earlier, async (engine) =>
    expect(await engine.embedPending()).toEqual({ embedded: 0, pending: 0 }),
  );
  await withEngine('builtin', async (engine) =>
    expect(await engine.embedPending()).toEqual({ embedded: 0, pending: 0 }),
  );
});
