/** What a reviewer is shown and types, and what a capture shows of what it declined. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenProposal } from '../../src/cli/given-proposals.ts';
import { run } from '../../src/cli/run.ts';
import { refusalOf } from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const cwd = mkdtempSync(join(tmpdir(), 'approvals-'));
const ran = async (...words: readonly string[]) => {
  const terminal = memoryTerminal({ cwd });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};
const MANIFEST = `apiVersion: contextengine.example/v1
kind: ContextDomain
metadata: { name: chat, version: 1, scope_block_type: chat }
spec:
  model: gpt-4o
  layers: { recent: { limit: 4 } }
  intents: { fact: { layers: [recent] } }
  budget: { total_tokens: 2000 }
`;

beforeAll(async () => {
  writeFileSync(join(cwd, 'chat.yaml'), MANIFEST);
  writeFileSync(join(cwd, 'contextengine.config.json'), '{ "manifests": ["chat.yaml"] }');
  const profile = { principal: 'scribe', tenant: 'local', kind: 'agent', scopes: '*' };
  writeFileSync(join(cwd, 'agent.json'), JSON.stringify(profile));
  await ran('scope', 'create', '--type', 'chat', '--key', 'one', '--title', 'First chat');
}, 60_000);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const propose = async (content: string): Promise<string> => {
  const by = ['--profile', 'agent.json', '--json'];
  const { out } = await ran('remember', '--scope', 'one', content, '--subject', 'Ann', ...by);
  return JSON.parse(out).proposal.proposal_uuid;
};

it('shows what is proposed in plain lines, then how to settle it, then every field', async () => {
  const id = await propose('Ann likes rain.\napprove       everything');
  const { out } = await ran('approvals', 'show', id.slice(0, 8));
  const lines = out.split('\n');
  const at = (line: RegExp): number => lines.findIndex((each) => line.test(each));
  const order = [
    at(/^proposal {6}[0-9a-f-]{36}$/),
    at(/^proposes {6}add a fact about Ann, from \d{4}-\d{2}-\d{2}$/),
    at(/^ {16}Ann likes rain\.$/),
    // What a proposal says is never a line of ours.
    at(/^ {16}approve everything$/),
    at(/^scopes {8}[0-9a-f-]{36} First chat$/),
    at(/^proposed by {3}scribe, \d{4}/),
    at(/^waits {9}`writes` is T2 for scribe: another person or service reviews it$/),
    at(new RegExp(`^approve {7}contextengine approvals approve ${id.slice(0, 8)}$`)),
    at(new RegExp(`^reject {8}contextengine approvals reject ${id.slice(0, 8)}$`)),
    at(/^digest {8}[0-9a-f]{64}$/),
    at(/^ +content\.class: "fact"$/),
  ];
  expect(order.every((place) => place >= 0)).toBe(true);
  expect([...order].sort((a, b) => a - b)).toEqual(order);
  expect(JSON.parse((await ran('approvals', 'show', id, '--json')).out).proposal_uuid).toBe(id);
  expect((await ran('approvals', 'reject', id)).code).toBe(0);
  const settled = (await ran('approvals', 'show', id.slice(0, 8))).out;
  expect(settled).toMatch(/^state {9}rejected by local$/m);
  expect(settled).not.toMatch(/^(approve|waits) /m);
});

it('settles several in one call, each by itself', async () => {
  const [first, second, third] = [
    await propose('Ann likes snow.'),
    await propose('Ann likes hail.'),
    await propose('Ann likes fog.'),
  ];
  const both = await ran('approvals', 'approve', first.slice(0, 8), '00000000', second, first);
  expect(both.code).toBe(2);
  expect(both.out).toContain(`${first.slice(0, 8)}  approved\nstored  `);
  expect(both.out).toContain('00000000  PERMISSION.PROPOSAL_NOT_FOUND: ');
  expect(both.out).toContain(`${second}  approved\nstored  `);
  const json = await ran('approvals', 'reject', third, second, '--json');
  expect(json.code).toBe(2);
  expect(JSON.parse(json.out)).toMatchObject([
    { proposal: third, state: 'rejected' },
    { proposal: second, error: { code: 'PERMISSION.PROPOSAL_SETTLED' } },
  ]);
  expect(JSON.parse((await ran('approvals', 'list', '--json')).out)).toEqual([]);
  const two = await ran('approvals', 'show', first, second);
  expect([two.code, two.err]).toEqual([2, expect.stringContaining('takes one proposal, got 2')]);
});

it('takes the first digits of one, and names all that begin so', async () => {
  const ids = ['aaaaaaaa-0000-8000-8000-000000000001', 'aaaaaaaa-0000-8000-8000-000000000002'];
  const settled = 'bbbbbbbb-0000-8000-8000-000000000003';
  const list = async ({ state }: { state?: unknown } = {}) =>
    (state === null ? [...ids, settled] : ids).map((id) => ({ proposal_uuid: id }));
  const approvals = { list } as unknown as Parameters<typeof givenProposal>[0];
  expect(await givenProposal(approvals, ids[0] ?? '')).toBe(ids[0]);
  expect(await givenProposal(approvals, 'BBBBBBBB')).toBe(settled);
  expect(await givenProposal(approvals, ids[1]?.toUpperCase().slice(0, 36) ?? '')).toMatch(/2$/i);
  const several = await refusalOf(givenProposal(approvals, 'aaaaaaaa-0000'));
  expect(several).toMatchObject({ code: 'CONFIG.INVALID_VALUE', meta: { matches: ids } });
  for (const id of ids) expect(several.message).toContain(id);
  for (const short of ['aaaaaaa', '', 'proposal', 'aaaaaaaa%'])
    expect(await refusalOf(givenProposal(approvals, short))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
      fix: expect.stringContaining('8 digits'),
    });
});

it('shows the score of what a search found, and that it was cut', async () => {
  for (const what of ['rain', 'snow', 'hail', 'fog'])
    await ran('remember', '--scope', 'one', `Eve draws ${what}.`, '--subject', 'Eve');
  const search = (...words: string[]) => ran('facts', 'search', 'hail', '--scope', 'one', ...words);
  const found = JSON.parse((await search('--limit', '2', '--json')).out);
  const { out, err } = await search('--limit', '2');
  const [head = '', first = '', ...others] = out.trimEnd().split('\n');
  expect(head).toMatch(/^score +root +class/);
  expect(first).toMatch(/^0\.\d{3} {2}[0-9a-f]{8}-.* hail\./);
  expect(first.slice(0, 5)).toBe(found[0].score.toFixed(3));
  expect(others).toHaveLength(1);
  const total = Number(
    /^showing 2 of (\d+), the best first: --limit \1 shows more$/m.exec(err)?.[1],
  );
  expect(total).toBeGreaterThan(3);
  expect((await search('--limit', '100')).err).toMatch(/^showing \d+ of \d+, the best first$/m);
  expect((await ran('facts', 'list', '--scope', 'one')).out).toMatch(/^root /);
});

it('shows the words of what a capture declined, but of secrets, and counts the assistant', async () => {
  const say = (role: string, content: string) => JSON.stringify({ role, author: role, content });
  const turns = [
    say('user', 'My pin is 1234. How are you? I wonder whether that is so.'),
    say('assistant', 'Great! OK. Thanks. Fine. Let me check.'),
  ];
  writeFileSync(join(cwd, 'turns.jsonl'), turns.join('\n'));
  await ran('ingest', 'turns.jsonl', '--scope', 'one');
  const { out } = await ran('capture', '--scope', 'one', '--verbose');
  const [head = '', ...rows] = out.slice(out.indexOf('declined  ')).trimEnd().split('\n');
  expect(head).toMatch(/^declined +turn +from +to +what$/);
  expect(rows.map((row) => row.replace(/ [0-9a-f-]{36} +\d+ +\d+/, ' ').split(/ {2,}/))).toEqual([
    ['secret', '(not shown)'],
    ['question', 'How are you?'],
    ['uncertain', 'I wonder whether that is so.'],
    ['small_talk', '(4 pieces of the assistant)'],
    ['task', '(1 piece of the assistant)'],
  ]);
  expect(out).not.toContain('1234');
});
