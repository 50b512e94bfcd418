/**
 * What answers the same question in the bench of mounts: LanceDB by its index, LanceDB looking at
 * every vector, and pgvector as a team would write it by hand (halfvec, HNSW, `gin (scope, fts)`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { predicateOf } from '../../dist/connectors/lancedb/predicate.js';
import { queryTerms } from '../../dist/src/text/bm25.js';
import { SCOPES, TENANT } from './archive-rows.mjs';

const AT = '2026-06-01T00:00:00.000Z';
export const LIMIT = 60;
const EVERY = Number.MAX_SAFE_INTEGER;

const positionOf = (chosen) => chosen.map((n) => ({ scope: SCOPES[n], head: EVERY }));

/** Through the connector, as the engine asks it. */
export const byIndex = (mount, rows, space) => async (question, chosen) => {
  const part = {
    ...{ id: 'a', table: 'memory_open_set', mode: 'search', limit: LIMIT, text: question.text },
    vector: { space: space.name, values: question.values },
  };
  const asked = { tenant: TENANT, position: positionOf(chosen), valid_at: AT, parts: [part] };
  const [answer] = (await mount.query(asked)).parts;
  return answer.hits.map(({ row }) => rows.numberOf(row.uuid));
};

/** The table itself, as a team finds it that never built an index of vectors. */
export async function openWithoutIndex(folder, rows) {
  const { connect } = await import('@lancedb/lancedb');
  const { name } = JSON.parse(readFileSync(join(folder, 'current.json'), 'utf8'));
  const db = await connect(join(folder, name));
  const table = await db.openTable('rows');
  const columns = ['ledger', 'row'];
  return {
    search: async ({ text, values }, chosen) => {
      const where = predicateOf({
        ...{ tenant: TENANT, table: 'memory_open_set' },
        ...{ position: positionOf(chosen), at: AT },
      });
      const [lexical, dense] = await Promise.all([
        table
          .query()
          .fullTextSearch(queryTerms(text).join(' '), { columns: ['words'] })
          .where(where)
          .select([...columns, '_score'])
          .limit(LIMIT)
          .toArray(),
        table
          .query()
          .nearestTo(values)
          .distanceType('cosine')
          .where(where)
          .bypassVectorIndex()
          .select([...columns, '_distance'])
          .limit(LIMIT)
          .toArray(),
      ]);
      const found = [...dense, ...lexical].map(({ row }) => JSON.parse(row));
      return [...new Set(found.map(({ uuid }) => rows.numberOf(uuid)))];
    },
    close: () => {
      table.close();
      db.close();
    },
  };
}

/** Rows in reach up to which each is looked at: facts of PostgreSQL with pgvector 0.8. */
const EXACT_UP_TO = 10_000;
const AT_ONCE = 200;

export async function openPgvector(url, rows) {
  const { default: pg } = await import('pg');
  const name = `bench_archive_${process.pid}`;
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const target = new URL(url);
  target.pathname = `/${name}`;
  const client = new pg.Client(target.href);
  await client.connect();
  const { dimensions } = rows;
  await client.query(`
    create extension vector;
    create extension btree_gin;
    create table memories (id int primary key, scope int not null, content text not null,
      embedding halfvec(${dimensions}) not null,
      fts tsvector generated always as (to_tsvector('simple', content)) stored);
    alter table memories alter embedding set storage ${dimensions > 800 ? 'external' : 'plain'};
    set maintenance_work_mem = '2GB';
    set plan_cache_mode = force_custom_plan;
    set hnsw.ef_search = 100;
    set hnsw.iterative_scan = relaxed_order;
    set jit = off`);
  let waiting = [];
  const flush = async () => {
    if (waiting.length === 0) return;
    const places = waiting.map((_, n) => {
      const [id, scope, content, vector] = [1, 2, 3, 4].map((m) => `$${n * 4 + m}`);
      return `(${id}::int, ${scope}::int, ${content}, ${vector}::vector::halfvec(${dimensions}))`;
    });
    await client.query(
      `insert into memories (id, scope, content, embedding) values ${places.join(', ')}`,
      waiting.flat(),
    );
    waiting = [];
  };
  return {
    add: async ({ n, scope, content }) => {
      waiting.push([n, scope, content, toBinary(rows.vectorOf(n))]);
      if (waiting.length === AT_ONCE) await flush();
    },
    index: async () => {
      await flush();
      await client.query('create index on memories (scope)');
      await client.query('create index on memories using gin (scope, fts)');
      await client.query('create index on memories using hnsw (embedding halfvec_cosine_ops)');
      await client.query('vacuum analyze memories');
      const [{ bytes }] = (await client.query('select pg_database_size($1) as bytes', [name])).rows;
      return Number(bytes);
    },
    search: async ({ text, values }, chosen) => {
      const exact = rows.held(chosen) <= EXACT_UP_TO ? '+ 0' : '';
      const { rows: found } = await client.query(
        `with d as (select id, content from memories where scope = any($2)
           order by (embedding <=> $1::vector::halfvec(${dimensions})) ${exact} limit ${LIMIT}),
         l as (select id, content from memories where scope = any($2) and fts @@ $3::tsquery
           order by ts_rank(fts, $3::tsquery) desc limit ${LIMIT})
         select id, content from d union select id, content from l`,
        [toBinary(Float32Array.from(values)), chosen, text.split(' ').join(' | ')],
      );
      return found.map(({ id }) => id);
    },
    close: async () => {
      await client.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** As pgvector receives a vector: dimensions, nothing, big-endian floats. */
function toBinary(vector) {
  const bytes = Buffer.alloc(4 + vector.length * 4);
  bytes.writeInt16BE(vector.length, 0);
  for (let n = 0; n < vector.length; n += 1) bytes.writeFloatBE(vector[n], 4 + n * 4);
  return bytes;
}
