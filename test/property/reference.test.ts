import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { day, WRITER } from '../../src/conformance/law-operations.ts';
import { guard } from '../../src/cxri/guard/connection.ts';
import type { AnyRow } from '../../src/model/block.ts';
import { TABLES } from '../../src/model/block.ts';
import type { Position } from '../../src/model/validity.ts';
import { type Batch, batches, play, Script } from '../support/ledger-commands.ts';
import { ledgerOf, positionOf, sightOf } from '../support/ledger-sights.ts';

async function started() {
  const script = new Script('law');
  const authority = referenceAuthority();
  const connection = guard(authority);
  for (const tenant of script.tenants)
    await connection.write({
      tenant,
      writer: WRITER,
      operations: script.setUp(tenant),
      recorded_at: day(0),
    });
  return { script, authority, connection };
}
type Started = Awaited<ReturnType<typeof started>>;

async function playAll(
  { script, connection }: Started,
  all: readonly Batch[],
): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const batch of all) answers.push(await play(connection, script, batch));
  return answers;
}

async function rowsOf(
  { script, connection }: Started,
  tenant: Script['tenants'][number],
): Promise<readonly AnyRow[]> {
  const position = script.scopes.map((scope) => ({ scope, head: 1_000_000 }));
  const pages = await Promise.all(
    TABLES.map((table) => connection.read({ kind: 'scan', tenant, table, position, limit: 1000 })),
  );
  return pages.flatMap(({ rows }) => rows);
}

describe('the reference connector, under random writes', () => {
  it('keeps what was seen at each earlier position', async () => {
    await fc.assert(
      fc.asyncProperty(batches(3, 12), async (all) => {
        const bench = await started();
        const [tenant] = bench.script.tenants;
        const seen = new Map<Position, readonly unknown[]>();
        for (const batch of all) {
          await play(bench.connection, bench.script, batch);
          const position = await positionOf(bench.authority, bench.script, tenant);
          seen.set(position, await sightOf(bench.connection, bench.script, { tenant, position }));
        }
        for (const [position, before] of seen)
          expect(await sightOf(bench.connection, bench.script, { tenant, position })).toEqual(
            before,
          );
      }),
      { numRuns: 60 },
    );
  });

  it('never believes two versions of one root, or two values of one key, at one time', async () => {
    await fc.assert(
      fc.asyncProperty(batches(3, 14), async (all) => {
        const bench = await started();
        await playAll(bench, all);
        const spans = new Map<string, { readonly from: string; readonly until: string | null }[]>();
        for (const { table, row } of await rowsOf(bench, bench.script.tenants[0])) {
          if (row.retired_seq !== null) continue;
          const keys = [
            row.root_uuid,
            ...(table === 'memory_schema_typed' && row.cardinality === 'one'
              ? [`${row.scope_uuid}/${row.property}`]
              : []),
          ];
          for (const key of keys)
            spans.set(key, [
              ...(spans.get(key) ?? []),
              { from: row.valid_from, until: row.valid_until },
            ]);
        }
        for (const of of spans.values()) {
          const inOrder = of.sort((a, b) => (a.from < b.from ? -1 : 1));
          for (const [index, span] of inOrder.entries()) {
            const next = inOrder[index + 1];
            if (next) expect(span.until !== null && span.until <= next.from).toBe(true);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same state for the same writes', async () => {
    await fc.assert(
      fc.asyncProperty(batches(3, 10), async (all) => {
        const [first, second] = [await started(), await started()];
        expect(await playAll(second, all)).toEqual(await playAll(first, all));
        for (const tenant of first.script.tenants)
          expect(await ledgerOf(second.connection, second.script, tenant)).toEqual(
            await ledgerOf(first.connection, first.script, tenant),
          );
      }),
      { numRuns: 60 },
    );
  });

  it('lets no write of one tenant touch another', async () => {
    await fc.assert(
      fc.asyncProperty(batches(3, 10), async (all) => {
        const bench = await started();
        const [own, other] = bench.script.tenants;
        for (const batch of all) {
          const untouched = batch.tenant === 0 ? other : own;
          const before = await ledgerOf(bench.connection, bench.script, untouched);
          await play(bench.connection, bench.script, batch);
          expect(await ledgerOf(bench.connection, bench.script, untouched)).toEqual(before);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('believes no descendant of what was taken back', async () => {
    await fc.assert(
      fc.asyncProperty(batches(3, 14), async (all) => {
        const bench = await started();
        await playAll(bench, all);
        const rows = await rowsOf(bench, bench.script.tenants[0]);
        const byUuid = new Map(rows.map(({ row }) => [row.uuid, row]));
        for (const { table, row } of rows) {
          if (table !== 'context_links' || row.link_type !== 'derived_from') continue;
          const source = byUuid.get(row.to_uuid);
          const isWrong =
            source?.retired_seq !== null &&
            ['correction', 'prune', 'cascade'].includes(source?.cause ?? '');
          // What was made after the withdrawal was made from something that was believed then.
          const derived = rows.filter(
            (other) =>
              other.row.root_uuid === row.from_uuid &&
              other.row.retired_seq === null &&
              other.row.recorded_seq === row.recorded_seq &&
              other.row.scope_uuid === row.scope_uuid,
          );
          if (isWrong) expect(derived).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
