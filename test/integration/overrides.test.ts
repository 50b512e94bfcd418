/** Numbers of a manifest set from outside: what they change, and that receipts tell. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const NOTES = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: notes }
spec:
  layers: { system: { enabled: false }, documents: {}, semantic: {} }
  scoring: { mmr_lambda: 1 }
`;

/** What of one lesson and one turn a question gets, and what the composition warns of. */
async function found(overrides: Readonly<Record<string, number>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'overrides-'));
  const manifest = join(folder, 'notes.yaml');
  writeFileSync(manifest, NOTES);
  await using engine = await createContextEngine({
    database: { inMemory: true },
    manifests: manifest,
    embedder: 'off',
    overrides,
  });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'notes' });
  const content = 'Rotate the signing key before the release.';
  await engine.remember(scope, { content: `${content} It was forgotten once.`, class: 'lesson' });
  await engine.append(scope, [
    {
      role: 'user',
      content: `${content} It was for the web shop, I said so, and the tickets were late.`,
    },
  ]);
  const { items, warnings } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'fact',
    query: 'When do we rotate the key of the mobile app?',
    permission_profile: LOCAL_PROFILE,
  });
  rmSync(folder, { recursive: true });
  return { scores: new Map(items.map(({ layer, score }) => [layer, score ?? 0])), warnings };
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

  it('of the floor silence documents as they silence turns', async () => {
    const { scores } = await found();
    expect([...scores.keys()].sort()).toEqual(['documents', 'semantic']);
    const [low = 0, high = 0] = [...scores.values()].sort((a, b) => a - b);
    expect(low).toBeGreaterThan(0.1);
    expect((await found({ 'scoring.floor': low - 0.01 })).scores.size).toBe(2);
    expect((await found({ 'scoring.floor': high + 0.01 })).scores.size).toBe(0);
    expect((await found({ 'scoring.floor_of_best': high + 0.01 })).scores.size).toBe(0);
  });

  it('that are clamped are a warning of every composition', async () => {
    const { scores, warnings } = await found({ 'scoring.floor': -1, 'scoring.beta': 1.25 });
    expect(scores.size).toBe(2);
    expect(warnings).toEqual([
      {
        code: 'CONFIG.OVERRIDE_CLAMPED',
        message: 'The override `scoring.floor` is `-1`, which it may not be; `0` holds.',
      },
    ]);
  });
});
