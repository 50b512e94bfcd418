// Writers on a ledger whose mount is fed by processes that are killed; then the mount is held
// against one that is made anew. Used by a test with small numbers, and by CONTEXTENGINE_MOUNT_STORM
// with those of the bar: 8 writers, 50 kills.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLancedbProjection } from '../../dist/connectors/lancedb/index.js';
import { createContextEngine } from '../../dist/src/index.js';
import { createRandom } from './crash-runs.mjs';

const PROCESS = fileURLToPath(new URL('./mount-storm-process.mjs', import.meta.url));
export const STORM_TENANT = 'storm';
const PROFILE = { principal: 'local', tenant: STORM_TENANT, kind: 'human', scopes: '*' };
const SCOPES = 4;
/** Of one process, whatever it is at. */
const LIMIT_MS = 900_000;
const MANIFEST = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: stormy, version: 1, scope_block_type: notes }
spec:
  layers: { open_set: { source: archive, top_k: 60 } }
  budget: { total_tokens: 8000 }
`;

function start(settings, onLine) {
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (text) => onLine(JSON.parse(text), child));
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal });
    });
  });
  return { child, ended };
}

/** All that the mount has of the tenant, with what a search by words finds. */
async function contentsOf(mount, scopes) {
  const projection = await createLancedbProjection({
    path: join(mount, `tenant-${STORM_TENANT}`),
  }).connect({ space: null });
  const position = scopes.map((scope) => ({ scope, head: Number.MAX_SAFE_INTEGER }));
  const rows = [];
  let cursor = null;
  do {
    const page = await projection.read({
      ...{ kind: 'scan', tenant: STORM_TENANT, table: 'memory_open_set', position, limit: 500 },
      ...(cursor !== null && { cursor }),
    });
    rows.push(...page.rows);
    ({ cursor } = page);
  } while (cursor !== null);
  await projection[Symbol.asyncDispose]();
  return rows;
}

function createCounts() {
  const counts = { writes: 0, gone: 0, fed: 0, compositions: 0, kills: 0, failed: {} };
  const problems = [];
  const gone = [];
  const onLine = (line) => {
    if (line.gone) gone.push(line.gone);
    else if (line.fed) counts.fed += line.fed;
    else if (line.shown) problems.push(`${line.shown} was shown after it was gone`);
    else if (line.failed) counts.failed[line.failed] = (counts.failed[line.failed] ?? 0) + 1;
    else if (line.count) counts[line.count] += 1;
  };
  return { counts, problems, gone, onLine };
}

/**
 * Killed `kills` times one after the other: at a random moment after it is open, and every other
 * one only after it had fed something.
 */
async function killed(kills, { random, longestMs, settingsOf, onLine, counts, problems }) {
  for (let run = 1; run <= kills; run += 1) {
    const process = start(settingsOf(run), (line, child) => {
      onLine(line);
      if (run % 2 === 0 ? line.ready : line.fed)
        setTimeout(() => child.kill('SIGKILL'), random() * longestMs);
    });
    const { signal, code } = await process.ended;
    if (signal === 'SIGKILL') counts.kills += 1;
    else problems.push(`process ${run} ended with ${code}`);
  }
}

/** Writers and a reader in processes of their own; only feeders are killed. */
async function onServer({ writers, kills, random, common, state }) {
  const { onLine, counts, problems, gone } = state;
  const long = { ...common, ms: LIMIT_MS };
  const reader = start({ ...long, roles: ['read'] }, onLine);
  const tell = (line) => {
    onLine(line);
    if (line.gone) reader.child.stdin.write(`${line.gone}\n`);
  };
  const running = Array.from({ length: writers }, (_, index) =>
    start({ ...long, roles: ['write'], writers: 1, index, run: 0 }, tell),
  );
  const settingsOf = () => ({ ...long, roles: ['feed'] });
  await killed(kills, { random, longestMs: 600, settingsOf, onLine, counts, problems });
  // Each is asked to end by a signal that ends it between two of its calls or within one.
  for (const { child } of [...running, reader]) child.kill('SIGTERM');
  await Promise.all([...running, reader].map(({ ended }) => ended));
  return gone;
}

/** One process holds the embedded folder: writers, feeder and reader die together. */
async function embedded({ writers, kills, random, common, state }) {
  const { onLine, counts, problems, gone } = state;
  const settingsOf = (run) => ({
    ...common,
    ...{ roles: ['write', 'feed', 'read'], writers, run, gone: gone.slice(-2_000), ms: LIMIT_MS },
  });
  await killed(kills, { random, longestMs: 2_500, settingsOf, onLine, counts, problems });
  return gone;
}

/** `database` is of a migrated server, on which `storm` of the tenant may forget, or a folder. */
export async function mountStorm({ database, writers, kills, seed = 1 }) {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-mount-storm-'));
  const [mount, manifests] = [join(folder, 'archive'), join(folder, 'stormy.yaml')];
  writeFileSync(manifests, MANIFEST);
  const options = {
    ...{ database, manifests, permission_profile: PROFILE },
    mounts: { archive: { connector: 'lancedb', path: mount, feed: 'work' } },
  };
  const state = createCounts();
  try {
    const making = await createContextEngine(options);
    const scopes = [];
    for (let n = 0; n < SCOPES; n += 1)
      scopes.push((await making.scopes.create({ type: 'notes' })).scope_block_uuid);
    await making.close();
    const common = { database, manifests, mount, scopes, run: 0, writers };
    const given = { writers, kills, random: createRandom(seed), common, state };
    await ('url' in database ? onServer(given) : embedded(given));
    state.counts.gone = state.gone.length;
    await rest(100);
    const engine = await createContextEngine(options);
    await engine.embedPending();
    await engine.mounts.feed('archive');
    const fed = await contentsOf(mount, scopes);
    await engine.mounts.rebuild('archive');
    const rebuilt = await contentsOf(mount, scopes);
    const [health] = await engine.mounts.health();
    await engine.close();
    if (JSON.stringify(fed) !== JSON.stringify(rebuilt))
      state.problems.push(`fed ${fed.length} rows, rebuilt ${rebuilt.length}, not the same`);
    if (health.lag !== 0) state.problems.push(`the mount is ${health.lag} behind`);
    const left = new Set(state.gone);
    for (const { row } of fed) {
      const [token] = /tk\d+q\d+q\d+/.exec(row.content) ?? [];
      if (left.has(token)) state.problems.push(`${token} is in the mount`);
    }
    return { ...state.counts, rows: fed.length, problems: state.problems };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
