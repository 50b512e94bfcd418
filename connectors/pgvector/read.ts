/**
 * Reads by key, under row-level security like any other statement; and the scan, through the sealed
 * search.
 */

import { ContextEngineError } from '../../src/codes/errors.ts';
import type { ReadRequest, ReadResult } from '../../src/cxri/contract.ts';
import { type AnyRow, TABLES } from '../../src/model/block.ts';
import { parseUuid, shown, type Uuid } from '../../src/model/ids.ts';
import { inTenant } from './driver/session.ts';
import type { Database } from './driver/sql.ts';
import { codeOfPart, throwIfAborted, toReadError } from './refusals.ts';
import { asList, asObject, asTable, asText, columnsOf, rowReader, toRow } from './rows.ts';

export async function read(database: Database, request: ReadRequest): Promise<ReadResult> {
  throwIfAborted(request.signal);
  if (request.kind === 'scan') return scan(database, request);
  const isHistory = request.kind === 'history';
  const keys = [...new Set(isHistory ? request.roots : request.uuids)];
  if (keys.length === 0 || request.scopes.length === 0) return { rows: [], cursor: null };
  const parts = TABLES.map(
    (table) => `select '${table}' as "table", r.recorded_seq, r.valid_from, k.ord, r.uuid,
      (select row_to_json(x) from (select ${columnsOf(table)
        .map((column) => `r.${column}`)
        .join(', ')}) x) as row
    from keys k join context.${table} r on r.tenant_id = $1
    and r.${isHistory ? 'root_uuid' : 'uuid'} = k.key where r.status = 'live'`,
  );
  const text = `with keys as (select value::uuid as key, ord
    from jsonb_array_elements_text($2::jsonb) with ordinality as t(value, ord))
    select v."table", v.row from (${parts.join(' union all ')}) v
    order by v.ord, v.recorded_seq, v.valid_from, v.uuid`;
  const rows = await inTenant(
    database,
    { tenant: request.tenant, scopes: request.scopes, signal: request.signal },
    (tx) => tx.query(text, [request.tenant, JSON.stringify(keys)]),
  );
  return { rows: rows.map(({ table, row }) => toRow(asTable(table), row)), cursor: null };
}

type ScanRequest = Extract<ReadRequest, { kind: 'scan' }>;

async function scan(database: Database, request: ScanRequest): Promise<ReadResult> {
  const { position, table, filter, limit, visible_at, cursor } = request;
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (position.length === 0) return { rows: [], cursor: null };
  // One row more than asked shows whether there is a next page.
  const part = {
    id: 'scan',
    mode: 'scan',
    table,
    limit: limit + 1,
    visible: visible_at !== undefined,
    ...(filter && { filter }),
    ...(after && { after }),
  };
  const wire = {
    heads: position.map(({ head }) => head),
    valid_at: visible_at ?? '1970-01-01T00:00:00Z',
    parts: [part],
    vectors: [],
  };
  const rows = await database
    .query('select context.retrieve($1, $2, $3::jsonb) as answer', [
      request.tenant,
      position.map(({ scope }) => scope).join(','),
      JSON.stringify(wire),
    ])
    .catch((error: unknown) => {
      throw toReadError(error);
    });
  const answer = asObject(asList(asObject(rows[0]?.['answer'])['parts'])[0]);
  if (typeof answer['sqlstate'] === 'string') {
    throw new ContextEngineError(codeOfPart(answer['sqlstate']), {
      message: `The scan was refused: ${shown(answer['message'])}`,
      fix: 'Correct the filter or the cursor.',
      meta: { sqlstate: answer['sqlstate'] },
    });
  }
  const readRow = rowReader(table, asList(answer['columns']));
  const found = asList(answer['hits']).map((hit) => readRow(asList(hit)[0]));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, cursor: last && found.length > page.length ? toCursor(last) : null };
}

const toCursor = ({ row }: AnyRow): string =>
  Buffer.from(JSON.stringify([row.scope_uuid, row.recorded_seq, row.uuid])).toString('base64url');

/** A cursor says only after which key to go on: what may be seen is judged anew. */
function parseCursor(cursor: string): readonly [Uuid, string, Uuid] {
  try {
    const [scope, seq, uuid]: readonly unknown[] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    );
    if (Number.isSafeInteger(seq))
      return [parseUuid(scope, 'cursor'), asText(seq), parseUuid(uuid, 'cursor')];
  } catch {
    // Whatever it is, it is refused below.
  }
  throw new ContextEngineError('CONNECTOR.INVALID_REQUEST', {
    message: `The cursor \`${shown(cursor)}\` is not one of a scan.`,
    fix: 'Pass the cursor of the page before, unchanged.',
  });
}
