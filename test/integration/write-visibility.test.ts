import { beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { QueryPart } from '../../src/cxri/contract.ts';
import type { AnyRow } from '../../src/model/block.ts';
import { TABLES } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import { isVisible } from '../../src/model/validity.ts';
import { describeOnDatabases } from '../support/databases.ts';
import {
  day,
  factContent,
  id,
  makeScope,
  tenantNamed,
  typedContent,
  WRITER,
} from '../support/ledger.ts';

const TENANT = tenantNamed('bitemporal');
const [SCOPE, OUTER] = [id(1, 1), id(1, 2)];

/**
 * Numbers below n, the same in every run (a linear congruential generator; constants of Numerical
 * Recipes).
 */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * n);
  };
}

/**
 * 200 operations: typed values that come late, back-dated and with an end, corrections, deletions,
 * and facts derived across two scopes.
 */
function fixture(): readonly Operation[] {
  const roll = dice(7);
  const facts: { readonly root: Uuid; readonly scope: Uuid }[] = [];
  const operations: Operation[] = [];
  for (let n = 1; operations.length < 200; n += 1) {
    const scope = roll(3) === 0 ? OUTER : SCOPE;
    const [uuid, from, kind, known] = [
      id(3, n),
      day(roll(30)),
      roll(10),
      facts[roll(facts.length)],
    ];
    const typed = {
      scope: SCOPE,
      table: 'memory_schema_typed',
      uuid,
      content: typedContent(`value ${n}`, ['city', 'team', 'plan'][roll(3)]),
      valid_from: from,
    } as const;
    const fact = {
      table: 'memory_open_set',
      uuid,
      content: factContent(`fact ${n}`),
      valid_from: from,
    } as const;
    if (kind < 4)
      operations.push({
        operation: 'ADD',
        ...typed,
        ...(kind === 0 && { valid_until: day(31 + roll(5)) }),
      });
    else if (kind < 7 || !known) {
      facts.push({ root: uuid, scope });
      operations.push({
        operation: 'ADD',
        ...fact,
        scope,
        ...(kind === 6 && { valid_until: day(31 + roll(5)) }),
      });
    } else if (kind === 7)
      operations.push({
        operation: 'UPDATE',
        ...fact,
        scope: known.scope,
        root_uuid: known.root,
        cause: 'change',
      });
    else if (kind === 8)
      operations.push({
        operation: 'DELETE',
        table: 'memory_open_set',
        scope: known.scope,
        root_uuid: known.root,
        cause: roll(2) === 0 ? 'change' : 'prune',
        valid_from: from,
      });
    else
      operations.push({
        operation: 'UPDATE',
        ...fact,
        scope: known.scope,
        root_uuid: known.root,
        cause: 'merge',
      });
  }
  return operations;
}

/**
 * Writes one operation a batch, so that each is a position of its own; every fifth fact is derived
 * from the one before, and corrected later.
 */
async function writeAll(authority: Authority): Promise<void> {
  const send = (operations: readonly Operation[]) =>
    authority.write({ tenant: TENANT, writer: WRITER, operations, recorded_at: day(40) });
  await send([makeScope(SCOPE), makeScope(OUTER)]);
  let last: {
    readonly uuid: Uuid;
    readonly root: Uuid;
    readonly scope: Uuid;
    readonly from: Instant;
  } | null = null;
  for (const [n, operation] of fixture().entries()) {
    const { receipts } = await send([operation]);
    if (operation.operation !== 'ADD' || operation.table !== 'memory_open_set') continue;
    if (last && n % 3 === 0)
      await send([
        {
          operation: 'ADD',
          table: 'memory_open_set',
          scope: SCOPE,
          uuid: id(4, n),
          valid_from: operation.valid_from,
          content: factContent(`derived ${n}`),
          sources: [last.uuid],
        },
      ]).catch(() => null);
    if (last && n % 7 === 0)
      await send([
        {
          operation: 'UPDATE',
          table: 'memory_open_set',
          scope: last.scope,
          root_uuid: last.root,
          uuid: id(5, n),
          valid_from: last.from,
          content: factContent(`corrected ${n}`),
          cause: 'correction',
        },
      ]).catch(() => null);
    const [receipt] = receipts;
    if (receipt?.uuid)
      last = {
        uuid: receipt.uuid,
        root: receipt.uuid,
        scope: operation.scope,
        from: operation.valid_from,
      };
  }
}

async function everyRow(authority: Authority): Promise<readonly AnyRow[]> {
  const { position } = await authority.heads(TENANT, [SCOPE, OUTER]);
  const pages = await Promise.all(
    TABLES.map((table) =>
      authority.read({ tenant: TENANT, kind: 'scan', table, position, limit: 1000 }),
    ),
  );
  return pages.flatMap(({ rows }) => rows);
}

describeOnDatabases('visibility at (V, K)', (open) => {
  let authority: Authority;
  let rows: readonly AnyRow[];
  let heads: readonly number[];
  beforeAll(async () => {
    authority = pgvectorAuthority((await open()).database);
    await writeAll(authority);
    rows = await everyRow(authority);
    heads = (await authority.heads(TENANT, [SCOPE, OUTER])).position.map(({ head }) => head);
  });

  describe('of a fixture of more than 200 writes', () => {
    it('holds every kind of write: closed, re-cut, corrected, cascaded, pruned', () => {
      const causes = new Set(rows.map(({ row }) => row.cause));
      expect([...causes]).toEqual(
        expect.arrayContaining(['change', 'correction', 'cascade', 'prune', 'merge']),
      );
      expect(rows.some(({ row }) => row.cause === 'cascade' && row.scope_uuid === SCOPE)).toBe(
        true,
      );
      expect(rows.length).toBeGreaterThan(200);
    });

    it('is what model/validity.ts says, at every head of either scope and every fourth day', async () => {
      const parts = (['memory_open_set', 'memory_schema_typed'] as const).map(
        (table): QueryPart => ({
          id: table,
          table,
          mode: 'list',
          order: { by: 'uuid', direction: 'asc' },
          limit: 1000,
        }),
      );
      const [last = 0, outerLast = 0] = heads;
      let seen = 0;
      for (let head = 1; head <= last; head += 1) {
        const outerHead = Math.min(outerLast, Math.ceil((head * outerLast) / last));
        for (let v = head % 4; v < 38; v += 4) {
          const position = [
            { scope: SCOPE, head },
            { scope: OUTER, head: outerHead },
          ];
          const answer = await authority.query({
            tenant: TENANT,
            position,
            valid_at: day(v),
            parts,
          });
          const shown = answer.parts.flatMap((part) =>
            part.ok ? part.hits.map(({ row }) => row.uuid) : ['failed'],
          );
          const expected = rows.filter(
            ({ table, row }) =>
              table !== 'blocks' &&
              table !== 'context_links' &&
              isVisible(row, day(v), row.scope_uuid === SCOPE ? head : outerHead),
          );
          expect(shown.toSorted(), `head ${head}, day ${v}`).toEqual(
            expected.map(({ row }) => row.uuid).toSorted(),
          );
          seen += shown.length;
        }
      }
      expect(seen).toBeGreaterThan(1000);
    }, 600_000);

    it('never believes two values of one key at once', () => {
      const believed = rows.flatMap((entry) =>
        entry.table === 'memory_schema_typed' && entry.row.retired_seq === null ? [entry.row] : [],
      );
      for (const a of believed) {
        for (const b of believed) {
          if (a.uuid === b.uuid || a.property !== b.property) continue;
          expect(
            (a.valid_until !== null && a.valid_until <= b.valid_from) ||
              (b.valid_until !== null && b.valid_until <= a.valid_from),
          ).toBe(true);
        }
      }
      expect(believed.length).toBeGreaterThan(10);
    });
  });
});
