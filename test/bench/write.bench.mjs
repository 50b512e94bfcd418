/**
 * Writes against the INSERT that a team would write by hand, of the same texts with the same
 * vectors and full-text index: a conversation turn by turn, facts one by one, and facts in batches.
 * The engine's writes bring beside the rows the journal, the words, the permission that was judged,
 * and the lineage; what that costs is told as a ratio in the same run.
 */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { toSql } from 'pgvector';
import { createContextEngine } from '../../dist/src/index.js';
import { wordEmbedder } from '../../dist/src/inference/word-embedder.js';
import { memory } from './corpus.mjs';
import { interleave, judge, percentile, printTimes } from './measure.mjs';

const ROUNDS = 40;
const WARM_UP = 5;
const BATCH = 200;
const TURN = '1';
const FACTS = String(BATCH);

async function openPlain(embed) {
  const db = await PGlite.create({ extensions: { vector } });
  const [{ length }] = await embed([memory(0)]);
  await db.exec(`create extension vector;
    create table memories (id bigint generated always as identity primary key, content text not null, embedding vector(${length}) not null,
      fts tsvector generated always as (to_tsvector('english', content)) stored);
    create index on memories using gin (fts);`);
  return {
    async insert(texts) {
      const vectors = await embed(texts);
      const rows = texts.map((content, index) => ({ content, embedding: toSql(vectors[index]) }));
      await db.query(
        'insert into memories (content, embedding) select content, embedding::vector from jsonb_to_recordset($1) as r(content text, embedding text)',
        [JSON.stringify(rows)],
      );
    },
    close: () => db.close(),
  };
}

export async function run() {
  const embedder = wordEmbedder();
  const plain = await openPlain((list) => embedder.embed(list, { kind: 'document' }));
  const engine = await createContextEngine({ database: { inMemory: true } });
  try {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    let written = 0;
    const texts = (count) => Array.from({ length: count }, () => memory((written += 1)));
    const facts = (count) => texts(count).map((content) => ({ content }));
    const expectStored = ({ counts }, count) => {
      if (counts.stored !== count)
        throw new Error(`Of ${count} rows ${counts.stored} were stored.`);
    };
    const times = await interleave({
      rounds: ROUNDS,
      warmUp: WARM_UP,
      sides: {
        [`INSERT, ${TURN} text`]: () => plain.insert(texts(1)),
        [`append, ${TURN} turn`]: async () =>
          expectStored(await engine.append(scope, [{ role: 'user', content: texts(1)[0] }]), 1),
        [`remember, ${TURN} fact`]: async () =>
          expectStored(await engine.remember(scope, facts(1)), 1),
        [`INSERT, ${FACTS} texts`]: () => plain.insert(texts(BATCH)),
        [`remember, ${FACTS} facts`]: async () =>
          expectStored(await engine.remember(scope, facts(BATCH)), BATCH),
      },
    });
    printTimes(`writes, PGlite, vectors included`, times);
    const [, turn, , plainBatch, batch] = Object.values(times).map((list) => percentile(list, 0.5));
    return [
      judge('a turn, p50', turn, { atMost: 25, unit: 'ms' }),
      judge(`a batch of ${BATCH} against INSERT`, batch / plainBatch, { atMost: 6, unit: 'x' }),
    ].every(Boolean);
  } finally {
    await engine.close();
    await plain.close();
  }
}
