import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';

describeOnDatabases('the driver', (open) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await open();
    await db.owner.exec(
      'create table public.driver_rows (id bigint primary key, note text); grant select, insert on public.driver_rows to contextengine_app',
    );
  });

  it('decodes integers, booleans and JSON, and leaves everything else text', async () => {
    const [row] = await db.database.query(
      `select 1::int2 as i2, 2::int4 as i4, 9007199254740991::int8 as i8, 26::oid as oid, count(*) as count, true as yes, false as no,
              '{"a":[1,null]}'::json as json, '[true]'::jsonb as jsonb, 1.5::float8 as f8, 2.50::numeric as numeric, null::int4 as nothing,
              '2026-01-01T00:00:00.000Z'::timestamptz as at, '2026-01-01'::date as day, array[1,2] as list, '1 day 02:00'::interval as span,
              '6e0b8a5c-0f5f-4a93-9a5e-0d7e7d6d1f55'::uuid as id, '\\xff'::bytea as bytes, 'a''b'::tsvector as words`,
    );
    expect(row).toEqual({
      i2: 1,
      i4: 2,
      i8: 9007199254740991,
      oid: 26,
      count: 1,
      yes: true,
      no: false,
      json: { a: [1, null] },
      jsonb: [true],
      f8: '1.5',
      numeric: '2.50',
      nothing: null,
      at: '2026-01-01 00:00:00+00',
      day: '2026-01-01',
      list: '{1,2}',
      span: '1 day 02:00:00',
      id: '6e0b8a5c-0f5f-4a93-9a5e-0d7e7d6d1f55',
      bytes: '\\xff',
      words: "'a''b'",
    });
  });

  it('passes scalars as parameters, by the type that the statement wants', async () => {
    const params = ['x', 7, 1.25, true, null, '{"k":"é🙂"}'];
    const [row] = await db.database.query(
      'select $1::text as a, $2::int8 as b, $3::float8::text as c, $4::bool as d, $5::text as e, $6::jsonb as f',
      params,
    );
    expect(row).toEqual({ a: 'x', b: 7, c: '1.25', d: true, e: null, f: { k: 'é🙂' } });
  });

  it('works as the application role, and transactions in UTC', async () => {
    const [row] = await db.database.transaction((tx) =>
      tx.query("select current_user as role, current_setting('timezone') as zone"),
    );
    expect(row).toEqual({ role: 'contextengine_app', zone: 'UTC' });
    await expect(db.database.query('create table context.mine (a int)')).rejects.toMatchObject({
      name: 'SqlError',
      sqlstate: '42501',
    });
  });

  it('commits what a transaction returns from and keeps nothing of one that throws', async () => {
    await db.database.transaction((tx) =>
      tx.query("insert into public.driver_rows values (1, 'kept')"),
    );
    const failing = db.database.transaction(async (tx) => {
      await tx.query("insert into public.driver_rows values (2, 'lost')");
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await db.database.query('select id from public.driver_rows where id in (1, 2)')).toEqual(
      [{ id: 1 }],
    );
  });

  it('reports a commit that the server turned into a rollback', async () => {
    const swallowing = db.database.transaction(async (tx) => {
      await tx.query("insert into public.driver_rows values (3, 'lost')");
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ sqlstate: '25P02' });
    expect(await db.database.query('select id from public.driver_rows where id = 3')).toEqual([]);
  });

  it('keeps the statements of others out of a transaction that is under way', async () => {
    const order: string[] = [];
    const slow = db.database.transaction(async (tx) => {
      await tx.query("insert into public.driver_rows values (4, 'first')");
      await tx.query('select 1');
      order.push('transaction');
      throw new Error('undo');
    });
    const other = db.database
      .query("insert into public.driver_rows values (5, 'second')")
      .then(() => order.push('other'));
    await expect(slow).rejects.toThrow('undo');
    await other;
    expect(await db.database.query('select id from public.driver_rows where id in (4, 5)')).toEqual(
      [{ id: 5 }],
    );
    expect(order).toContain('other');
  });

  it('refuses a statement on a transaction that is over', async () => {
    const tx = await db.database.transaction(async (session) => session);
    await expect(tx.query('select 1')).rejects.toMatchObject({ name: 'InternalError' });
  });

  it('carries a statement of a megabyte and the answer back', async () => {
    const text = 'é'.repeat(500_000);
    const [row] = await db.database.query('select $1::text as echo, length($1::text) as length', [
      text,
    ]);
    expect(row).toEqual({ echo: text, length: 500_000 });
  });
});

describeOnDatabases('a closed driver', (open) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(async () => {
    await db.database[Symbol.asyncDispose](); // closing again does nothing
  });

  it('refuses further statements with a code', async () => {
    await db.database[Symbol.asyncDispose]();
    await expect(db.database.query('select 1')).rejects.toMatchObject({ code: 'CONNECTOR.CLOSED' });
  });
});
