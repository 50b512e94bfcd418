/**
 * A mount on LanceDB: feeding, hybrid search under filters, what it finds of the exact answer, disk.
 *
 *     npm run bench -- archive
 *     ARCHIVE_ROWS=230000 ARCHIVE_DIMENSIONS=1536 npm run bench -- archive
 *
 * Rows stand around 2,000 centres (cosine about 0.78), in scopes of 0.1, 1, 10 and the rest of all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLancedbProjection } from '../../dist/connectors/lancedb/index.js';

const ROWS = Number(process.env.ARCHIVE_ROWS ?? 20_000);
const DIMENSIONS = Number(process.env.ARCHIVE_DIMENSIONS ?? 256);
const QUERIES = 30;
const LIMIT = 60;
const BATCH = 2_000;
const SPACE = { name: `bench/centres/${DIMENSIONS}`, dimensions: DIMENSIONS };
const TENANT = 'bench';
const AT = '2026-06-01T00:00:00.000Z';

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const gauss = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
const unit = (values) => {
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
};
const uuidOf = (n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const centres = Array.from({ length: 2_000 }, () =>
  unit(Array.from({ length: DIMENSIONS }, gauss)),
);
const near = (centre) =>
  unit(centre.map((value) => value + (gauss() * 0.8) / Math.sqrt(DIMENSIONS)));
const SHARES = [0.001, 0.01, 0.1];
const SCOPES = [...SHARES, 1].map((_, n) => uuidOf(1_000_000_000 + n));
function scopeOf() {
  const dice = random();
  let from = 0;
  for (const [n, share] of SHARES.entries()) {
    from += share;
    if (dice < from) return n;
  }
  return SHARES.length;
}

function versionOf(n) {
  const topic = Math.floor(random() * centres.length);
  const content = `topic${topic} ${Array.from({ length: 12 }, () => `w${Math.floor(random() ** 3 * 20_000)}`).join(' ')}`;
  const uuid = uuidOf(n);
  const row = {
    ...{ tenant_id: TENANT, uuid, root_uuid: uuid, scope_uuid: SCOPES[scopeOf()] },
    ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: null, closed_seq: null },
    ...{ recorded_seq: n + 1, retired_seq: null, superseded_by: null, cause: null },
    ...{ status: 'live', operation: 'ADD', recut_of: null },
    ...{ content, subject: null, category: 'note', class: 'fact', importance: 0.5 },
    ...{ confidence: 1, tags: [], metadata: {}, provenance: {} },
  };
  return { entry: { table: 'memory_open_set', row }, vector: near(centres[topic]), topic };
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

async function fill(feed) {
  const kept = [];
  for (let start = 0; start < ROWS; start += BATCH) {
    const versions = Array.from({ length: Math.min(BATCH, ROWS - start) }, (_, n) =>
      versionOf(start + n),
    );
    for (const scope of SCOPES) {
      const upsert = versions.filter(({ entry }) => entry.row.scope_uuid === scope);
      const cursor = { scope, seq: start + BATCH, ordinal: 0 };
      await feed.apply({ tenant: TENANT, upsert, remove: [], cursor });
    }
    for (const { entry, vector } of versions)
      kept.push({
        uuid: entry.row.uuid,
        scope: entry.row.scope_uuid,
        vector: Float32Array.from(vector),
      });
  }
  return kept;
}

const dot = (a, b) => {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += a[n] * b[n];
  return sum;
};

async function search(mount, kept, scopes) {
  const held = kept.filter(({ scope }) => scopes.includes(scope));
  const times = [];
  let found = 0;
  for (let n = 0; n < QUERIES; n += 1) {
    const topic = Math.floor(random() * centres.length);
    const values = near(centres[topic]);
    const part = { id: 'a', table: 'memory_open_set', mode: 'search', limit: LIMIT };
    const asked = {
      ...part,
      text: `topic${topic} w12 w340`,
      vector: { space: SPACE.name, values },
    };
    const position = scopes.map((scope) => ({ scope, head: ROWS + 1 }));
    const begun = performance.now();
    const answer = await mount.query({ tenant: TENANT, position, valid_at: AT, parts: [asked] });
    times.push(performance.now() - begun);
    const uuids = new Set(answer.parts[0].hits.map(({ row }) => row.uuid));
    const exact = held
      .map(({ uuid, vector }) => [dot(vector, values), uuid])
      .sort((a, b) => b[0] - a[0])
      .slice(0, 20);
    found += exact.filter(([, uuid]) => uuids.has(uuid)).length / Math.max(1, exact.length);
  }
  return { rows: held.length, p50: median(times.slice(5)), recall: found / QUERIES };
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-bench-'));
  try {
    const mount = await createLancedbProjection({ path: folder }).connect({ space: SPACE });
    const rebuild = await mount.rebuild();
    let begun = performance.now();
    const kept = await fill(rebuild);
    console.log(
      `fed ${ROWS} x ${DIMENSIONS} in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    );
    begun = performance.now();
    await rebuild.commit();
    const { bytes } = await rebuild.upkeep();
    await rebuild[Symbol.asyncDispose]();
    console.log(
      `indexed in ${((performance.now() - begun) / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB`,
    );
    let isMet = true;
    for (const [n, share] of [...SHARES, 1].entries()) {
      const { rows, p50, recall } = await search(mount, kept, share === 1 ? SCOPES : [SCOPES[n]]);
      console.log(
        `${(share * 100).toFixed(1).padStart(6)} %  ${String(rows).padStart(7)} rows  ` +
          `p50 ${p50.toFixed(1).padStart(6)} ms  recall@20 ${recall.toFixed(3)}`,
      );
      isMet &&= p50 <= 60 && recall >= 0.95;
    }
    await mount[Symbol.asyncDispose]();
    return isMet;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
