/**
 * One connector for each rule, broken in just that: wrapped around the reference connector. A suite
 * that passes one of them proves nothing.
 */
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import { typedContent } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { Hit, QueryRequest, QueryResult } from '../../src/cxri/contract.ts';
import type { AnyRow } from '../../src/model/block.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import { toInstant } from '../../src/model/ids.ts';
import type { Operation, WriteResult } from '../../src/model/operation.ts';
import { BROKEN_EDGES } from './broken-edges.ts';
import { BROKEN_PORTS } from './broken-ports.ts';
import { BROKEN_PROPOSALS } from './broken-proposals.ts';
import { BROKEN_READS } from './broken-reads.ts';
import { BROKEN_SEARCHES } from './broken-searches.ts';
import { BROKEN_SPANS } from './broken-spans.ts';

/**
 * What one store has seen of its callers: shared by its connections, as a real bug's state would
 * be.
 */
interface Memory {
  readonly tenants: Set<TenantId>;
  readonly keys: Map<string, string>;
  readonly shown: Map<Uuid, Hit>;
  writes: number;
}
type Break = (right: Authority, memory: Memory) => Partial<Authority>;

const mapHits = (
  result: QueryResult,
  change: (hits: readonly Hit[], index: number) => readonly Hit[],
): QueryResult => ({
  ...result,
  parts: result.parts.map((part, index) =>
    part.ok ? { ...part, hits: change(part.hits, index) } : part,
  ),
});
/** A row with other columns; its table stays, so the pair still fits. */
const changed = <T extends AnyRow>(entry: T, columns: Readonly<Record<string, unknown>>): T => ({
  ...entry,
  row: { ...entry.row, ...columns },
});
const without = (operation: Operation, ...fields: readonly string[]): Operation =>
  Object.fromEntries(
    Object.entries(operation).filter(([field]) => !fields.includes(field)),
  ) as unknown as Operation;

const FAR = 1_000_000;
const everywhere = (request: QueryRequest): QueryRequest => ({
  ...request,
  position: request.position.map(({ scope }) => ({ scope, head: FAR })),
});

async function acrossTenants<T>(
  memory: Memory,
  ask: (tenant: TenantId) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  for (const tenant of memory.tenants) answers.push(await ask(tenant));
  return answers;
}

export const BROKEN: Readonly<Record<string, Break>> = {
  ...BROKEN_SEARCHES,
  ...BROKEN_SPANS,
  ...BROKEN_EDGES,
  ...BROKEN_PORTS,
  ...BROKEN_PROPOSALS,
  ...BROKEN_READS,
  'lists and searches rows of every tenant': (right, memory) => ({
    query: async (request) => {
      const own = await right.query(request);
      const others = await acrossTenants(memory, (tenant) => right.query({ ...request, tenant }));
      return mapHits(own, (hits, index) => [
        ...hits,
        ...others
          .flatMap((other) => (other.parts[index]?.ok ? other.parts[index].hits : []))
          .filter((hit) => hit.row.tenant_id !== request.tenant),
      ]);
    },
  }),
  'reads ids of every tenant': (right, memory) => ({
    read: async (request) =>
      request.kind === 'scan'
        ? right.read(request)
        : {
            cursor: null,
            rows: (
              await acrossTenants(memory, (tenant) => right.read({ ...request, tenant }))
            ).flatMap(({ rows }) => rows),
          },
  }),
  'reads ids of every scope': (right) => ({
    read: async (request) =>
      right.read(request.kind === 'scan' ? request : { ...request, scopes: '*' }),
  }),
  'ignores the scopes of a part': (right) => ({
    query: async (request) =>
      right.query({
        ...request,
        parts: request.parts.map((part) => {
          const { scopes: _scopes, ...rest } = part;
          return rest;
        }),
      }),
  }),
  'forgets the tenant of vectors': (right, memory) => ({
    storeEmbeddings: async (space, rows) => {
      await acrossTenants(memory, (tenant) =>
        right.storeEmbeddings(
          space,
          rows.map((row) => ({ ...row, tenant })),
        ),
      );
    },
  }),
  'sees what was recorded after the head': (right) => ({
    query: async (request) => right.query(everywhere(request)),
  }),
  'still shows what was retired': (right, memory) => ({
    query: async (request) => {
      const answer = mapHits(await right.query(request), (hits) => {
        for (const hit of hits) memory.shown.set(hit.row.uuid, hit);
        return hits;
      });
      return mapHits(answer, (hits, index) => {
        const part = request.parts[index];
        const before = [...memory.shown.values()].filter(
          (hit) =>
            hit.table === part?.table &&
            hit.row.tenant_id === request.tenant &&
            request.position.some(({ scope }) => scope === hit.row.scope_uuid) &&
            !hits.some((other) => other.row.uuid === hit.row.uuid),
        );
        return [...hits, ...before];
      });
    },
  }),
  'forgets that an end was not known yet': (right) => ({
    query: async (request) =>
      mapHits(await right.query(request), (hits) =>
        hits.filter(({ row }) => row.valid_until === null || row.valid_until > request.valid_at),
      ),
  }),
  'takes the end of an interval for a part of it': (right) => ({
    query: async (request) =>
      right.query({ ...request, valid_at: toInstant(Date.parse(request.valid_at) - 1) }),
  }),
  'knows no next edge': (right) => ({
    query: async (request) => ({ ...(await right.query(request)), next_edge: null }),
  }),
  'swallows the last operation of a batch': (right) => ({
    write: async (request): Promise<WriteResult> => {
      if (request.operations.length < 2) return right.write(request);
      const written = await right.write({
        ...request,
        operations: request.operations.slice(0, -1),
      });
      const [last, first] = [request.operations.at(-1), written.receipts[0]];
      if (!last || !first || last.operation !== 'ADD') return written;
      const receipt = {
        ...first,
        operation: last.operation,
        table: last.table,
        uuid: last.uuid,
        root_uuid: last.uuid,
        scope: last.scope,
      };
      return {
        ...written,
        receipts: [...written.receipts, receipt],
        counts: { ...written.counts, stored: written.counts.stored + 1 },
      };
    },
  }),
  'keeps the key of a typed value by overwriting what an update says': (right) => ({
    write: async (request) => {
      const { subject, collection, property } = typedContent('');
      const operations = request.operations.map((operation) =>
        operation.operation === 'UPDATE' && operation.table === 'memory_schema_typed'
          ? { ...operation, content: { ...operation.content, subject, collection, property } }
          : operation,
      );
      return right.write({ ...request, operations });
    },
  }),
  'miscounts its receipts': (right) => ({
    write: async (request) => {
      const written = await right.write(request);
      return { ...written, counts: { ...written.counts, stored: request.operations.length } };
    },
  }),
  'writes what it can of a batch that fails': (right) => ({
    write: async (request) => {
      try {
        return await right.write(request);
      } catch (error) {
        for (const operation of request.operations)
          await right.write({ ...request, operations: [operation] }).catch(() => undefined);
        throw error;
      }
    },
  }),
  'accepts a used key with another payload': (right, memory) => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) => {
          const key =
            operation.idempotency_key === undefined
              ? null
              : `${request.tenant}/${operation.scope}/${operation.idempotency_key}`;
          const said = operation.operation === 'ADD' ? JSON.stringify(operation.content) : '';
          const known = key === null ? undefined : memory.keys.get(key);
          if (key !== null && known === undefined) memory.keys.set(key, said);
          return known !== undefined && known !== said
            ? without(operation, 'idempotency_key')
            : operation;
        }),
      }),
  }),
  'forgets idempotency keys': (right) => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) => without(operation, 'idempotency_key')),
      }),
  }),
  'ignores the version a write was judged against': (right) => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) => without(operation, 'expected_version')),
      }),
  }),
  'drops sources': (right) => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) => without(operation, 'sources')),
      }),
  }),
  'lets every typed key hold many values': (right) => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) =>
          operation.operation === 'ADD' && operation.table === 'memory_schema_typed'
            ? { ...operation, content: { ...operation.content, cardinality: 'many' as const } }
            : operation,
        ),
      }),
  }),
  'is a write behind': (right, memory) => ({
    write: async (request) => {
      memory.writes += 1;
      return right.write(request);
    },
    query: async (request) =>
      right.query({
        ...request,
        position: request.position.map(({ scope, head }) => ({
          scope,
          head: Math.max(0, head > FAR ? head : head - 1),
        })),
      }),
  }),
  'ignores filters': (right) => ({
    query: async (request) =>
      right.query({
        ...request,
        parts: request.parts.map((part) => {
          const { filter: _filter, ...rest } = part;
          return rest;
        }),
      }),
  }),
  'ignores limits': (right) => ({
    query: async (request) =>
      right.query({ ...request, parts: request.parts.map((part) => ({ ...part, limit: 1000 })) }),
  }),
  'orders the other way round': (right) => ({
    query: async (request) => mapHits(await right.query(request), (hits) => [...hits].reverse()),
  }),
  'answers parts in another order': (right) => ({
    query: async (request) => {
      const answer = await right.query(request);
      return { ...answer, parts: [...answer.parts].reverse() };
    },
  }),
  'fails all parts when one fails': (right) => ({
    query: async (request) => {
      const answer = await right.query({ ...request, parts: request.parts });
      const failed = answer.parts.find((part) => !part.ok);
      return failed
        ? { ...answer, parts: answer.parts.map((part) => ({ ...failed, id: part.id })) }
        : answer;
    },
  }),
  'finds every row by any text': (right) => ({
    query: async (request) =>
      mapHits(
        await right.query({
          ...request,
          parts: request.parts.map((part) =>
            part.mode === 'search' && part.vector === undefined
              ? {
                  id: part.id,
                  table: part.table,
                  limit: part.limit,
                  mode: 'list',
                  order: { by: 'uuid', direction: 'asc' },
                }
              : part,
          ),
        }),
        (hits) => hits,
      ),
  }),
  'gives ranks for cosines': (right) => ({
    query: async (request) =>
      mapHits(await right.query(request), (hits) =>
        hits.map((hit, index) => ({
          ...hit,
          signals: {
            ...hit.signals,
            ...(hit.signals.dense !== undefined && { dense: 1 / (60 + index) }),
          },
        })),
      ),
  }),
  'guesses with a vector of another space': (right) => ({
    query: async (request) =>
      right.query({
        ...request,
        parts: request.parts.map((part) =>
          part.mode === 'search' && part.vector
            ? {
                ...part,
                vector: {
                  space: 'conformance/suite/4',
                  values: [...part.vector.values, 0, 0, 0].slice(0, 4),
                },
              }
            : part,
        ),
      }),
  }),
  'cuts long texts': (right) => ({
    read: async (request) => ({
      ...(await right.read(request)),
      rows: (await right.read(request)).rows.map((entry) =>
        'content' in entry.row
          ? changed(entry, { content: entry.row.content.slice(0, 65_536) })
          : entry,
      ),
    }),
  }),
  'normalises texts': (right) => ({
    read: async (request) => {
      const answer = await right.read(request);
      return {
        ...answer,
        rows: answer.rows.map((entry) =>
          'content' in entry.row
            ? changed(entry, { content: entry.row.content.normalize('NFC') })
            : entry,
        ),
      };
    },
  }),
  'declares what it does not do': (right) => ({
    capabilities: { ...right.capabilities, blobs: true },
  }),
  'does not pre-filter': (right) => ({ capabilities: { ...right.capabilities, prefilter: false } }),
};

/** Connections to one store, all broken in the same way. */
export function brokenConnector(name: string): { connect(): Promise<Authority> } {
  const connector = createReferenceConnector();
  const memory: Memory = { tenants: new Set(), keys: new Map(), shown: new Map(), writes: 0 };
  const wrap = BROKEN[name];
  return {
    connect: async () => {
      const plain = await connector.connect();
      const right: Authority = {
        ...plain,
        write: async (request) => {
          memory.tenants.add(request.tenant);
          return plain.write(request);
        },
      };
      return { ...right, ...wrap?.(right, memory) };
    },
  };
}
