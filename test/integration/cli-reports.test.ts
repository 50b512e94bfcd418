/** What `upkeep` and `doctor` report to people: what was done, how it is taken back, what it saved. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { createContextEngine } from '../../src/index.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

// Each command opens the folder anew.
vi.setConfig({ testTimeout: 300_000 });

const DAY_MS = 86_400_000;
const TODAY = Date.now();
const FACT = 'The ferry leaves from pier 4.';
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cli-reports-'));
  mkdirSync(join(cwd, 'manifests'));
  writeFileSync(
    join(cwd, 'manifests', 'person.yaml'),
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: person, version: 1, scope_block_type: user }
spec:
  layers: { archival: {} }
  retention: { archive_under: 0.3, unused_days: 30 }
`,
  );
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(cwd, { recursive: true, force: true });
});

/** On a day so long ago; the clock of the database stays. */
async function ran(daysAgo: number, ...words: readonly string[]) {
  vi.useFakeTimers({ toFake: ['Date'], now: TODAY - daysAgo * DAY_MS });
  const terminal = memoryTerminal({ cwd });
  const code = await run(words, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
}

it('upkeep says what it would do, then what it did and how that is taken back', async () => {
  await ran(60, 'scope', 'create', '--type', 'user', '--key', 'dana');
  const stored = await ran(60, 'remember', FACT, '--scope', 'dana', '--importance', '0.2');
  const root = stored.out.trim();
  const dry = await ran(1, 'upkeep', '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.out).toContain(root);
  expect(dry.err).toContain('1 facts, 1 to archive, 0 to prune\n');
  expect(dry.err).toContain('nothing was written');
  const done = await ran(1, 'upkeep');
  expect(done.err).toContain('1 facts, 1 archived, 0 pruned\n');
  expect(done.err).toContain('contextengine undo OPERATION');
  const [operation = ''] = UUID.exec(done.out) ?? [];
  expect(operation).not.toBe(root);
  expect((await ran(1, 'undo', operation)).code).toBe(0);
  expect((await ran(1, 'facts', 'list', '--scope', 'dana')).out).toContain(FACT);
});

it('doctor states what each level of the embedding cache answered', async () => {
  const engine = await createContextEngine({
    ...{ database: { dataDir: join(cwd, '.contextengine') }, manifests: join(cwd, 'manifests') },
    embedder: {
      space: { provider: 'test', model: 'counting', dimensions: 3 },
      embed: async (texts) => texts.map((text) => [text.length, 1, 0]),
      close: async () => undefined,
    },
  });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'user' });
  await engine.remember(scope, { content: FACT });
  for (let n = 0; n < 3; n += 1) await engine.facts.search('ferry', { scope });
  await engine.close();
  const { code, out } = await ran(0, 'doctor');
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'embedding cache test/counting/3, a week: 50.0 % in process, 0.0 % shared, 50.0 % asked of ' +
      'the provider',
  );
});

it('ingest says what one types next, what it left out, and the type that was meant', async () => {
  writeFileSync(
    join(cwd, 'manifests', 'thread.yaml'),
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: thread, version: 1, scope_block_type: thread }
spec:
  inputs: { product: { required: true } }
  layers: { semantic: {} }
`,
  );
  mkdirSync(join(cwd, 'handbook'));
  writeFileSync(join(cwd, 'handbook', 'ferry.md'), FACT);
  writeFileSync(join(cwd, 'handbook', 'map.pdf'), 'no text');
  await ran(1, 'scope', 'create', '--type', 'thread', '--key', 'harbour');
  const served = await ran(1, 'ingest', 'handbook', '--scope', 'harbour');
  expect(served.err).toContain(
    'contextengine compose --scope harbour --intent follow_up --query "…" --input product=…',
  );
  expect(served.err).toContain('left out: 1 file of a kind that is not read (map.pdf)');
  const misspelt = await ran(1, 'ingest', 'handbook', '--scope-type', 'thraed');
  expect(misspelt.err).toContain('Did you mean `thread`?');
  const made = await ran(1, 'scope', 'create', '--type', 'usr');
  expect(made.err).toContain('Did you mean `user`?');
});

it('forget says where the uuid of a row is found', async () => {
  const { code, err } = await ran(1, 'forget', '--root', '1234abcd');
  expect(code).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain('not the uuid of a row. fix Give the uuid');
});
