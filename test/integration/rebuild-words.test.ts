/**
 * Words of rows that an older version wrote are made again, and a search says so until they are.
 */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultMigrationsDir, migrate } from '../../connectors/pgvector/driver/migrate.ts';
import { openPglitePair } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { PartResult } from '../../src/cxri/contract.ts';
import type { Operation } from '../../src/model/operation.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import {
  blockContent,
  day,
  factContent,
  id,
  makeScope,
  tenantNamed,
  WRITER,
} from '../support/ledger.ts';

const SCOPES = [id(0, 0), id(1, 0)] as const;

/** Three facts and two blocks in each scope. */
const operationsOf = (scope: (typeof SCOPES)[number], n: number): readonly Operation[] => [
  makeScope(scope),
  ...['the sea is rough', 'rough paths', 'Häuser am Meer'].map(
    (text, at): Operation => ({
      operation: 'ADD',
      table: 'memory_open_set',
      scope,
      uuid: id(n, 1 + at),
      valid_from: day(0),
      content: factContent(text, { subject: 'coast' }),
    }),
  ),
  ...['sea turn', 'sea chunk of a document'].map(
    (text, at): Operation => ({
      operation: 'ADD',
      table: 'blocks',
      scope,
      uuid: id(n, 5 + at),
      valid_from: day(0),
      content: blockContent(text, day(0), {
        block_type: at === 0 ? 'turn' : 'chunk',
        role: at === 0 ? 'user' : null,
        title: at === 0 ? null : 'Tides',
      }),
    }),
  ),
];

/** What the migration does with a database that an older version filled. */
const AS_MIGRATED = `
  truncate context_ops.postings, context_ops.lexicons, context_ops.word_backlog;
  insert into context_ops.word_backlog (tenant_id, scope_uuid, done_seq, until_seq)
    select tenant_id, scope_uuid, 0, head from context_ops.scope_heads where head > 0;`;

describeOnDatabases('words of an older version', (open) => {
  let opened: TestDatabase;
  let authority: Authority;
  beforeAll(async () => {
    opened = await open();
    authority = pgvectorAuthority(opened.database);
  });
  let runs = 0;
  let tenant = tenantNamed('t0');
  let heads: readonly number[] = [];
  beforeEach(async () => {
    runs += 1;
    tenant = tenantNamed(`t${runs}`);
    heads = [];
    for (const [n, scope] of SCOPES.entries()) {
      const { position } = await authority.write({
        tenant,
        writer: WRITER,
        recorded_at: day(1),
        operations: operationsOf(scope, n),
      });
      heads = [...heads, position.find((at) => at.scope === scope)?.head ?? 0];
    }
  });

  async function found(
    text = 'rough sea, tides and Häusern of the coast',
    place = SCOPES.map((scope, n) => ({ scope, head: heads[n] ?? 0 })),
  ): Promise<{ readonly signals: readonly unknown[]; readonly isRebuilding: boolean }> {
    const { parts } = await authority.query({
      tenant,
      position: place,
      valid_at: day(9),
      parts: (['blocks', 'memory_open_set'] as const).map((table) => ({
        id: table,
        mode: 'search' as const,
        table,
        limit: 20,
        text,
      })),
    });
    const hitsOf = (part: PartResult) => (part.ok ? part.hits : []);
    return {
      signals: parts
        .flatMap((part) => hitsOf(part).map(({ row, signals }) => [row.uuid, signals.lexical]))
        .sort(),
      isRebuilding: parts.some((part) => part.ok && part.is_rebuilding === true),
    };
  }

  it('are made again in batches, and give the signals that they would have had', async () => {
    const right = await found();
    expect(right.signals.length).toBeGreaterThan(7);
    expect(right.isRebuilding).toBe(false);
    await opened.owner.exec(AS_MIGRATED);
    expect(await found()).toEqual({ signals: [], isRebuilding: true });
    expect(await authority.rebuildWords(tenant, 4)).toBe(4);
    const some = await found();
    expect(some.isRebuilding).toBe(true);
    expect(some.signals.length).toBeGreaterThan(0);
    expect(some.signals.length).toBeLessThan(right.signals.length);
    let rows = 4;
    for (let batch = 1; batch > 0; rows += batch) batch = await authority.rebuildWords(tenant, 4);
    expect(rows).toBe(12);
    expect(await found()).toEqual(right);
  });

  it('of one scope do not speak for another, nor for another tenant', async () => {
    await opened.owner.exec(AS_MIGRATED);
    await authority.rebuildWords(tenant, 6);
    const [first, second] = SCOPES.map((scope, n) => ({ scope, head: heads[n] ?? 0 }));
    expect((await found('sea', first && [first])).isRebuilding).toBe(false);
    expect((await found('sea', second && [second])).isRebuilding).toBe(true);
    const [row] = await opened.owner.query(
      'select count(*)::integer as n from context_ops.word_backlog where tenant_id <> $1 and done_seq > 0',
      [tenant],
    );
    expect(row?.['n']).toBe(0);
  });

  it('wait beside rows that are written meanwhile, and none is read twice', async () => {
    await opened.owner.exec(AS_MIGRATED);
    const [scope] = SCOPES;
    const { position } = await authority.write({
      tenant,
      writer: WRITER,
      recorded_at: day(2),
      operations: [
        {
          operation: 'ADD',
          table: 'memory_open_set',
          scope,
          uuid: id(7, 7),
          valid_from: day(0),
          content: factContent('the sea again'),
        },
      ],
    });
    heads = [position[0]?.head ?? 0, heads[1] ?? 0];
    expect((await found('sea')).signals.map((each) => (each as unknown[])[0])).toEqual([id(7, 7)]);
    while ((await authority.rebuildWords(tenant, 2)) > 0);
    const [doubled] = await opened.owner.query(
      `select count(*)::integer as n from (select from context_ops.postings where tenant_id = $1
         group by owner_table, owner_uuid, term having count(*) > 1) d`,
      [tenant],
    );
    expect(doubled?.['n']).toBe(0);
    const [lexicon] = await opened.owner.query(
      `select documents::integer from context_ops.lexicons
       where tenant_id = $1 and scope_uuid = $2 and owner_table = 'memory_open_set'`,
      [tenant, scope],
    );
    expect(lexicon?.['documents']).toBe(4);
  });

  it('are made by two at once without one row twice', async () => {
    await opened.owner.exec(AS_MIGRATED);
    const all = async (): Promise<number> => {
      let rows = 0;
      for (let batch = 1; batch > 0; rows += batch) batch = await authority.rebuildWords(tenant, 3);
      return rows;
    };
    const [a, b] = await Promise.all([all(), all()]);
    expect((a ?? 0) + (b ?? 0)).toBe(12);
  });
});

describe('an embedded database of the version before', () => {
  it('has its words again when it was migrated', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'contextengine-older-'));
    try {
      for (const file of (await readdir(defaultMigrationsDir())).filter((name) => name < '0014'))
        await cp(join(defaultMigrationsDir(), file), join(dir, file));
      const { database, owner } = await openPglitePair({ dataDir: null, migrationsDir: dir });
      const scope = id(0, 0);
      await owner.exec(`set session_replication_role = replica;
        insert into context_ops.scope_heads (tenant_id, scope_uuid, head) values ('old', '${scope}', 1);
        insert into context.memory_open_set (tenant_id, uuid, root_uuid, scope_uuid, valid_from,
          recorded_seq, operation, content, subject, class, importance, confidence)
          values ('old', '${id(0, 1)}', '${id(0, 1)}', '${scope}', '2026-01-01', 1, 'ADD',
            'the sea', 'coast', 'fact', 0.5, 1);
        set session_replication_role = origin;`);
      const { applied } = await migrate(owner);
      expect(applied[0]).toMatch(/^0014_/);
      const { parts } = await pgvectorAuthority(database).query({
        tenant: tenantNamed('old'),
        position: [{ scope, head: 1 }],
        valid_at: day(400),
        parts: [{ id: 'a', mode: 'search', table: 'memory_open_set', limit: 3, text: 'coast' }],
      });
      expect(parts).toMatchObject([{ ok: true, hits: [{ row: { content: 'the sea' } }] }]);
      expect(parts[0]).not.toHaveProperty('is_rebuilding');
      await database[Symbol.asyncDispose]();
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
