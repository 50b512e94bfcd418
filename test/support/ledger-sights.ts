import { day } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { Connection, Hit } from '../../src/cxri/contract.ts';
import { type AnyRow, TABLES, type Table, type Versioned } from '../../src/model/block.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import type { Position } from '../../src/model/validity.ts';
import { DAYS, type Script, shownId } from './ledger-commands.ts';

/**
 * Every row of a tenant as it stands, in an order that does not depend on ids that a connector
 * made.
 */
export async function ledgerOf(
  connection: Connection,
  script: Script,
  tenant: TenantId,
): Promise<readonly string[]> {
  const position = script.scopes.map((scope) => ({ scope, head: 1_000_000 }));
  const rows: string[] = [];
  for (const table of TABLES) {
    const page = await connection.read({ kind: 'scan', tenant, table, position, limit: 1000 });
    rows.push(...page.rows.map((entry) => shownRow(script, entry)));
  }
  return rows.sort();
}

const shownRow = (
  script: Script,
  {
    table,
    row,
  }: {
    readonly table: Table;
    readonly row: Readonly<Record<keyof Versioned, unknown>> & {
      readonly uuid: Uuid;
      readonly root_uuid: Uuid;
    };
  },
): string =>
  JSON.stringify([
    table,
    Object.entries({
      ...row,
      uuid: shownId(script, row.uuid),
      root_uuid: shownId(script, row.root_uuid),
    }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);

/** Columns that a later write may settle: not part of what was seen. */
const SETTLED = {
  valid_until: undefined,
  closed_seq: undefined,
  retired_seq: undefined,
  superseded_by: undefined,
  cause: undefined,
};

/** What is seen on every day at a position, the next edge with it. */
export async function sightOf(
  connection: Connection,
  script: Script,
  at: { readonly tenant: TenantId; readonly position: Position },
): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for (let on = 0; on <= DAYS; on += 1) {
    const { parts, next_edge } = await connection.query({
      ...at,
      valid_at: day(on),
      parts: [
        ...TABLES.map(
          (table) =>
            ({
              id: table,
              table,
              mode: 'list',
              limit: 1000,
              order: { by: 'valid_from', direction: 'asc' },
            }) as const,
        ),
        { id: 'pins', table: 'memory_open_set', mode: 'linked', link_type: 'pinned', limit: 1000 },
      ],
    });
    const shown = (hit: AnyRow): string =>
      shownRow(script, { table: hit.table, row: { ...hit.row, ...SETTLED } });
    seen.push([
      next_edge,
      ...parts.map((part) => (part.ok ? part.hits.map(shown).sort() : part.error.code)),
    ]);
  }
  return seen;
}

/**
 * What words find at a position, with their signals, what stands beside each row, and what was
 * weighed with.
 */
export async function foundOf(
  connection: Connection,
  script: Script,
  at: { readonly tenant: TenantId; readonly position: Position },
): Promise<readonly unknown[]> {
  const search = { mode: 'search', text: 'text of the first keyed turn', limit: 1000 } as const;
  const named = (uuid: Uuid | null | undefined): string | null =>
    uuid ? shownId(script, uuid) : null;
  const shown = ({ row, signals, beside }: Hit): string =>
    JSON.stringify([
      named(row.uuid),
      signals.lexical?.toFixed(8),
      named(beside?.previous),
      named(beside?.next),
    ]);
  const found: unknown[] = [];
  for (let on = 0; on <= DAYS; on += 2) {
    const { parts } = await connection.query({
      ...at,
      valid_at: day(on),
      parts: [
        { ...search, id: 'turns', table: 'blocks', neighbours: 1 },
        { ...search, id: 'facts', table: 'memory_open_set' },
      ],
    });
    found.push(
      parts.map((part) =>
        part.ok ? [part.lexicon, part.hits.map(shown).sort()] : part.error.code,
      ),
    );
  }
  return found;
}

/** The heads of a tenant's scopes now. */
export async function positionOf(
  authority: Authority,
  script: Script,
  tenant: TenantId,
): Promise<Position> {
  const { position } = await authority.heads(tenant, script.scopes);
  return script.scopes.map(
    (scope) => position.find((entry) => entry.scope === scope) ?? { scope, head: 0 },
  );
}
