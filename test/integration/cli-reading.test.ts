/**
 * What the commands that list and show print for people: whole texts on a pipe, readable ones on a
 * narrow terminal, and where each id is found.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { createContextEngine } from '../../src/index.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cli-reading-'));
const TEXT =
  'Ann wears shoes of size 39 and asks each spring for the pair with the blue laces, unworn.';
const PROPOSED = 'Ann has moved to Turin.';
const human = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;
let scope = '';
let outer = '';
let proposal = '';
let moved = '';

const ran = async (words: readonly string[], tty?: { readonly columns: number }) => {
  const terminal = { ...memoryTerminal({ cwd }), ...(tty && { ...tty, isOutTty: true }) };
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};

beforeAll(async () => {
  mkdirSync(join(cwd, 'manifests'));
  writeFileSync(
    join(cwd, 'manifests/notes.yaml'),
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note }
spec: { layers: { recent: {}, open_set: {} } }
`,
  );
  const engine = await createContextEngine({
    database: { dataDir: join(cwd, '.contextengine') },
    manifests: [join(cwd, 'manifests')],
    permission_profile: human,
  });
  const user = await engine.scopes.getOrCreate({ type: 'user', key: 'ann', title: 'Ann Lee' });
  outer = user.scope_block_uuid;
  const made = await engine.scopes.create({ type: 'note', inherits: [outer] });
  scope = made.scope_block_uuid;
  await engine.remember(scope, { content: TEXT, subject: 'Ann', class: 'preference' });
  await engine.remember(outer, { content: 'Ann likes tea.', subject: 'Ann' });
  const lived = await engine.remember(outer, { content: 'Ann lives in Pisa.', subject: 'Ann' });
  moved = lived.receipts[0]?.root_uuid ?? '';
  for (const content of ['Ann lives in Rome.', 'Ann lives in Bari.'])
    await engine.facts.update(moved, { content });
  const agent = { ...human, principal: 'helper', kind: 'agent' } as const;
  const waits = await engine.remember(
    scope,
    { content: PROPOSED, subject: 'Ann' },
    { permission_profile: agent },
  );
  proposal = waits.proposal?.proposal_uuid ?? '';
  await engine.append(
    scope,
    [
      ['My sister lives in Rome.', '2026-01-01T00:00:00Z'],
      ['My sister moved to Lyon.', '2026-01-02T00:00:00Z'],
    ].map(([content = '', at = '']) => ({
      ...{ role: 'user', author: 'Ann', content },
      occurred_at: new Date(at),
    })),
  );
  await engine.capture(scope, {}, { permission_profile: agent });
  await engine.close();
}, 60_000);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

it('prints whole texts on a pipe', async () => {
  const { code, out } = await ran(['facts', 'list']);
  expect(code).toBe(0);
  expect(out.split('\n').filter((line) => line.includes(TEXT))).toHaveLength(1);
});

it('puts the text below its row on a terminal of 80 columns', async () => {
  const { out } = await ran(['facts', 'list', '--class', 'preference'], { columns: 80 });
  const lines = out.trimEnd().split('\n');
  expect(lines[1]).toBe('  what');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.slice(3).join(' ').replace(/\s+/g, ' ').trim()).toBe(TEXT);
});

it('shows a history that waits in one line', async () => {
  const { out } = await ran(['approvals', 'list']);
  expect(out).toContain(
    'add "Ann\'s sister lives in Rome.", then update "Ann\'s sister moved to Lyon."',
  );
});

it('names the scope of each fact where more than one was read', async () => {
  const titleLine = async (...words: readonly string[]) =>
    (await ran(['facts', ...words])).out.split('\n')[0]?.split(/ {2,}/);
  expect(await titleLine('list')).toContain('scope');
  expect(await titleLine('list', '--scope', 'ann')).not.toContain('scope');
  const { out } = await ran(['facts', 'list', '--scope', scope]);
  const lines = out.trimEnd().split('\n').slice(1);
  expect(lines.map((line) => line.split(/ {2,}/)[1]).sort()).toEqual(
    ['Ann Lee', 'Ann Lee', scope.slice(0, 8)].sort(),
  );
  expect(await titleLine('search', 'shoes', '--scope', scope)).toContain('scope');
});

it('says which classes, subjects and times there are where a filter leaves nothing', async () => {
  const why = async (...words: readonly string[]) => (await ran(['facts', 'list', ...words])).err;
  expect(await why('--class', 'preferense')).toBe(
    'No facts.\nNo class `preferense`. Did you mean `preference`? Use one of `fact`, `preference`.\n',
  );
  expect(await why('--subject', 'An')).toContain('Did you mean `Ann`?');
  expect(await why('--collection', 'profile')).toBe('No facts.\nNo fact here has a collection.\n');
  expect(await why('--class', 'preference', '--subject', 'Bo')).toContain('No subject `Bo`.');
});

it('shows the current version of a root, and what each of its versions gave way to', async () => {
  const versions = JSON.parse((await ran(['facts', 'history', moved, '--json'])).out);
  const [first, second, third] = versions.map((fact: { row: { uuid: string } }) => fact.row.uuid);
  const shown = async (uuid: string) => (await ran(['facts', 'get', uuid])).out;
  const last = await shown(third);
  expect(last).toMatch(new RegExp(`^version {4}${third}, version 3 of 3, the current one$`, 'm'));
  expect(last).toMatch(new RegExp(`^supersedes ${second}: Ann lives in Rome\\.$`, 'm'));
  expect(last).not.toMatch(/^(superseded|now) /m);
  expect(first).toBe(moved);
  expect(await shown(moved)).toBe(last);
  const middle = await shown(second);
  expect(middle).toMatch(new RegExp(`^version {4}${second}, version 2 of 3$`, 'm'));
  expect(middle).toContain(
    `superseded by ${third}: Ann lives in Bari.\n           contextengine facts get ${third}\n`,
  );
  expect(middle).toContain(`contextengine facts history ${first}`);
});

it('shows a reviewer what was said, by whom and when, and where it is to go', async () => {
  const { out: listed } = await ran(['approvals', 'list', '--json']);
  const captured = JSON.parse(listed).find(
    ({ action }: { action: { operations: { sources?: string[] }[] } }) =>
      action.operations.some(({ sources = [] }) => sources.length > 0),
  );
  const { out } = await ran(['approvals', 'show', captured.proposal_uuid]);
  expect(out).toMatch(/^made of {7}[0-9a-f-]{36}, Ann, 2026-01-01 00:00$/m);
  expect(out).toMatch(/^ +My sister lives in Rome\.$/m);
  expect(out).toMatch(/^ +My sister moved to Lyon\.$/m);
  const { sources } = JSON.parse(
    (await ran(['approvals', 'show', captured.proposal_uuid, '--json'])).out,
  );
  expect(sources).toMatchObject([
    { author: 'Ann', content: 'My sister lives in Rome.' },
    { author: 'Ann', content: 'My sister moved to Lyon.' },
  ]);
});

it('shows a reviewer nothing of a turn that capture declined', async () => {
  const engine = await createContextEngine({
    database: { dataDir: join(cwd, '.contextengine') },
    manifests: [join(cwd, 'manifests')],
    permission_profile: human,
  });
  const content = 'My aunt lives in Turku. My password is hunter2!X9.';
  await engine.append(scope, [{ role: 'user', author: 'Ann', content }]);
  const { receipts } = await engine.capture(scope);
  await engine.close();
  const id = receipts[0]?.candidates[0]?.proposal_uuid ?? '';
  const { out } = await ran(['approvals', 'show', id]);
  expect(out).toMatch(/^ +My aunt lives in Turku\.$/m);
  const { sources } = JSON.parse((await ran(['approvals', 'show', id, '--json'])).out);
  expect(sources).toMatchObject([{ content: 'My aunt lives in Turku.' }]);
  expect(out).not.toContain('hunter2');
});

it('shows a reviewer what a proposal would end or change', async () => {
  const engine = await createContextEngine({
    database: { dataDir: join(cwd, '.contextengine') },
    manifests: [join(cwd, 'manifests')],
    permission_profile: { ...human, principal: 'eraser', kind: 'agent' },
  });
  const waits = await engine.facts.update(moved, { content: 'Ann lives in Lodz.' });
  await engine.close();
  const id = waits.proposal?.proposal_uuid ?? '';
  const { out } = await ran(['approvals', 'show', id]);
  expect(out).toMatch(new RegExp(`^changes {7}${moved}: Ann lives in Bari\\.$`, 'm'));
  const { targets } = JSON.parse((await ran(['approvals', 'show', id, '--json'])).out);
  expect(targets).toEqual([{ operation: 'UPDATE', root_uuid: moved, text: 'Ann lives in Bari.' }]);
  await ran(['approvals', 'reject', id]);
});

it('names the scope of what waits beside its uuid', async () => {
  const agent = join(cwd, 'agent.json');
  writeFileSync(agent, JSON.stringify({ ...human, principal: 'scribe', kind: 'agent' }));
  await ran(['remember', '--scope', 'ann', 'Ann likes rain.', '--profile', agent]);
  const { out } = await ran(['approvals', 'list']);
  const line = out.split('\n').find((each) => each.includes('Ann likes rain.')) ?? '';
  expect(line).toContain('Ann Lee');
  const shown = (await ran(['approvals', 'show', line.split(/ /)[0] ?? ''])).out;
  expect(shown).toMatch(new RegExp(`^scopes {8}${outer} Ann Lee$`, 'm'));
});

it('shows the words of what waits for an approval', async () => {
  expect((await ran(['approvals', 'list'])).out).toContain(`add "${PROPOSED}"`);
  const { out } = await ran(['approvals', 'show', proposal]);
  expect(out).toContain(`content.content: "${PROPOSED}"`);
  expect(out).toMatch(/^operation 1 {3}\S/m);
  expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

it('shows what a scope inherits from, and says where keys are listed', async () => {
  expect((await ran(['scope', 'show', scope])).out).toMatch(
    new RegExp(`^inherits +${outer} Ann Lee$`, 'm'),
  );
  const { code, err } = await ran(['scope', 'show', 'bob']);
  expect(code).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain('`contextengine scope list` shows the keys');
});

it('takes a scope without a manifest for one that others inherit', async () => {
  expect((await ran(['scope', 'create', 'team'])).err).toContain('Write `--type team`');
  const { err } = await ran(['scope', 'create', '--type', 'team']);
  expect(err).toContain('fine for a scope that others inherit');
});

it.each([
  [['explain', 'abc'], 'compose --trace'],
  [['replay', 'abc'], 'compose --trace'],
  [['approvals', 'approve', '123'], 'approvals list'],
  [['history', 'returns'], 'facts list'],
  [['facts', 'get', 'x'], 'facts list'],
  [['correct', 'x', 'y'], 'facts list'],
  [['undo', 'x'], '`operation_id`'],
  [['erase', 'x'], 'erase --list'],
  [['compose', 't1'], '--scope t1'],
  [['facts', 'list', 't1'], '--scope t1'],
  [['facts', 'list', '--limit', 'many'], '--limit 20'],
  [['upkeep', '--dry'], '--dry-run'],
])('%j is told where the right word is found', async (words, fix) => {
  const { code, err } = await ran(words);
  expect(code).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain(fix);
});

it('says in words what the database is', async () => {
  expect((await ran(['doctor'])).out).toMatch(/PGlite \d+\.\d+, pgvector \d\S*, \d+\.\d MB/);
});

it('does not name a profile where a server has none', async () => {
  const { code, out } = await ran(['doctor', '--database-url', 'postgres://nobody@127.0.0.1:1/x']);
  expect(code).toBe(4);
  expect(out).toContain('none, and a server needs one');
  expect(out).not.toContain('human local');
});

it('counts what was forgotten in words, and lists when it was erased', async () => {
  await ran(['remember', '--scope', scope, 'Bob likes rain.', '--subject', 'Bob']);
  const { out } = await ran(['forget', '--subject', 'Bob', '--now']);
  expect(out).toMatch(/^ {2}facts +1$/m);
  const list = await ran(['erase', '--list']);
  expect(list.out).toMatch(/erased \d{4}-\d{2}-\d{2} +.*1 facts/);
  expect(list.out).not.toContain('to be erased');
});

it('says where it looked for what is not there, in a folder that held no database', async () => {
  const asked = ['facts', 'list', '--scope', 'ann', '--data-dir', 'misspelled'];
  const first = await ran(asked);
  expect(first.code).not.toBe(0);
  expect(first.err).toContain('there was no database at misspelled: an empty one was made there');
  expect(first.err).toContain('SCOPE.NOT_FOUND');
  expect((await ran(asked)).err).not.toContain('there was no database');
});
