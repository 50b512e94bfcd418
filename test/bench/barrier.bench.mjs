/**
 * What a correction costs where many rows derive from what was wrong, on PostgreSQL: the whole
 * write, from the call to the commit. Trees of depth 6 and chains of depth 1,000.
 *
 *     TEST_DATABASE_URL=postgresql://... npm run bench -- barrier
 *
 * The rows are loaded with the triggers off, as a superuser: only the correction is measured.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../dist/connectors/pgvector/driver/migrate.js';
import {
  openPostgres,
  openPostgresOwner,
} from '../../dist/connectors/pgvector/driver/postgres/postgres.js';
import { pgvectorAuthority } from '../../dist/connectors/pgvector/index.js';
import { judge, percentile, printTimes } from './measure.mjs';

const TENANT = 'bench';
const CASES = [
  { count: 1_000, rounds: 40, atMost: 100 },
  { count: 100_000, rounds: Number(process.env.BARRIER_ROUNDS ?? 5), atMost: 3_000 },
];
const DEPTHS = [6, 1_000];
const NOW = new Date().toISOString();

/**
 * The parent of row n (0 = the source): of a tree whose levels have one width, or of chains.
 * Both are the same formula; the width follows from the depth.
 */
const parentOf = (width) => `case when n <= ${width} then 0 else n - ${width} end`;

async function loadTree(client, scope, { count, depth }) {
  const source = randomUUID();
  const head = (
    await client.query(
      `select head from context_ops.scope_heads where tenant_id = $1 and scope_uuid = $2`,
      [TENANT, scope],
    )
  ).rows[0].head;
  const seq = Number(head);
  const width = Math.ceil(count / depth);
  const id = (n) => `md5('${source}' || ${n})::uuid`;
  const uuid = `case when n = 0 then '${source}'::uuid else ${id('n')} end`;
  await client.query('begin');
  await client.query(`set local session_replication_role = replica`);
  await client.query(
    `insert into context.memory_open_set (tenant_id, uuid, root_uuid, scope_uuid, valid_from,
       recorded_seq, operation, content, class, importance, confidence)
     select '${TENANT}', ${uuid}, ${uuid}, '${scope}', now() - interval '1 day', ${seq} + n + 1,
       'ADD', 'a fact with a dozen words that derives from another one of number ' || n, 'fact',
       0.5, 1 from generate_series(0, ${count}) n`,
  );
  await client.query(
    `insert into context.context_links (tenant_id, uuid, root_uuid, scope_uuid, valid_from,
       recorded_seq, operation, link_type, from_uuid, to_uuid)
     select '${TENANT}', l, l, '${scope}', now() - interval '1 day', ${seq} + n + 1, 'ADD',
       'derived_from', ${id('n')}, case when ${parentOf(width)} = 0 then '${source}'::uuid
         else ${id(parentOf(width))} end
     from generate_series(1, ${count}) n cross join lateral (select md5('link' || '${source}' || n)::uuid as l) x`,
  );
  await client.query(
    `insert into context_ops.row_ids (tenant_id, uuid) select tenant_id, uuid from context.memory_open_set
       where recorded_seq > ${seq} on conflict do nothing`,
  );
  await client.query(
    `update context_ops.scope_heads set head = head + ${count} + 1 where tenant_id = $1 and scope_uuid = $2`,
    [TENANT, scope],
  );
  await client.query('commit');
  return source;
}

const correctionOf = (scope, source) => ({
  operation: 'UPDATE',
  table: 'memory_open_set',
  scope,
  root_uuid: source,
  uuid: randomUUID(),
  cause: 'correction',
  valid_from: NOW,
  content: {
    content: 'it was otherwise',
    subject: null,
    category: null,
    class: 'fact',
    importance: 0.5,
    confidence: 1,
    tags: [],
    metadata: {},
    provenance: {},
  },
});

export async function run() {
  const { TEST_DATABASE_URL: server } = process.env;
  if (!server) {
    console.log('barrier: needs TEST_DATABASE_URL');
    return true;
  }
  const name = `contextengine_bench_${randomBytes(4).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const admin = await openPostgresOwner(server);
  await admin.exec(`create database ${name}`);
  const owner = await openPostgresOwner(url);
  await migrate(owner);
  await owner[Symbol.asyncDispose]();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const database = await openPostgres({ url });
  const authority = pgvectorAuthority(database);
  const writer = { principal: 'bench', on_behalf_of: null, writer: 'bench' };
  const write = (operations) =>
    authority.write({ tenant: TENANT, operations, recorded_at: new Date().toISOString(), writer });
  const times = {};
  const isMet = [];
  try {
    const { BARRIER_ROWS: only } = process.env;
    for (const { count, rounds, atMost } of CASES)
      for (const depth of only === undefined || Number(only) === count ? DEPTHS : []) {
        const name = `${count} rows, depth ${depth}`;
        times[name] = [];
        for (let round = 0; round < rounds; round += 1) {
          const scope = randomUUID();
          await write([scopeOf(scope)]);
          const source = await loadTree(client, scope, { count, depth });
          if (round === 0)
            await client.query(
              'analyze context.memory_open_set, context.context_links, context_ops.row_ids',
            );
          const start = performance.now();
          await write([correctionOf(scope, source)]);
          times[name].push(performance.now() - start);
          const fallen = await client.query(
            `select count(*)::int as n from context.memory_open_set where tenant_id = $1 and scope_uuid = $2 and cause = 'cascade'`,
            [TENANT, scope],
          );
          if (fallen.rows[0].n !== count) throw new Error(`${fallen.rows[0].n} of ${count} fell.`);
        }
        isMet.push(judge(`${name}, p95`, percentile(times[name], 0.95), { atMost, unit: 'ms' }));
      }
    printTimes('a correction, PostgreSQL', times);
    return isMet.every(Boolean);
  } finally {
    await database[Symbol.asyncDispose]();
    await client.end();
    await admin.exec(`drop database ${name} with (force)`);
    await admin[Symbol.asyncDispose]();
  }
}

const scopeOf = (scope) => ({
  operation: 'ADD',
  table: 'blocks',
  scope,
  uuid: scope,
  valid_from: NOW,
  content: {
    parent_uuid: null,
    block_type: 'chat_session',
    is_scope: true,
    role: null,
    author: null,
    occurred_at: NOW,
    title: null,
    content: '',
    tags: [],
    metadata: {},
    provenance: {},
  },
});
