import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { QueryPart } from '../../src/cxri/contract.ts';
import { indexText, lexicalSignal } from '../../src/text/bm25.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('t0');
const SCOPE = id(0, 0);
const FIND = { table: 'memory_open_set', limit: 24 } as const;
const ORDER = { by: 'valid_from', direction: 'desc' } as const;

describeOnDatabases('search over many tenants', (open, flavor) => {
  // Ten tenants, one scope each; filling the embedded database costs 0.3 ms a row.
  const rows = flavor === 'postgres' ? 20_000 : 5_000;
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
    // Heads above 0 are those of restored scopes: their rows bring their sequence numbers.
    await opened.owner.exec(`
      insert into context_ops.scope_heads (tenant_id, scope_uuid, head)
        select 't' || i, ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, ${rows} from generate_series(0, 9) i;
      insert into context.memory_open_set (tenant_id, uuid, root_uuid, scope_uuid, valid_from, recorded_seq, operation, content, class, importance, confidence, tags, metadata)
        select 't' || i % 10, u, u, ('00000000-0000-4000-8000-' || lpad((i % 10)::text, 12, '0'))::uuid, '2026-01-01'::timestamptz + i * interval '1 second', i + 1, 'ADD',
          'common ' || (select string_agg('word' || (i * 7 + k * 131) % 997, ' ') from generate_series(1, 12) k), 'fact', 0.5, 1, array['tag' || i % 300], jsonb_build_object('n', i % 400)
        from (select i, gen_random_uuid() u from generate_series(0, ${rows - 1}) i) numbered;
      select set_config('contextengine.tenant', texts.tenant_id, true), set_config('contextengine.scopes', '*', true),
        context_ops.add_postings(texts.tenant_id, 'memory_open_set', texts.list, 2) from (
        select r.tenant_id, jsonb_agg(jsonb_build_object('scope', r.scope_uuid, 'uuid', r.uuid, 'length', 13, 'terms',
          (select jsonb_object_agg(word, 1) from regexp_split_to_table(r.content, ' ') word)) order by r.recorded_seq) as list
        from context.memory_open_set r group by r.tenant_id) texts;
      analyze context.memory_open_set, context_ops.postings;`);
  });

  /** The plan of a part's own statement, as the role that the sealed search runs it as. */
  async function planOf(part: QueryPart): Promise<string> {
    return opened.owner.transaction(async (tx) => {
      await tx.query('set local role contextengine_search');
      const hasWords = part.mode === 'search';
      const [built] = await tx.query(
        `select context_ops.pick_sql($1::jsonb, $2, null, true, 'r.uuid') as statement`,
        [JSON.stringify(part), hasWords],
      );
      const values: Readonly<Record<string, string>> = {
        1: `'${TENANT}'`,
        2: `array['${SCOPE}']::uuid[]`,
        3: `array[${rows}]::bigint[]`,
        4: `'${day(300)}'::timestamptz`,
        5: '24',
        6: `array['${SCOPE}', '${SCOPE}']::uuid[]`,
        10: '64',
        12: 'null::text[]',
        13: `array['word17', 'word500']`,
        14: 'array[0.5, 0.5]::float8[]',
        15: 'array[0, 0]',
        16: 'array[13, 13]::float8[]',
      };
      const statement = String(built?.['statement']).replace(
        /\$(\d+)/g,
        (_match, n: string) => values[n] ?? 'null',
      );
      const plan = await tx.query(`explain ${statement}`);
      return plan.map((line) => String(line['QUERY PLAN'])).join('\n');
    });
  }

  const cases: readonly (readonly [string, QueryPart, RegExp])[] = [
    [
      'tags',
      {
        ...FIND,
        id: 'a',
        mode: 'list',
        order: ORDER,
        filter: { field: 'tags', contains: ['tag20'] },
      },
      /Index Cond: .*tags @>/,
    ],
    [
      'metadata',
      {
        ...FIND,
        id: 'a',
        mode: 'list',
        order: ORDER,
        filter: { field: 'metadata', has: { n: 20 } },
      },
      /Index Cond: .*metadata @>/,
    ],
    [
      'a metadata field',
      { ...FIND, id: 'a', mode: 'list', order: ORDER, filter: { field: 'metadata.n', eq: 20 } },
      /Index Cond: .*metadata @>/,
    ],
  ];

  const words: QueryPart = { ...FIND, id: 'words', mode: 'search', text: 'word17 word500' };

  it('by words reads the postings of the terms, in the scope, and of the rows those that are looked at', async () => {
    const plan = await planOf(words);
    expect(plan).toMatch(
      /postings_pkey[^\n]*\n\s+Index Cond: .*tenant_id = 't0'.*scope_uuid = w.scope.*owner_table = 'memory_open_set'.*term = /,
    );
    expect(plan).not.toMatch(/Seq Scan on (postings|memory_open_set)/);
  });

  it.each(cases)(
    'by %s uses the index, with tenant and scope in its condition',
    async (_name, part, condition) => {
      const plan = await planOf(part);
      expect(plan).toContain('Bitmap Index Scan on memory_open_set_search');
      expect(plan).toMatch(condition);
      expect(plan).not.toContain('Seq Scan on memory_open_set');
      expect(plan).toMatch(/Index Cond: .*tenant_id = 't0'/);
    },
  );

  it('would not use it under row-level security: this is why the search is sealed', async () => {
    const plan = await opened.database.transaction(async (tx) => {
      await tx.query(
        `select set_config('contextengine.tenant', 't0', true), set_config('contextengine.scopes', '*', true)`,
      );
      return tx.query(
        `explain select uuid from context.memory_open_set where tenant_id = 't0' and tags @> array['tag20']`,
      );
    });
    expect(plan.map((line) => String(line['QUERY PLAN'])).join('\n')).not.toMatch(
      /Index Cond: .*tags @>/,
    );
  });

  it('finds the same rows by the application role, of the tenant alone', async () => {
    const authority = pgvectorAuthority(opened.database);
    const result = await authority.query({
      tenant: TENANT,
      position: [{ scope: SCOPE, head: rows }],
      valid_at: day(300),
      parts: [words, ...cases.map(([name, part]) => ({ ...part, id: name }))],
    });
    for (const part of result.parts) {
      expect(part.ok && part.hits.length, part.id).toBeGreaterThan(0);
      expect(part.ok && part.hits.every(({ row }) => row.tenant_id === TENANT)).toBe(true);
    }
  });

  it('reads a common word only where nothing rarer is asked for, and its last postings then; the signal counts every word', async () => {
    const uuid = id(9, 9);
    const many = 3_500;
    await opened.owner.query(
      `with grown as (update context_ops.lexicons set documents = documents + ${many},
         total_length = total_length + ${many} where tenant_id = $1 and scope_uuid = $2)
       insert into context_ops.postings
         select $1, $2, 'memory_open_set', 'common', ${rows / 10} + n, gen_random_uuid(), 1, 1, false
         from generate_series(1, ${many}) n`,
      [TENANT, SCOPE],
    );
    const authority = pgvectorAuthority(opened.database);
    const { position } = await authority.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(300),
      operations: [
        makeScope(SCOPE),
        {
          operation: 'ADD',
          table: 'memory_open_set',
          scope: SCOPE,
          uuid,
          valid_from: day(0),
          content: factContent('common axolotl'),
        },
      ],
    });
    const weighed = async (...terms: readonly string[]) => {
      const [row] = await opened.owner.query(
        `select w.terms::text as terms, w.after::text as after, w.unread > 0 as is_partial from context_ops.weigh_terms($1, 'memory_open_set', array[$2]::uuid[], array(select jsonb_array_elements_text($3::jsonb)), 3000) w`,
        [TENANT, SCOPE, JSON.stringify(terms)],
      );
      return row;
    };
    expect(await weighed('common', 'axolotl', 'word17')).toEqual({
      terms: '{axolotl,word17}',
      after: '{0,0}',
      is_partial: true,
    });
    const common = await weighed('common');
    expect(common).toMatchObject({ terms: '{common}', is_partial: true });
    expect(Number(/\d+/.exec(String(common?.['after']))?.[0])).toBeGreaterThan(many - 3_000);
    const ask = async (text: string) => {
      const { parts } = await authority.query({
        tenant: TENANT,
        position,
        valid_at: day(300),
        parts: [{ ...FIND, id: 'a', mode: 'search', text }],
      });
      const [part] = parts;
      return part?.ok && part.lexicon
        ? { lexicon: part.lexicon, hit: part.hits.find(({ row }) => row.uuid === uuid) }
        : null;
    };
    const all = await ask('common axolotl word17');
    expect(all?.lexicon.frequencies).toMatchObject({ axolotl: 1, common: many + rows / 10 + 1 });
    expect(all?.hit?.signals.lexical).toBe(
      all && lexicalSignal(all.lexicon)(indexText('common axolotl')),
    );
    expect((await ask('common'))?.hit?.signals.lexical).toBeGreaterThan(0);
  });
});
