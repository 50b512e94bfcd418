import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  openPostgres,
  openPostgresOwner,
} from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { shownDatabaseUrl } from '../../src/model/database-url.ts';
import type { Instant } from '../../src/model/ids.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';
import { databaseUrl } from '../support/postgres-under-test.ts';

const SECRET = 'correct-horse';
const LOGINS = [
  'plain',
  'member',
  'noinherit',
  'search',
  'writer',
  'maker',
  'replica',
  'bypass',
  'owner',
];

describe('a database URL', () => {
  const H = SECRET;
  it.each([
    `postgresql://u:1/${H}@h/d`,
    `postgresql://u:1?${H}@h/d`,
    `postgresql://u:1#${H}@h/d`,
    `postgresql://u:p/${H}@h/d`,
    `host=h user=u password=${H} dbname=d`,
    `postgresql://h/d password=${H}`,
  ])('with a password in an odd place is refused without being shown: case %#', async (url) => {
    const failure = await openPostgres({ url }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CONFIG.INVALID_VALUE' });
    expect(inspect(failure, { depth: 9 })).not.toContain(H);
    expect(shownDatabaseUrl(url)).toBe('a database URL that cannot be read');
  });

  it.each([
    [`postgresql://u:${H}@h/d`, 'postgresql://h:5432/d'],
    [`postgresql://u:p@${H}@h/d`, 'postgresql://h:5432/d'],
    [`postgresql://h/d?user=u&password=${H}`, 'postgresql://h:5432/d'],
    [`postgresql://h/d?PASSWORD=${H}&host=other&port=6`, 'postgresql://other:6/d'],
    [`postgresql://u:${H}@[::1]:7/d?sslkey=${H}`, 'postgresql://[::1]:7/d'],
  ])('is shown by its parts: case %#', (url, shown) => {
    expect(shownDatabaseUrl(url)).toBe(shown);
  });

  it.each(['correct-horse', `mysql://u:${SECRET}@h/d`, `postgresql://u:${SECRET}@h:port/d`])(
    'is refused without being shown: case %#',
    async (url) => {
      const failure = await openPostgres({ url }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'CONFIG.INVALID_VALUE' });
      expect(inspect(failure, { depth: 9 })).not.toContain(SECRET);
    },
  );

  it('that nobody answers on gives a retryable error without the password', async () => {
    const failure = await openPostgres({ url: `postgresql://u:${SECRET}@127.0.0.1:1/d` }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'CONNECTOR.UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('127.0.0.1:1/d'),
    });
    expect(inspect(failure, { depth: 9 })).not.toContain(SECRET);
  });
});

const postgres = inject('postgres');
describe.runIf(postgres !== null)('a session on a server', () => {
  const server = postgres ?? { url: '', template: '' };
  const name = `${server.template}_roles`;
  const suffix = server.template.slice(-8);
  const login = (kind: string): string => `ce_test_${kind}_${suffix}`;
  let admin: OwnerDatabase;
  const urlOf = (kind: string): string => {
    const url = new URL(databaseUrl(server.url, name));
    url.username = login(kind);
    url.password = SECRET;
    return url.href;
  };
  beforeAll(async () => {
    admin = await openPostgresOwner(server.url);
    await admin.exec(`create database "${name}" template "${server.template}"`);
    await admin.exec(`
      create role ${login('plain')} login password '${SECRET}';
      create role ${login('member')} login password '${SECRET}' in role contextengine_app;
      create role ${login('noinherit')} login noinherit password '${SECRET}' in role contextengine_app;
      create role ${login('search')} login password '${SECRET}' in role contextengine_app, contextengine_search;
      create role ${login('writer')} login password '${SECRET}' in role contextengine_app, pg_write_all_data;
      create role ${login('maker')} login createrole password '${SECRET}' in role contextengine_app;
      create role ${login('replica')} login replication password '${SECRET}' in role contextengine_app;
      create role ${login('bypass')} login password '${SECRET}' bypassrls in role contextengine_app;
      create role ${login('owner')} login password '${SECRET}' in role contextengine_app, contextengine_owner`);
  });
  afterAll(async () => {
    await admin.exec(`drop database "${name}" with (force)`);
    for (const kind of LOGINS) await admin.exec(`drop role ${login(kind)}`);
    await admin[Symbol.asyncDispose]();
  });

  const actingAs = async (url: string): Promise<unknown> => {
    const database = await openPostgres({ url });
    const [row] = await database.query(
      'select current_user::text as role, session_user::text as login',
    );
    await database[Symbol.asyncDispose]();
    return row;
  };

  it('works as the login itself where that was granted the application role and nothing more', async () => {
    expect(await actingAs(urlOf('member'))).toEqual({
      role: login('member'),
      login: login('member'),
    });
  });

  it.each([
    ['plain', /may not act as/],
    ['noinherit', /does not inherit/],
    ['remote_bypass', /BYPASSRLS/],
    ['remote_owner', /owns the tables/],
    ['remote_search', /contextengine_search/],
    ['remote_writer', /pg_write_all_data/],
    ['remote_maker', /CREATEROLE/],
    ['remote_replica', /REPLICATION/],
  ])('is refused for a login that is %s', async (kind, reason) => {
    const url = new URL(urlOf(kind.replace('remote_', '')));
    if (kind.startsWith('remote_')) url.hostname = '0.0.0.0';
    await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
      code: 'CONNECTOR.ROLE',
      message: expect.stringMatching(reason),
    });
  });

  it('is refused for a superuser anywhere but on this machine', async () => {
    const url = new URL(databaseUrl(server.url, name));
    expect(await actingAs(url.href)).toMatchObject({ role: 'contextengine_app' });
    url.hostname = '0.0.0.0';
    await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
      code: 'CONNECTOR.ROLE',
      message: expect.stringMatching(/superuser.*development server/),
    });
  });

  it('takes no role and no setting from the options of the URL', async () => {
    const withOptions = (options: string): string => {
      const url = new URL(urlOf('member'));
      url.searchParams.set('options', options);
      return url.href;
    };
    await expect(
      openPostgres({ url: withOptions('-c role=contextengine_owner') }),
    ).rejects.toMatchObject({ message: expect.stringContaining('contextengine_owner') });
    const url = withOptions(
      '-c timezone=Europe/Berlin -c datestyle=German -c extra_float_digits=-10 -c search_path=pg_temp',
    );
    await using database = await openPostgres({ url });
    const row = await database.transaction((tx) =>
      tx.query(
        "select '1880-01-01T00:00:00Z'::timestamptz::text as time, current_setting('search_path') as path",
      ),
    );
    expect(row).toEqual([{ time: '1880-01-01 00:00:00+00', path: 'pg_catalog, pg_temp' }]);
    const authority = pgvectorAuthority(database);
    const scope = id(0, 0);
    const [tenant, at] = [tenantNamed('berlin'), '1880-01-01T00:00:00.000Z' as Instant];
    const { position } = await authority.write({
      tenant,
      writer: WRITER,
      recorded_at: day(1),
      operations: [
        makeScope(scope),
        {
          operation: 'ADD',
          table: 'memory_open_set',
          scope,
          uuid: id(0, 1),
          valid_from: at,
          content: factContent('a ship'),
        },
      ],
    });
    const { parts } = await authority.query({
      tenant,
      position,
      valid_at: day(2),
      parts: [{ id: 'a', mode: 'search', table: 'memory_open_set', limit: 3, text: 'ship' }],
    });
    expect(parts[0]?.ok && parts[0].hits[0]?.row.valid_from).toBe(at);
  });

  it('that breaks fails its statement as retryable, and the next statement gets another session', async () => {
    const database = await openPostgres({ url: urlOf('member') });
    const [row] = await database.query('select pg_backend_pid() as pid');
    const sleeping = database.query('select pg_sleep(20)');
    const ended = expect(sleeping).rejects.toMatchObject({
      code: 'CONNECTOR.UNAVAILABLE',
      retryable: true,
    });
    const isAsleep = async (): Promise<boolean> =>
      (
        await admin.query(
          "select 1 from pg_stat_activity where pid = $1 and query like '%pg_sleep(20)%'",
          [Number(row?.pid)],
        )
      ).length > 0;
    while (!(await isAsleep()));
    await admin.query('select pg_terminate_backend($1)', [Number(row?.pid)]);
    await ended;
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database[Symbol.asyncDispose]();
  });

  it('is ended by the statement timeout with its own code', async () => {
    const database = await openPostgres({ url: urlOf('member'), statementTimeoutMs: 1_000 });
    await expect(database.query('select pg_sleep(20)')).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
      retryable: true,
    });
    await database[Symbol.asyncDispose]();
  });
});
