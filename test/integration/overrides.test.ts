/** Numbers of a manifest set from outside: what they change, and that receipts tell. */
import { afterEach, describe, expect, it } from 'vitest';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { refusalOf, SEED_MANIFEST } from '../support/engines.ts';

const VARIABLE = 'CONTEXTENGINE_OVERRIDES';

async function served(overrides?: Readonly<Record<string, number>>) {
  await using engine = await createContextEngine({
    database: { inMemory: true },
    manifests: SEED_MANIFEST,
    ...(overrides && { overrides }),
  });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
  await engine.append(
    scope,
    Array.from({ length: 6 }, (_, index) => ({ role: 'user', content: `turn ${index}` })),
  );
  const composition = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: '',
    permission_profile: LOCAL_PROFILE,
  });
  const { receipt } = await engine.explain(composition.composition_id);
  return { budget: composition.tokens.budget, digest: receipt.settings_digest };
}

describe('overrides', () => {
  afterEach(() => {
    delete process.env[VARIABLE];
  });

  it('hold for every composition, code over environment, and enter the settings digest', async () => {
    const plain = await served();
    process.env[VARIABLE] = 'budget.total_tokens=3000';
    const byEnvironment = await served();
    const byCode = await served({ 'budget.total_tokens': 2900 });
    expect([plain.budget, byEnvironment.budget, byCode.budget]).toEqual([4000, 3000, 2900]);
    delete process.env[VARIABLE];
    const byWeight = await served({ 'scoring.conversation_weights.latest': 1 });
    const digests = [plain, byEnvironment, byCode, byWeight].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(4);
  });

  it('that mean nothing stop the start', async () => {
    expect(await refusalOf(served({ 'scoring.flor': 1 }))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
  });
});
