/** What runs as another role runs what was built, whatever stands in its way. */
import { beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { Database } from '../../connectors/pgvector/driver/sql.ts';
import { health } from '../../connectors/pgvector/health.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { QueryPart } from '../../src/cxri/contract.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const OURS = tenantNamed('ours');
const SCOPE = id(0, 0);
const PART: QueryPart = {
  id: 'a',
  mode: 'search',
  table: 'memory_open_set',
  limit: 3,
  text: 'sea',
};
const ASKED = {
  tenant: OURS,
  position: [{ scope: SCOPE, head: 2 }],
  valid_at: day(9),
  parts: [PART],
};

describeOnDatabases('functions that run as another role', (open) => {
  let opened: TestDatabase;
  /** One session, so that what is put into it stays. */
  let session: Database;
  beforeAll(async () => {
    opened = await open();
    session =
      opened.url === null ? opened.database : await openPostgres({ url: opened.url, max: 1 });
    for (const name of ['ours', 'theirs'])
      await pgvectorAuthority(session).write({
        tenant: tenantNamed(name),
        writer: WRITER,
        recorded_at: day(1),
        operations: [
          makeScope(SCOPE),
          {
            operation: 'ADD',
            table: 'memory_open_set',
            scope: SCOPE,
            uuid: id(0, 1),
            valid_from: day(0),
            content: factContent(`the sea of ${name}`),
          },
        ],
      });
    return async () => session[Symbol.asyncDispose]();
  });
  const found = async (): Promise<unknown> => {
    const { parts } = await pgvectorAuthority(session).query(ASKED);
    const [part] = parts;
    return part?.ok ? part.hits.map(({ row }) => 'content' in row && row.content) : part;
  };

  it('each pins its search path with pg_temp last, or was parsed when it was made', async () => {
    const functions = await opened.owner.query(`
      select p.oid::regprocedure::text as name, p.prosqlbody is not null as is_parsed,
        (select max(c) from unnest(p.proconfig) c where c like 'search_path=%') as path
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('context', 'context_ops', 'context_sealed')`);
    expect(functions.length).toBeGreaterThan(35);
    const open = functions.filter(
      ({ is_parsed, path }) => is_parsed !== true && path !== 'search_path=pg_catalog, pg_temp',
    );
    expect(open).toEqual([]);
  });

  it('run no check of a temporary domain, even where temporary objects may be made', async () => {
    const [{ name }] = (await opened.owner.query('select current_database() as name')) as [
      { name: string },
    ];
    const advice = async (): Promise<string> => (await health(session)).advice.join(' ');
    expect(await advice()).not.toContain('revoke temporary');
    await opened.owner.exec(`grant temporary on database "${name}" to contextengine_app`);
    expect(await advice()).toContain('revoke temporary');
    const ran = "current_setting('attack.ran', true)";
    for (const type of ['text', 'jsonb', 'uuid', 'int8', 'timestamptz', 'xid8']) {
      await session.query(`create function pg_temp.ran_${type}() returns boolean language sql
        as $$ select set_config('attack.ran', current_user, false) is not null $$`);
      await session.query(
        `create domain pg_temp.${type} as pg_catalog.${type} check (pg_temp.ran_${type}())`,
      );
    }
    // The names are found first by whoever does not pin its path; the session itself is the
    // control.
    await session.query(`select set_config('search_path', 'pg_temp, public', false)`);
    await session.query(`select 'x'::text`);
    const [control] = await session.query(`select ${ran} as role`);
    expect(String(control?.['role'])).not.toBe('');
    await session.query(`select set_config('attack.ran', '', false)`);
    const body = `'{"heads":[2],"valid_at":"2026-01-09T00:00:00Z","parts":[{"id":"a","mode":"list","table":"blocks","limit":1,"order":{"by":"uuid","direction":"asc"}}],"vectors":[],"edge":true}'::pg_catalog.jsonb`;
    const calls = [
      `context_ops.refresh_statistics('["blocks"]'::pg_catalog.jsonb)`,
      `context_ops.ensure_space('a/b/3', 3, 'vector')`,
      `context.retrieve('ours', '${SCOPE}', ${body})`,
      `context.heads('ours', '["${SCOPE}"]'::pg_catalog.jsonb)`,
      `context_ops.lock_scopes('ours', '["${SCOPE}"]'::pg_catalog.jsonb, '[]'::pg_catalog.jsonb, '[]'::pg_catalog.jsonb)`,
      `context.resolve('ours', '{"scope":"${SCOPE}","max_depth":8,"max_scopes":64,"principals":[]}'::pg_catalog.jsonb)`,
    ];
    for (const call of calls) {
      await session.query(`select ${call}`);
      const [row] = await session.query(`select ${ran} as role`);
      expect(row?.['role'], call).toBe('');
    }
    expect(await found()).toEqual(['the sea of ours']);
    await session.query('reset search_path');
    await session.query('discard temp');
  });

  it('execute no statement that another put under the name of theirs', async () => {
    expect(await found()).toEqual(['the sea of ours']);
    const kept = await session.query(
      `select name, statement from pg_prepared_statements where name like 'contextengine%'`,
    );
    expect(kept.length).toBeGreaterThan(0);
    const steal = `select json_agg(json_build_array(json_build_array(r.content), 1, 1, null)) as hits,
      null::json as beside, true as is_enough, 1::bigint as worded, 1::float8 as worst
      from context.memory_open_set r`;
    const types = `(text, uuid[], int8[], timestamptz, int4, uuid[], text, uuid[], int8[], int4, uuid[],
      text[], text[], float8[], int4[], float8)`;
    for (const { name, statement } of kept) {
      const seal = String(statement).slice(0, 68);
      const forged = `prepare "${name}" ${types} as ${steal}`;
      for (const text of [
        forged,
        `${seal}${forged}`,
        `${seal}prepare ${name}(${types.slice(1)} as ${steal}`,
      ]) {
        await session.query(`deallocate "${name}"`);
        await session.query(text);
        expect(await found(), text).toEqual(['the sea of ours']);
      }
    }
  });
});
