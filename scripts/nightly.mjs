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
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] } },
});
const HOUR_MS = 60 * 60_000;
const node = (...args) => [process.execPath, ...args];

/**
 * A million generated compositions on the reference connector, in shares of their own stores (400
 * compositions each).
 */
const SHARES = 4;
const compositions = Array.from({ length: SHARES }, (_, share) => ({
  name: `compositions-${share + 1}`,
  command: node(
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/property/compositions.test.ts',
    '-t',
    'reference',
  ),
  env: {
    CONTEXTENGINE_GENERATED_COMPOSITIONS: String(1_000_000 / SHARES),
    CONTEXTENGINE_GENERATED_SHARE: String(share),
    CONTEXTENGINE_SLOWEST_MS: '1000',
  },
  timeoutMs: 4 * HOUR_MS,
}));
const seed = String(Date.now() % 2 ** 31);
const PARTS = [
  ...compositions,
  {
    name: `properties-of-seed-${seed}`,
    command: node('node_modules/vitest/vitest.mjs', 'run', 'test/property', 'test/attack'),
    env: {
      CONTEXTENGINE_SEED: seed,
      CONTEXTENGINE_GARBAGE_TURNS: '1',
      CONTEXTENGINE_LINEAGE_RUNS: '1',
      CONTEXTENGINE_TYPED_UPDATES: '10000',
    },
    timeoutMs: 2 * HOUR_MS,
  },
  {
    name: 'captured-states',
    command: node(
      'node_modules/vitest/vitest.mjs',
      'run',
      'test/integration/captured-states.test.ts',
    ),
    env: { CAPTURE_STATE_TALKS: '3' },
    timeoutMs: HOUR_MS,
  },
  {
    name: 'crash',
    command: node('scripts/crash-test.mjs', '--runs', '100', '--tries', '50', '--ingest', '100'),
    timeoutMs: 2 * HOUR_MS,
  },
  {
    name: 'barrier-readers',
    command: node(
      'node_modules/vitest/vitest.mjs',
      'run',
      'test/integration/barrier-readers.test.ts',
    ),
    env: { CONTEXTENGINE_BARRIER_GENERATIONS: '200' },
    timeoutMs: HOUR_MS,
  },
  // What installs packages of others: Next.js is 400 MB, mem0ai compiles SQLite.
  { name: 'next', command: node('scripts/next-test.mjs'), timeoutMs: HOUR_MS / 4 },
  { name: 'compare-lines', command: node('scripts/compare-lines.mjs'), timeoutMs: HOUR_MS / 2 },
  { name: 'bench', command: node('scripts/bench.mjs'), timeoutMs: HOUR_MS },
];

const missing = PARTS.filter(({ command }) =>
  command.some((word) => /^(scripts|test)\//.test(word) && !existsSync(word)),
);
if (missing.length > 0)
  throw new Error(`Not there yet: ${missing.map(({ name }) => name).join(', ')}.`);
const wanted = PARTS.filter(
  ({ name }) => values.only.length === 0 || values.only.some((only) => name.startsWith(only)),
);
const inLanes = wanted
  .filter((part) => compositions.includes(part))
  .map((part) => ({ ...part, isLive: true }));
// What is measured by the clock or killed runs alone, after the rest.
const alone = wanted
  .filter((part) => !compositions.includes(part))
  .map((part) => ({ ...part, isLive: true }));
const results = [
  ...(await runLanes([
    inLanes.filter((_, index) => index % 2 === 0),
    inLanes.filter((_, index) => index % 2 === 1),
  ])),
  ...(await runLanes([alone])),
];
process.exitCode = results.length > 0 && results.every(({ ok }) => ok) ? 0 : 1;
