/**
 * The layer `archival` and what rotates it: the failure that began it all, the recall step by step,
 * and ten sessions within the hour, over a restart and in another process.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Composition, ContextEngine, ScopeUuid } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'archival-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = (name: string, layer: string): string => `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name} }
spec:
  layers: { system: { text: Words. }, archival: ${layer} }
  intents: { recall: { layers: [archival] } }
  budget: { total_tokens: 4000 }
`;
const NO_PENALTY =
  '0.45*sim + clamp(2*sim, 0, 1) * (0.25*recency + 0.20*importance + 0.10*frequency)';
for (const [name, layer] of Object.entries({
  agent: '{ top_k: 4 }',
  rotating: '{ top_k: 5, scoring: { mmr_lambda: 1 } }',
  still: `{ top_k: 5, scoring: { mmr_lambda: 1, formula: "${NO_PENALTY}" } }`,
  brief: '{ top_k: 5, scoring: { mmr_lambda: 1, stale_minutes: 5 } }',
  similar: '{ top_k: 4, scoring: { formula: sim } }',
}))
  writeFileSync(join(folder, `${name}.yaml`), manifest(name, layer));

writeFileSync(
  join(folder, 'doing.yaml'),
  manifest('doing', '{ top_k: 4 }')
    .replace('spec:', 'spec:\n  inputs: { job: { default: "" } }')
    .replace('archival:', 'task: { text: "The job: {{job}}." }, procedures: {}, archival:')
    .replace('intents: {', 'intents: { do: { layers: [task, procedures] },'),
);

const NOW = Date.parse('2026-04-14T02:14:00Z');
const MINUTE = 60_000;
const BRIEF = 'dataset for research brief';
const OLD = 'The dataset for the research brief is the Calder River census of 2019.';
const NEW = 'The research brief uses the Calder Rivers survey of 2025, 12,600 households.';
const PIECES =
  'Gloria,Requiem,Magnificat,Nocturne,Vespers,Ave Verum,Te Deum,Elegy,Lullaby,Carol'.split(',');
const PLACES = 'the chapel,the old library,a barn near Ostrava,the town hall,a school'.split(',');
const REHEARSED = PLACES.flatMap((place, at) =>
  PIECES.map(
    (piece, index) =>
      `The choir rehearsed the ${piece} in ${place}, ${at * 10 + index + 11} singers came.`,
  ),
);
const REHEARSAL = 'Where did the choir rehearse?';
const SOLE = 'The password of the harbour gate is hung behind the tide table.';
const SOLE_QUERY = 'What is the password of the harbour gate?';

describeOnDatabases('archival', (open) => {
  const time = { ms: NOW };
  const PROFILE = { principal: 'ana', tenant: 'archival', kind: 'human', scopes: '*' } as const;
  const CALL = { permission_profile: PROFILE };
  let database: { readonly url: string } | { readonly dataDir: string };
  let engine: ContextEngine;
  let memory: ScopeUuid;
  const reopened = (): Promise<ContextEngine> => openEngine({ database, manifests: folder, time });

  beforeAll(async () => {
    const { url } = await open();
    database = url === null ? { dataDir: join(folder, 'data') } : { url };
    engine = await reopened();
    memory = (await engine.scopes.create({ type: 'user' }, CALL)).scope_block_uuid;
    const keep = (content: string, valid_from: string, importance = 0.6): Promise<unknown> =>
      engine.remember(memory, { content, valid_from, importance, category: 'fact' }, CALL);
    await keep(OLD, '2026-02-10T00:00:00Z');
    await keep(NEW, '2026-04-11T00:00:00Z');
    await keep(SOLE, '2026-01-10T00:00:00Z');
    for (const content of REHEARSED) await keep(content, '2026-04-12T00:00:00Z');
    await keep('Charts in briefs are exported as SVG.', '2026-04-13T00:00:00Z');
  });
  afterAll(() => engine.close());

  const session = async (type: string): Promise<ScopeUuid> =>
    (await engine.scopes.create({ type, inherits: [memory] }, CALL)).scope_block_uuid;
  const recall = (
    scope: ScopeUuid,
    query: string,
    { by = engine, principal = 'ana' }: { by?: ContextEngine; principal?: string } = {},
  ): Promise<Composition> =>
    by.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'recall', query, trace: true },
      permission_profile: { ...PROFILE, principal },
    });
  const textsOf = ({ items }: Composition): readonly string[] =>
    items.filter(({ layer }) => layer === 'archival').map(({ text }) => text);

  it('serves the memory of three days ago before the one of February; similarity alone does not', async () => {
    const [first] = textsOf(await recall(await session('agent'), BRIEF, { principal: 'tuesday' }));
    expect(first).toBe(NEW);
    const bySim = textsOf(await recall(await session('similar'), BRIEF, { principal: 'tuesday' }));
    expect(bySim.indexOf(OLD)).toBeLessThan(bySim.indexOf(NEW));
  });

  it('searches for each long sentence, and the trace has every step', async () => {
    const query = `Hello there. ${BRIEF}.\nWhere did the choir rehearse? Thanks!`;
    const { trace } = await recall(await session('agent'), query, { principal: 'steps' });
    const steps = trace?.recall['archival'];
    expect(steps).toMatchObject({
      sub_queries: [`${BRIEF}.`, 'Where did the choir rehearse?'],
      sub_queries_left_out: 0,
      lowered: [],
      sole_answers: [],
      taken: 4,
    });
    // 3 x 4 of each leg of each sentence, some of them the same.
    expect(steps?.fetched).toBeGreaterThan(12);
    expect(trace?.formulas['archival']).toContain('0.45*sim');
  });

  it('reaches three times as far in ten sessions as without the penalty', async () => {
    const reached = async (type: string, principal: string): Promise<number> => {
      const seen = new Set<string>();
      for (let n = 0; n < 10; n += 1) {
        time.ms += MINUTE;
        const served = textsOf(await recall(await session(type), REHEARSAL, { principal }));
        expect(served.length).toBe(5);
        for (const text of served) seen.add(text);
      }
      return seen.size;
    };
    const [rotating, still] = [await reached('rotating', 'ben'), await reached('still', 'cleo')];
    expect(rotating).toBeGreaterThanOrEqual(3 * still);
  });

  it('serves a sole answer first in every session, and the trace says so', async () => {
    for (let n = 0; n < 3; n += 1) {
      time.ms += MINUTE;
      const composed = await recall(await session('rotating'), SOLE_QUERY, { principal: 'dora' });
      expect(textsOf(composed)[0]).toBe(SOLE);
      const { sole_answers: sole } = composed.trace?.recall['archival'] ?? {};
      expect(sole).toEqual(n === 0 ? [] : [composed.items.find(({ text }) => text === SOLE)?.uuid]);
    }
  });

  it('remembers over a restart, for an hour, by principal and for other sessions only', async () => {
    const [one, two] = [await session('rotating'), await session('rotating')];
    const first = textsOf(await recall(one, REHEARSAL, { principal: 'eva' }));
    await engine.close();
    engine = await reopened();
    time.ms += MINUTE;
    const lowered = async (scope: ScopeUuid, principal: string): Promise<number> =>
      (await recall(scope, REHEARSAL, { principal })).trace?.recall['archival']?.lowered.length ??
      -1;
    expect(textsOf(await recall(one, REHEARSAL, { principal: 'eva' }))).toEqual(first);
    const there = textsOf(await recall(two, REHEARSAL, { principal: 'eva' }));
    expect(there.filter((text) => first.includes(text))).toEqual([]);
    expect(await lowered(await session('rotating'), 'fritz')).toBe(0);
    time.ms += 61 * MINUTE;
    expect(await lowered(await session('rotating'), 'eva')).toBe(0);
  });

  it('remembers for as many minutes as the manifest says', async () => {
    const lowered = async (): Promise<number | undefined> =>
      (await recall(await session('brief'), REHEARSAL, { principal: 'greta' })).trace?.recall[
        'archival'
      ]?.lowered.length;
    expect(await lowered()).toBe(0);
    time.ms += 4 * MINUTE;
    expect(await lowered()).toBeGreaterThan(0);
    time.ms += 6 * MINUTE;
    expect(await lowered()).toBe(0);
  });

  it('is not younger for being served: the signals of use and age stay as they were', async () => {
    const signalsOf = async (): Promise<readonly unknown[]> => {
      const { items, trace } = await recall(await session('rotating'), SOLE_QUERY, {
        principal: 'gus',
      });
      const found = [...items, ...(trace?.dropped ?? [])].find(
        (item) => 'text' in item && item.text === SOLE,
      );
      const { recency, frequency, importance } = found?.signals ?? {};
      return [recency, frequency, importance];
    };
    const before = await signalsOf();
    expect(await signalsOf()).toEqual(before);
  });

  it('lifts a procedure by every tag that the query or its task names', async () => {
    const teach = (content: string, tags: readonly string[]): Promise<unknown> =>
      engine.remember(memory, { content, class: 'procedure', tags }, CALL);
    await teach('Before a deploy to the cluster read the notes.', ['night shift']);
    await teach('Before a deploy to the cluster read the log.', ['payments', 'release']);
    const scope = await session('doing');
    const taught = async (job: string): Promise<readonly (readonly [string, number, number])[]> => {
      const { items } = await engine.composeBlockContext({
        ...{ scope_block_uuid: scope, intent: 'do', query: 'What before a deploy to the cluster?' },
        inputs: { job },
        permission_profile: { ...PROFILE, principal: 'kim' },
      });
      return items.flatMap(({ layer, text, score, signals }) =>
        layer === 'procedures' ? [[text, score ?? 0, signals.tag_matches ?? 0] as const] : [],
      );
    };
    const plain = new Map((await taught('sweep the hall')).map(([text, score]) => [text, score]));
    const [first, second] = await taught('payments: release 3');
    expect([first?.[0], first?.[2]]).toEqual(['Before a deploy to the cluster read the log.', 2]);
    expect(first?.[1]).toBeCloseTo(1.2 * (plain.get(first?.[0] ?? '') ?? 0), 9);
    expect(second?.[1]).toBeCloseTo(plain.get(second?.[0] ?? '') ?? 0, 9);
  });

  it('ends a cached composition once another session was served', async () => {
    const [one, two] = [await session('rotating'), await session('rotating')];
    const ask = (scope: ScopeUuid) => recall(scope, REHEARSAL, { principal: 'hana' });
    await ask(one);
    expect((await ask(one)).cache.state).toBe('hit');
    await ask(two);
    expect((await ask(one)).cache.state).toBe('miss');
  });

  it('writes nothing of a look into the past, and is not ranked by what was served', async () => {
    const scope = await session('rotating');
    const as_of = new Date(time.ms);
    const past = () =>
      engine.composeBlockContext({
        ...{ scope_block_uuid: scope, intent: 'recall', query: REHEARSAL, as_of, trace: true },
        permission_profile: { ...PROFILE, principal: 'ida' },
      });
    const first = await past();
    await recall(await session('rotating'), REHEARSAL, { principal: 'ida' });
    expect((await past()).text).toBe(first.text);
    expect(first.trace?.recall['archival']?.lowered).toEqual([]);
  });
});
