/**
 * The engine beside other ways to search the same turns, with the same embedder, in one run.
 *
 *     node scripts/eval-peers.mjs --data locomo10.json [--every N] [--mem0 FOLDER]      after a build
 *     node scripts/eval-peers.mjs --data locomo10.json --latency 6000
 *
 * Peers: mem0ai (not a dependency: `npm install --no-save mem0ai@3.3.1` first, or --mem0 with the
 * folder it is installed in), plain pgvector top-k, and PostgreSQL's ts_rank, the latter two in
 * PGlite. Everything is put in as it is: no model is called.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { locomoSuite } from '../dist/eval/index.js';
import { recallAt, reciprocalRank } from '../dist/eval/metrics/ranking.js';
import { mean, percentile } from '../dist/eval/metrics/statistics.js';
import { evalFile } from '../dist/eval/own-suites.js';
import { openLab } from '../dist/eval/run/lab.js';
import { readBaseManifest } from '../dist/eval/run/manifest-variant.js';
import { budgetVariant } from '../dist/eval/run/run-suite.js';
import { readLocomo } from '../dist/src/cli/eval/read-locomo.js';
import { createEmbedder } from '../dist/src/inference/create-embedder.js';

const MEM0 = 'mem0ai@3.3.1';
const DEPTH = 50;
const VARIANT = budgetVariant(2000);

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    every: { type: 'string', default: '1' },
    mem0: { type: 'string' },
    latency: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (!values.data)
  throw new Error(
    'Usage: node scripts/eval-peers.mjs --data LOCOMO.json [--every N] [--mem0 FOLDER] [--latency TURNS]',
  );
const { conversations, dataSha256 } = await readLocomo(resolve(values.data), values.data);
const suite = locomoSuite(conversations, {
  dataSha256,
  scopeType: 'eval_conversation',
  every: Number(values.every),
});
const embedder = createEmbedder('builtin');
const vectorsOf = (texts, kind) => embedder.embed(texts, { kind });
const literal = (numbers) => `[${numbers.join(',')}]`;

/** `author: words`, as a chat is usually put into such stores. */
const spoken = (turn) => `${turn.author}: ${turn.content}`;

/** The engine, by the manifest of the evaluation. */
async function openOurs(given = suite) {
  const manifest = await readBaseManifest(evalFile('manifests/locomo.yaml'));
  const lab = await openLab({ suite: given, manifest, variants: [VARIANT] });
  return {
    search: async (question) => (await lab.ask(question, VARIANT)).ranking.map((item) => item.key),
    close: () => lab[Symbol.asyncDispose](),
  };
}

/**
 * One table for both searches that a team would write by hand: exact nearest neighbours, and any of
 * the words by ts_rank.
 */
async function openTable(given = suite) {
  const db = await PGlite.create({ extensions: { vector } });
  await db.exec('create extension vector');
  await db.exec(`create table turns (store text not null, ordinal int not null, key text not null, embedding vector(${embedder.space.dimensions}) not null,
    words tsvector not null, primary key (store, ordinal)); create index on turns using gin (words)`);
  for (const store of given.stores) {
    const vectors = await vectorsOf(
      store.turns.map((turn) => turn.content),
      'document',
    );
    const rows = store.turns.map((turn, ordinal) => ({
      store: store.key,
      ordinal,
      key: turn.key,
      text: spoken(turn),
      embedding: literal(vectors[ordinal]),
    }));
    await db.query(
      `insert into turns select store, ordinal, key, embedding::vector, to_tsvector('english', text)
       from jsonb_to_recordset($1) as r(store text, ordinal int, key text, text text, embedding text)`,
      [JSON.stringify(rows)],
    );
  }
  await db.exec('analyze turns');
  return {
    nearest: async ({ store, query }) => {
      const [values] = await vectorsOf([query], 'query');
      const { rows } = await db.query(
        `select key from turns where store = $1 order by embedding <=> $2::vector, ordinal limit ${DEPTH}`,
        [store, literal(values)],
      );
      return rows.map(({ key }) => key);
    },
    words: async ({ store, query }) => {
      const any = (query.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' | ');
      const { rows } = await db.query(
        `select key from turns, to_tsquery('english', $2) q where store = $1 and words @@ q order by ts_rank(words, q) desc, ordinal limit ${DEPTH}`,
        [store, any],
      );
      return rows.map(({ key }) => key);
    },
    close: () => db.close(),
  };
}

/** mem0's class, from this project or from `--mem0`; null where it is not installed. */
async function loadMem0() {
  const from = values.mem0
    ? pathToFileURL(join(resolve(values.mem0), 'index.js')).href
    : import.meta.url;
  process.env.MEM0_TELEMETRY = 'false';
  try {
    return (await import(pathToFileURL(createRequire(from).resolve('mem0ai/oss')).href)).Memory;
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

async function openMem0(Memory) {
  const folder = await mkdtemp(join(tmpdir(), 'eval-mem0-'));
  process.env.MEM0_DIR = folder;
  const model = {
    embedQuery: async (text) => [...(await vectorsOf([text], 'query'))[0]],
    embedDocuments: async (texts) =>
      (await vectorsOf(texts, 'document')).map((numbers) => [...numbers]),
  };
  const memory = new Memory({
    disableHistory: true,
    embedder: {
      provider: 'langchain',
      config: { model, embeddingDims: embedder.space.dimensions },
    },
    vectorStore: {
      provider: 'memory',
      config: {
        collectionName: 'turns',
        dimension: embedder.space.dimensions,
        dbPath: join(folder, 'vectors.db'),
      },
    },
    llm: { provider: 'openai', config: { apiKey: 'none: infer is false', model: 'none' } },
  });
  for (const store of suite.stores)
    for (const turn of store.turns)
      await memory.add(spoken(turn), {
        userId: store.key,
        infer: false,
        metadata: { key: turn.key },
      });
  return {
    search: async ({ store, query }) => {
      const { results } = await memory.search(query, {
        filters: { user_id: store },
        topK: DEPTH,
        threshold: 0,
      });
      return results.map(({ metadata }) => metadata.key);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function measure(name, search) {
  const rows = [];
  for (const question of suite.questions) {
    const start = performance.now();
    const ranking = await search(question);
    rows.push({ question, ranking, ms: performance.now() - start });
  }
  const counted = rows.filter(({ question }) => question.category !== 'adversarial');
  const over = (of) => mean(counted.map(({ question, ranking }) => of(ranking, question.evidence)));
  return {
    name,
    questions: counted.length,
    'recall@5': over((ranking, evidence) => recallAt(ranking, evidence, 5)),
    'recall@10': over((ranking, evidence) => recallAt(ranking, evidence, 10)),
    'recall@20': over((ranking, evidence) => recallAt(ranking, evidence, 20)),
    mrr: over(reciprocalRank),
    p50_ms: percentile(
      rows.map(({ ms }) => ms),
      0.5,
    ),
  };
}

async function comparePeers() {
  const results = [];
  const skipped = [];
  const ours = await openOurs();
  results.push(await measure('contextengine', ours.search));
  await ours.close();
  const table = await openTable();
  results.push(await measure('pgvector, exact top-k', table.nearest));
  results.push(await measure('PostgreSQL ts_rank, any word', table.words));
  await table.close();
  const Memory = await loadMem0();
  if (Memory) {
    const peer = await openMem0(Memory);
    results.push(await measure(`${MEM0}, infer: false`, peer.search));
    await peer.close();
  } else skipped.push(`${MEM0} is not installed: npm install --no-save ${MEM0}`);
  if (values.json)
    return console.log(JSON.stringify({ data_sha256: dataSha256, results, skipped }));
  const percent = (value) => (value * 100).toFixed(1).padStart(6);
  console.log(
    `LoCoMo, ${results[0].questions} questions of categories 1 to 4, turns as units, one embedder; data ${dataSha256.slice(0, 16)}\n`,
  );
  console.log(`${''.padEnd(30)}   R@5   R@10   R@20    MRR   p50`);
  for (const { name, mrr, p50_ms: p50, ...row } of results)
    console.log(
      `${name.padEnd(30)}${percent(row['recall@5'])} ${percent(row['recall@10'])} ${percent(row['recall@20'])} ${percent(mrr)} ${p50.toFixed(1).padStart(6)} ms`,
    );
  for (const line of skipped) console.log(`skipped: ${line}`);
}

const ROUNDS = 100;
const WARM_UP = 10;

/**
 * One scope of many turns: a compose call against the exact top-k of a bare table, turn about, in
 * one process.
 */
async function compareLatency(count) {
  const all = suite.stores.flatMap((store) => store.turns);
  const turns = Array.from({ length: count }, (_, index) => {
    const turn = all[index % all.length];
    return {
      ...turn,
      key: `${turn.key}#${index}`,
      content:
        index < all.length ? turn.content : `${turn.content} (${Math.floor(index / all.length)})`,
    };
  });
  const last = suite.stores
    .map((store) => store.now)
    .sort()
    .at(-1);
  const large = { ...suite, stores: [{ ...suite.stores[0], key: 'large', turns, now: last }] };
  const [ours, table] = [await openOurs(large), await openTable(large)];
  const times = { ours: [], nearest: [] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const question = { ...suite.questions[(round * 7) % suite.questions.length], store: 'large' };
    for (const [name, search] of [
      ['ours', ours.search],
      ['nearest', table.nearest],
    ]) {
      const start = performance.now();
      if ((await search(question)).length === 0)
        throw new Error('Nothing was found: nothing was measured.');
      if (round >= WARM_UP) times[name].push(performance.now() - start);
    }
  }
  await ours.close();
  await table.close();
  const [p50, plain] = [percentile(times.ours, 0.5), percentile(times.nearest, 0.5)];
  const summary = {
    turns: count,
    compose_p50_ms: p50,
    compose_p95_ms: percentile(times.ours, 0.95),
    exact_top_k_p50_ms: plain,
    ratio: p50 / plain,
  };
  if (values.json) return console.log(JSON.stringify(summary));
  console.log(
    `${count} turns in one scope, PGlite: compose p50 ${p50.toFixed(1)} ms (p95 ${summary.compose_p95_ms.toFixed(1)}), exact top-k p50 ${plain.toFixed(1)} ms: ${summary.ratio.toFixed(2)}x`,
  );
}

if (values.latency) await compareLatency(Number(values.latency));
else await comparePeers();
await embedder.close();
