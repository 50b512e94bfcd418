/**
 * A mount on LanceDB beside pgvector, in one run: feeding, hybrid search under filters of 0.1, 1,
 * 10 and 100 %, what it finds of the exact answer, disk, and disk after updates with upkeep.
 *
 *     npm run bench -- archive
 *     ARCHIVE_ROWS=230000 ARCHIVE_DIMENSIONS=1536 npm run bench -- archive
 *
 * The side of pgvector takes TEST_DATABASE_URL, of a role that may create databases; without it
 * there is none.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLancedbProjection } from '../../dist/connectors/lancedb/index.js';
import { createRows, SCOPES, SHARES, TENANT } from './archive-rows.mjs';
import { byIndex, openPgvector, openWithoutIndex } from './archive-sides.mjs';
import { percentile } from './measure.mjs';

const ROWS = Number(process.env.ARCHIVE_ROWS ?? 20_000);
const DIMENSIONS = Number(process.env.ARCHIVE_DIMENSIONS ?? 256);
const UPDATES = Math.min(10_000, Math.floor(ROWS / 20));
const QUERIES = 30;
const WARM_UP = 5;
const BATCH = 2_000;
const UPDATES_AT_ONCE = 1_000;
const SPACE = { name: `bench/centres/${DIMENSIONS}`, dimensions: DIMENSIONS };
/** For as many rows of 1,536 dimensions; 1.63 times what their vectors take. */
const MOST_BYTES = (2.4e9 / (230_000 * 1_536)) * ROWS * DIMENSIONS;
const MOST_GROWTH = 1.2;
/** Old versions are kept for readers that long. */
const READERS_MS = 61_000;

const seconds = (begun) => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

async function feedBatch(feed, rows, made, seq) {
  for (const [n, scope] of SCOPES.entries()) {
    const upsert = made.filter((row) => row.scope === n).map(rows.toVersion);
    const changes = upsert.map(({ entry: { table, row } }) => ({
      ...{ scope, seq, operation: row.operation, table, uuid: row.uuid, root_uuid: row.root_uuid },
    }));
    const cursor = { scope, seq, ordinal: 0 };
    await feed.apply({ tenant: TENANT, upsert, remove: [], changes, cursor });
  }
}

async function fill(feed, rows, other) {
  const took = { mount: 0, other: 0 };
  for (let start = 0; start < ROWS; start += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, ROWS - start) }, (_, n) =>
      rows.make(start + n),
    );
    let begun = performance.now();
    await feedBatch(feed, rows, made, start + BATCH);
    took.mount += performance.now() - begun;
    begun = performance.now();
    for (const row of made) await other?.add(row);
    took.other += performance.now() - begun;
  }
  return took;
}

async function compare(sides, rows) {
  const judged = [];
  for (const [n, share] of [...SHARES, 1].entries()) {
    const chosen = share === 1 ? SCOPES.map((_, scope) => scope) : [n];
    const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    const found = Object.fromEntries(Object.keys(sides).map((name) => [name, 0]));
    for (let round = 0; round < QUERIES; round += 1) {
      const question = rows.question();
      const exact = rows.exact(question.values, chosen);
      for (const [name, search] of Object.entries(sides)) {
        const begun = performance.now();
        const numbers = new Set(await search(question, chosen));
        if (round >= WARM_UP) times[name].push(performance.now() - begun);
        found[name] += exact.filter((each) => numbers.has(each)).length / exact.length;
      }
    }
    console.log(`${(share * 100).toFixed(1).padStart(6)} %  ${rows.held(chosen)} rows`);
    for (const name of Object.keys(sides)) {
      const [p50, p95] = [0.5, 0.95].map((p) => percentile(times[name], p));
      const recall = found[name] / QUERIES;
      judged.push({ name, share, p50, recall });
      console.log(
        `    ${name.padEnd(22)} p50 ${p50.toFixed(1).padStart(7)} ms  ` +
          `p95 ${p95.toFixed(1).padStart(7)} ms  recall@20 ${recall.toFixed(3)}`,
      );
    }
  }
  return judged;
}

/** Each batch as a feed leaves it; at the end what readers may have held is no longer kept. */
async function update(mount, rows, before) {
  const feed = await mount.feed();
  let most = 0;
  const begun = performance.now();
  for (let start = 0; start < UPDATES; start += UPDATES_AT_ONCE) {
    const made = Array.from({ length: UPDATES_AT_ONCE }, () =>
      rows.make(Math.floor(rows.random() * ROWS), false),
    );
    const once = [...new Map(made.map((row) => [row.n, row])).values()];
    await feedBatch(feed, rows, once, ROWS + start);
    most = Math.max(most, (await feed.upkeep()).bytes);
  }
  console.log(`${UPDATES} updates in ${seconds(begun)}, upkeep included; most ${megabytes(most)}`);
  await new Promise((resolve) => setTimeout(resolve, READERS_MS));
  await feed.upkeep();
  const { bytes } = await feed.upkeep();
  await feed[Symbol.asyncDispose]();
  console.log(`disk ${megabytes(bytes)} afterwards, ${(bytes / before).toFixed(2)} of before`);
  return bytes / before;
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-bench-'));
  const rows = createRows({ count: ROWS, dimensions: DIMENSIONS });
  const url = process.env.TEST_DATABASE_URL;
  const other = url ? await openPgvector(url, rows) : null;
  try {
    const mount = await createLancedbProjection({ path: folder }).connect({ space: SPACE });
    const rebuild = await mount.rebuild();
    const took = await fill(rebuild, rows, other);
    console.log(
      `${ROWS} x ${DIMENSIONS}: LanceDB fed in ${(took.mount / 1000).toFixed(1)} s, pgvector in ` +
        `${(took.other / 1000).toFixed(1)} s`,
    );
    let begun = performance.now();
    await rebuild.commit();
    await rebuild[Symbol.asyncDispose]();
    console.log(`LanceDB indexed in ${seconds(begun)}`);
    begun = performance.now();
    if (other)
      console.log(`pgvector indexed: ${megabytes(await other.index())}, ${seconds(begun)}`);
    const flat = await openWithoutIndex(folder, rows);
    const judged = await compare(
      {
        'LanceDB, index': byIndex(mount, rows, SPACE),
        'LanceDB, no index': flat.search,
        ...(other && { 'pgvector, index': other.search }),
      },
      rows,
    );
    flat.close();
    await new Promise((resolve) => setTimeout(resolve, READERS_MS));
    const feed = await mount.feed();
    const { bytes } = await feed.upkeep();
    await feed[Symbol.asyncDispose]();
    console.log(`LanceDB disk ${megabytes(bytes)} (at most ${megabytes(MOST_BYTES)})`);
    const growth = await update(mount, rows, bytes);
    await mount[Symbol.asyncDispose]();
    const ours = judged.filter(({ name }) => name === 'LanceDB, index');
    return (
      ours.every(
        ({ recall, p50, share }) => recall >= 0.95 && (p50 <= 60 || (share > 0.001 && share < 1)),
      ) &&
      (DIMENSIONS < 1_536 || bytes <= MOST_BYTES) &&
      growth <= MOST_GROWTH
    );
  } finally {
    await other?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
