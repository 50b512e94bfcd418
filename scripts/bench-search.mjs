// Search by words and by containment as the application role: 200,000 facts, a tenth of them in the
// tenant, all of those in one scope. Bar: the index is used, p50 <= 10 ms on PostgreSQL. Needs `npm
// run build`, and a server on which databases may be made:
//   node scripts/bench-search.mjs postgresql://postgres@127.0.0.1:5432/postgres [rows]

import { migrate } from '../dist/connectors/pgvector/driver/migrate.js';
import {
  openPostgres,
  openPostgresOwner,
} from '../dist/connectors/pgvector/driver/postgres/postgres.js';
import { pgvectorAuthority } from '../dist/connectors/pgvector/index.js';

const [url, rowsText = '200000'] = process.argv.slice(2);
if (!url) throw new Error('Usage: node scripts/bench-search.mjs URL [rows]');
const rows = Number(rowsText);
const NAME = 'contextengine_bench_search';
const TENANT = 't0';
const SCOPE = '00000000-0000-4000-8000-000000000000';
const target = new URL(url);
target.pathname = `/${NAME}`;

const admin = await openPostgresOwner(url);
await admin.exec(`drop database if exists ${NAME} with (force)`);
await admin.exec(`create database ${NAME}`);
const owner = await openPostgresOwner(target.href);
await migrate(owner);

// Words by Zipf's law over 30,000; 24 to 48 a text. Every tenant has one scope.
// Heads above 0 are those of restored scopes: their rows bring their sequence numbers.
let fill = `
  create function pg_temp.word() returns text language sql volatile as $$ select 'w' || floor(power(30000, random()))::int || 'x' $$;
  select setseed(0.5);
  insert into context_ops.scope_heads (tenant_id, scope_uuid, head)
    select 't' || i, ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, ${rows} from generate_series(0, 9) i;
  insert into context.memory_open_set (tenant_id, uuid, root_uuid, scope_uuid, valid_from, recorded_seq, operation, content, class, importance, confidence, tags, metadata)
    select 't' || i % 10, u, u, ('00000000-0000-4000-8000-' || lpad((i % 10)::text, 12, '0'))::uuid, '2026-01-01'::timestamptz + i * interval '1 second', i + 1, 'ADD',
      (select string_agg(pg_temp.word(), ' ') from generate_series(1, 24 + i % 25)), 'fact', 0.5, 1, array['tag' || i % 500, 'all'], jsonb_build_object('n', i % 1000, 'kind', 'k' || i % 200)
    from (select i, gen_random_uuid() u from generate_series(0, ${rows - 1}) i) rows;
`;
// As the connector would, tenant by tenant; the terms of these texts are their words.
for (let tenant = 0; tenant < 10; tenant += 1) {
  fill += `
    select set_config('contextengine.tenant', 't${tenant}', true), set_config('contextengine.scopes', '*', true),
      context_ops.add_postings('t${tenant}', 'memory_open_set', (select jsonb_agg(t.text order by t.recorded_seq) from (
      select r.recorded_seq, jsonb_build_object('scope', r.scope_uuid, 'uuid', r.uuid, 'length', sum(w.times), 'terms', jsonb_object_agg(w.word, w.times)) as text
      from context.memory_open_set r cross join lateral (select word, count(*) as times from regexp_split_to_table(r.content, ' ') word group by word) w
      where r.tenant_id = 't${tenant}' group by r.scope_uuid, r.uuid, r.recorded_seq) t), 2);`;
}
await owner.exec(fill);
await owner.exec('analyze context.memory_open_set, context_ops.postings');

const database = await openPostgres({ url: target.href });
const authority = pgvectorAuthority(database);
let seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const word = () => `w${Math.floor(30000 ** random())}x`;
const topic = () => `w${300 + Math.floor(random() * 20000)}x`;

const base = { id: 'a', table: 'memory_open_set', limit: 24 };
const order = { by: 'valid_from', direction: 'desc' };
const cases = {
  'words, topical (4 rare, 2 Zipf)': () => ({
    ...base,
    mode: 'search',
    text: [topic(), topic(), topic(), topic(), word(), word()].join(' '),
  }),
  'words, all Zipf (6)': () => ({
    ...base,
    mode: 'search',
    text: Array.from({ length: 6 }, word).join(' '),
  }),
  'tags contain': () => ({
    ...base,
    mode: 'list',
    order,
    filter: { field: 'tags', contains: [`tag${Math.floor(random() * 500)}`] },
  }),
  'metadata has': () => ({
    ...base,
    mode: 'list',
    order,
    filter: { field: 'metadata', has: { kind: `k${Math.floor(random() * 200)}` } },
  }),
  'metadata.n eq': () => ({
    ...base,
    mode: 'list',
    order,
    filter: { field: 'metadata.n', eq: Math.floor(random() * 1000) },
  }),
};

for (const [name, part] of Object.entries(cases)) {
  const times = [];
  let hits = 0;
  for (let i = 0; i < 110; i += 1) {
    const request = {
      tenant: TENANT,
      position: [{ scope: SCOPE, head: rows }],
      valid_at: '2027-01-01T00:00:00.000Z',
      parts: [part()],
    };
    const start = performance.now();
    const { parts } = await authority.query(request);
    if (i >= 10) times.push(performance.now() - start);
    if (!parts[0].ok) throw new Error(JSON.stringify(parts[0]));
    hits += parts[0].hits.length;
  }
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(34)} p50 ${times[50].toFixed(1)} ms  p95 ${times[95].toFixed(1)} ms  hits ${(hits / 110).toFixed(1)}`,
  );
}
await database[Symbol.asyncDispose]();
await owner[Symbol.asyncDispose]();
if (!process.argv.includes('--keep')) await admin.exec(`drop database ${NAME} with (force)`);
await admin[Symbol.asyncDispose]();
