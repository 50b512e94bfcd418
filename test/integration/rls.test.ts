import { beforeAll, expect, it } from 'vitest';
import { SqlError, type SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { WriteRequest } from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import {
  blockContent,
  day,
  factContent,
  id,
  linkContent,
  makeScope,
  tenantNamed,
  typedContent,
  WRITER,
} from '../support/ledger.ts';

const LEDGER = [
  'blocks',
  'subtree_summaries',
  'memory_open_set',
  'memory_schema_typed',
  'context_links',
] as const;
const SIX = [...LEDGER, 'compose_cache'] as const;
const OURS = tenantNamed('ours');
const SCOPE = id(1, 1);

/** The SQLSTATE of a statement that must not succeed. */
const refusal = (tried: Promise<unknown>): Promise<string> =>
  tried.then(
    () => 'it succeeded',
    (error: unknown) => (error instanceof SqlError ? error.sqlstate : String(error)),
  );

const asTenant = <T>(
  opened: TestDatabase,
  tenant: string,
  body: (tx: SqlSession) => Promise<T>,
): Promise<T> =>
  opened.database.transaction(async (tx) => {
    await tx.query(
      `select set_config('contextengine.tenant', $1, true), set_config('contextengine.scopes', '*', true)`,
      [tenant],
    );
    return body(tx);
  });

/** A row in each table of the ledger. */
const everyTable = (fact: Uuid): WriteRequest => ({
  tenant: OURS,
  writer: WRITER,
  recorded_at: day(1),
  operations: [
    makeScope(SCOPE),
    {
      operation: 'ADD',
      table: 'blocks',
      scope: SCOPE,
      uuid: id(2, 9),
      valid_from: day(0),
      content: blockContent('said', day(0)),
    },
    {
      operation: 'ADD',
      table: 'memory_open_set',
      scope: SCOPE,
      uuid: fact,
      valid_from: day(0),
      content: factContent('known'),
    },
    {
      operation: 'ADD',
      table: 'memory_schema_typed',
      scope: SCOPE,
      uuid: id(2, 2),
      valid_from: day(0),
      content: typedContent('Bern'),
    },
    {
      operation: 'ADD',
      table: 'context_links',
      scope: SCOPE,
      uuid: id(2, 3),
      valid_from: day(0),
      content: linkContent('pinned', SCOPE, fact),
    },
    {
      operation: 'ADD',
      table: 'subtree_summaries',
      scope: SCOPE,
      uuid: id(2, 4),
      valid_from: day(0),
      sources: [fact],
      content: {
        kind: 'rolling',
        content: 'sum',
        covers_to_seq: 1,
        model: null,
        cost_usd: 0,
        provenance: {},
      },
    },
  ],
});

/** Tables that a whole tenant has, not its scopes. */
const UNSCOPED = new Set([
  'context_ops.row_ids',
  'context_ops.audit',
  'context_ops.audit_chains',
  'context_ops.embedding_progress',
]);

describeOnDatabases('the ledger under the application role', (open) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
    const authority = pgvectorAuthority(opened.database);
    const fact = id(2, 1);
    await authority.write(everyTable(fact));
    await authority.ensureSpace({ provider: 'test', model: 'rls', dimensions: 3 });
    await authority.storeEmbeddings('test/rls/3', [
      {
        tenant: OURS,
        scope_uuid: SCOPE,
        table: 'memory_open_set',
        uuid: fact,
        ordinal: 0,
        origin: 'content',
        values: [1, 0, 0],
      },
    ]);
    await authority.audit(OURS, [
      {
        principal: 'p',
        on_behalf_of: null,
        action: 'a',
        scope_uuid: SCOPE,
        decision: 'denied',
        tier: 'T1',
        detail: '',
        at: day(1),
      },
    ]);
    await asTenant(opened, OURS, (tx) =>
      tx.query(`insert into context.compose_cache values ($1, 'key', $2, '{}', now(), now())`, [
        OURS,
        SCOPE,
      ]),
    );
  });

  it('works as a role that neither is a superuser, nor bypasses row-level security, nor owns a table', async () => {
    const [role] =
      await opened.database.query(`select rolname, rolsuper, rolbypassrls, (select count(*)::integer from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('context', 'context_ops') and pg_has_role(r.oid, c.relowner, 'member')) as owned from pg_roles r where rolname = current_user`);
    expect(role).toEqual({
      rolname: 'contextengine_app',
      rolsuper: false,
      rolbypassrls: false,
      owned: 0,
    });
  });

  it.each(SIX)(
    'refuses UPDATE of content, DELETE, TRUNCATE and ON CONFLICT DO UPDATE on %s',
    async (table) => {
      const key = table === 'compose_cache' ? 'cache_key' : 'uuid';
      const column = {
        blocks: 'content',
        subtree_summaries: 'content',
        memory_open_set: 'content',
        memory_schema_typed: 'value',
        context_links: 'weight',
        compose_cache: 'composition',
      }[table];
      const [columns] = await opened.owner.query(
        `select string_agg(attname, ', ') as list from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [`context.${table}`],
      );
      const list = String(columns?.['list']);
      const statements = [
        `update context.${table} set ${column} = ${column}`,
        `update context.${table} set tenant_id = 'theirs'`,
        `delete from context.${table}`,
        `truncate context.${table}`,
        `insert into context.${table} (${list}) select ${list} from context.${table} on conflict (tenant_id, ${key}) do update set ${column} = excluded.${column}`,
      ];
      for (const statement of statements)
        expect(await refusal(asTenant(opened, OURS, (tx) => tx.query(statement))), statement).toBe(
          '42501',
        );
    },
  );

  it('lets postings be read and added, in the own tenant alone, and never changed', async () => {
    const count = (tenant: string) =>
      asTenant(opened, tenant, (tx) =>
        tx.query('select count(*)::integer as n from context_ops.postings'),
      ).then(([row]) => row?.['n']);
    expect(await count(OURS)).toBe(3);
    expect(await count('theirs')).toBe(0);
    const columns = '(tenant_id, scope_uuid, owner_table, term, nth, owner_uuid, tf, length)';
    const statements = [
      'update context_ops.postings set tf = 9',
      'delete from context_ops.postings',
      'truncate context_ops.postings',
      `insert into context_ops.postings ${columns} values ('theirs', '${SCOPE}', 'blocks', 'a', 1, '${SCOPE}', 1, 1)`,
      `update context_ops.lexicons set tenant_id = 'theirs'`,
      'delete from context_ops.lexicons',
    ];
    for (const statement of statements)
      expect(await refusal(asTenant(opened, OURS, (tx) => tx.query(statement))), statement).toBe(
        '42501',
      );
  });

  it.each(LEDGER)('lets nothing of %s be set twice, halfway or back', async (table) => {
    const settled = {
      closed: `valid_until = '2027-01-01', closed_seq = 99`,
      retired: `retired_seq = 99, cause = 'correction'`,
    };
    const illegal = [
      `valid_until = '2027-01-01'`,
      `closed_seq = 99`,
      `retired_seq = 99`,
      `cause = 'change'`,
      `superseded_by = uuid`,
      `status = 'quarantined'`,
      `status = 'erased'`,
      `retired_seq = 1, cause = 'prune', superseded_by = uuid, valid_until = '2027-01-01'`,
    ];
    const upsert = `insert into context.${table} as t (tenant_id, uuid) select tenant_id, uuid from context.${table} on conflict (tenant_id, uuid) do update set valid_until = '2027-01-01'`;
    expect(await refusal(asTenant(opened, OURS, (tx) => tx.query(upsert))), upsert).toMatch(
      /^(CE001|23502)$/,
    );
    for (const change of illegal)
      expect(
        await refusal(
          asTenant(opened, OURS, (tx) => tx.query(`update context.${table} set ${change}`)),
        ),
        change,
      ).toMatch(/^(CE001|23514|42501)$/);
    for (const [first, again] of [
      [settled.closed, `valid_until = null`],
      [settled.closed, `valid_until = '2028-01-01', closed_seq = 100`],
      [settled.retired, `retired_seq = 100, cause = 'prune'`],
      [settled.retired, `retired_seq = null`],
    ]) {
      const tried = asTenant(opened, OURS, async (tx) => {
        await tx.query(`update context.${table} set ${first}`);
        await tx.query(`update context.${table} set ${again}`);
      });
      expect(await refusal(tried), `${first}, then ${again}`).toBe('CE001');
    }
  });

  it.each(LEDGER)('refuses the owner of %s as well', async (table) => {
    const asOwner = (statement: string) =>
      opened.owner.transaction(async (tx) => {
        await tx.query(`set local role contextengine_owner`);
        await tx.query(
          `select set_config('contextengine.tenant', 'ours', true), set_config('contextengine.scopes', '*', true)`,
        );
        await tx.query(statement);
      });
    const elsewhere = `update context.${table} set tenant_id = 'theirs'`;
    expect(await refusal(asOwner(elsewhere)), elsewhere).toBe('42501');
    for (const statement of [
      `update context.${table} set valid_from = valid_from - interval '1 day'`,
      `delete from context.${table}`,
      `truncate context.${table}`,
    ])
      expect(await refusal(asOwner(statement)), statement).toBe('CE001');
  });

  it('shows no row of any table without a tenant, with another one, or without a scope', async () => {
    const tables =
      await opened.owner.query(`select format('%I.%I', n.nspname, c.relname) as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'scope_uuid') as scoped
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('context', 'context_ops') and c.relkind = 'r' and c.relname not in ('schema_migrations', 'redacted_texts')`);
    const count = async (session: SqlSession, name: unknown): Promise<number> =>
      Number((await session.query(`select count(*) as n from ${String(name)}`))[0]?.['n']);
    let seen = 0;
    for (const { name } of tables) {
      expect(await count(opened.database, name), `${String(name)} without a tenant`).toBe(0);
      expect(
        await asTenant(opened, 'theirs', (tx) => count(tx, name)),
        `${String(name)} of another tenant`,
      ).toBe(0);
      const own = await asTenant(opened, OURS, (tx) => count(tx, name));
      seen += own > 0 ? 1 : 0;
      const unscoped = await opened.database.transaction(async (tx) => {
        await tx.query(`select set_config('contextengine.tenant', 'ours', true)`);
        return count(tx, name);
      });
      expect(unscoped, `${String(name)} without scopes`).toBe(UNSCOPED.has(String(name)) ? own : 0);
    }
    // Digests of what was erased are the eraser's alone.
    const digests = opened.database.query('select digest from context_ops.redacted_texts');
    expect(await refusal(digests)).toBe('42501');
    expect(tables.length).toBeGreaterThanOrEqual(16);
    expect(seen).toBeGreaterThanOrEqual(10);
  });

  it('takes no row without a tenant or for another one', async () => {
    const insert = `insert into context_ops.artifacts (tenant_id, digest, kind, content) values ('ours', encode(sha256('x'), 'hex'), 'file', 'x')`;
    expect(await refusal(opened.database.query(insert))).toBe('42501');
    expect(await refusal(asTenant(opened, 'theirs', (tx) => tx.query(insert)))).toBe('42501');
    expect(await refusal(asTenant(opened, OURS, (tx) => tx.query(insert)))).toBe('it succeeded');
  });

  it('forces row-level security on every table, and begins every key with the tenant', async () => {
    const open_tables =
      await opened.owner.query(`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('context', 'context_ops') and c.relkind = 'r' and c.relname <> 'schema_migrations' and not (c.relrowsecurity and c.relforcerowsecurity)`);
    expect(open_tables).toEqual([]);
    const keys =
      await opened.owner.query(`select i.indexrelid::regclass::text as name, (select attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]) as first
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('context', 'context_ops') and c.relkind = 'r' and c.relname <> 'schema_migrations'`);
    expect(keys.length).toBeGreaterThan(40);
    expect(keys.filter(({ first }) => first !== 'tenant_id')).toEqual([]);
    expect(
      await opened.owner.query(
        `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('context', 'context_ops') and c.relkind = 'S'`,
      ),
    ).toEqual([]);
  });

  it('has few sealed functions, and none that PUBLIC may run', async () => {
    const functions =
      await opened.owner.query(`select p.proname, p.prosecdef as sealed, exists (select from aclexplode(p.proacl) a where a.grantee = 0) or p.proacl is null as public
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('context', 'context_ops', 'context_sealed') order by p.proname`);
    expect(functions.filter(({ sealed }) => sealed).map(({ proname }) => proname)).toEqual([
      'add_first_principal',
      'add_postings',
      'append_audit',
      'append_erasure',
      'artifact_name',
      'begin_settlement',
      'bring_back',
      'certify',
      'change_rights',
      'check_ids_blocks',
      'check_ids_context_links',
      'check_ids_memory_open_set',
      'check_ids_memory_schema_typed',
      'check_ids_subtree_summaries',
      'database_id',
      'end_moved_proposal',
      'ensure_keys',
      'ensure_space',
      'erase',
      'erase_from_answers',
      'erase_from_plans',
      'erased_operations',
      'facts_alike',
      'forget',
      'forget_statistics',
      'forgotten_texts',
      'lapse_proposals',
      'propose',
      'reach_of',
      'rebuild_postings',
      'refresh_statistics',
      'refuse_forgotten',
      'refuse_wider',
      'return_postings',
      'save_receipts',
      'scan_copies',
      'search',
      'settle_proposal',
      'use_approval',
    ]);
    expect(functions.filter((each) => each['public']).map(({ proname }) => proname)).toEqual([]);
  });

  it('makes no table but an embedding space for the application', async () => {
    const ensure = (space: string, dimensions: number, type: string) =>
      refusal(
        opened.database.query('select context_ops.ensure_space($1, $2::integer, $3)', [
          space,
          dimensions,
          type,
        ]),
      );
    expect(await ensure('a/b/3', 4, 'vector')).toBe('22023');
    expect(await ensure('a/b/3', 3, 'text')).toBe('22023');
    expect(await ensure(`a/b'; drop table context.blocks; --/3`, 3, 'vector')).toBe('it succeeded');
    expect(
      await asTenant(opened, OURS, (tx) => tx.query('select count(*) as n from context.blocks')),
    ).toEqual([{ n: 2 }]);
  });
});
