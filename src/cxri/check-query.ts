/**
 * Query and read requests, checked before a connector sees them: their schemas, then what depends
 * on the position or the columns of a table.
 */
import type { Table } from '../model/block.ts';
import type { Position } from '../model/validity.ts';
import { checkFilter } from './check-filter.ts';
import { checkRequest } from './check-request.ts';
import { columnKind, SEARCHABLE } from './columns.ts';
import type { ListPart, QueryPart, QueryRequest, ReadRequest, SearchPart } from './contract.ts';
import { invalidRequest } from './refuse.ts';

/** What concerns the whole request; its parts are checked one by one with {@link checkPart}. */
export const checkQuery = (request: QueryRequest): void => checkRequest('query', request);

/** By the mode of a part. */
const PART_SCHEMAS = {
  list: 'part_list',
  search: 'part_search',
  keys: 'part_keys',
  linked: 'part_linked',
} as const;

/** Throws `CONNECTOR.INVALID_REQUEST`; the other parts of the request are not touched by it. */
export function checkPart(part: QueryPart, position: Position): void {
  const mode: unknown = part.mode;
  if (!Object.hasOwn(PART_SCHEMAS, String(mode)))
    throw invalidRequest('parts.mode', mode, 'Use `list`, `search`, `keys` or `linked`.');
  checkRequest(PART_SCHEMAS[part.mode], part, 'parts');
  if (part.filter !== undefined) checkFilter(part.table, part.filter);
  for (const scope of part.scopes ?? []) {
    if (!position.some((entry) => entry.scope === scope))
      throw invalidRequest(
        'parts.scopes',
        scope,
        'Name scopes of the position; a part can only narrow it.',
      );
  }
  if (part.mode === 'list') checkColumns(part);
  if (part.mode === 'search') checkSearch(part);
}

function checkColumns({ table, order, nearest }: ListPart): void {
  if (!isPlainColumn(table, order.by))
    throw invalidRequest('parts.order.by', order.by, `Order by a plain column of \`${table}\`.`);
  for (const field of ['once', 'shadow'] as const) {
    const columns = nearest?.[field];
    if (columns?.every((column) => isPlainColumn(table, column)) === false)
      throw invalidRequest(
        `parts.nearest.${field}`,
        columns,
        `Name plain columns of \`${table}\`.`,
      );
  }
}

function isPlainColumn(table: Table, name: string): boolean {
  const kind = columnKind(table, name);
  return kind !== undefined && kind !== 'tags' && kind !== 'json' && kind !== 'metadata';
}

function checkSearch({ id, table, text, vector, neighbours = 0 }: SearchPart): void {
  if (!SEARCHABLE.includes(table))
    throw invalidRequest('parts.table', table, `Search ${SEARCHABLE.join(', ')}; list the others.`);
  if (text === undefined && vector === undefined)
    throw invalidRequest('parts', id, 'Give a search a text, a vector, or both.');
  if (neighbours > 0 && table !== 'blocks')
    throw invalidRequest(
      'parts.neighbours',
      neighbours,
      'Ask for neighbours of `blocks`; other rows stand in no conversation.',
    );
}

/** By the kind of a read. */
const READ_SCHEMAS = {
  versions: 'read_versions',
  history: 'read_history',
  scan: 'read_scan',
} as const;

export function checkRead(request: ReadRequest): void {
  const kind: unknown = request.kind;
  if (!Object.hasOwn(READ_SCHEMAS, String(kind)))
    throw invalidRequest('kind', kind, 'Use `versions`, `history` or `scan`.');
  checkRequest(READ_SCHEMAS[request.kind], request);
  if (request.kind === 'scan' && request.filter !== undefined)
    checkFilter(request.table, request.filter);
}
