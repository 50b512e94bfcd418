/** What `capture` prints where a model is the extractor: what failed, in its words, and the cap. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  expect(failed.out).toContain('1 turns: 0 stored');
  expect(failed.out).toContain('CAPTURE.ANSWER_UNUSABLE: I live in Ghent.');
  expect((await ran('costs')).out).toMatch(/double +3 /);
});
