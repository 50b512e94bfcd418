/**
 * Raw SQL under the application role: refused, or listed in docs/permissions.md as what row-level
 * security is not for.
 */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SqlRow, SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { SqlError } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import {
  blockContent,
  day,
  factContent,
  makeScope,
  tenantNamed,
  WRITER,
} from '../support/ledger.ts';
import { HEAD, HONEST, LISTED, OWN, REFUSED, THEIRS } from '../support/role-attacks.ts';

/** All that an attack could have changed. */
const STATE = `select (select jsonb_agg(x order by x::text) from context.memory_open_set x) as facts,
  (select jsonb_agg(x order by x::text) from context_ops.operations x) as journal,
  (select jsonb_agg(x order by x::text) from context_ops.scope_heads x) as heads,
  (select jsonb_agg(x order by x::text) from context_ops.postings x) as postings,
  (select string_agg(c.relname || c.relacl::text || c.relrowsecurity || c.relforcerowsecurity, ' ' order by c.oid)
   from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname like 'context%') as rights`;

describeOnDatabases('the application role with raw SQL', (open, flavor) => {
  let opened: TestDatabase;
  let before: SqlRow | undefined;
  const state = async (): Promise<SqlRow | undefined> => (await opened.owner.query(STATE))[0];
  beforeAll(async () => {
    opened = await open();
    const authority = pgvectorAuthority(opened.database);
    for (const [name, ids] of [['ours', OWN] as const, ['theirs', THEIRS] as const]) {
      const { position } = await authority.write({
        tenant: tenantNamed(name),
        writer: WRITER,
        recorded_at: day(1),
        operations: [
          makeScope(ids.scope),
          {
            operation: 'ADD',
            table: 'blocks',
            scope: ids.scope,
            uuid: ids.block,
            valid_from: day(0),
            content: blockContent(`hello ${name}`, day(0)),
          },
          {
            operation: 'ADD',
            table: 'memory_open_set',
            scope: ids.scope,
            uuid: ids.fact,
            valid_from: day(0),
            content: factContent(`a secret of ${name}`),
          },
        ],
      });
      expect(position).toEqual([{ scope: ids.scope, head: HEAD }]);
    }
    before = await state();
  });

  class Undo extends Error {}
  /**
   * Runs the statements one by one, and takes them back. Gives the last rows, or the SQLSTATE of
   * the refusal.
   */
  async function attempt(sql: string): Promise<readonly SqlRow[] | string> {
    let rows: readonly SqlRow[] = [];
    const run = async (tx: SqlSession): Promise<never> => {
      await tx.query(
        `select set_config('contextengine.tenant', 'ours', true), set_config('contextengine.scopes', '*', true),
           set_config('contextengine.principal', 'mallory', true)`,
      );
      for (const statement of sql.split(/;\s+/)) rows = await tx.query(statement);
      throw new Undo();
    };
    try {
      return await opened.database.transaction(run);
    } catch (thrown) {
      if (thrown instanceof Undo) return rows;
      if (thrown instanceof SqlError) return thrown.sqlstate;
      throw thrown;
    }
  }

  it('is attacked in sixty ways and more', () => {
    expect(REFUSED.length + LISTED.length).toBeGreaterThanOrEqual(60);
  });

  it('may do what the engine does: the cage refuses what is forged, not everything', async () => {
    expect(await attempt(HONEST)).toEqual([]);
  });

  describe('is refused', () => {
    it.each(REFUSED)('$name', async ({ sql, refused }) => {
      const answer = await attempt(sql);
      if (refused === null) expect(answer).toEqual([]);
      else expect(answer).toMatch(refused);
      expect(await state()).toEqual(before);
    });
  });

  describe('is not held from what the page lists', () => {
    it.each(LISTED)('$name', async ({ sql, listed }) => {
      const page = await readFile(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
      const list = /## What row-level security is not for\n([^#]*)/.exec(page)?.[1];
      expect(list?.replace(/\s+/g, ' ')).toContain(listed);
      expect(await attempt(sql)).not.toBeTypeOf('string');
      // The embedded session is the superuser's; a transaction that took the role back leaves it
      // so.
      if (flavor === 'pglite') await opened.database.query('set role contextengine_app');
      expect(await state()).toEqual(before);
    });
  });
});
