/**
 * A composition over words that are still to be made again says so, is not kept, and is whole after
 * the rebuild.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPglitePair } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import type { Composition, ContextEngine, ScopeUuid } from '../../src/index.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, SEED_MANIFEST } from '../support/engines.ts';

/** What the migration of the words does with a database that an older version filled. */
const AS_MIGRATED = `
  truncate context_ops.postings, context_ops.lexicons, context_ops.word_backlog;
  insert into context_ops.word_backlog (tenant_id, scope_uuid, done_seq, until_seq)
    select tenant_id, scope_uuid, 0, head from context_ops.scope_heads where head > 0;`;
const PROFILE = { principal: 'u', tenant: 'words', kind: 'human', scopes: '*' } as const;
const CALL = { permission_profile: PROFILE };
const FACTS = ['The ferry to Elba leaves at nine.', 'The garden needs water on Mondays.'];

describeOnDatabases('a composition while words are made again', (open) => {
  let folder: string;
  let opened: TestDatabase;
  let scope: ScopeUuid;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'words-degraded-'));
    opened = await open();
    await using engine = await openOn();
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }, CALL));
    await engine.remember(
      scope,
      FACTS.map((content) => ({ content })),
      CALL,
    );
    await engine.close();
    await forgetWords();
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Without an embedder: what is found is found by its words. */
  const openOn = (): Promise<ContextEngine> =>
    openEngine({
      database: opened.url === null ? { dataDir: folder } : { url: opened.url },
      manifests: SEED_MANIFEST,
      embedder: 'off',
    });
  async function forgetWords(): Promise<void> {
    if (opened.url !== null) return opened.owner.exec(AS_MIGRATED);
    const { database, owner } = await openPglitePair({ dataDir: folder });
    await owner.exec(AS_MIGRATED);
    await database[Symbol.asyncDispose]();
  }
  const compose = (engine: ContextEngine): Promise<Composition> =>
    engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'fact', query: 'When does the ferry leave?' },
      ...CALL,
    });
  const isFound = ({ text }: Composition): boolean => text.includes('ferry to Elba');

  it('is degraded, on every call and in its receipt, until the rebuild', async () => {
    await using engine = await openOn();
    for (let call = 0; call < 2; call += 1) {
      const composition = await compose(engine);
      expect(isFound(composition)).toBe(false);
      expect(composition.cache.state).toBe('miss');
      expect(composition.degraded).toContainEqual({
        part: 'words',
        reason: expect.stringMatching(/`open_set`.*embedPending/),
      });
      const { receipt } = await engine.explain(composition.composition_id, CALL);
      expect(receipt.degraded).toEqual(composition.degraded);
    }
    await engine.embedPending(CALL);
    const whole = await compose(engine);
    expect(whole.degraded).toEqual([]);
    expect(isFound(whole)).toBe(true);
    expect((await compose(engine)).cache.state).toBe('hit');
  });
});
