/**
 * An engine on the pool of its application: it leaves nothing on a session, never ends the pool,
 * and survives lost sessions.
 */
import { randomBytes } from 'node:crypto';
import { Pool, type PoolConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContextEngine, type EngineOptions, migrateDatabase } from '../../src/index.ts';
import { describeOnServer, type TestDatabase } from '../support/databases.ts';
import { ORACLE_MANIFESTS, refusalOf } from '../support/engines.ts';

const PROFILE = { principal: 'clerk', tenant: 'acme', kind: 'human', scopes: '*' } as const;
const MEMBER = `pool_member_${randomBytes(4).toString('hex')}`;
const STRANGER = `pool_stranger_${randomBytes(4).toString('hex')}`;

describeOnServer('a pool of the application', (open) => {
  let opened: TestDatabase;
  const pools: Pool[] = [];
  beforeAll(async () => {
    opened = await open();
    await opened.owner.exec(`create role ${MEMBER} login; grant contextengine_app to ${MEMBER};
      create role ${STRANGER} login; create schema shop authorization ${MEMBER};`);
  });
  afterAll(async () => {
    for (const pool of pools) await pool.end();
    await opened.owner.exec(
      `drop schema shop; revoke contextengine_app from ${MEMBER}; drop role ${MEMBER}; drop role ${STRANGER}`,
    );
  });
  const poolAs = (user: string, config: PoolConfig = {}): Pool => {
    const url = new URL(String(opened.url));
    url.username = user;
    const pool = new Pool({ connectionString: url.href, max: 1, ...config });
    // As an application does; the engine listens only while it is open.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const engineOn = (pool: Pool, options: EngineOptions = {}) =>
    createContextEngine({
      database: { pool },
      manifests: ORACLE_MANIFESTS,
      permission_profile: PROFILE,
      ...options,
    });
  const remembered = async (pool: Pool, content: string): Promise<string> => {
    await using engine = await engineOn(pool);
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'oracle_scope' });
    await engine.remember(scope, { content });
    const { text } = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'all',
      query: content,
      permission_profile: PROFILE,
    });
    return text;
  };

  it('composes on sessions with settings and parsers of their own, and leaves them as they were', async () => {
    const pool = poolAs(MEMBER, {
      options: '-c search_path=shop -c TimeZone=Asia/Tokyo -c DateStyle=German',
      types: { getTypeParser: () => () => 'parsed by the application' },
    });
    expect(await remembered(pool, 'The launch is on Friday.')).toContain('launch is on Friday');
    const client = await pool.connect();
    const { rows } = await client.query({
      text: `select current_user::text as role, current_setting('search_path') as path,
        current_setting('TimeZone') as zone, coalesce(current_setting('contextengine.tenant', true), '') as tenant`,
      types: { getTypeParser: () => (text: string) => text },
    });
    client.release();
    expect(rows).toEqual([{ role: MEMBER, path: 'shop', zone: 'Asia/Tokyo', tenant: '' }]);
    expect(pool.listenerCount('error')).toBe(1); // the application's own
    expect(client.listenerCount('error')).toBe(1); // the pool's own, while the session is idle
  });

  it('works for a superuser too: it is one in no transaction of the engine', async () => {
    const user = new URL(String(opened.url)).username;
    expect(await remembered(poolAs(user), 'The hall is booked.')).toContain('hall is booked');
  });

  it('survives the loss of idle sessions and of one at work', async () => {
    const pool = poolAs(MEMBER, { max: 2, application_name: 'survivor' });
    await using engine = await engineOn(pool);
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'oracle_scope' });
    const end = () =>
      opened.owner.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1',
        ['survivor'],
      );
    await end();
    const first = await engine.remember(scope, { content: 'one' }).catch((error) => error.code);
    if (typeof first === 'string') expect(first).toBe('CONNECTOR.UNAVAILABLE');
    await engine.remember(scope, { content: 'two' });
    const busy = Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => engine.remember(scope, { content: `busy ${n}` })),
    );
    await end();
    await busy;
    expect((await engine.remember(scope, { content: 'three' })).counts.stored).toBe(1);
  });

  it('refuses a user who may not act as the role of the engine', async () => {
    const refused = await refusalOf(engineOn(poolAs(STRANGER)));
    expect(refused.code).toBe('CONNECTOR.ROLE');
    expect(refused.message).toContain(STRANGER);
  });

  it('has no profile of its own, because a server is shared', async () => {
    const database = { pool: poolAs(MEMBER) };
    await using engine = await createContextEngine({ database, manifests: ORACLE_MANIFESTS });
    const refused = await refusalOf(engine.scopes.create({ type: 'oracle_scope' }));
    expect(refused.code).toMatch(/^PERMISSION\./);
  });

  it('reports a pool that its application has ended', async () => {
    const pool = new Pool({ connectionString: String(opened.url), max: 1 });
    await using engine = await engineOn(pool);
    await pool.end();
    expect((await refusalOf(engine.scopes.list())).code).toBe('CONNECTOR.UNAVAILABLE');
  });
});

describe('database: { pool }', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a URL', 'postgresql://localhost/db'],
    ['an object that is none', { connect: () => undefined }],
  ])('refuses %s', async (_, pool) => {
    const database = { pool } as EngineOptions['database'];
    const refused = await refusalOf(createContextEngine({ ...(database && { database }) }));
    expect(refused.code).toBe('CONFIG.INVALID_VALUE');
    expect(refused.where).toMatchObject({ field: 'database' });
  });

  it('is none to migrate by, and none beside a URL', async () => {
    const pool = new Pool();
    expect((await refusalOf(migrateDatabase({ database: { pool } }))).fix).toContain('url');
    const both = { pool, url: 'postgresql://localhost/db' };
    expect((await refusalOf(createContextEngine({ database: both }))).code).toBe(
      'CONFIG.INVALID_VALUE',
    );
  });
});
