/** The newest composition by the word `latest`: of what the caller reads, or of one scope. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { createContextEngine, type ScopeUuid } from '../../src/index.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const cwd = mkdtempSync(join(tmpdir(), 'latest-'));
const human = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;
const AT = Date.parse('2026-11-20T09:00:00Z');
let clock = AT;

const open = () =>
  createContextEngine({
    database: { dataDir: join(cwd, '.contextengine') },
    permission_profile: human,
    clock: () => clock,
  });
const ran = async (...words: readonly string[]) => {
  const terminal = memoryTerminal({ cwd });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};

let [first, second] = ['', ''] as readonly string[];
/** Ids in the order of their making: of the first scope, then of the second. */
const ids: string[] = [];

beforeAll(async () => {
  const engine = await open();
  const scopeOf = async (key: string): Promise<ScopeUuid> =>
    (await engine.scopes.getOrCreate({ type: 'chat_session', key })).scope_block_uuid;
  const scopes = [await scopeOf('one'), await scopeOf('two')];
  [first, second] = scopes;
  for (const scope of scopes) {
    clock += 1000;
    const composed = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: `of ${scope}`,
      permission_profile: human,
    });
    ids.push(composed.composition_id);
  }
  await engine.close();
}, 60_000);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

it('explains and replays the newest, or the newest of a scope', async () => {
  expect((await ran('explain', 'latest')).out).toContain(ids[1]);
  expect((await ran('explain', 'latest', '--scope', 'one')).out).toContain(ids[0]);
  const [latest, named] = [await ran('replay', 'latest'), await ran('replay', ids[1] ?? '')];
  expect([latest.code, latest.out]).toEqual([0, named.out]);
});

it('says of what is composed as of another time that `latest` is none of it', async () => {
  const times = [
    ['--as-of', '2026-11-20T09:00:01Z'],
    ['--recorded-as-of', '2026-11-20T09:00:01Z'],
  ];
  for (const time of times) {
    const words = ['compose', '--scope', 'two', '--intent', 'follow_up', '--query', 'past'];
    const { code, err } = await ran(...words, ...time, '--trace');
    expect([code, err]).toEqual([0, expect.stringContaining('leaves no receipt')]);
    expect(err).not.toContain('why: contextengine explain');
    expect((await ran('explain', 'latest')).out).toContain(ids[1]);
  }
});

it('names the layers that found nothing in one line', async () => {
  const engine = await open();
  const asked = { intent: 'fact', permission_profile: human } as const;
  const query = { scope_block_uuid: second ?? '', query: 'Where does she live?' };
  const { warnings } = await engine.composeBlockContext({ ...asked, ...query });
  await engine.close();
  const empty = warnings.filter(({ code }) => code === 'LAYER.EMPTY');
  expect(empty.length).toBeGreaterThan(1);
  const { out } = await ran('explain', 'latest');
  const lines = out.split('\n').filter((line) => line.includes('nothing for this query'));
  expect(lines).toEqual([
    expect.stringMatching(/^warning +Layers `\w+`, `\w+`.* hold nothing for/),
  ]);
  const composed = await ran('compose', '--scope', 'two', '--intent', 'fact', '--query', 'Where?');
  expect(composed.err.match(/LAYER\.EMPTY/g)).toHaveLength(1);
  for (const { message } of empty)
    expect(composed.err).toContain(/`\w+`/.exec(message)?.[0] ?? 'a name');
});

it('says so where there is none, and where a scope is given beside an id', async () => {
  await ran('scope', 'create', '--type', 'chat_session', '--key', 'empty');
  const empty = await ran('explain', 'latest', '--scope', 'empty');
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('RECEIPT.NOT_FOUND')]);
  const both = await ran('explain', ids[0] ?? '', '--scope', 'one');
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('latest --scope one')]);
});

it('shows only what the caller reads', async () => {
  const engine = await open();
  const ofOne = { permission_profile: { ...human, principal: 'ann', scopes: [first ?? ''] } };
  const seen = await engine.explain('latest', ofOne);
  expect(seen.receipt.composition_id).toBe(ids[0]);
  await expect(engine.explain({ latest_of: second ?? '' }, ofOne)).rejects.toMatchObject({
    code: 'PERMISSION.DENIED',
  });
  const ofNone = { permission_profile: { ...human, principal: 'bob', scopes: [] } };
  await expect(engine.explain('latest', ofNone)).rejects.toMatchObject({
    code: 'RECEIPT.NOT_FOUND',
  });
  await engine.close();
});
