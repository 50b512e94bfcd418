/**
 * What is malformed is refused with a code before anything is written. Through the guard, as the
 * engine uses a connector.
 */
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../codes/errors.ts';
import type { QueryRequest, WriteRequest } from '../../cxri/contract.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import {
  addFact,
  addLink,
  addScope,
  addTyped,
  blockContent,
  day,
  factContent,
  linkContent,
  noop,
  removeFact,
  typedContent,
  updateFact,
  WRITER,
} from '../law-operations.ts';

/** A malformed value where the type says otherwise: exactly what this file is about. */
const wrong = <T>(value: unknown): T => value as T;

const LIST = {
  id: 'p',
  table: 'blocks',
  mode: 'list',
  limit: 5,
  order: { by: 'uuid', direction: 'asc' },
} as const;

/** Changes to a sound request; each makes it malformed. */
const malformedRequests = (scope: Uuid): readonly object[] => [
  { tenant: '' },
  { tenant: 'a b' },
  { tenant: undefined },
  { position: [] },
  { position: [{ scope: 'x', head: 1 }] },
  { position: [{ scope, head: -1 }] },
  { position: [{ scope, head: 1.5 }] },
  {
    position: [
      { scope, head: 1 },
      { scope, head: 2 },
    ],
  },
  { valid_at: 'now' },
  { parts: [] },
  { parts: [LIST, LIST] },
];

/** The same of one part of it. */
const malformedParts = (elsewhere: Uuid): readonly object[] => [
  { table: 'pg_class' },
  { limit: 0 },
  { limit: 1001 },
  { limit: '5' },
  { mode: 'everything' },
  { order: { by: 'uuid; drop', direction: 'asc' } },
  { order: { by: 'uuid', direction: 'sideways' } },
  { scopes: [elsewhere] },
  { mode: 'search' },
  { mode: 'search', text: 'a\0b' },
  { mode: 'search', vector: { space: 'x/y/2', values: [1, Number.NaN] } },
  { filter: { field: 'tenant', eq: 'x' } },
  { filter: { field: 'role' } },
  { filter: { field: 'is_scope', eq: 'yes' } },
  { filter: { field: 'recorded_seq', eq: 'one' } },
  { filter: { field: 'role', like: 'x' } },
  { filter: 'true' },
  { filter: { field: 'uuid', eq: 'x' } },
  { filter: { field: 'occurred_at', gt: 'later' } },
  { filter: { field: '__proto__', eq: 'x' } },
];

export const badInput: readonly Law[] = [
  {
    name: 'a malformed operation is refused, and nothing of its batch is written',
    needs: ['write', 'atomic'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const place = () => ({ scope, uuid: lab.id() });
      const [root, good] = [lab.id(), addFact(place(), factContent('good'))];
      const bad: readonly (readonly [string, unknown])[] = [
        ['unknown operation', { ...noop(scope), operation: 'UPSERT' }],
        ['unknown field', { ...good, tenant_id: lab.otherTenant }],
        ['unknown table', { ...good, table: 'pg_class' }],
        ['unknown column', { ...good, content: { ...good.content, tenant_id: lab.otherTenant } }],
        ['missing column', { ...good, content: { content: 'x' } }],
        ['no content', { ...good, content: null }],
        ['NUL', addFact(place(), factContent('a\0b'))],
        ['NUL in metadata', addFact(place(), factContent('a', { metadata: { x: '\0' } }))],
        ['half a surrogate pair', addFact(place(), factContent('a\ud83d'))],
        ['not a uuid', { ...good, uuid: 'x' }],
        ['upper-case uuid', { ...good, uuid: 'ABCDEF00-0000-4000-8000-000000000001' }],
        ['not a scope', { ...good, scope: null }],
        ['not a time', { ...good, valid_from: '2026-01-01' }],
        ['an end before the beginning', addFact(place(), factContent('a'), { from: 3, until: 3 })],
        ['share above one', addFact(place(), factContent('a', { importance: 1.5 }))],
        ['not a number', addFact(place(), factContent('a', { confidence: Number.NaN }))],
        [
          'unknown type',
          {
            ...addTyped(place(), typedContent('x')),
            content: { ...typedContent('x'), type: 'json' },
          },
        ],
        [
          'unknown link',
          {
            ...addLink(place(), linkContent('pinned', { from: scope, to: scope })),
            content: { ...linkContent('pinned', { from: scope, to: scope }), link_type: 'owns' },
          },
        ],
        ['unknown cause', { ...updateFact(place(), factContent('a'), { root }), cause: 'because' }],
        ['empty key', { ...good, idempotency_key: '' }],
        ['NOOP without a reason', { operation: 'NOOP', scope }],
        ['a scope block of another scope', { ...addScope(lab.id()), scope }],
        ['source twice', addFact(place(), factContent('a'), { sources: [root, root] })],
      ];
      for (const [name, operation] of bad) {
        const error = await lab.refused(
          lab.write(connection, [noop(scope), wrong(operation)]),
          'WRITE.INVALID',
        );
        assert.notEqual(error.message, '', name);
      }
      const { receipts } = await lab.write(connection, [noop(scope)]);
      assert.equal(receipts[0]?.seq, 2, 'nothing of the refused batches was written');
    },
  },
  {
    name: 'an operation on what is not there is refused',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const [root, typed] = [lab.id(), lab.id()];
      await lab.write(connection, [
        addFact({ scope, uuid: root }, factContent('a')),
        addTyped({ scope, uuid: typed }, typedContent('x')),
      ]);
      await lab.refused(
        lab.write(connection, [
          updateFact({ scope, uuid: lab.id() }, factContent('b'), { root: lab.id() }),
        ]),
        'WRITE.NOT_FOUND',
      );
      await lab.refused(
        lab.write(connection, [removeFact(scope, lab.id(), { cause: 'change', from: 1 })]),
        'WRITE.NOT_FOUND',
      );
      await lab.refused(
        lab.write(connection, [
          updateFact({ scope: other, uuid: lab.id() }, factContent('b'), { root }),
        ]),
        'WRITE.NOT_FOUND',
      );
      await lab.refused(
        lab.write(connection, [removeFact(scope, typed, { cause: 'prune', from: 1 })]),
        'WRITE.NOT_FOUND',
      );
      await lab.refused(lab.write(connection, [noop(lab.id())]), 'SCOPE.NOT_FOUND');
    },
  },
  {
    name: 'a uuid names one version',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const fact = lab.id();
      await lab.write(connection, [addFact({ scope, uuid: fact }, factContent('first'))]);
      await lab.refused(
        lab.write(connection, [addFact({ scope, uuid: fact }, factContent('second'))]),
        'WRITE.REFUSED',
        'WRITE.INVALID',
      );
      const [row] = await lab.versions(connection, [fact]);
      assert.equal(row?.table === 'memory_open_set' && row.row.content, 'first');
    },
  },
  {
    name: 'a malformed query or read is refused',
    needs: ['write', 'structured'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const request: QueryRequest = {
        tenant: lab.tenant,
        position: [{ scope, head: 1 }],
        valid_at: day(1),
        parts: [LIST],
      };
      for (const change of malformedRequests(scope))
        await lab.refused(
          connection.query(wrong({ ...request, ...change })),
          'CONNECTOR.INVALID_REQUEST',
        );
      for (const change of malformedParts(lab.id())) {
        const { parts } = await connection.query({
          ...request,
          parts: [wrong({ ...request.parts[0], ...change })],
        });
        assert.equal(
          parts[0]?.ok === false && parts[0].error.code,
          'CONNECTOR.INVALID_REQUEST',
          JSON.stringify(change),
        );
      }
      const read = {
        kind: 'scan',
        tenant: lab.tenant,
        table: 'blocks',
        position: [{ scope, head: 1 }],
        limit: 5,
      } as const;
      for (const change of [
        { kind: 'all' },
        { cursor: 'nonsense' },
        { cursor: 7 },
        { limit: 0 },
        { position: [] },
        { visible_at: 'now' },
      ])
        await lab.refused(
          connection.read(wrong({ ...read, ...change })),
          'CONNECTOR.INVALID_REQUEST',
        );
      for (const change of [{ uuids: ['x'] }, { uuids: 'all' }, { scopes: 'all' }])
        await lab.refused(
          connection.read(
            wrong({ kind: 'versions', tenant: lab.tenant, scopes: '*', uuids: [], ...change }),
          ),
          'CONNECTOR.INVALID_REQUEST',
        );
    },
  },
  {
    name: 'a batch of nothing, or of too much, is refused',
    needs: ['write'],
    check: async (lab) => {
      const connection = await lab.connect();
      const scope = await lab.scope(connection);
      const request: WriteRequest = {
        tenant: lab.tenant,
        writer: WRITER,
        operations: [noop(scope)],
        recorded_at: day(1),
      };
      const cases: readonly (readonly [object, ErrorCode])[] = [
        [{ operations: [] }, 'WRITE.INVALID'],
        [{ operations: new Array(10_001).fill(noop(scope)) }, 'WRITE.INVALID'],
        [{ recorded_at: 'now' }, 'WRITE.INVALID'],
        [{ tenant: '' }, 'CONNECTOR.INVALID_REQUEST'],
        [
          {
            operations: [
              { ...addFact({ scope, uuid: lab.id() }, factContent('x'.repeat(16_777_217))) },
            ],
          },
          'WRITE.TOO_LARGE',
        ],
        [
          {
            operations: [
              {
                ...addScope(lab.id()),
                content: blockContent('', { tags: new Array(65).fill('t') }),
              },
            ],
          },
          'WRITE.INVALID',
        ],
      ];
      for (const [change, code] of cases)
        await lab.refused(connection.write({ ...request, ...change }), code);
    },
  },
];
