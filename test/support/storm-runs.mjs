// Writers with lineage across scopes, readers with caches, and a server that loses sessions and
// restarts; then what is left is held against what was acknowledged. Used by a test for half a
// minute and by scripts/storm-test.mjs for ten.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createContextEngine } from '../../dist/src/index.js';
import { runProcess } from './crash-runs.mjs';
import { checkExports, takeExports } from './storm-exports.mjs';

const PROCESS = fileURLToPath(new URL('./storm-process.mjs', import.meta.url));
const SCOPES = 6;
const TENANT = 'storm';
const PROFILE = { principal: 'storm', tenant: TENANT, kind: 'service', scopes: '*' };

const databaseUrl = (url, name) => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

/** A statement on a connection of its own; tried again while the server is away. */
async function ask(url, text, params = []) {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text, params)).rows;
    } catch (error) {
      if (!/ECONN|terminat|starting up|shutting down/.test(`${error.code} ${error.message}`))
        throw error;
      await rest(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function makeScopes(url, manifests) {
  const engine = await createContextEngine({ database: { url }, manifests });
  const scopes = [];
  for (let n = 0; n < SCOPES; n += 1) {
    const { scope_block_uuid: scope } = await engine.scopes.create(
      { type: 'chat_session', uuid: randomUUID(), inherits: scopes.slice(-1) },
      { permission_profile: PROFILE },
    );
    scopes.push(scope);
  }
  const { scope_block_uuid: alone } = await engine.scopes.create(
    { type: 'chat_session', uuid: randomUUID() },
    { permission_profile: PROFILE },
  );
  await engine.close();
  return { scopes, alone };
}

/** Ends one session of the storm after the other, and restarts the server, evenly over the time. */
async function strike(url, name, { ms, kills, restart, restarts, onProgress }) {
  const done = { kills: 0, restarts: 0 };
  const begun = performance.now();
  const steps = kills + restarts;
  for (let step = 1; step <= steps; step += 1) {
    await rest(Math.max(0, begun + (step * ms) / (steps + 1) - performance.now()));
    const isRestart = restarts > 0 && step % Math.ceil(steps / restarts) === 0;
    if (isRestart && restart) await restart();
    else
      done.kills += (
        await ask(
          url,
          `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
           where datname = $1 and pid <> pg_backend_pid() order by random() limit $2) victims`,
          [name, isRestart ? 1000 : 1],
        )
      ).length;
    if (isRestart) done.restarts += 1;
    onProgress?.(`${done.kills} sessions ended, ${done.restarts} restarts`);
  }
  return done;
}

/**
 * What was acknowledged and is not there once, what is there half, and rows whose source was taken
 * back.
 */
async function checkLedger(url, acked) {
  const problems = [];
  const rows = await ask(
    url,
    `select o.idempotency_key as key, o.uuid, o.seq, o.scope_uuid as scope, (select count(*)::integer from context.memory_open_set f
       where f.tenant_id = o.tenant_id and f.uuid = o.uuid) as rows
     from context_ops.operations o where o.tenant_id = $1 and o.idempotency_key is not null`,
    [TENANT],
  );
  const stored = new Map(rows.map((row) => [row.key, row]));
  for (const [key, uuid, seq, scope] of acked) {
    const row = stored.get(key);
    if (!row) problems.push(`lost: ${key}`);
    else if (row.uuid !== uuid || Number(row.seq) !== seq || row.scope !== scope)
      problems.push(`acknowledged otherwise than stored: ${key}`);
  }
  for (const row of rows) if (row.rows !== 1) problems.push(`${row.key} has ${row.rows} rows`);
  const [twice] = await ask(
    url,
    `select count(*)::integer as n from (select content from context.memory_open_set where tenant_id = $1
       group by content having count(*) > 1) doubled`,
    [TENANT],
  );
  if (twice.n > 0) problems.push(`${twice.n} facts are stored twice`);
  const [torn] = await ask(
    url,
    `select count(*)::integer as n from context_ops.scope_heads h where tenant_id = $1 and head <>
       (select count(distinct seq) from context_ops.operations o where o.tenant_id = h.tenant_id and o.scope_uuid = h.scope_uuid)`,
    [TENANT],
  );
  if (torn.n > 0) problems.push(`${torn.n} scopes have a head that is not their last operation`);
  return problems;
}

async function checkCompositions(url, manifests, composed) {
  const engine = await createContextEngine({ database: { url }, manifests });
  const problems = [];
  for (const [id, digest] of composed) {
    const replay = await engine.replay(id, { permission_profile: PROFILE }).catch((error) => error);
    if (typeof replay.text !== 'string')
      problems.push(`no replay of ${id}: ${replay.code}: ${replay.message}`);
    else if (createHash('sha256').update(replay.text).digest('hex') !== digest)
      problems.push(`another text at the replay of ${id}`);
  }
  await engine.close();
  return problems;
}

export async function storm(options) {
  const { url, template, manifests, writers, readers, ms, isLineage } = options;
  const name = `${template}_storm_${randomBytes(4).toString('hex')}`;
  await ask(url, `create database "${name}" template "${template}"`);
  const own = databaseUrl(url, name);
  try {
    const { scopes, alone } = await makeScopes(own, manifests);
    const [acked, ackedAlone, composed, problems, failures] = [[], [], [], [], {}];
    const onLine = (line) => {
      if (line.acked) acked.push(line.acked);
      else if (line.alone) ackedAlone.push(line.alone);
      else if (line.composed) composed.push(line.composed);
      else if (line.failed) failures[line.failed] = (failures[line.failed] ?? 0) + 1;
      else if (line.bare) problems.push(`a bare error: ${line.bare}`);
    };
    const start = (role) => (_, index) =>
      runProcess(
        {
          args: [
            PROCESS,
            JSON.stringify({ role, url: own, manifests, scopes, alone, index, isLineage, ms }),
          ],
          limitMs: ms + 120_000,
        },
        onLine,
      ).ended;
    const running = [
      ...Array.from({ length: writers }, start('write')),
      ...Array.from({ length: readers }, start('read')),
    ];
    const of = { url: own, manifests, scope: alone, profile: PROFILE };
    const [struck, taken] = await Promise.all([
      strike(url, name, options),
      takeExports({ ...of, ms, acked: ackedAlone }),
    ]);
    for (const { code, signal } of await Promise.all(running))
      if (code !== 0) problems.push(`a process ended with ${signal ?? code}`);
    problems.push(...(await checkLedger(own, acked)));
    problems.push(...(await checkCompositions(own, manifests, composed)));
    problems.push(...(await checkExports(taken, { ...of, acked: ackedAlone })));
    return {
      exported: taken.map((lines) => lines.length),
      acked: acked.length,
      composed: composed.length,
      ...struck,
      failures,
      writesPerSecond: Math.round((acked.length / ms) * 10_000) / 10,
      problems,
    };
  } finally {
    await ask(url, `drop database if exists "${name}" with (force)`);
  }
}
