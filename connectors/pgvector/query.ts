/** Query: all parts in one round trip through the sealed search. */

import { InternalError } from '../../src/codes/errors.ts';
import type {
  Hit,
  KeysPart,
  Lexicon,
  PartResult,
  QueryPart,
  QueryRequest,
  QueryResult,
  SearchPart,
  UsageState,
} from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { indexText, lexicalSignal, queryTerms } from '../../src/text/bm25.ts';
import { isDocument, searchText } from '../../src/text/search-text.ts';
import type { Database } from './driver/sql.ts';
import { codeOfPart, throwIfAborted, toReadError } from './refusals.ts';
import {
  asList,
  asObject,
  asText,
  type JsonObject,
  rowReader,
  toTime,
  toVectorText,
} from './rows.ts';

export async function query(database: Database, request: QueryRequest): Promise<QueryResult> {
  throwIfAborted(request.signal);
  const { position } = request;
  if (position.length === 0)
    return { parts: request.parts.map(({ id }) => ({ id, ok: true, hits: [] })), next_edge: null };
  const rows = await database
    .query(
      'select context.retrieve($1, $2, $3::jsonb) as answer',
      [
        request.tenant,
        position.map(({ scope }) => scope).join(','),
        JSON.stringify(toWire(request)),
      ],
      request.signal,
    )
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

/**
 * The request as `context_ops.search` reads it. Vectors travel once, however many parts use them.
 */
function toWire(request: QueryRequest): JsonObject {
  const vectors: string[] = [];
  const known = new Map<readonly number[], number>();
  const indexOf = (values: readonly number[]): number => {
    const index = known.get(values) ?? vectors.push(toVectorText(values)) - 1;
    known.set(values, index);
    return index;
  };
  const usage = (request.usage_position ?? []).filter(({ head }) => head > 0);
  return {
    heads: request.position.map(({ head }) => head),
    valid_at: request.valid_at,
    parts: request.parts.map((part) => toWirePart(part, indexOf)),
    vectors,
    edge: true,
    ...(usage.length > 0 && {
      usage: { scopes: usage.map(({ scope }) => scope), heads: usage.map(({ head }) => head) },
    }),
  };
}

function toWirePart(
  part: QueryPart,
  indexOf: (values: readonly number[]) => number,
): JsonObject | QueryPart {
  if (part.mode === 'search') return toRanked(part, indexOf);
  if (part.mode !== 'keys') return part;
  const { uuids, ...keys } = part;
  // Versions stand where another mode has the roots that it starts from: one argument of a plan.
  return { ...toRanked(keys, indexOf), from: [...new Set(uuids)] };
}

/** A search goes by its terms; the text itself would only be longer. */
function toRanked(
  { text, vector, ...part }: SearchPart | Omit<KeysPart, 'uuids'>,
  indexOf: (values: readonly number[]) => number,
): JsonObject {
  return {
    ...part,
    ...(text !== undefined && { terms: queryTerms(text) }),
    ...(vector && { vector: { space: vector.space, index: indexOf(vector.values) } }),
  };
}

function toPartResult(part: QueryPart, answer: JsonObject): PartResult {
  if (answer['id'] !== part.id) throw new InternalError('The parts were answered out of order.');
  if (typeof answer['sqlstate'] === 'string')
    return {
      id: part.id,
      ok: false,
      error: { code: codeOfPart(answer['sqlstate']), message: asText(answer['message']) },
    };
  const hits = toHits(part, answer);
  if (part.mode !== 'search' && part.mode !== 'keys') return { id: part.id, ok: true, hits };
  const lexicon = part.text === undefined ? null : toLexicon(answer['lexicon']);
  // Given versions were not found by their words: no posting of theirs was read.
  const isByTexts = part.mode === 'keys' || answer['is_partial'] === true;
  const weighed = lexicon && isByTexts ? hits.map(byAllTerms(lexicon)) : hits;
  if (part.mode === 'keys')
    return { id: part.id, ok: true, hits: weighed, ...(lexicon && { lexicon }) };
  return {
    id: part.id,
    ok: true,
    hits: part.neighbours ? withBeside(weighed, answer['beside']) : weighed,
    ...(lexicon && { lexicon }),
    ...(answer['is_cut'] === true && { is_cut: true }),
    ...(answer['is_rebuilding'] === true && { is_rebuilding: true }),
  };
}

function toLexicon(json: unknown): Lexicon {
  const { documents, frequencies, ...mean } = asObject(json);
  return {
    documents: Number(documents),
    mean_length: Number(mean['mean_length']),
    mean_document_length: Number(mean['mean_document_length']),
    // `context_ops.weigh_terms` counts by term; the cast names that.
    frequencies: asObject(frequencies) as Lexicon['frequencies'],
  };
}

/**
 * The database read the postings of the rarest terms alone, to find the rows; what they are worth
 * by all terms is in their texts.
 */
function byAllTerms(lexicon: Lexicon): (hit: Hit) => Hit {
  const signalOf = lexicalSignal(lexicon);
  return (hit) => {
    const lexical = signalOf(indexText(searchText(hit.row), isDocument(hit.row)));
    const { lexical: _some, ...signals } = hit.signals;
    return { ...hit, signals: { ...signals, ...(lexical !== undefined && { lexical }) } };
  };
}

/**
 * `beside`: of each row found its uuid, those before it and those after it, the nearest first, one
 * more than are shown.
 */
function withBeside(hits: readonly Hit[], beside: unknown): readonly Hit[] {
  const previous = new Map<unknown, unknown>();
  const next = new Map<unknown, unknown>();
  for (const entry of beside === null ? [] : asList(beside)) {
    const [uuid, before, after] = asList(entry);
    const line = [...asList(before).toReversed(), uuid, ...asList(after)];
    for (const [at, one] of line.entries()) {
      if (at > 0) previous.set(one, line[at - 1]);
      if (at + 1 < line.length) next.set(one, line[at + 1]);
    }
  }
  // Casts: uuid columns.
  return hits.map((hit) => ({
    ...hit,
    beside: {
      previous: (previous.get(hit.row.uuid) ?? null) as Uuid | null,
      next: (next.get(hit.row.uuid) ?? null) as Uuid | null,
    },
  }));
}

function toHits(part: QueryPart, answer: JsonObject): readonly Hit[] {
  const read = rowReader(part.table, asList(answer['columns']));
  return asList(answer['hits']).map((hit) => {
    const [row, dense, lexical, usage] = asList(hit);
    const signals: { dense?: number; lexical?: number } = {};
    if (typeof dense === 'number') signals.dense = dense;
    if (typeof lexical === 'number') signals.lexical = lexical;
    return { ...read(row), signals, usage: usage === null ? null : toUsage(usage) };
  });
}

/** Stored as JSON by `recordUsage` and read back unchanged, hence the cast. */
export const toUsage = (state: unknown): UsageState => state as UsageState;
