/**
 * Writers at once whose sources, cascades and batches cross scopes: none waits for another in a
 * circle, and lineage holds.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type Database, SqlError } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import { describeOnServer, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const SCOPES = 5;
const WRITERS = 6;

interface Step {
  readonly scope: number;
  readonly other: number;
  /** Facts that were there at the beginning, one a scope. */
  readonly sources: readonly number[];
  readonly kind: 'derive' | 'correct' | 'both';
}
const number = fc.nat({ max: SCOPES - 1 });
const step: fc.Arbitrary<Step> = fc.record({
  scope: number,
  other: number,
  sources: fc.uniqueArray(number, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('derive', 'derive', 'derive', 'both', 'correct'),
});
const programs = fc.array(fc.array(step, { minLength: 4, maxLength: 8 }), {
  minLength: WRITERS,
  maxLength: WRITERS,
});

const scopeOf = (n: number): Uuid => id(1, n + 1);
const sourceOf = (n: number): Uuid => id(2, n + 1);
const addition = (scope: number, uuid: Uuid, sources: readonly Uuid[] = []): Operation => ({
  operation: 'ADD',
  table: 'memory_open_set',
  scope: scopeOf(scope),
  uuid,
  valid_from: day(0),
  content: factContent(`fact ${uuid}`),
  ...(sources.length > 0 && { sources }),
});

function operationsOf({ kind, scope, other, sources }: Step, ids: () => Uuid): Operation[] {
  const from = sources.map(sourceOf);
  const derived = addition(scope, ids(), from);
  if (kind === 'derive') return [derived];
  // The same root under the same lock: whoever comes second corrects the correction.
  if (kind === 'both') return [derived, addition(other, ids(), from)];
  return [
    {
      operation: 'UPDATE',
      table: 'memory_open_set',
      scope: scopeOf(scope),
      root_uuid: sourceOf(scope),
      uuid: ids(),
      valid_from: day(0),
      cause: 'correction',
      content: factContent('corrected'),
    },
  ];
}

describeOnServer('writers whose sources cross', (open) => {
  let opened: TestDatabase;
  let deadlocks = 0;
  let authority: Authority;
  beforeAll(async () => {
    opened = await open();
    const watched: Database = {
      ...opened.database,
      transaction: (body, signal) =>
        opened.database.transaction(body, signal).catch((error: unknown) => {
          if (error instanceof SqlError && error.sqlstate === '40P01') deadlocks += 1;
          throw error;
        }),
    };
    authority = pgvectorAuthority(watched);
  });
  let runs = 0;

  it('end without a deadlock, draw every number once, and keep no row whose source was wrong', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(programs, async (all) => {
        runs += 1;
        const tenant = tenantNamed(`lock-order.${runs}`);
        const write = (...operations: readonly Operation[]) =>
          authority.write({ tenant, writer: WRITER, recorded_at: day(1), operations });
        const scopes = Array.from({ length: SCOPES }, (_, n) => n);
        await write(...scopes.map((n) => makeScope(scopeOf(n))));
        await write(...scopes.map((n) => addition(n, sourceOf(n))));
        let last = 0;
        const ids = () => id(3, ++last);
        await Promise.all(
          all.map(async (program) => {
            for (const each of program) {
              const answer = await write(...operationsOf(each, ids)).then(
                ({ receipts }) => receipts[0]?.outcome ?? '',
                (error: unknown) => {
                  if (error instanceof ContextEngineError) return error.code;
                  throw error;
                },
              );
              outcomes.set(answer, (outcomes.get(answer) ?? 0) + 1);
            }
          }),
        );
        await expectSoundLineage(opened, tenant);
      }),
      { numRuns: 15 },
    );
    expect(deadlocks).toBe(0);
    expect([...outcomes.keys()].sort()).toEqual(['WRITE.SOURCE_GONE', 'stored', 'superseded']);
  }, 600_000);
});

/** Asked of the tables as their owner, so that no query of ours stands between. */
async function expectSoundLineage({ owner }: TestDatabase, tenant: TenantId): Promise<void> {
  const wrong = await owner.query(
    `select l.from_uuid from context.context_links l
     join context.memory_open_set s on s.tenant_id = l.tenant_id and s.uuid = l.to_uuid
     join context.memory_open_set d on d.tenant_id = l.tenant_id and d.root_uuid = l.from_uuid
     where l.tenant_id = $1 and l.link_type = 'derived_from'
       and s.cause in ('correction', 'cascade') and d.retired_seq is null`,
    [tenant],
  );
  expect(wrong).toEqual([]);
  const torn = await owner.query(
    `select scope_uuid from context_ops.scope_heads h where tenant_id = $1 and head <>
       (select count(distinct o.seq) from context_ops.operations o
        where o.tenant_id = h.tenant_id and o.scope_uuid = h.scope_uuid)`,
    [tenant],
  );
  expect(torn).toEqual([]);
}
