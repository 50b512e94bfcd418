// Kills processes that hold an embedded folder and looks at what is left. Used by tests with few
// runs and by scripts/crash-test.mjs with many.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openPglitePair } from '../../dist/connectors/pgvector/driver/pglite/pglite.js';

const PROCESS = fileURLToPath(new URL('./embedded-process.mjs', import.meta.url));
/** No process here takes longer; one that does is a hang, and is reported as one. */
const LIMIT_MS = 60_000;

/** Deterministic, so that a failing run can be had again (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Runs a command; `onLine` gets each JSON line of its stdout and the child. Resolves with its end.
 */
export function runProcess(command, onLine = () => undefined) {
  const child = spawn(command.file ?? process.execPath, command.args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...command.env },
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), command.limitMs ?? LIMIT_MS);
  const lines = [];
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (!text.startsWith('{')) return;
    lines.push(JSON.parse(text));
    onLine(lines.at(-1), child);
  });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve({ code, signal, lines });
    });
  });
  return { child, ended };
}

const embedded = (role, dataDir, argument = 0) => ({
  args: [PROCESS, role, dataDir, String(argument)],
});

/** Every index and heap of the database, by amcheck; the list of what it found. */
export async function checkStructure(owner) {
  await owner.exec('create extension if not exists amcheck');
  const found = await owner.query(`
    select c.relname, v.msg from pg_class c join pg_am a on a.oid = c.relam,
      lateral verify_heapam(c.oid) as v where c.relkind = 'r' and a.amname = 'heap' and c.relpersistence = 'p'`);
  const indexes = await owner.query(`
    select count(*) as checked from (
      select bt_index_check(i.indexrelid, i.indrelid <> 'pg_catalog.pg_attribute'::regclass) from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and c.relpersistence = 'p' and i.indisready and i.indisvalid) as checks`);
  return { damage: found.map((row) => `${row.relname}: ${row.msg}`), indexes: indexes[0].checked };
}

/** What of the acknowledged rows is gone, twice, or half there. */
async function checkRows(owner, acked) {
  const [counts] = await owner.query(
    `
    select (select count(*) from public.crash_rows r, jsonb_to_recordset($1::jsonb) as a (first bigint, last bigint) where r.id between a.first and a.last) as found,
           (select coalesce(sum(last - first + 1), 0)::bigint from jsonb_to_recordset($1::jsonb) as a (first bigint, last bigint)) as expected,
           (select count(*) - count(distinct id) from public.crash_rows) as twice,
           (select count(*) from (select batch from public.crash_rows group by batch, batch_size having count(*) <> batch_size) as halves) as halves,
           (select coalesce(max(id), 0) from public.crash_rows) as last_id`,
    [JSON.stringify(acked.map(([first, last]) => ({ first, last })))],
  );
  return counts;
}

/** One writer, killed at a random moment after a random number of acknowledgements. */
async function killWriter(dataDir, nextId, random) {
  const acksBefore = Math.floor(random() * 40);
  const delayMs = random() * 15;
  const acked = [];
  let isArmed = false;
  const run = runProcess(embedded('write', dataDir, nextId), (line, child) => {
    if (line.acked) acked.push(line.acked);
    if (isArmed || acked.length < acksBefore || line.refused) return;
    isArmed = true;
    setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  const { signal, lines } = await run.ended;
  const refused = lines.find((line) => line.refused);
  if (refused) throw new Error(`the writer was refused: ${refused.message}`);
  if (signal !== 'SIGKILL') throw new Error('the writer ended by itself');
  return acked;
}

/**
 * `runs` writers one after the other on one folder, each killed; after each the folder is opened
 * (taken over from the dead) and checked.
 */
export async function crashRuns({ runs, seed, onRun = () => undefined }) {
  const random = createRandom(seed);
  const dataDir = mkdtempSync(join(tmpdir(), 'contextengine-crash-'));
  const problems = [];
  const acked = [];
  let killedAfterAck = 0;
  let nextId = 1;
  try {
    for (let run = 1; run <= runs; run++) {
      const mine = await killWriter(dataDir, nextId, random);
      acked.push(...mine);
      if (mine.length > 0) killedAfterAck += 1;
      const started = performance.now();
      const { database, owner } = await openPglitePair({ dataDir });
      const reopenMs = Math.round(performance.now() - started);
      const [table] = await owner.query(
        "select to_regclass('public.crash_rows') is not null as is_there",
      );
      const counts = table.is_there
        ? await checkRows(owner, acked)
        : { found: 0, expected: acked.length, twice: 0, halves: 0, last_id: 0 };
      const structure = await checkStructure(owner);
      await database[Symbol.asyncDispose]();
      nextId = counts.last_id + 1;
      const isLost = counts.found !== counts.expected;
      if (isLost || counts.twice > 0 || counts.halves > 0 || structure.damage.length > 0)
        problems.push({ run, ...counts, damage: structure.damage });
      onRun({
        run,
        acked: mine.length,
        rows: counts.expected,
        reopenMs,
        problems: problems.length,
      });
    }
    return {
      runs,
      killedAfterAck,
      batches: acked.length,
      rows: acked.reduce((sum, [first, last]) => sum + last - first + 1, 0),
      problems,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Every batch receipt printed, then the kill: at a random moment before the end, mostly after a
 * receipt.
 */
async function killIngest({ cli, file, dataDir, random, batches }) {
  const receiptsBefore = random() < 0.08 ? 0 : 1 + Math.floor(random() * (batches - 2));
  const delayMs = random() * 150;
  const command = {
    args: [cli, 'ingest', file, '--scope-type', 'chat_session', '--jsonl'],
    env: embeddedOnly(dataDir),
  };
  const uuids = [];
  let receipts = 0;
  let isArmed = false;
  const arm = (child) => {
    if (isArmed || receipts < receiptsBefore) return;
    isArmed = true;
    setTimeout(() => child.kill('SIGKILL'), delayMs);
  };
  const run = runProcess(command, (line, child) => {
    receipts += 1;
    uuids.push(...line.uuids);
    arm(child);
  });
  if (receiptsBefore === 0) setTimeout(() => arm(run.child), random() * 1500);
  const { signal, code } = await run.ended;
  if (signal === null && code !== 0) throw new Error(`ingest ended with exit code ${code}`);
  return { uuids, receipts, wasKilled: signal === 'SIGKILL' };
}

/** The data folder, and no server's URL that would win over it. */
function embeddedOnly(dataDir) {
  return {
    CONTEXTENGINE_DATA_DIR: dataDir,
    CONTEXTENGINE_DATABASE_URL: undefined,
    DATABASE_URL: undefined,
  };
}

function writeTurns(file, { run, turns }) {
  const line = (index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `run ${run} turn ${index}: ${'some words of a conversation '.repeat(5)}`,
  });
  writeFileSync(
    file,
    Array.from({ length: turns }, (_, index) => `${JSON.stringify(line(index))}\n`).join(''),
  );
}

/** The acknowledged blocks that are there, and what is there twice by version or by content. */
async function checkBlocks(owner, uuids) {
  const [counts] = await owner.query(
    `select (select count(*) from context.blocks b join jsonb_array_elements_text($1::jsonb) as a (uuid) on b.uuid = a.uuid::uuid) as found,
            (select count(*) - count(distinct (tenant_id, uuid)) from context.blocks) as twice,
            (select count(*) from (select from context.blocks where content like 'run % turn %' group by content having count(*) > 1) as c) as same_content`,
    [JSON.stringify(uuids)],
  );
  return counts;
}

/**
 * `runs` ingests of the CLI, a new conversation each, killed; every tenth is then run again to its
 * end, where each turn must be there once.
 */
export async function ingestRuns({
  cli,
  runs,
  seed,
  turns = 2000,
  batchTurns = 200,
  onRun = () => undefined,
}) {
  const random = createRandom(seed);
  const root = mkdtempSync(join(tmpdir(), 'contextengine-ingest-'));
  const dataDir = join(root, 'data');
  const result = { runs, killedBetweenReceiptAndEnd: 0, acknowledged: 0, resumed: 0, problems: [] };
  try {
    for (let run = 1; run <= runs; run++) {
      const file = join(root, `run-${run}.jsonl`);
      writeTurns(file, { run, turns });
      const { uuids, receipts, wasKilled } = await killIngest({
        cli,
        file,
        dataDir,
        random,
        batches: turns / batchTurns,
      });
      if (wasKilled && receipts > 0) result.killedBetweenReceiptAndEnd += 1;
      result.acknowledged += uuids.length;
      const isResumed = run % 10 === 0;
      if (isResumed)
        await runProcess({
          args: [cli, 'ingest', file, '--scope-type', 'chat_session', '--jsonl'],
          env: embeddedOnly(dataDir),
        }).ended;
      const { database, owner } = await openPglitePair({ dataDir });
      const counts = await checkBlocks(owner, uuids);
      const [whole] = await owner.query(
        'select count(*) as turns from context.blocks where content like $1',
        [`run ${run} turn %`],
      );
      const structure = await checkStructure(owner);
      await database[Symbol.asyncDispose]();
      const isComplete = !isResumed || whole.turns === turns;
      if (isResumed && isComplete) result.resumed += 1;
      const isSound =
        counts.found === uuids.length &&
        counts.twice === 0 &&
        counts.same_content === 0 &&
        structure.damage.length === 0;
      if (!isSound || !isComplete)
        result.problems.push({ run, receipts, ...counts, ...whole, damage: structure.damage });
      onRun({ run, receipts, wasKilled, problems: result.problems.length });
    }
    return result;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const untilOpen = (dataDir) =>
  new Promise((resolve, reject) => {
    const run = runProcess(embedded('hold', dataDir), (line) =>
      line.open === undefined ? reject(new Error(line.message)) : resolve(run),
    );
    run.ended.then(() => reject(new Error('the holder ended')), reject);
  });

/**
 * `tries` times: the holder is killed, two processes race for its folder, one wins, the other and a
 * late one are refused.
 */
export async function takeoverRuns({ tries, onTry = () => undefined }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'contextengine-takeover-'));
  const result = { tries, takenOver: 0, refused: 0, problems: [] };
  const verdict = (line) => (line?.open !== undefined ? 'open' : (line?.refused ?? 'silent'));
  let holder = null;
  try {
    holder = await untilOpen(dataDir);
    for (let count = 1; count <= tries; count++) {
      const late = await runProcess(embedded('try', dataDir)).ended;
      if (
        verdict(late.lines[0]) === 'CONNECTOR.LOCKED' &&
        late.lines[0].message.includes(`${holder.child.pid}`)
      )
        result.refused += 1;
      else result.problems.push({ count, late: late.lines });
      holder.child.kill('SIGKILL');
      await holder.ended;
      const racers = [0, 1].map(() => {
        let settle;
        const first = new Promise((resolve) => (settle = resolve));
        const run = runProcess(embedded('hold', dataDir), (line) => settle(line));
        run.ended.then(() => settle(undefined));
        return { ...run, first };
      });
      const verdicts = (await Promise.all(racers.map((racer) => racer.first))).map(verdict);
      const winners = racers.filter((_, index) => verdicts[index] === 'open');
      if (winners.length !== 1 || !verdicts.includes('CONNECTOR.LOCKED'))
        result.problems.push({ count, verdicts });
      else result.takenOver += 1;
      for (const racer of racers) if (racer !== winners[0]) racer.child.kill('SIGKILL');
      holder = winners[0] ?? (await untilOpen(dataDir));
      onTry({ count, verdicts, problems: result.problems.length });
    }
    holder.child.kill('SIGKILL');
    await holder.ended;
    const { database, owner } = await openPglitePair({ dataDir });
    result.problems.push(...(await checkStructure(owner)).damage);
    await database[Symbol.asyncDispose]();
    return result;
  } finally {
    holder?.child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Rounds of several processes that take and give back one lock and die with it: how many came to
 * that end, and what they saw of each other.
 */
export async function contendRuns({ rounds, processes }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'contextengine-contend-'));
  const result = { deaths: 0, violations: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      // Unequal lengths: the early deaths are taken over while the others still contend.
      const runs = Array.from(
        { length: processes },
        (_, index) => runProcess(embedded('contend', dataDir, 1 + 3 * index)).ended,
      );
      for (const { signal, lines } of await Promise.all(runs)) {
        if (signal === 'SIGKILL') result.deaths += 1;
        result.violations.push(...lines);
      }
    }
    return result;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
