/**
 * Capture without a model into a scope that holds 20,000 facts, gate and embedding on: turns per
 * second, and what a composition beside it takes against one alone. `BENCH_CAPTURE_FACTS` sets how
 * many facts; the bars are of 20,000.
 *
 *     npm run bench -- capture                                        PGlite
 *     TEST_DATABASE_URL=postgresql://... npm run bench -- capture     and PostgreSQL
 *
 * Beside the time it prints what the process computed, its database worker included: on a machine
 * that others use too, the time is not what capture takes.
 */
import { randomBytes } from 'node:crypto';
import { migrate } from '../../dist/connectors/pgvector/driver/migrate.js';
import { openPostgresOwner } from '../../dist/connectors/pgvector/driver/postgres/postgres.js';
import { createContextEngine, LOCAL_PROFILE } from '../../dist/src/index.js';
import { memory, question } from './corpus.mjs';
import { judge, percentile } from './measure.mjs';

const FACTS = Number(process.env['BENCH_CAPTURE_FACTS'] ?? 20_000);
const BATCH = 500;
/** Five batches: the first is not read ahead, and the last has none to read beside it. */
const TURNS = 1000;
/** Captured before the clock starts: the first batch compiles, plans and loads the weights. */
const WARMING = 200;
const COMPOSITIONS = 20;
/** 100 turns a second, and 300. */
const MOST_MS_PER_TURN = { PGlite: 10, PostgreSQL: 1000 / 300 };

const MANIFESTS = new URL('../../manifests', import.meta.url).pathname;
const PLACES = ['Ghent', 'Oslo', 'Lyon', 'Turin', 'Graz'];

/** A third is kept, as talk is: the rest is small talk and questions. */
const said = (index) =>
  [
    `I prefer ${memory(index).split(' ').slice(2, 6).join(' ')} in week ${index}.`,
    `I visited ${PLACES[index % PLACES.length]} last month with guest ${index}.`,
    'Thanks, that was quick!',
    `What about number ${index}?`,
    'What a day.',
    'Can you look into it?',
  ][index % 6];

export async function run() {
  const isMet = [await measure('PGlite', { inMemory: true })];
  const { TEST_DATABASE_URL: server } = process.env;
  if (server) isMet.push(await onServer(server, (url) => measure('PostgreSQL', { url })));
  return isMet.every(Boolean);
}

async function onServer(server, body) {
  const name = `contextengine_bench_${randomBytes(4).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const admin = await openPostgresOwner(server);
  await admin.exec(`create database ${name}`);
  try {
    const owner = await openPostgresOwner(url);
    await migrate(owner);
    await owner[Symbol.asyncDispose]();
    return await body(url);
  } finally {
    await admin.exec(`drop database ${name} with (force)`);
    await admin[Symbol.asyncDispose]();
  }
}

async function measure(flavor, database) {
  const engine = await createContextEngine({
    database,
    manifests: MANIFESTS,
    permission_profile: LOCAL_PROFILE,
  });
  try {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const session = async () =>
      (await engine.scopes.create({ type: 'chat_session', inherits: [user] })).scope_block_uuid;
    for (let from = 0; from < FACTS; from += BATCH) {
      const facts = Array.from({ length: BATCH }, (_, n) => ({ content: memory(from + n) }));
      await engine.remember(user, facts);
    }
    const talk = await session();
    const asking = await session();
    const append = (from, length = TURNS) =>
      engine.append(
        talk,
        Array.from({ length }, (_, n) => ({
          role: 'user',
          author: 'Ada',
          content: said(from + n),
        })),
      );
    let asked = 0;
    const compose = async () => {
      const start = performance.now();
      await engine.composeBlockContext({
        scope_block_uuid: asking,
        intent: 'follow_up',
        query: question((asked += 1)),
        permission_profile: LOCAL_PROFILE,
      });
      return performance.now() - start;
    };
    const alone = [];
    for (let n = 0; n < COMPOSITIONS; n += 1) alone.push(await compose());
    await append(0, WARMING);
    await engine.capture(talk);
    await append(WARMING);
    const start = performance.now();
    const before = process.cpuUsage();
    const { counts } = await engine.capture(talk);
    const perTurn = (performance.now() - start) / TURNS;
    const { user: own, system } = process.cpuUsage(before);
    await append(WARMING + TURNS);
    const beside = [];
    let isDone = false;
    const running = engine.capture(talk).then(() => (isDone = true));
    while (!isDone) beside.push(await compose());
    await running;
    console.log(
      `\ncapture, ${flavor}, ${FACTS} facts: ${Math.round(1000 / perTurn)} turns/s, ` +
        `${((own + system) / 1000 / TURNS).toFixed(2)} ms computed a turn, ${JSON.stringify(counts)}`,
    );
    const ratio = percentile(beside, 0.5) / percentile(alone, 0.5);
    console.log(`${beside.length} compositions beside a capture`);
    return [
      judge('a turn', perTurn, { atMost: MOST_MS_PER_TURN[flavor], unit: 'ms' }),
      judge('compose beside it against alone, p50', ratio, { atMost: 1.5, unit: 'x' }),
    ].every(Boolean);
  } finally {
    await engine.close();
  }
}
