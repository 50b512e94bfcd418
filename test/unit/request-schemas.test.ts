/** Requests to connectors: what each refusal names, and what depends on more than one field. */
import { describe, expect, it } from 'vitest';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { checkFilter } from '../../src/cxri/check-filter.ts';
import { checkPart, checkQuery, checkRead } from '../../src/cxri/check-query.ts';
import { checkRequest } from '../../src/cxri/check-request.ts';
import type { Filter, QueryPart, QueryRequest, ReadRequest } from '../../src/cxri/contract.ts';
import { REQUEST_SCHEMAS, type RequestName } from '../../src/inputs/request-schemas.ts';
import { parseInstant, parseTenant, parseUuid } from '../../src/model/ids.ts';

const NAMES = Object.keys(REQUEST_SCHEMAS) as RequestName[]; // the keys of the record
const scope = parseUuid('00000000-0000-4000-8000-000000000001', 'scope');
const LIST = {
  id: 'p',
  table: 'blocks',
  mode: 'list',
  limit: 5,
  order: { by: 'uuid', direction: 'asc' },
} as const;
const SEARCH = { id: 'p', table: 'blocks', mode: 'search', limit: 5, text: 'a' } as const;
const QUERY: QueryRequest = {
  tenant: parseTenant('t'),
  position: [{ scope, head: 1 }],
  valid_at: parseInstant('2026-01-01T00:00:00Z', 'at'),
  parts: [LIST],
};
const SCAN = { kind: 'scan', tenant: 't', table: 'blocks', position: QUERY.position, limit: 5 };

function refusalOf(call: () => void): string {
  try {
    call();
  } catch (error) {
    if (!(error instanceof ContextEngineError)) throw error;
    expect(error.code).toBe('CONNECTOR.INVALID_REQUEST');
    return `${error.message} ${error.fix}`;
  }
  return 'accepted';
}
// Malformed values where the types say otherwise: what this file is about.
const queryOf = (change: object) =>
  refusalOf(() => checkQuery({ ...QUERY, ...change } as QueryRequest));
const partOf = (change: object, part: object = LIST) =>
  refusalOf(() => checkPart({ ...part, ...change } as QueryPart, QUERY.position));
const readOf = (change: object) =>
  refusalOf(() => checkRead({ ...SCAN, ...change } as ReadRequest));
const filterOf = (filter: unknown) => refusalOf(() => checkFilter('blocks', filter as Filter));

describe('a malformed query', () => {
  it.each<[object, string]>([
    [{ tenant: 'a b' }, '`tenant` is `a b`. Name the tenant: 1 to 63'],
    [{ tenant: undefined }, '`tenant` is `undefined`. Name the tenant'],
    [{ position: [] }, '`position` is `[]`. Pass 1 to 64 scopes, each once.'],
    [{ position: new Array(65).fill({ scope, head: 1 }) }, '`position` is `65`. Pass 1 to 64'],
    [{ position: [{ scope, head: -1 }] }, '","head":-1}`. Pass `{ scope, head }`, a lower-case'],
    [
      {
        position: [
          { scope, head: 1 },
          { scope, head: 2 },
        ],
      },
      'Pass 1 to 64 scopes, each once.',
    ],
    [{ usage_position: [{ scope: 'x', head: 1 }] }, '`usage_position` is `{"scope":"x","head":1}`'],
    [{ valid_at: 'now' }, '`valid_at` is `now`. Pass a time in UTC with milliseconds, as'],
    [{ parts: [] }, '`parts` is `[]`. Pass 1 to 64 parts'],
    [{ parts: [{ ...LIST, id: '' }] }, 'Give each part an id of its own.'],
    [{ parts: [LIST, LIST] }, 'each with an id of its own.'],
  ])('is refused, case %#', (change, words) => expect(queryOf(change)).toContain(words));

  it.each<[object, string]>([
    [{ table: 'pg_class' }, '`parts.table` is `pg_class`. Use blocks, subtree_summaries,'],
    [{ limit: 1001 }, '`parts.limit` is `1001`. Pass 1 to 1000.'],
    [{ limit: '5' }, '`parts.limit` is `5`.'],
    [
      { mode: 'everything' },
      '`parts.mode` is `everything`. Use `list`, `search`, `keys` or `linked`.',
    ],
    [{ mode: 'toString' }, '`parts.mode` is `toString`.'],
    [{ order: { by: 'uuid; drop', direction: 'asc' } }, '`parts.order.by` is `uuid; drop`.'],
    [{ order: { by: 'tags', direction: 'asc' } }, 'Order by a plain column of `blocks`.'],
    [{ order: { by: 'uuid', direction: 'up' } }, '`parts.order.direction` is `up`. Use `asc`'],
    [{ order: undefined }, '`parts.order` is `undefined`. Pass `{ by, direction }`.'],
    [{ nearest: { once: [] } }, '`parts.nearest.once` is `[]`. Name 1 to 4 plain columns'],
    [{ nearest: { shadow: ['x'] } }, '`parts.nearest.shadow` is `["x"]`. Name plain columns of'],
    [{ scopes: ['x'] }, '`parts.scopes` is `x`. Name scopes of the position'],
    [{ mode: 'linked', link_type: 'owns' }, '`parts.link_type` is `owns`. Use `pinned`.'],
    [{ mode: 'linked', link_type: 'pinned', from: ['x'] }, '`parts.from` is `["x"]`.'],
  ])('is refused in a part, case %#', (change, words) => expect(partOf(change)).toContain(words));

  it.each<[object, string]>([
    [{ text: undefined }, '`parts` is `p`. Give a search a text, a vector, or both.'],
    [{ text: 'a\0b' }, 'Pass well-formed text of at most 100000 characters, without NUL.'],
    [{ vector: { space: 'a', values: [1, Number.NaN] } }, 'Pass the finite numbers that the'],
    [{ vector: { space: 'a', values: new Array(16_001).fill(0) } }, 'values` is `16001`.'],
    [{ vector: { values: [1] } }, '`parts.vector.space` is `undefined`.'],
    [{ neighbours: 5 }, '`parts.neighbours` is `5`. Pass 0 to 4.'],
    [{ neighbours: 1, table: 'memory_open_set' }, 'Ask for neighbours of `blocks`'],
    [{ table: 'context_links' }, '`parts.table` is `context_links`. Search blocks,'],
  ])('is refused in a search, case %#', (change, words) =>
    expect(partOf(change, SEARCH)).toContain(words),
  );
});

describe('a malformed read', () => {
  it.each<[object, string]>([
    [{ kind: 'all' }, '`kind` is `all`. Use `versions`, `history` or `scan`.'],
    [{ cursor: 7 }, '`cursor` is `7`. Pass the cursor of the page before.'],
    [{ visible_at: 'now' }, '`visible_at` is `now`. Pass a time in UTC with milliseconds.'],
    [{ kind: 'versions', uuids: ['x'], scopes: '*' }, '`uuids` is `["x"]`. Pass at most 10000'],
    [{ kind: 'history', roots: [scope], scopes: 'all' }, '`scopes` is `all`. Pass at most 10000'],
  ])('is refused, case %#', (change, words) => expect(readOf(change)).toContain(words));
});

describe('a filter', () => {
  it.each<[unknown, string]>([
    [{ field: 'role' }, '`filter.role` is `[]`. Give one comparison'],
    [{ field: 'role', eq: 'a', in: [] }, 'Give one comparison'],
    [{ field: 'role', eq: undefined }, 'Give one comparison'],
    [{ field: 'head', eq: 1 }, '`filter.field` is `head`. Name a column of `blocks`'],
    [{ field: 'role', like: 'x' }, '`filter.role.like` is `x`. Use a comparison and a value that'],
    [{ field: 'is_scope', eq: 'yes' }, '`filter.is_scope.eq` is `yes`.'],
    [{ field: 'is_scope', gt: true }, 'fit a field of kind `boolean`.'],
    [{ field: 'recorded_seq', in: [1, '2'] }, '`filter.recorded_seq.in` is `[1,"2"]`.'],
    [{ field: 'recorded_seq', in: new Array(1001).fill(1) }, '`filter.recorded_seq.in` is `1001`'],
    [{ field: 'recorded_seq', gt: null }, '`filter.recorded_seq.gt` is `null`.'],
    [{ field: 'occurred_at', gte: '2026-02-30' }, 'fit a field of kind `time`.'],
    [{ field: 'tags', contains: [1] }, 'fit a field of kind `tags`.'],
    [{ field: 'metadata', has: [] }, 'fit a field of kind `json`.'],
    [{ field: 'metadata.x', eq: {} }, 'fit a field of kind `metadata`.'],
  ])('is refused, case %#', (filter, words) => expect(filterOf(filter)).toContain(words));

  it.each([
    { field: 'role', eq: null },
    { field: 'recorded_seq', gt: 1, lte: 3 },
    { field: 'occurred_at', lt: '2026-02-03' },
    { field: 'tags', contains: [] },
    { field: 'metadata', has: { a: { b: 1 } } },
    { field: 'metadata.x', in: ['a', 1, true, null] },
    { and: [{ not: { field: 'uuid', eq: scope } }, { or: [] }] },
  ])('is taken, case %#', (filter) => expect(filterOf(filter)).toBe('accepted'));
});

describe('each schema', () => {
  it.each(NAMES)('%s: refuses what is no object, and names a field that is missing', (name) => {
    for (const value of [undefined, null, 3, 'a'])
      expect(refusalOf(() => checkRequest(name, value))).toContain('`request` is ');
    const { required, properties } = REQUEST_SCHEMAS[name];
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required]));
    const [first] = required;
    if (first !== undefined)
      expect(refusalOf(() => checkRequest(name, {}))).toContain(`\`${first}\` is \`undefined\`. `);
  });
});
