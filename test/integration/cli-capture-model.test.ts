/** What `capture` prints where a model is the extractor: what failed, in its words, and the cap. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';
import { openModelDouble } from '../support/model-double.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cli-capture-'));
const double = await openModelDouble();
afterAll(async () => {
  await double.close();
  rmSync(cwd, { recursive: true });
});

const ran = async (...words: readonly string[]) => {
  const terminal = memoryTerminal({ cwd, env: { OPENAI_API_KEY: 'sk-double' } });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
};
const capped = (usd: number): void =>
  writeFileSync(
    join(cwd, 'manifests/chat.yaml'),
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: chat, version: 1, scope_block_type: chat }
spec: { layers: { open_set: {} }, writing: { cost_budget_usd_per_day: ${usd} } }
`,
  );

it('says why it waits at a cap, and of what failed the words', async () => {
  mkdirSync(join(cwd, 'manifests'));
  const price = { input_usd_per_million: 10, output_usd_per_million: 20 };
  const extractor = { provider: 'openai', model: 'double', base_url: double.baseUrl, ...price };
  writeFileSync(join(cwd, 'contextengine.config.json'), JSON.stringify({ extractor }));
  writeFileSync(
    join(cwd, 'talk.jsonl'),
    `${JSON.stringify({ role: 'user', author: 'Ada', content: 'Hello! I live in Ghent.' })}\n`,
  );
  capped(0.01);
  await ran('scope', 'create', '--type', 'chat', '--key', 'c');
  expect((await ran('ingest', 'talk.jsonl', '--scope', 'c')).code).toBe(0);
  const waits = await ran('capture', '--scope', 'c');
  expect([waits.code, double.asked.length]).toEqual([0, 0]);
  expect(waits.err).toMatch(/CAPTURE\.BUDGET_SPENT.*cost_budget_usd_per_day.*raise it/s);
  capped(5);
  double.reply = () => '{"facts": [{"segm';
  const failed = await ran('capture', '--scope', 'c');
  expect(failed.code).toBe(4);
  expect(failed.out).toMatch(/1 turns by \S+: 0 stored/);
  expect(failed.out).toContain('CAPTURE.ANSWER_UNUSABLE: I live in Ghent.');
  expect((await ran('costs')).out).toMatch(/double +3 /);
});

it('lists what captures made of a scope, what failed in it, and what waits', async () => {
  const none = await ran('capture', 'list');
  expect([none.code, none.out]).toEqual([0, '']);
  expect(none.err).toContain('No capture waits.');
  const listed = await ran('capture', 'list', '--scope', 'c');
  expect(listed.code).toBe(0);
  expect(listed.out).toMatch(/^when +turns +by +stored +superseded +duplicate +declined/);
  expect(listed.out).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d +1 +model\/1( +\d){6}/);
  expect(listed.out).toMatch(/failed {2}CAPTURE\.ANSWER_UNUSABLE \(\d\)\n {2}why .*\n {2}fix /);
  expect(listed.out).toContain('  turn   I live in Ghent.');
  expect(listed.out).toContain('All turns are captured.');
  await ran('scope', 'create', '--type', 'chat', '--key', 'd');
  await ran('ingest', 'talk.jsonl', '--scope', 'd');
  const fresh = await ran('capture', 'list', '--scope', 'd');
  expect(fresh.err).toContain('No captures: nothing was made of the turns of this scope yet.');
  expect(fresh.out).toContain('1 turn is not captured yet.');
  expect(fresh.out).toContain('contextengine capture --scope d');
  const { captures, cursor, progress } = JSON.parse(
    (await ran('capture', 'list', '--scope', 'c', '--json')).out,
  );
  expect([captures.length, cursor, progress.turns]).toEqual([1, null, 0]);
});

it('shows the job of a capture behind an append that failed', async () => {
  writeFileSync(
    join(cwd, 'manifests/chat.yaml'),
    readFileSync(join(cwd, 'manifests/chat.yaml'), 'utf8').replace(
      'writing: {',
      'writing: { capture: true,',
    ),
  );
  double.reply = (_question, response) => {
    response.writeHead(500).end();
    return null;
  };
  expect((await ran('work')).code).toBe(4);
  const jobs = await ran('capture', 'list');
  expect(jobs.out).toMatch(/^scope +state +tries +not before +failed with\n/);
  expect(jobs.out).toMatch(/ (?:waits|due) +1 +\S+ \S+ +INFERENCE\.UNAVAILABLE/);
  expect(jobs.out).toMatch(/\nINFERENCE\.UNAVAILABLE\n {2}why .*\n {2}fix /);
  const one = await ran('capture', 'list', '--scope', 'd');
  expect(one.out).toMatch(
    /1 turn is not captured yet\. The job failed once, last with\s+INFERENCE\.UNAVAILABLE; it is/,
  );
  expect(one.out).toMatch(/\n {2}why .*\n {2}fix /);
});

it('refuses another word than list, and the flags of the other', async () => {
  for (const words of [['lst'], ['--scope', 'c', '--limit', '3'], ['list', '--time-zone', 'UTC']]) {
    const { code, err } = await ran('capture', ...words);
    expect([code, err]).toEqual([2, expect.stringMatching(/CLI\.USAGE/)]);
  }
});
