import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { QueryPart } from '../../src/cxri/contract.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, id, tenantNamed } from '../support/ledger.ts';

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
    await opened.owner.exec(`
      insert into context.memory_open_set (tenant_id, uuid, root_uuid, scope_uuid, valid_from, recorded_seq, operation, content, class, importance, confidence, tags, metadata)
        select 't' || i % 10, u, u, ('00000000-0000-4000-8000-' || lpad((i % 10)::text, 12, '0'))::uuid, '2026-01-01'::timestamptz + i * interval '1 second', i + 1, 'ADD',
          'common ' || (select string_agg('word' || (i * 7 + k * 131) % 997, ' ') from generate_series(1, 12) k), 'fact', 0.5, 1, array['tag' || i % 300], jsonb_build_object('n', i % 400)
        from (select i, gen_random_uuid() u from generate_series(0, ${rows - 1}) i) numbered;
      analyze context.memory_open_set;`);
  });

  /** The plan of a part's own statement, as the role that the sealed search runs it as. */
  async function planOf(part: QueryPart): Promise<string> {
    return opened.owner.transaction(async (tx) => {
      await tx.query('set local role contextengine_search');
      const hasWords = part.mode === 'search' && part.text !== undefined;
      const [built] = await tx.query(
        'select context_ops.pick_sql($1::jsonb, $2, null, true) as statement, context_ops.any_word($3)::text as words',
        [JSON.stringify(part), hasWords, hasWords ? part.text : ''],
      );
      const values: Readonly<Record<string, string>> = {
        1: `'${TENANT}'`,
        2: `array['${SCOPE}']::uuid[]`,
        3: `array[${rows}]::bigint[]`,
        4: `'${day(300)}'::timestamptz`,
        5: '24',
        6: `$q$${String(built?.['words'])}$q$::tsquery`,
        13: `$q$${String(built?.['words'])}$q$::tsquery`,
        12: 'null::text[]',
      };
      const statement = String(built?.['statement']).replace(/\$(\d+)/g, (_match, n: string) => values[n] ?? 'null');
      const plan = await tx.query(`explain ${statement}`);
      return plan.map((line) => String(line['QUERY PLAN'])).join('\n');
    });
  }

  const cases: readonly (readonly [string, QueryPart, RegExp])[] = [
    ['words', { ...FIND, id: 'a', mode: 'search', text: 'word17 word500' }, /Index Cond: .*fts @@/],
    ['tags', { ...FIND, id: 'a', mode: 'list', order: ORDER, filter: { field: 'tags', contains: ['tag20'] } }, /Index Cond: .*tags @>/],
    [
      'metadata',
      { ...FIND, id: 'a', mode: 'list', order: ORDER, filter: { field: 'metadata', has: { n: 20 } } },
      /Index Cond: .*metadata @>/,
    ],
    [
      'a metadata field',
      { ...FIND, id: 'a', mode: 'list', order: ORDER, filter: { field: 'metadata.n', eq: 20 } },
      /Index Cond: .*metadata @>/,
    ],
  ];

  it.each(cases)('by %s uses the index, with tenant and scope in its condition', async (_name, part, condition) => {
    const plan = await planOf(part);
    expect(plan).toContain('Bitmap Index Scan on memory_open_set_search');
    expect(plan).toMatch(condition);
    expect(plan).not.toContain('Seq Scan on memory_open_set');
    expect(plan).toMatch(/Index Cond: .*tenant_id = 't0'/);
  });

  it('would not use it under row-level security: this is why the search is sealed', async () => {
    const plan = await opened.database.transaction(async (tx) => {
      await tx.query(`select set_config('contextengine.tenant', 't0', true), set_config('contextengine.scopes', '*', true)`);
      return tx.query(`explain select uuid from context.memory_open_set where tenant_id = 't0' and fts @@ 'word17'::tsquery`);
    });
    expect(plan.map((line) => String(line['QUERY PLAN'])).join('\n')).not.toMatch(/Index Cond: .*fts @@/);
  });

  it('finds the same rows by the application role, of the tenant alone', async () => {
    const authority = pgvectorAuthority(opened.database);
    const result = await authority.query({
      tenant: TENANT,
      position: [{ scope: SCOPE, head: rows }],
      valid_at: day(300),
      parts: cases.map(([name, part]) => ({ ...part, id: name })),
    });
    for (const part of result.parts) {
      expect(part.ok && part.hits.length, part.id).toBeGreaterThan(0);
      expect(part.ok && part.hits.every(({ row }) => row.tenant_id === TENANT)).toBe(true);
    }
  });

  it('looks a common word up only where nothing rarer is asked for, and still ranks by it', async () => {
    const told = (words: string) =>
      opened.owner
        .query(`select context_ops.telling_words('memory_open_set', context_ops.any_word($1), 1000000)::text as kept`, [words])
        .then(([row]) => String(row?.['kept']));
    expect(await told('common word17 word500')).toBe(`'word17' | 'word500'`);
    expect(await told('common')).toBe(`'common'`);
    const authority = pgvectorAuthority(opened.database);
    const ask = async (text: string) => {
      const { parts } = await authority.query({
        tenant: TENANT,
        position: [{ scope: SCOPE, head: rows }],
        valid_at: day(300),
        parts: [{ ...FIND, id: 'a', mode: 'search', text }],
      });
      return parts[0]?.ok ? parts[0].hits : [];
    };
    const [hit] = await ask('common word17');
    expect(hit?.signals.lexical).toBeCloseTo(1, 3);
  });
});
