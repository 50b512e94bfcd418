/**
 * The id of a row is taken over by a row of another table: refused, and the owner is not touched.
 */
import { beforeAll, expect, it } from 'vitest';
import { SqlError, type SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { digestUuid } from '../../connectors/pgvector/ids.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { Operation, Receipt } from '../../src/model/operation.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { refusalOf } from '../support/engines.ts';
import {
  blockContent,
  day,
  factContent,
  id,
  linkContent,
  makeScope,
  tenantNamed,
  WRITER,
} from '../support/ledger.ts';

const [THEIRS, MINE] = [id(0, 0), id(1, 0)];
const [SOURCE, DERIVED, LINK] = [id(0, 1), id(0, 2), id(0, 3)];

const factAs = (
  scope: Uuid,
  uuid: Uuid,
  extra: Partial<Pick<Operation, 'idempotency_key'>> & { readonly sources?: readonly Uuid[] } = {},
): Operation => ({
  operation: 'ADD',
  table: 'memory_open_set',
  scope,
  uuid,
  valid_from: day(0),
  content: factContent('a fact'),
  ...extra,
});
const blockAs = (scope: Uuid, uuid: Uuid): Operation => ({
  operation: 'ADD',
  table: 'blocks',
  scope,
  uuid,
  valid_from: day(0),
  content: blockContent('a squatter', day(0)),
});

describeOnDatabases('an id that names a row', (open) => {
  let opened: TestDatabase;
  let authority: Authority;
  beforeAll(async () => {
    opened = await open();
    authority = pgvectorAuthority(opened.database);
  });

  /** Each test has a tenant of its own, with the rows that are attacked. */
  async function world(name: string) {
    const tenant = tenantNamed(name);
    const write = async (...operations: Operation[]): Promise<readonly Receipt[]> =>
      (await authority.write({ tenant, writer: WRITER, recorded_at: day(1), operations })).receipts;
    await write(
      makeScope(THEIRS),
      factAs(THEIRS, SOURCE),
      factAs(THEIRS, DERIVED, { sources: [SOURCE] }),
      {
        operation: 'ADD',
        table: 'context_links',
        scope: THEIRS,
        uuid: LINK,
        valid_from: day(0),
        content: linkContent('pinned', THEIRS, SOURCE),
      },
      makeScope(MINE),
    );
    const rows = async (...uuids: Uuid[]) =>
      (await authority.read({ kind: 'versions', tenant, scopes: '*', uuids })).rows.map(
        ({ table, row }) => [table, row.scope_uuid, row.cause],
      );
    return { tenant, write, rows };
  }

  it('is refused to a raw append, with one text, and its owner corrects and ends the row', async () => {
    const { write, rows } = await world('taken');
    for (const uuid of [SOURCE, DERIVED, LINK, THEIRS]) {
      const refused = await refusalOf(write(blockAs(MINE, uuid)));
      expect([refused.code, refused.message]).toEqual([
        'WRITE.REFUSED',
        `The uuid \`${uuid}\` is taken.`,
      ]);
    }
    const same = await refusalOf(write(factAs(MINE, SOURCE)));
    expect(same.message).toBe(`The uuid \`${SOURCE}\` is taken.`);
    const [corrected] = await write({
      ...factAs(THEIRS, id(0, 9)),
      operation: 'UPDATE',
      root_uuid: SOURCE,
      cause: 'correction',
    } as Operation);
    expect(corrected?.outcome).toBe('superseded');
    const [ended] = await write({
      operation: 'DELETE',
      table: 'context_links',
      scope: THEIRS,
      root_uuid: LINK,
      cause: 'change',
      valid_from: day(2),
    });
    expect(ended?.outcome).toBe('stored');
    expect(await rows(DERIVED)).toEqual([['memory_open_set', THEIRS, 'cascade']]);
  });

  it('is refused where it is the id of a link that a write derives, in one request and in two', async () => {
    const { tenant, write, rows } = await world('derived');
    const own = id(1, 1);
    const link = digestUuid('source', tenant, own, 0);
    const derived = factAs(MINE, own, { sources: [SOURCE] });
    const once = await refusalOf(write(blockAs(MINE, link), derived));
    expect([once.code, once.message]).toEqual(['WRITE.REFUSED', `The uuid \`${link}\` is taken.`]);
    await write(blockAs(MINE, link));
    const twice = await refusalOf(write(derived));
    expect([twice.code, twice.message]).toEqual([
      'WRITE.REFUSED',
      'A `uuid` of the write is taken.',
    ]);
    expect(await rows(own)).toEqual([]);
  });

  it('goes to one of two writers of two tables that have not committed yet', async () => {
    const { write, rows } = await world('raced');
    const contested = [id(1, 10), id(1, 11), id(1, 12)];
    for (const uuid of contested) {
      const outcomes = await Promise.allSettled([
        write(blockAs(MINE, uuid)),
        write(factAs(THEIRS, uuid)),
        write(blockAs(THEIRS, uuid)),
        write(factAs(MINE, uuid)),
      ]);
      const lost = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      expect(lost).toEqual(['WRITE.REFUSED', 'WRITE.REFUSED', 'WRITE.REFUSED']);
      expect(await rows(uuid)).toHaveLength(1);
    }
  });

  it.each([
    ['the id of a row of another table', 'blocks', SOURCE, SOURCE, '23505'],
    ['the root of another scope', 'memory_open_set', id(1, 5), SOURCE, 'CE001'],
    ['the root of another table', 'blocks', id(1, 5), SOURCE, 'CE001'],
    ['a version of another scope for a root', 'memory_open_set', id(1, 5), id(0, 8), 'CE001'],
  ] as const)('is refused to raw SQL that sees its own scope alone: %s', async (...attack) => {
    const [name, table, uuid, root, sqlstate] = attack;
    const { tenant, write, rows } = await world(`raw-${name.replaceAll(' ', '-')}`);
    await write({
      ...factAs(THEIRS, id(0, 8)),
      operation: 'UPDATE',
      root_uuid: SOURCE,
      cause: 'change',
      valid_from: day(1),
    } as Operation);
    const run = async (tx: SqlSession): Promise<void> => {
      await tx.query(
        `select set_config('contextengine.tenant', $1, true),
          set_config('contextengine.scopes', $2, true),
          set_config('contextengine.principal', 'mallory', true)`,
        [tenant, MINE],
      );
      await tx.query(
        `with moved as (update context_ops.scope_heads
            set head = head + 1, recorded_at = '2026-02-01Z' where scope_uuid = $1::uuid)
         insert into context_ops.operations (tenant_id, scope_uuid, seq, ordinal, operation_id,
           operation, outcome, principal, writer, decision, recorded_at)
         select $2, $1::uuid, 2, 0, $3::uuid, 'NOOP', 'stored', 'mallory', 'raw', 'T1', '2026-02-01Z'`,
        [MINE, tenant, id(1, 7)],
      );
      const [more, values] =
        table === 'blocks'
          ? ['block_type, occurred_at', `'turn', '2026-01-01Z'`]
          : ['class, importance, confidence', `'fact', 1, 1`];
      await tx.query(
        `insert into context.${table} (tenant_id, uuid, root_uuid, scope_uuid, valid_from,
           recorded_seq, operation, content, ${more})
         select $1, $2::uuid, $3::uuid, $4::uuid, '2026-01-01Z', 2, 'ADD', 'raw', ${values}`,
        [tenant, uuid, root, MINE],
      );
    };
    const refused = await opened.database.transaction(run).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SqlError);
    expect(refused).toMatchObject({ sqlstate });
    expect(await rows(id(1, 5))).toEqual([]);
  });
});
