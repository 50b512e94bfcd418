/**
 * What a layer shows of several scopes, held against an oracle that looks at everything that was
 * written.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Composition, ContextEngine, ScopeUuid } from '../../src/index.ts';
import { at, openEngine, START_MS, type TestClock } from '../support/engines.ts';

const MANIFEST = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: nested, version: 1, scope_block_type: nested }
spec:
  layers:
    core: {}
    project: {}
    task: {}
    index: { limit: 6, classes: [lesson, rule, procedure] }
    pinned: { limit: 4 }
    schema_typed: { limit: 50 }
    summary: { limit: 4, kinds: [rolling, lineage, per_doc] }
  intents:
    all: { layers: [core, project, task, index, pinned, schema_typed, summary] }
  budget: { total_tokens: 100000 }
`;
const HOUR_MS = 3_600_000;

interface Written {
  readonly text: string;
  /** 0 is the scope of the call. */
  readonly place: number;
  readonly at: number;
}

describe('limits of layers over a session, its user and their organisation', () => {
  const time: TestClock = { ms: START_MS };
  const typed: (Written & { readonly property: string })[] = [];
  const conventions: Written[] = [];
  const tasks: Written[] = [];
  const hooks: Written[] = [];
  const sources = new Map<number, string>();
  let folder: string;
  let engine: ContextEngine;
  let scopes: readonly ScopeUuid[];
  let composition: Composition;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contextengine-limits-'));
    await writeFile(join(folder, 'nested.yaml'), MANIFEST);
    engine = await openEngine({ manifests: folder, time, embedder: 'off' });
    const create = async (title: string, inherits: readonly ScopeUuid[]) =>
      (await engine.scopes.create({ type: 'nested', title, inherits })).scope_block_uuid;
    const outermost = await create('organisation', []);
    const user = await create('user', [outermost]);
    scopes = [await create('session', [user]), user, outermost];
    for (const [place, count] of [
      [2, 60],
      [0, 40],
      [1, 30],
    ] as const)
      await fill(place, count);
    await summaries();
    time.ms += HOUR_MS;
    composition = await engine.composeBlockContext({
      scope_block_uuid: scopeAt(0),
      intent: 'all',
      query: '',
      permission_profile: { principal: 'local', kind: 'human', tenant: 'local', scopes: '*' },
      trace: true,
    });
    return async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    };
  }, 600_000);

  const scopeAt = (place: number): ScopeUuid => {
    const scope = scopes[place];
    if (scope === undefined) throw new Error(`no scope ${place}`);
    return scope;
  };

  const sourceAt = (place: number): string => sources.get(place) ?? '';

  async function fill(place: number, count: number): Promise<void> {
    const scope = scopeAt(place);
    for (let n = 0; n < count; n += 1) {
      time.ms += HOUR_MS;
      // the session has 15 to 54, the user 40 to 69, the organisation 0 to 59
      const property = `p${String(n + (place === 0 ? 15 : place === 1 ? 40 : 0)).padStart(2, '0')}`;
      const text = `value of ${property} at ${place}`;
      await engine.setTyped(scope, 'ada', 'profile', property, text);
      typed.push({ text, place, at: time.ms, property });
    }
    const said = async (type: string, list: Written[], times: number): Promise<void> => {
      const entries = Array.from({ length: times }, (_, n) => ({
        text: `${type} ${n} of ${place}`,
        place,
        at: time.ms + n * 1000,
      }));
      const { receipts } = await engine.append(
        scope,
        entries.map(({ text, at: ms }) => ({
          content: text,
          block_type: type,
          occurred_at: at(ms),
        })),
      );
      list.push(...entries);
      sources.set(place, receipts[0]?.uuid ?? '');
    };
    await said('convention', conventions, place === 2 ? 55 : 3);
    await said('task', tasks, place === 1 ? 52 : 2);
    const lessons = Array.from({ length: 3 }, (_, n) => ({
      text: `lesson ${n} of ${place}`,
      place,
      at: time.ms + n * 1000,
    }));
    // A rule between the lessons; what is of another class, or over, takes no place among them.
    const over = { valid_from: at(time.ms + 60_000), valid_until: at(time.ms + 120_000) };
    await engine.remember(scope, [
      ...lessons.map(({ text, at: ms }, n) => ({
        content: text,
        class: n === 1 ? 'rule' : 'lesson',
        valid_from: at(ms),
      })),
      ...Array.from({ length: 9 }, (_, n) => ({ content: `fact ${n} of ${place}`, class: 'fact' })),
      ...Array.from({ length: 9 }, (_, n) => ({
        content: `lesson that is over ${n} of ${place}`,
        class: 'lesson',
        ...over,
      })),
    ]);
    hooks.push(...lessons);
  }

  async function summaries(): Promise<void> {
    for (let n = 0; n < 12; n += 1)
      await engine.summarize(scopeAt(2), {
        kind: 'per_doc',
        content: `document ${n}`,
        covers_to_seq: 5,
        sources: [sourceAt(2)],
      });
    for (const place of [0, 1])
      for (let n = 0; n < 6; n += 1)
        await engine.summarize(scopeAt(place), {
          kind: 'rolling',
          content: `rolling ${n} of ${place}`,
          covers_to_seq: 2 + n,
          sources: [sourceAt(place)],
        });
  }

  const shownBy = (layer: string): readonly string[] =>
    composition.items.filter((item) => item.layer === layer).map(({ text }) => text);
  /** The nearest scope first, then the newest; `limit` of them, by name. */
  const nearestNewest = (written: readonly Written[], limit: number): readonly string[] =>
    [...written]
      .sort((a, b) => a.place - b.place || b.at - a.at)
      .slice(0, limit)
      .map(({ text }) => text)
      .sort();
  const cuts = (): readonly string[] =>
    composition.warnings
      .filter(({ code }) => code === 'LAYER.LIMIT_CUT')
      .map(({ message }) => /`([^`]+)`/.exec(message)?.[1] ?? '')
      .sort();

  it('typed values: the nearest of each property, and the limit counts those', () => {
    const properties = [...new Set(typed.map(({ property }) => property))];
    const nearest = properties.map((property) => {
      const [first] = typed
        .filter((entry) => entry.property === property)
        .sort((a, b) => a.place - b.place);
      if (!first) throw new Error(property);
      return first;
    });
    const expected = [...nearest]
      .sort((a, b) => a.place - b.place || (a.property < b.property ? -1 : 1))
      .slice(0, 50)
      .map(({ text }) => text);
    expect(expected.filter((text) => text.endsWith('at 0'))).toHaveLength(40);
    const shown = shownBy('schema_typed').map((text) => text.replace(/^.*= /, ''));
    expect([...shown].sort()).toEqual([...expected].sort());
    const dropped = composition.trace?.dropped.filter(({ layer }) => layer === 'schema_typed');
    expect(new Set(dropped?.map(({ reason }) => reason))).toEqual(new Set(['limit']));
  });

  it('conventions and tasks: the nearest and newest fifty, by scope, then in order of time', () => {
    for (const [layer, written] of [
      ['project', conventions],
      ['task', tasks],
    ] as const) {
      const shown = shownBy(layer);
      expect([...shown].sort()).toEqual(nearestNewest(written, 50));
      const of = (text: string) => written.find((one) => one.text === text) ?? { place: 0, at: 0 };
      const inOrder = shown.map(of).sort((a, b) => a.place - b.place || a.at - b.at);
      expect(shown.map(of)).toEqual(inOrder);
    }
  });

  it('hooks: the nearest and newest', () => {
    expect([...shownBy('index')].sort()).toEqual(nearestNewest(hooks, 6));
  });

  it('summaries: the newest of each scope and kind, the session’s own first', () => {
    expect(shownBy('summary').slice(0, 2)).toEqual(['rolling 5 of 0', 'rolling 5 of 1']);
    expect(shownBy('summary')).toHaveLength(4);
  });

  it('says which layers were cut', () => {
    expect(cuts()).toEqual(['index', 'project', 'schema_typed', 'summary', 'task']);
  });
});
