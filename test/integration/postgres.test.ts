import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPostgres, openPostgresOwner } from '../../connectors/pgvector/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/sql.ts';
import { databaseUrl } from '../support/postgres-under-test.ts';

const SECRET = 'correct-horse';

describe('a database URL', () => {
  it.each(['correct-horse', `mysql://u:${SECRET}@h/d`, `postgresql://u:${SECRET}@h:port/d`])(
    'is refused without being shown: case %#',
    async (url) => {
      const failure = await openPostgres({ url }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'CONFIG.INVALID_VALUE' });
      expect(inspect(failure, { depth: 9 })).not.toContain(SECRET);
    },
  );

  it('that nobody answers on gives a retryable error without the password', async () => {
    const failure = await openPostgres({ url: `postgresql://u:${SECRET}@127.0.0.1:1/d` }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CONNECTOR.UNAVAILABLE', retryable: true, message: expect.stringContaining('127.0.0.1:1/d') });
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
      create role ${login('bypass')} login password '${SECRET}' bypassrls in role contextengine_app;
      create role ${login('owner')} login password '${SECRET}' in role contextengine_app, contextengine_owner`);
  });
  afterAll(async () => {
    await admin.exec(`drop database "${name}" with (force)`);
    for (const kind of ['plain', 'member', 'bypass', 'owner']) await admin.exec(`drop role ${login(kind)}`);
    await admin[Symbol.asyncDispose]();
  });

  it('takes the application role for a login that was granted it', async () => {
    const database = await openPostgres({ url: urlOf('member') });
    expect(await database.query('select current_user as role, session_user as login')).toEqual([
      { role: 'contextengine_app', login: login('member') },
    ]);
    await database[Symbol.asyncDispose]();
  });

  it("may keep a login's own role that was granted the application role", async () => {
    const database = await openPostgres({ url: urlOf('member'), role: login('member') });
    expect(await database.query('select current_user as role')).toEqual([{ role: login('member') }]);
    await database[Symbol.asyncDispose]();
  });

  it.each([
    ['plain', 'contextengine_app', /may not act as/],
    ['bypass', login('bypass'), /BYPASSRLS/],
    ['owner', login('owner'), /owns the tables/],
  ])('is refused for a login that is %s', async (kind, role, reason) => {
    await expect(openPostgres({ url: urlOf(kind), role })).rejects.toMatchObject({
      code: 'CONNECTOR.ROLE',
      message: expect.stringMatching(reason),
    });
  });

  it('is refused for a superuser that keeps its own role', async () => {
    const url = databaseUrl(server.url, name);
    const [{ role }] = (await admin.query('select current_user as role')) as [{ role: string }];
    await expect(openPostgres({ url, role })).rejects.toMatchObject({
      code: 'CONNECTOR.ROLE',
      message: expect.stringMatching(/superuser/),
    });
  });

  it('that breaks fails its statement as retryable, and the next statement gets another session', async () => {
    const database = await openPostgres({ url: urlOf('member') });
    const [row] = await database.query('select pg_backend_pid() as pid');
    const sleeping = database.query('select pg_sleep(20)');
    const ended = expect(sleeping).rejects.toMatchObject({ code: 'CONNECTOR.UNAVAILABLE', retryable: true });
    const isAsleep = async (): Promise<boolean> =>
      (await admin.query("select 1 from pg_stat_activity where pid = $1 and query like '%pg_sleep(20)%'", [Number(row?.pid)])).length > 0;
    while (!(await isAsleep()));
    await admin.query('select pg_terminate_backend($1)', [Number(row?.pid)]);
    await ended;
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database[Symbol.asyncDispose]();
  });

  it('is ended by the statement timeout with its own code', async () => {
    const database = await openPostgres({ url: urlOf('member'), statementTimeoutMs: 50 });
    await expect(database.query('select pg_sleep(20)')).rejects.toMatchObject({ code: 'CONNECTOR.DEADLINE', retryable: true });
    await database[Symbol.asyncDispose]();
  });
});
