/** Through a real PgBouncer in transaction mode: nothing of one client reaches another. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  openPostgres,
  openPostgresOwner,
} from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { Database, OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';
import { findPgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { databaseUrl } from '../support/postgres-under-test.ts';

const SECRET = 'battery-staple';
const program = findPgbouncer();
const postgres = inject('postgres');

describe.runIf(program !== null && postgres !== null)('behind PgBouncer', () => {
  const server = postgres ?? { url: '', template: '' };
  const name = `${server.template}_pooled`;
  const login = `ce_pooled_${randomBytes(4).toString('hex')}`;
  const url = postgres ? databaseUrl(server.url, name) : '';
  const loginUrl = (): string => {
    const own = new URL(url);
    own.username = login;
    own.password = SECRET;
    return own.href;
  };
  let admin: OwnerDatabase;
  const stops: (() => Promise<void>)[] = [];
  const pooler = async (
    of: string,
    settings: Parameters<typeof startPgbouncer>[2],
  ): Promise<string> => {
    const started = await startPgbouncer(program ?? '', of, settings);
    stops.push(started.stop);
    return started.url;
  };
  beforeAll(async () => {
    admin = await openPostgresOwner(server.url);
    await admin.exec(`create database "${name}" template "${server.template}"`);
    await admin.exec(`create role ${login} login password '${SECRET}' in role contextengine_app`);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await admin.exec(`drop database if exists "${name}" with (force)`);
    await admin.exec(`drop role ${login}`);
    await admin[Symbol.asyncDispose]();
  });

  const SESSION = `select current_user::text as role, current_setting('contextengine.tenant', true) as tenant,
    current_setting('contextengine.scopes', true) as scopes, current_setting('search_path') as path,
    current_setting('timezone') as zone, (select count(*) from context.blocks) as seen`;

  it.each([1, 2])(
    '%i server sessions serve interleaved tenants, each its own rows',
    async (poolSize) => {
      const pooled = await pooler(loginUrl(), { mode: 'transaction', poolSize });
      const [fresh] = await using(await openPostgres({ url: loginUrl(), max: 1 }), (database) =>
        database.query(SESSION),
      );
      await using(await openPostgres({ url: pooled, max: 8 }), async (database) => {
        const authority = pgvectorAuthority(database);
        const scope = id(poolSize, 0);
        const tenants = ['a', 'b', 'c', 'd'].map((letter) => tenantNamed(`${letter}${poolSize}`));
        await Promise.all(
          tenants.map((tenant) =>
            authority.write({
              tenant,
              writer: WRITER,
              recorded_at: day(1),
              operations: [
                makeScope(scope),
                {
                  operation: 'ADD',
                  table: 'memory_open_set',
                  scope,
                  uuid: id(poolSize, 1),
                  valid_from: day(0),
                  content: factContent(`the sea of ${tenant}`),
                },
              ],
            }),
          ),
        );
        const asked = Array.from(
          { length: 60 },
          (_, n) => tenants[n % tenants.length] ?? tenants[0],
        );
        const answers = await Promise.all(
          asked.map(async (tenant, n) => {
            const found = await authority.query({
              tenant: tenant ?? tenantNamed('none'),
              position: [{ scope, head: 2 }],
              valid_at: day(9),
              parts: [
                n % 2 === 0
                  ? { id: 'p', mode: 'search', table: 'memory_open_set', limit: 9, text: 'sea' }
                  : {
                      id: 'p',
                      mode: 'list',
                      table: 'memory_open_set',
                      limit: 9,
                      order: { by: 'valid_from', direction: 'asc' },
                    },
              ],
            });
            const [part] = found.parts;
            return part?.ok ? part.hits.map(({ row }) => 'content' in row && row.content) : part;
          }),
        );
        expect(answers).toEqual(asked.map((tenant) => [`the sea of ${tenant}`]));
        // Whoever gets the session next finds nothing of the engine on it.
        const left = await Promise.all(Array.from({ length: 8 }, () => database.query(SESSION)));
        for (const [row] of left)
          expect({
            ...row,
            tenant: row?.['tenant'] || null,
            scopes: row?.['scopes'] || null,
          }).toEqual(fresh);
      });
    },
  );

  it('a client that leaves settings on the sessions changes nothing for the engine', async () => {
    const pooled = await pooler(loginUrl(), { mode: 'transaction', poolSize: 1 });
    const rude = await openPostgresOwner(pooled);
    await rude.query(`select set_config('timezone', 'Europe/Berlin', false), set_config('search_path', 'pg_temp', false),
      set_config('datestyle', 'German', false), set_config('contextengine.tenant', 'other', false)`);
    await using(await openPostgres({ url: pooled, max: 2 }), async (database) => {
      const authority = pgvectorAuthority(database);
      const scope = id(9, 0);
      const written = await authority.write({
        tenant: tenantNamed('rude'),
        writer: WRITER,
        recorded_at: day(1),
        operations: [makeScope(scope)],
      });
      expect(
        await authority.read({
          kind: 'versions',
          tenant: tenantNamed('rude'),
          scopes: [scope],
          uuids: [scope],
        }),
      ).toMatchObject({
        rows: [{ row: { uuid: scope, valid_from: day(0) } }],
      });
      expect(written.position).toEqual([{ scope, head: 1 }]);
    });
    await rude[Symbol.asyncDispose]();
  });

  it('a superuser is refused, whether the pooler rejects or ignores its startup options', async () => {
    for (const more of ['', 'ignore_startup_parameters = options']) {
      const pooled = await pooler(url, { mode: 'transaction', poolSize: 1, more });
      await expect(openPostgres({ url: pooled })).rejects.toMatchObject({
        code: 'CONNECTOR.ROLE',
        message: expect.stringMatching(/behind a pooler/),
      });
    }
  });

  it('a statement timeout and statement mode are refused with the reason', async () => {
    for (const more of ['', 'ignore_startup_parameters = options']) {
      const pooled = await pooler(loginUrl(), { mode: 'transaction', poolSize: 1, more });
      await expect(openPostgres({ url: pooled, statementTimeoutMs: 5000 })).rejects.toMatchObject({
        code: 'CONFIG.INVALID_VALUE',
        message: expect.stringMatching(/statement_timeout/),
      });
    }
    const pooled = await pooler(loginUrl(), { mode: 'statement', poolSize: 1 });
    await expect(openPostgres({ url: pooled })).rejects.toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
      message: expect.stringMatching(/statement pooling mode/),
    });
  });
});

async function using<T>(database: Database, body: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await body(database);
  } finally {
    await database[Symbol.asyncDispose]();
  }
}
