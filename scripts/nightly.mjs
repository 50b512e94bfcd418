/**
 * The long runs: what a night is for. Each is bounded; the summary says which failed.
 *
 *     npm run nightly                  all
 *     npm run nightly -- --only crash
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runLanes } from './run-parts.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } });
const HOUR_MS = 60 * 60_000;
const node = (...args) => [process.execPath, ...args];

const PARTS = [
  {
    name: 'compositions',
    command: node('node_modules/vitest/vitest.mjs', 'run', 'test/property/compositions.test.ts', '--test-timeout=36000000'),
    env: { CONTEXTENGINE_GENERATED_COMPOSITIONS: '1000000' },
    timeoutMs: 10 * HOUR_MS,
  },
  { name: 'crash', command: node('scripts/crash-test.mjs', '--runs', '100', '--tries', '50', '--ingest', '100'), timeoutMs: 2 * HOUR_MS },
  { name: 'bench', command: node('scripts/bench.mjs'), timeoutMs: HOUR_MS },
];

const missing = PARTS.filter(({ command }) => command.some((word) => /^(scripts|test)\//.test(word) && !existsSync(word)));
if (missing.length > 0) throw new Error(`Not there yet: ${missing.map(({ name }) => name).join(', ')}.`);
const wanted = PARTS.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
const results = await runLanes([wanted.map((part) => ({ ...part, isLive: true }))]);
process.exitCode = results.length > 0 && results.every(({ ok }) => ok) ? 0 : 1;
