import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { parseXml } from '../support/rendered-text.ts';

const TURNS = 200;
const NAMES = ['system', 'pinned', 'schema_typed', 'summary', 'recent', 'open_set', 'semantic'];
const BUDGETS = [500, 1000, 2000, 4000, 8000, 16_000, 100_000];
const manifest = (budget: number): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: budget-${budget}, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers: { recent: { limit: 12 }, summary: { kinds: [rolling] }, semantic: { top_k: 5 } }
  budget: { total_tokens: ${budget} }
`;
/** A search that finds turns of the history, before it or behind it in rank. */
const searching = (rank: number, budget: number): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: rank-${rank}-${budget}, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers: { recent: { limit: 12 }, summary: { kinds: [rolling] }, semantic: { top_k: 60, rank: ${rank} } }
  budget: { total_tokens: ${budget}, min_per_layer: { semantic: 200 } }
`;
const SEARCHES = [3, 5].flatMap((rank) => BUDGETS.map((budget) => [rank, budget] as const));
/** Half of the budget is the author's text: what the history has no room for is more than half. */
const CROWDED = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: crowded, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers:
    system: { text: "${'Answer briefly, and say so where you do not know. '.repeat(100)}" }
    recent: { limit: 40 }
    semantic: { top_k: 20 }
  budget: { total_tokens: 1700, min_per_layer: { semantic: 200 } }
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
  for (const [rank, budget] of SEARCHES)
    writeFileSync(join(folder, `s${rank}-${budget}.yaml`), searching(rank, budget));
  writeFileSync(join(folder, 'last.yaml'), WITHOUT_SUMMARY);
  writeFileSync(join(folder, 'crowded.yaml'), CROWDED);
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
    const system = JSON.stringify(composition.messages('openai')[0]);
    expect(system).not.toContain('<recent>');
    expect(system.includes('earlier turns are not shown')).toBe(first > 0 && shown.length > 0);
    const copied = structuredClone({ ...composition, messages: undefined });
    expect(copied.static_length).toBe(composition.text.indexOf('<recent>'));
  });
});

describe('a search that finds turns of the history', () => {
  const numbersOf = (texts: readonly { readonly text: string }[]): number[] =>
    texts.map(({ text }) => Number(/number (\d+)/.exec(text)?.[1]));
  const composed = async (manifest: string, session = scope) => {
    const composition = await engine.composeBlockContext({
      scope_block_uuid: session,
      intent: 'follow_up',
      query: 'What does matter 3 say?',
      manifest,
      permission_profile: LOCAL_PROFILE,
    });
    const options = { layerNames: NAMES, trustedLayers: new Set(['system']) };
    const layers = parseXml(composition.text, options);
    const of = (name: string) => layers.find((layer) => layer.name === name);
    return { composition, recent: of('recent'), found: numbersOf(of('semantic')?.items ?? []) };
  };

  it.each(SEARCHES)(
    'leaves no hole and no idle token in it at rank %i, %i tokens',
    async (rank, budget) => {
      const { composition, recent, found } = await composed(`rank-${rank}-${budget}`);
      const shown = numbersOf(recent?.items ?? []);
      const first = shown[0] ?? TURNS;
      expect(shown).toEqual(Array.from({ length: TURNS - first }, (_, index) => first + index));
      expect(composition.warnings.some(({ code }) => code === 'HISTORY.GAP')).toBe(first > 0);
      expect(found.filter((n) => shown.includes(n))).toEqual([]);
      if (first > 0) expect(composition.tokens.used).toBeGreaterThan(budget - 40);
    },
  );

  it('a pinned turn stands in the history as well', async () => {
    const { scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' });
    const turns = Array.from({ length: 6 }, (_, n) => ({ role: 'user', content: said(n) }));
    const { receipts } = await engine.append(session, turns);
    await engine.link(session, { type: 'pinned', to: receipts[3]?.uuid ?? '' });
    const { recent, composition } = await composed('rank-5-4000', session);
    expect(numbersOf(recent?.items ?? [])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(composition.items.filter(({ layer }) => layer === 'pinned')).toHaveLength(1);
  });

  it('of the last turns, what does not fit is found by the search', async () => {
    const { scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' });
    const long = 'And so on, about this and that, and then a little more of it. '.repeat(12);
    const turns = Array.from({ length: 12 }, (_, n) => ({
      role: 'user',
      content:
        n === 0 ? 'Turn number 0 says that matter 3 is closed.' : `Turn number ${n}. ${long}`,
    }));
    await engine.append(session, turns);
    const { recent, found } = await composed('rank-5-1000', session);
    expect(numbersOf(recent?.items ?? [])).not.toContain(0);
    expect(found).toContain(0);
  });
});

describe('a history that other layers leave little room', () => {
  it('leaves what it does not show to the search', async () => {
    const { scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' });
    const turns = Array.from({ length: 31 }, (_, n) => ({
      role: 'user',
      content: n === 0 ? 'My landlord is called Ottokar Brandt.' : said(n),
    }));
    await engine.append(session, turns);
    const { text, items } = await engine.composeBlockContext({
      scope_block_uuid: session,
      intent: 'follow_up',
      query: 'What is the name of my landlord?',
      manifest: 'crowded',
      permission_profile: LOCAL_PROFILE,
    });
    expect(items.filter(({ layer }) => layer === 'recent').length).toBeLessThan(31);
    expect(text).toContain('Ottokar');
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

  // At 500 tokens 25 turns are read before the last 12; one of those may be the query.
  it.each([
    ['budget-500', 37],
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
