/**
 * A search of 6,000 turns by words, meaning and both, with neighbours, against the exact nearest
 * rows in plain SQL on the same database. Bar (the issue's): both legs with neighbours at most 3x
 * the plain query.
 */

import { openPglite } from '../../dist/connectors/pgvector/driver/pglite/pglite.js';
import { pgvectorAuthority } from '../../dist/connectors/pgvector/index.js';
import { memory, question } from './corpus.mjs';
import { interleave, judge, percentile, printTimes } from './measure.mjs';

const TURNS = 6_000;
const BATCH = 500;
const ROUNDS = 80;
const WARM_UP = 10;
const DIMENSIONS = 256;
const SPACE = `bench/random/${DIMENSIONS}`;
const TENANT = 'bench';
const SCOPE = '00000000-0000-4000-8000-000000000000';
const WRITER = {
  principal: 'bench',
  on_behalf_of: null,
  writer: 'bench/1',
  manifest_digest: null,
  decision: 'T1',
};

const uuid = (n) => `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`;
const at = (minute) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

/** What vectors say does not matter to the clock; the same on every run. */
const vectorOf = (seed) =>
  Array.from({ length: DIMENSIONS }, (_, n) => Math.sin((seed + 1) * (n + 1) * 0.618));

const turn = (content, changes) => ({
  parent_uuid: null,
  block_type: 'turn',
  is_scope: false,
  role: 'user',
  author: null,
  title: null,
  content,
  tags: [],
  metadata: {},
  provenance: {},
  ...changes,
});

async function fill(authority) {
  const write = (operations) =>
    authority.write({ tenant: TENANT, writer: WRITER, operations, recorded_at: at(TURNS) });
  const add = (content, { id, on }) => ({
    operation: 'ADD',
    table: 'blocks',
    scope: SCOPE,
    uuid: id,
    valid_from: at(on),
    content,
  });
  await write([
    add(turn('', { block_type: 'chat_session', is_scope: true, occurred_at: at(0) }), {
      id: SCOPE,
      on: 0,
    }),
  ]);
  await authority.ensureSpace({ provider: 'bench', model: 'random', dimensions: DIMENSIONS });
  let position = [];
  for (let from = 0; from < TURNS; from += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => from + index);
    ({ position } = await write(
      numbers.map((n) => add(turn(memory(n), { occurred_at: at(n) }), { id: uuid(n), on: n })),
    ));
    await authority.storeEmbeddings(
      SPACE,
      numbers.map((n) => ({
        tenant: TENANT,
        scope_uuid: SCOPE,
        table: 'blocks',
        uuid: uuid(n),
        ordinal: 0,
        origin: 'content',
        values: vectorOf(n),
      })),
    );
  }
  return position;
}

/** The nearest 30 turns, tenant and scope by equality: what a team would write. */
async function openPlainNearest(database) {
  const settings = `select set_config('contextengine.tenant', '${TENANT}', true), set_config('contextengine.scopes', '*', true)`;
  const [row] = await database.query('select context_ops.space_table($1) as name', [SPACE]);
  const text = `select r.* from context_ops.${row.name} e join context.blocks r on r.tenant_id = e.tenant_id and r.uuid = e.owner_uuid
    where e.tenant_id = $1 and e.scope_uuid = $2 order by e.embedding <=> $3::vector limit 30`;
  return (values) =>
    database.transaction(async (tx) => {
      await tx.query(settings);
      return tx.query(text, [TENANT, SCOPE, `[${values.join(',')}]`]);
    });
}

export async function run() {
  const database = await openPglite({ dataDir: null });
  const authority = pgvectorAuthority(database);
  try {
    const position = await fill(authority);
    const nearest = await openPlainNearest(database);
    const search = (ask) => async (round) => {
      const part = {
        id: 'a',
        table: 'blocks',
        mode: 'search',
        ...ask(question(round), { space: SPACE, values: vectorOf(TURNS + round) }),
      };
      const { parts } = await authority.query({
        tenant: TENANT,
        position,
        valid_at: at(2 * TURNS),
        parts: [part],
      });
      if (!parts[0].ok || parts[0].hits.length < 30)
        throw new Error(`Nothing was measured: ${JSON.stringify(parts[0]).slice(0, 200)}`);
    };
    const times = await interleave({
      rounds: ROUNDS,
      warmUp: WARM_UP,
      sides: {
        'plain exact nearest 30': (round) => nearest(vectorOf(TURNS + round)),
        'meaning, 30': search((_, vector) => ({ vector, limit: 30 })),
        'words, 50': search((text) => ({ text, limit: 50 })),
        'both, 30': search((text, vector) => ({ text, vector, limit: 30 })),
        'both, 30, neighbours 2': search((text, vector) => ({
          text,
          vector,
          limit: 30,
          neighbours: 2,
        })),
        'both, 50, neighbours 2': search((text, vector) => ({
          text,
          vector,
          limit: 50,
          neighbours: 2,
        })),
      },
    });
    printTimes(`search, ${TURNS} turns in the scope, PGlite`, times);
    const [plain, , , , both] = Object.values(times).map((list) => percentile(list, 0.5));
    return judge('both legs with neighbours against plain SQL', both / plain, {
      atMost: 3,
      unit: 'x',
    });
  } finally {
    await authority[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  }
}
