/**
 * The example of examples/orders on real databases: what a backend sees of the ledger, as which
 * role, and what it may not do.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { vector } from '@electric-sql/pglite-pgvector';
import { eq, sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPglitePair } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { openPostgresOwner } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import {
  blocks,
  memoryOpenSet,
  operations,
  receipts,
  usageEvents,
  visible,
  withTenant,
} from '../../connectors/pgvector/drizzle/index.ts';
import { openOrdersWithFacts, orders } from '../../examples/orders/open-orders.ts';
import { createContextEngine, type DatabaseOptions } from '../../src/index.ts';
import { openPostgresForTest } from '../support/databases.ts';
import { ORACLE_MANIFESTS, refusalOf } from '../support/engines.ts';

type AnyDatabase = PgDatabase<PgQueryResultHKT>;

interface Shop {
  /** As `shop_backend`. */
  readonly backend: AnyDatabase;
  /** As the user who migrated. */
  readonly owner: AnyDatabase;
  /** Two scopes of `acme`, in the order in which they were filled. */
  readonly scopes: readonly string[];
  close(): Promise<void>;
}

const SETUP = readFileSync(new URL('../../examples/orders/setup.sql', import.meta.url), 'utf8');

const profileOf = (tenant: string) =>
  ({ principal: 'clerk', tenant, kind: 'human', tiers: { writes: 'T1' }, scopes: '*' }) as const;

/** Facts of two tenants, one of them corrected, and a composition with its outcome. */
async function fillLedger(database: DatabaseOptions): Promise<readonly string[]> {
  await using engine = await createContextEngine({ database, manifests: ORACLE_MANIFESTS });
  const scopes: string[] = [];
  for (const [tenant, subject, content] of [
    ['acme', 'Ada', 'wants no plastic in the parcel'],
    ['acme', 'Ada', 'is at home on Fridays'],
    ['globex', 'Ada', 'pays by invoice'],
  ] as const) {
    const call = { permission_profile: profileOf(tenant) };
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'oracle_scope' }, call);
    if (tenant === 'acme') scopes.push(scope);
    await engine.remember(scope, { content, subject, class: 'preference' }, call);
    const composition = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'all',
      query: 'Ada',
      ...call,
    });
    const used = composition.items.flatMap(({ root_uuid }) => root_uuid ?? []);
    await engine.recordOutcome({ composition_id: composition.composition_id, used }, call);
  }
  return scopes;
}

const ORDERS = `
  insert into orders values ('acme', 1, 'Ada', 'open', 1200), ('acme', 2, 'Bo', 'open', 300),
    ('acme', 3, 'Ada', 'shipped', 700), ('globex', 4, 'Ada', 'open', 9900)`;

async function setUp(owner: OwnerDatabase): Promise<void> {
  // Roles belong to the server: another run on it may have made this one.
  const [there] = await owner.query(`select from pg_roles where rolname = 'shop_backend'`);
  await owner.exec(there ? SETUP.replace('create role shop_backend;', '') : SETUP);
  await owner.exec(ORDERS);
}

async function openPgliteShop(): Promise<Shop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'drizzle-'));
  const scopes = await fillLedger({ dataDir });
  const { owner } = await openPglitePair({ dataDir });
  await setUp(owner);
  await owner[Symbol.asyncDispose]();
  const client = await PGlite.create({
    dataDir: join(dataDir, 'pg'),
    extensions: { vector, btree_gin, btree_gist },
  });
  const database = drizzlePglite(client);
  return {
    backend: asRole(database, 'shop_backend'),
    owner: database,
    scopes,
    async close() {
      await client.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Each transaction begins as `role`: PGlite has one connection, of a superuser. */
function asRole(database: AnyDatabase, role: string): AnyDatabase {
  const transaction: AnyDatabase['transaction'] = (body, config) =>
    database.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local role ${role}`));
      return body(tx);
    }, config);
  return Object.assign(Object.create(database), { transaction });
}

async function openPostgresShop(): Promise<Shop> {
  const postgres = inject('postgres');
  if (postgres === null) throw new Error('this run has no PostgreSQL');
  const opened = await openPostgresForTest(postgres);
  const url = String(opened.url);
  const scopes = await fillLedger({ url });
  const owner = await openPostgresOwner(url);
  await setUp(owner);
  await owner[Symbol.asyncDispose]();
  const backend = new Pool({ connectionString: url, max: 2, options: '-c role=shop_backend' });
  const admin = new Pool({ connectionString: url, max: 1 });
  return {
    backend: drizzlePostgres(backend),
    owner: drizzlePostgres(admin),
    scopes,
    async close() {
      await backend.end();
      await admin.end();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const FLAVORS: readonly (readonly [string, () => Promise<Shop>])[] = [
  ['pglite', openPgliteShop],
  ...(inject('postgres') ? [['postgres', openPostgresShop] as const] : []),
];

/** The SQLSTATE of a statement that the database must refuse. */
const sqlstateOf = (tried: Promise<unknown>): Promise<unknown> =>
  tried.then(
    () => 'it succeeded',
    (error: unknown) => Object(Object(error).cause).code ?? String(error),
  );

describe.each(FLAVORS)('a backend beside the ledger [%s]', (_flavor, open) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await open();
  });
  afterAll(() => shop.close());

  it('joins its orders to the facts of its tenant, and to no other', async () => {
    expect(await openOrdersWithFacts(shop.backend, 'acme')).toEqual([
      { order_id: 1, customer: 'Ada', fact: 'wants no plastic in the parcel' },
      { order_id: 1, customer: 'Ada', fact: 'is at home on Fridays' },
      { order_id: 2, customer: 'Bo', fact: null },
    ]);
    expect(await openOrdersWithFacts(shop.backend, 'globex')).toEqual([
      { order_id: 4, customer: 'Ada', fact: 'pays by invoice' },
    ]);
  });

  it('sees nothing without a tenant, and nothing after it', async () => {
    const counts = await shop.backend.transaction(async (tx) => {
      const count = async () => [
        await tx.$count(orders),
        await tx.$count(memoryOpenSet),
        await tx.$count(receipts),
      ];
      const before = await count();
      const inside = await withTenant(tx, 'acme', count);
      return { before, inside, after: await count() };
    });
    expect(counts).toEqual({ before: [0, 0, 0], inside: [3, 2, 2], after: [0, 0, 0] });
  });

  it('sees the rows of the scopes that it names', async () => {
    const [first = ''] = shop.scopes;
    const rows = await shop.backend.transaction((tx) =>
      withTenant(tx, { tenant: 'acme', scopes: [first] }, () => tx.select().from(memoryOpenSet)),
    );
    expect(rows.map(({ content }) => content)).toEqual(['wants no plastic in the parcel']);
    expect(rows[0]?.valid_from).toBeInstanceOf(Date);
  });

  it('gives the outer tenant back after an inner one, also after an error that is caught', async () => {
    const seen = await shop.backend.transaction((tx) =>
      withTenant(tx, 'acme', async () => {
        const inner = await withTenant(tx, 'globex', () => tx.$count(memoryOpenSet));
        const caught = await withTenant(tx, 'globex', async () => {
          throw new Error('by the application');
        }).catch((error: unknown) => String(error));
        return { inner, caught, outer: await tx.$count(memoryOpenSet) };
      }),
    );
    expect(seen).toEqual({ inner: 1, caught: 'Error: by the application', outer: 2 });
  });

  it('reports the statement that failed, not the settings that could not be put back', async () => {
    const failed = shop.backend.transaction((tx) =>
      withTenant(tx, 'acme', () => tx.execute(sql`select 1 / 0`)),
    );
    expect(await sqlstateOf(failed)).toBe('22012');
  });

  it('reads the journal, receipts and usage of its tenant', async () => {
    const read = await shop.backend.transaction((tx) =>
      withTenant(tx, 'globex', async () => ({
        outcomes: (await tx.select().from(operations)).map(({ outcome }) => outcome),
        manifests: (await tx.select().from(receipts)).map(({ receipt }) => receipt.manifest.name),
        kinds: (await tx.select().from(usageEvents)).map(({ kind }) => kind),
      })),
    );
    expect(read).toEqual({
      outcomes: ['stored', 'stored'],
      manifests: ['oracle'],
      kinds: ['used'],
    });
  });

  it('leaves out what is not valid yet or no longer', async () => {
    const count = (at?: Date | string) =>
      shop.backend.transaction((tx) =>
        withTenant(tx, 'acme', () => tx.$count(blocks, visible(blocks, at))),
      );
    expect(await count()).toBe(2);
    expect(await count('2001-01-01')).toBe(0);
  });

  it('is refused every change of the ledger by the database', async () => {
    const asAcme = (statement: string) =>
      shop.backend.transaction((tx) =>
        withTenant(tx, 'acme', () => tx.execute(sql.raw(statement))),
      );
    for (const name of [
      'context.memory_open_set',
      'context_ops.operations',
      'context_ops.receipts',
    ])
      for (const statement of [
        `insert into ${name} (tenant_id) values ('acme')`,
        `update ${name} set tenant_id = 'globex'`,
        `delete from ${name}`,
      ])
        expect(await sqlstateOf(asAcme(statement)), statement).toBe('42501');
    expect(await sqlstateOf(asAcme(`select * from context_ops.artifacts`))).toBe('42501');
  });

  it('has no insert, update or delete for a table of the ledger', () => {
    const writes = (db: AnyDatabase) => [
      // @ts-expect-error the ledger is read-only
      () => db.insert(memoryOpenSet),
      // @ts-expect-error the ledger is read-only
      () => db.update(memoryOpenSet),
      // @ts-expect-error the ledger is read-only
      () => db.delete(memoryOpenSet),
      () => db.delete(orders).where(eq(orders.order_id, 1)),
    ];
    expect(writes).toBeTypeOf('function'); // the compiler is the test
  });

  it('refuses a role that row-level security does not hold, and a handle that is no transaction', async () => {
    const asOwner = shop.owner.transaction((tx) => withTenant(tx, 'acme', async () => 'ran'));
    const role = await refusalOf(asOwner);
    expect(role.code).toBe('CONNECTOR.ROLE');
    expect(role.message).toContain('superuser');
    const searching = shop.owner.transaction(async (tx) => {
      await tx.execute(sql`set local role contextengine_search`);
      return withTenant(tx, 'acme', async () => 'ran');
    });
    expect((await refusalOf(searching)).message).toContain('sees every tenant');
    // @ts-expect-error a database is no transaction
    const noTransaction = withTenant(shop.backend, 'acme', async () => 'ran');
    expect((await refusalOf(noTransaction)).code).toBe('CONFIG.INVALID_VALUE');
    const noTenant = shop.backend.transaction((tx) => withTenant(tx, '', async () => 'ran'));
    expect((await refusalOf(noTenant)).code).toBe('CONFIG.INVALID_VALUE');
  });
});
