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

it('a history of more than half the budget loses half of it at most, and seldom', async () => {
  // What a search finds of another conversation wants every token that is left.
  const { scope_block_uuid: other } = await engine.scopes.create({ type: 'chat_session' });
  const elsewhere = Array.from({ length: 120 }, (_, turn) => ({
    role: 'user',
    content: `Elsewhere, matter ${turn}: told with many more words than there are here.`,
  }));
  await engine.append(other, elsewhere);
  const session = await engine.scopes.create({ type: 'chat_session', inherits: [other] });
  const scope = session.scope_block_uuid;
  const said = (turn: number) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${turn} speaks of subject ${turn % 7} and adds a few more plain words.`,
  });
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
      query: 'What was told elsewhere with more words?',
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
