/**
 * Ten minutes of writers with lineage, readers with caches, killed sessions and server restarts on
 * a PostgreSQL of its own.
 *
 *     PG_DATA=/var/tmp/pg-storm PG_PORT=54399 node scripts/storm-test.mjs [--seconds 600] [--kills 250] [--restarts 10]
 *
 * Exports that are taken meanwhile are imported into tenants of their own, exported again and
 * compared. The throughput with lineage is held against the same storm without it. Exits with 1 if
 * anything was lost, doubled or bare.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrate } from '../dist/connectors/pgvector/driver/migrate.js';
import { openPostgresOwner } from '../dist/connectors/pgvector/driver/postgres/postgres.js';
import { storm } from '../test/support/storm-runs.mjs';

const number = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: {
    seconds: number(600),
    // Where a session has just ended there is none to end: 200 tries of ten minutes ended 189.
    kills: number(250),
    restarts: number(10),
    writers: number(8),
    readers: number(2),
  },
});
const SETUP = fileURLToPath(new URL('setup-postgres.sh', import.meta.url));
const TEMPLATE = 'contextengine_storm';

/** The last line of its stdout: the URL of the server. */
function server(action) {
  const { status, stdout } = spawnSync('bash', [SETUP, action], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0) throw new Error(`setup-postgres.sh ${action} ended with ${status}`);
  return stdout.toString().trim().split('\n').at(-1);
}

async function makeTemplate(url) {
  const admin = await openPostgresOwner(url);
  await admin.exec(`drop database if exists "${TEMPLATE}" with (force)`);
  await admin.exec(`create database "${TEMPLATE}"`);
  const own = new URL(url);
  own.pathname = `/${TEMPLATE}`;
  const owner = await openPostgresOwner(own.href);
  await migrate(owner);
  await owner[Symbol.asyncDispose]();
  await admin[Symbol.asyncDispose]();
}

const url = server('up');
await makeTemplate(url);
const options = {
  url,
  template: TEMPLATE,
  manifests: fileURLToPath(new URL('../manifests', import.meta.url)),
  writers: Number(values.writers),
  readers: Number(values.readers),
  onProgress: (text) => process.stderr.write(process.stderr.isTTY ? `\r${text}   ` : `${text}\n`),
};
/** Without kills, so that only lineage differs. */
const calm = { kills: 0, restarts: 0, restart: null, ms: Math.min(60_000, values.seconds * 1000) };
const without = await storm({ ...options, ...calm, isLineage: false });
const withLineage = await storm({ ...options, ...calm, isLineage: true });
const result = await storm({
  ...options,
  isLineage: true,
  ms: Number(values.seconds) * 1000,
  kills: Number(values.kills),
  restarts: Number(values.restarts),
  restart: async () => {
    server('down');
    server('up');
  },
});
const ratio = withLineage.writesPerSecond / without.writesPerSecond;
process.stdout.write(
  `${JSON.stringify({ ...result, calm: { without: without.writesPerSecond, with: withLineage.writesPerSecond, ratio } }, null, 2)}\n`,
);
const problems = [without, withLineage, result].flatMap((each) => each.problems);
for (const problem of problems.slice(0, 20)) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 || ratio < 0.5 ? 1 : 0;
