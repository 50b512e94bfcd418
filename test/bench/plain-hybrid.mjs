/**
 * The yardstick: what a team would write by hand on pgvector. Text and vector legs, fused by
 * reciprocal rank; no tenants, no time, no budget.
 */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { toSql } from 'pgvector';

const LIMIT = 60;
const HYBRID = `
  with q as (select to_tsquery('english', $1) as text, $2::vector as dense),
  lexical as (
    select id, row_number() over (order by ts_rank(fts, q.text) desc, id) as place from memories, q where fts @@ q.text
    order by ts_rank(fts, q.text) desc, id limit ${LIMIT}),
  dense as (select id, row_number() over (order by distance, id) as place from (
    select id, embedding <=> q.dense as distance from memories, q order by embedding <=> q.dense limit ${LIMIT}) nearest)
  select m.id, m.content, coalesce(1.0 / (60 + lexical.place), 0) + coalesce(1.0 / (60 + dense.place), 0) as score
  from lexical full join dense using (id) join memories m using (id) order by score desc, m.id limit 10`;

/** In the process itself, without the worker thread that the engine pays for. */
export async function openPlainHybrid(texts, embed) {
  const db = await PGlite.create({ extensions: { vector } });
  const vectors = await embed(texts);
  await db.exec(`create extension vector;
    create table memories (id int primary key, content text not null, embedding vector(${vectors[0].length}) not null,
      fts tsvector generated always as (to_tsvector('english', content)) stored);
    create index on memories using gin (fts);`);
  const rows = texts.map((content, id) => ({ id, content, embedding: toSql(vectors[id]) }));
  await db.query(
    'insert into memories (id, content, embedding) select id, content, embedding::vector from jsonb_to_recordset($1) as r(id int, content text, embedding text)',
    [JSON.stringify(rows)],
  );
  await db.exec('analyze memories');
  return {
    search: async (text, values) => {
      const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
      return (await db.query(HYBRID, [words.join(' | '), toSql(values)])).rows;
    },
    close: () => db.close(),
  };
}
