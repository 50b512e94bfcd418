import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { parseXml } from '../support/rendered-text.ts';

const TURNS = 200;
const NAMES = ['system', 'pinned', 'schema_typed', 'summary', 'recent', 'open_set', 'semantic'];
const BUDGETS = [500, 1000, 2000, 4000, 8000, 16_000];
const manifest = (budget: number): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: budget-${budget}, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers: { recent: { limit: 12 }, summary: { kinds: [rolling] }, semantic: { top_k: 5 } }
  budget: { total_tokens: ${budget} }
`;
const said = (n: number): string =>
  `Turn number ${n} speaks about matter ${n % 7} and adds a few more plain words to it.`;

let engine: ContextEngine;
let scope: string;
const folder = mkdtempSync(join(tmpdir(), 'contextengine-history-'));
beforeAll(async () => {
  for (const budget of BUDGETS) writeFileSync(join(folder, `b${budget}.yaml`), manifest(budget));
  engine = await createContextEngine({
    database: { inMemory: true },
    embedder: 'off',
    manifests: folder,
  });
  scope = (await engine.scopes.create({ type: 'chat_session' })).scope_block_uuid;
  const turns = Array.from({ length: TURNS }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: said(n),
  }));
  await engine.append(scope, turns);
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe('a session of 200 turns', () => {
  it.each(BUDGETS)('has no unmarked hole and no idle budget at %i tokens', async (budget) => {
    const composition = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: 'what now?',
      manifest: `budget-${budget}`,
      permission_profile: LOCAL_PROFILE,
    });
    const options = { layerNames: NAMES, trustedLayers: new Set(['system']) };
    const recent = parseXml(composition.text, options).find(({ name }) => name === 'recent');
    const shown = (recent?.items ?? []).map(({ text }) => Number(/number (\d+)/.exec(text)?.[1]));
    const first = shown[0] ?? TURNS;
    expect(shown).toEqual(Array.from({ length: TURNS - first }, (_, index) => first + index));
    expect(recent?.hasGap).toBe(first > 0);
    expect(composition.warnings.some(({ code }) => code === 'HISTORY.GAP')).toBe(first > 0);
    if (first > 0) expect(composition.tokens.used).toBeGreaterThan(budget - 40);
    const turns = composition.messages('openai').filter(({ role }) => role !== 'system');
    expect(turns).toHaveLength(shown.length + 1);
    expect(JSON.stringify(composition.messages('openai')[0])).not.toContain('<recent>');
    const copied = structuredClone({ ...composition, messages: undefined });
    expect(copied.static_length).toBe(composition.text.indexOf('<recent>'));
  });
});
