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

const WITHOUT_SUMMARY = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: last-turns, version: 1, scope_block_type: chat_session }
spec: { model: gpt-4o, layers: { recent: { limit: 12 } }, budget: { total_tokens: 2000 } }
`;

let engine: ContextEngine;
let scope: string;
const folder = mkdtempSync(join(tmpdir(), 'contextengine-history-'));
beforeAll(async () => {
  for (const budget of BUDGETS) writeFileSync(join(folder, `b${budget}.yaml`), manifest(budget));
  writeFileSync(join(folder, 'last.yaml'), WITHOUT_SUMMARY);
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

describe('what the text says of turns that it does not show', () => {
  const sessionOf = async (turns: number, text = (n: number): string => `t${n}`) => {
    const { scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' });
    const given = Array.from({ length: turns }, (_, n) => ({ role: 'user', content: text(n) }));
    await engine.append(session, given);
    return session;
  };
  const seenIn = async (session: string, manifest: string, query = 'what now?') => {
    const { items, text, warnings } = await engine.composeBlockContext({
      scope_block_uuid: session,
      intent: 'follow_up',
      query,
      manifest,
      permission_profile: LOCAL_PROFILE,
    });
    const isWarned = warnings.some(({ code }) => code === 'HISTORY.GAP');
    expect(text.includes('(earlier turns are not shown)')).toBe(isWarned);
    return { turns: items.filter(({ layer }) => layer === 'recent').length, isWarned };
  };

  // At 500 tokens 20 turns are read before the last 12; one of those may be the query.
  it.each([
    ['budget-500', 32],
    ['last-turns', 12],
  ])('%s: a mark stands where a turn is missing, and nowhere else', async (manifest, most) => {
    const whole = await sessionOf(most);
    expect(await seenIn(whole, manifest)).toEqual({ turns: most, isWarned: false });
    const longer = await sessionOf(most + 1);
    expect(await seenIn(longer, manifest)).toEqual({ turns: most, isWarned: true });
    const withQuery = { turns: most, isWarned: false };
    expect(await seenIn(longer, manifest, `t${most}`)).toEqual(withQuery);
  });

  it('a summary covers what it tells of where it is shown to its end alone', async () => {
    const session = await sessionOf(60, said);
    const summarise = (content: string, to: number) =>
      engine.summarize(session, {
        kind: 'rolling',
        content,
        covers_to_seq: to,
        sources: [{ scope: session, from_seq: 2, to_seq: to }],
      });
    await summarise('They spoke about many matters.', 40);
    expect(await seenIn(session, 'budget-2000')).toMatchObject({ isWarned: false });
    expect(await seenIn(session, 'last-turns')).toEqual({ turns: 12, isWarned: true });
    await summarise('They went through all of the matters, one by one. '.repeat(80), 41);
    expect(await seenIn(session, 'budget-2000')).toMatchObject({ isWarned: true });
    expect(await seenIn(session, 'budget-500')).toMatchObject({ isWarned: true });
  });
});
