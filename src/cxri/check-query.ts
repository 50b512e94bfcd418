/** Query and read requests, checked before a connector sees them. */

import { TABLES, type Table } from '../model/block.ts';
import { isStoredInstant, isStoredUuid, isTenant } from '../model/ids.ts';
import { isStorable } from '../model/storable.ts';
import type { Position } from '../model/validity.ts';
import { checkFilter } from './check-filter.ts';
import { columnKind, SEARCHABLE } from './columns.ts';
import type {
  ListPart,
  NearestChoice,
  QueryPart,
  QueryRequest,
  ReadRequest,
  SearchPart,
} from './contract.ts';
import { invalidRequest } from './refuse.ts';

/** The limits of a closure (64 scopes), and of what one request may ask for. */
const MAX_SCOPES = 64;
const MAX_PARTS = 64;
const MAX_LIMIT = 1000;
const MAX_UUIDS = 10_000;
const MAX_TEXT_CHARS = 100_000;
const MAX_DIMENSIONS = 16_000;
export const MAX_NEIGHBOURS = 4;
const MAX_KEY_COLUMNS = 4;

/** What concerns the whole request; its parts are checked one by one with {@link checkPart}. */
export function checkQuery(request: QueryRequest): void {
  checkTenant(request.tenant);
  checkPosition(request.position, 'position');
  if (request.usage_position) checkHeads(request.usage_position, 'usage_position');
  if (!isStoredInstant(request.valid_at))
    throw invalidRequest(
      'valid_at',
      request.valid_at,
      'Pass a time in UTC with milliseconds, as `parseInstant` gives it.',
    );
  if (
    !Array.isArray(request.parts) ||
    request.parts.length === 0 ||
    request.parts.length > MAX_PARTS
  )
    throw invalidRequest('parts', request.parts?.length, `Pass 1 to ${MAX_PARTS} parts.`);
  const ids = request.parts.map((part) => part.id);
  if (new Set(ids).size < ids.length || ids.some((id) => typeof id !== 'string' || id === ''))
    throw invalidRequest('parts.id', ids, 'Give each part an id of its own.');
}

/** Throws `CONNECTOR.INVALID_REQUEST`; the other parts of the request are not touched by it. */
export function checkPart(part: QueryPart, position: Position): void {
  checkTable(part.table);
  checkLimit(part.limit);
  if (part.filter !== undefined) checkFilter(part.table, part.filter);
  for (const scope of part.scopes ?? []) {
    if (!position.some((entry) => entry.scope === scope))
      throw invalidRequest(
        'parts.scopes',
        scope,
        'Name scopes of the position; a part can only narrow it.',
      );
  }
  if (part.mode === 'list') checkOrder(part);
  else if (part.mode === 'search') checkSearch(part);
  else if (part.mode !== 'linked' || part.link_type !== 'pinned')
    throw invalidRequest(
      'parts.mode',
      Object(part).mode,
      'Use `list`, `search` or `linked` (with `pinned`).',
    );
  else if (part.from?.some((root) => !isStoredUuid(root)))
    throw invalidRequest('parts.from', part.from, 'Pass lower-case UUIDs.');
}

function checkOrder(part: ListPart): void {
  const { by, direction } = Object(part.order) as Partial<typeof part.order>;
  if (!isPlainColumn(part.table, by))
    throw invalidRequest('parts.order.by', by, `Order by a plain column of \`${part.table}\`.`);
  if (direction !== 'asc' && direction !== 'desc')
    throw invalidRequest('parts.order.direction', direction, 'Use `asc` or `desc`.');
  if (part.nearest !== undefined) checkNearest(part.table, part.nearest);
}

function checkNearest(table: Table, nearest: NearestChoice): void {
  for (const field of ['once', 'shadow'] as const) {
    const columns: unknown = Object(nearest)[field];
    if (columns === undefined) continue;
    const isSound =
      Array.isArray(columns) &&
      columns.length > 0 &&
      columns.length <= MAX_KEY_COLUMNS &&
      columns.every((column) => isPlainColumn(table, column));
    if (!isSound)
      throw invalidRequest(
        `parts.nearest.${field}`,
        columns,
        `Name 1 to ${MAX_KEY_COLUMNS} plain columns of \`${table}\`.`,
      );
  }
}

function isPlainColumn(table: Table, name: unknown): boolean {
  const kind = typeof name === 'string' ? columnKind(table, name) : undefined;
  return kind !== undefined && kind !== 'tags' && kind !== 'json' && kind !== 'metadata';
}

function checkSearch(part: SearchPart): void {
  const { text, vector } = part;
  if (!SEARCHABLE.includes(part.table))
    throw invalidRequest(
      'parts.table',
      part.table,
      `Search ${SEARCHABLE.join(', ')}; list the others.`,
    );
  if (text === undefined && vector === undefined)
    throw invalidRequest('parts', part.id, 'Give a search a text, a vector, or both.');
  if (
    text !== undefined &&
    (typeof text !== 'string' || text.length > MAX_TEXT_CHARS || !isStorable(text))
  )
    throw invalidRequest(
      'parts.text',
      text,
      `Pass well-formed text of at most ${MAX_TEXT_CHARS} characters, without NUL.`,
    );
  checkNeighbours(part);
  if (vector === undefined) return;
  const { values } = vector;
  if (
    !Array.isArray(values) ||
    values.length === 0 ||
    values.length > MAX_DIMENSIONS ||
    !values.every(Number.isFinite)
  )
    throw invalidRequest(
      'parts.vector',
      values?.length,
      'Pass the finite numbers that the embedder returned.',
    );
}

function checkNeighbours({ table, neighbours = 0 }: SearchPart): void {
  if (!Number.isSafeInteger(neighbours) || neighbours < 0 || neighbours > MAX_NEIGHBOURS)
    throw invalidRequest('parts.neighbours', neighbours, `Pass 0 to ${MAX_NEIGHBOURS}.`);
  if (neighbours > 0 && table !== 'blocks')
    throw invalidRequest(
      'parts.neighbours',
      neighbours,
      'Ask for neighbours of `blocks`; other rows stand in no conversation.',
    );
}

export function checkRead(request: ReadRequest): void {
  checkTenant(request.tenant);
  if (request.kind === 'scan') {
    checkTable(request.table);
    checkPosition(request.position, 'position');
    checkLimit(request.limit);
    if (request.filter !== undefined) checkFilter(request.table, request.filter);
    if (request.visible_at !== undefined && !isStoredInstant(request.visible_at))
      throw invalidRequest(
        'visible_at',
        request.visible_at,
        'Pass a time in UTC with milliseconds.',
      );
    if (request.cursor !== undefined && typeof request.cursor !== 'string')
      throw invalidRequest('cursor', request.cursor, 'Pass the cursor of the page before.');
    return;
  }
  const [field, uuids]: readonly [string, unknown] =
    request.kind === 'versions' ? ['uuids', request.uuids] : ['roots', Object(request).roots];
  if (request.kind !== 'versions' && request.kind !== 'history')
    throw invalidRequest('kind', Object(request).kind, 'Use `versions`, `history` or `scan`.');
  checkUuids(uuids, field);
  if (request.scopes !== '*') checkUuids(request.scopes, 'scopes');
}

export function checkTenant(tenant: unknown): void {
  if (!isTenant(tenant))
    throw invalidRequest(
      'tenant',
      tenant,
      'Name the tenant: 1 to 63 of a-z, A-Z, 0-9, `_`, `.`, `-`. There is no default.',
    );
}

/** Every scope once, and at least one: nothing is ever read without a scope. */
function checkPosition(position: Position, field: string): void {
  checkHeads(position, field);
  if (position.length === 0) throw invalidRequest(field, position, 'Name at least one scope.');
}

export function checkHeads(position: Position, field: string): void {
  if (!Array.isArray(position) || position.length > MAX_SCOPES)
    throw invalidRequest(field, position?.length, `Pass at most ${MAX_SCOPES} scopes.`);
  for (const { scope, head } of position)
    if (!isStoredUuid(scope) || !Number.isSafeInteger(head) || head < 0)
      throw invalidRequest(
        field,
        { scope, head },
        'Pass `{ scope, head }`, a lower-case UUID and a sequence number.',
      );
  if (new Set(position.map((entry) => entry.scope)).size < position.length)
    throw invalidRequest(field, position, 'Name each scope once.');
}

export function checkUuids(value: unknown, field: string): void {
  if (!Array.isArray(value) || value.length > MAX_UUIDS || !value.every(isStoredUuid))
    throw invalidRequest(field, value, `Pass at most ${MAX_UUIDS} lower-case UUIDs.`);
}

function checkTable(table: unknown): void {
  if (!TABLES.some((known) => known === table))
    throw invalidRequest('table', table, `Use ${TABLES.join(', ')}.`);
}

function checkLimit(limit: unknown): void {
  if (!Number.isSafeInteger(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
    throw invalidRequest('limit', limit, `Pass 1 to ${MAX_LIMIT}.`);
}
