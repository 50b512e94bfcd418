/** Query: all parts in one round trip through the sealed search. */
import type { Hit, PartResult, QueryPart, QueryRequest, QueryResult, UsageState } from '../../src/cxri/contract.ts';
import { InternalError } from '../../src/errors.ts';
import { codeOfPart, throwIfAborted, toReadError } from './refusals.ts';
import { asList, asObject, asText, type JsonObject, toNamedRow, toTime } from './rows.ts';
import type { Database } from './sql.ts';

export async function query(database: Database, request: QueryRequest): Promise<QueryResult> {
  throwIfAborted(request.signal);
  const { position } = request;
  if (position.length === 0) return { parts: request.parts.map(({ id }) => ({ id, ok: true, hits: [] })), next_edge: null };
  const rows = await database
    .query('select context.retrieve($1, $2, $3::jsonb) as answer', [
      request.tenant,
      position.map(({ scope }) => scope).join(','),
      JSON.stringify(toWire(request)),
    ])
    .catch((error: unknown) => {
      throw toReadError(error);
    });
  throwIfAborted(request.signal);
  const answer = asObject(rows[0]?.['answer']);
  const parts = asList(answer['parts']);
  return {
    parts: request.parts.map((part, index) => toPartResult(part, asObject(parts[index]))),
    next_edge: answer['next_edge'] === null ? null : toTime(answer['next_edge']),
  };
}

/** The request as `context_ops.search` reads it. Vectors travel once, however many parts use them. */
function toWire(request: QueryRequest): JsonObject {
  const vectors: string[] = [];
  const known = new Map<readonly number[], number>();
  const indexOf = (values: readonly number[]): number => {
    const index = known.get(values) ?? vectors.push(`[${values.join(',')}]`) - 1;
    known.set(values, index);
    return index;
  };
  const usage = (request.usage_position ?? []).filter(({ head }) => head > 0);
  return {
    heads: request.position.map(({ head }) => head),
    valid_at: request.valid_at,
    parts: request.parts.map((part) => ({
      ...part,
      ...(part.mode === 'search' && part.vector && { vector: { space: part.vector.space, index: indexOf(part.vector.values) } }),
    })),
    vectors,
    edge: true,
    ...(usage.length > 0 && { usage: { scopes: usage.map(({ scope }) => scope), heads: usage.map(({ head }) => head) } }),
  };
}

function toPartResult(part: QueryPart, answer: JsonObject): PartResult {
  if (answer['id'] !== part.id) throw new InternalError('The parts were answered out of order.');
  if (typeof answer['sqlstate'] === 'string')
    return { id: part.id, ok: false, error: { code: codeOfPart(answer['sqlstate']), message: asText(answer['message']) } };
  return { id: part.id, ok: true, hits: toHits(part, answer) };
}

function toHits(part: QueryPart, answer: JsonObject): readonly Hit[] {
  const columns = asList(answer['columns']);
  return asList(answer['hits']).map((hit) => {
    const [row, dense, lexical, usage] = asList(hit);
    return {
      ...toNamedRow(part.table, columns, row),
      signals: { ...(typeof dense === 'number' && { dense }), ...(typeof lexical === 'number' && { lexical }) },
      usage: usage === null ? null : toUsage(usage),
    };
  });
}

/** Stored as JSON by `recordUsage` and read back unchanged, hence the cast. */
export const toUsage = (state: unknown): UsageState => state as UsageState;
