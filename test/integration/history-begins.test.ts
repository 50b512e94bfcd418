import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';

const SHOWN = 12;
const FIRST = 30;
const ADDED = 48;
const MANIFEST = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: chat, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers:
    recent: { limit: ${SHOWN} }
    summary: { kinds: [rolling] }
    semantic: { top_k: 150, scoring: { floor: 0 } }
  budget: { total_tokens: 2000 }
`;

// What a search finds of another conversation wants every token that is left.
const ELSEWHERE = Array.from({ length: 120 }, (_, turn) => ({
  role: 'user',
  content: `Elsewhere, matter ${turn}: told with many more words than there are here.`,
}));
const ASKED = 'What was told elsewhere with more words?';
const said = (turn: number) => ({
  role: turn % 2 === 0 ? 'user' : 'assistant',
  content: `Turn ${turn} speaks of subject ${turn % 7} and adds a few more plain words.`,
});

let engine: ContextEngine;
const folder = mkdtempSync(join(tmpdir(), 'contextengine-history-'));
beforeAll(async () => {
  writeFileSync(join(folder, 'chat.yaml'), MANIFEST);
  engine = await createContextEngine({
    database: { inMemory: true },
    embedder: 'off',
    manifests: folder,
  });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

it('takes before a search as much of the budget as `history_share` says', async () => {
  const shown = async (share: number): Promise<number> => {
    const own = await createContextEngine({
      database: { inMemory: true },
      embedder: 'off',
      manifests: folder,
      overrides: { 'budget.history_share': share },
    });
    const { scope_block_uuid: other } = await own.scopes.create({ type: 'chat_session' });
    await own.append(other, ELSEWHERE);
    const session = await own.scopes.create({ type: 'chat_session', inherits: [other] });
    const scope = session.scope_block_uuid;
    await own.append(
      scope,
      Array.from({ length: FIRST + ADDED }, (_, turn) => said(turn)),
    );
    const { items } = await own.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: ASKED,
      permission_profile: LOCAL_PROFILE,
    });
    await own.close();
    return items.filter(({ layer }) => layer === 'recent').length;
  };
  const [none, half, all] = [await shown(0), await shown(0.5), await shown(1)];
  expect(none).toBe(SHOWN);
  expect(half).toBeGreaterThan(none);
  expect(all).toBeGreaterThan(half);
});

it('a history of more than half the budget loses half of it at most, and seldom', async () => {
  const { scope_block_uuid: other } = await engine.scopes.create({ type: 'chat_session' });
  await engine.append(other, ELSEWHERE);
  const session = await engine.scopes.create({ type: 'chat_session', inherits: [other] });
  const scope = session.scope_block_uuid;
  await engine.append(
    scope,
    Array.from({ length: FIRST }, (_, turn) => said(turn)),
  );
  const histories: (readonly (string | null)[])[] = [];
  for (let turn = FIRST; turn < FIRST + ADDED; turn++) {
    await engine.append(scope, [said(turn)]);
    const { items } = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: ASKED,
      permission_profile: LOCAL_PROFILE,
    });
    histories.push(items.filter(({ layer }) => layer === 'recent').map(({ uuid }) => uuid));
  }
  const whole = Math.max(...histories.map(({ length }) => length));
  expect(whole).toBeGreaterThan(3 * SHOWN);
  expect(whole).toBeLessThan(FIRST + ADDED);
  for (const { length } of histories) expect(length).toBeGreaterThanOrEqual(whole / 2 - 1);
  const moves = histories.filter(([first], index) => first !== histories[index - 1]?.[0]);
  expect(moves.length).toBeLessThanOrEqual(1 + ADDED / 8);
});
