/** Queries and reads of a copy. Isolation is in the predicate, which is applied before ranking. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type {
  Hit,
  PartResult,
  QueryPart,
  QueryRequest,
  QueryResult,
  ReadRequest,
  ReadResult,
  SearchPart,
} from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { queryTerms } from '../../src/text/bm25.ts';
import type { Copy } from './copies.ts';
import { oneOf, predicateOf, quoted } from './predicate.ts';
import { keyOf, toEntry } from './records.ts';

/** What the statements below select. */
interface Found {
  readonly ledger: string;
  readonly row: string;
  readonly _distance?: number;
  readonly _score?: number;
}

export async function queryCopy(copy: Copy, request: QueryRequest): Promise<QueryResult> {
  const parts = await Promise.all(request.parts.map((part) => answer(copy, part, request)));
  return { parts, next_edge: null };
}

/** A part that fails does not take the others with it. */
async function answer(copy: Copy, part: QueryPart, request: QueryRequest): Promise<PartResult> {
  try {
    if (part.mode !== 'search')
      throw new ContextEngineError('CONNECTOR.MISSING_CAPABILITY', {
        message: `A mount of \`lancedb\` has no parts of mode \`${part.mode}\`.`,
        fix: 'Ask the authority for them.',
      });
    return { id: part.id, ok: true, hits: await search(copy, part, request) };
  } catch (error) {
    if (!(error instanceof ContextEngineError)) throw error;
    return { id: part.id, ok: false, error: { code: error.code, message: error.message } };
  }
}

async function search(
  copy: Copy,
  part: SearchPart,
  { tenant, position, valid_at: at }: QueryRequest,
): Promise<readonly Hit[]> {
  const { text, vector, table, limit, filter, scopes } = part;
  const within = scopes ? position.filter(({ scope }) => scopes.includes(scope)) : position;
  const predicate = predicateOf({ tenant, table, position: within, at, ...(filter && { filter }) });
  const by = { copy, predicate, limit };
  const [lexical, dense] = await Promise.all([
    text === undefined ? [] : byWords(text, by),
    vector === undefined ? [] : byMeaning(vector, by),
  ]);
  const hits = new Map<Uuid, Hit>();
  for (const found of [...dense, ...lexical]) {
    const entry = toEntry(found);
    const known = hits.get(entry.row.uuid);
    const { _distance: distance, _score: score } = found;
    const signals = {
      ...known?.signals,
      ...(distance !== undefined && { dense: 1 - distance }),
      // On a scale of its own: the authority says what words are worth.
      ...(score !== undefined && { lexical: score / (1 + score) }),
    };
    hits.set(entry.row.uuid, { ...entry, signals, usage: null });
  }
  return [...hits.values()];
}

interface Asked {
  readonly copy: Copy;
  readonly predicate: string;
  readonly limit: number;
}

async function byWords(text: string, { copy, predicate, limit }: Asked): Promise<readonly Found[]> {
  const terms = queryTerms(text).join(' ');
  if (terms === '') return [];
  const found: Found[] = await copy.rows
    .query()
    .fullTextSearch(terms, { columns: ['words'] })
    .where(predicate)
    .select(['ledger', 'row', '_score'])
    .limit(limit)
    .toArray();
  return found.filter(({ _score: score }) => score !== undefined && score > 0);
}

/**
 * Partitions looked at, and how many candidates for each that is asked for are compared by their
 * vectors: of the 20 nearest of 24,000 x 1,536, without centres near most of them, 8 finds .982, 12
 * .989, 24 .996; each reads as many rows (measured).
 */
const PROBES = 64;
const REFINED = 12;

async function byMeaning(
  vector: NonNullable<SearchPart['vector']>,
  { copy, predicate, limit }: Asked,
): Promise<readonly Found[]> {
  const { space } = copy;
  if (space?.name !== vector.space || space.dimensions !== vector.values.length)
    throw new ContextEngineError('INFERENCE.DIMENSIONS', {
      message:
        `The mount holds vectors of \`${space?.name ?? 'no space'}\`; it was asked with one of ` +
        `\`${vector.space}\`, of \`${vector.values.length}\` dimensions.`,
      fix: 'Run `contextengine rebuild MOUNT`, with the embedder of the ledger.',
    });
  // A condition on the vector itself would read the whole column: 3 times as long at 30,000 x 768.
  const found: Found[] = await copy.rows
    .query()
    .nearestTo([...vector.values])
    .distanceType('cosine')
    .where(predicate)
    .nprobes(PROBES)
    .refineFactor(REFINED)
    .select(['ledger', 'row', '_distance'])
    .limit(limit)
    .toArray();
  return found.filter(({ _distance: distance }) => Number.isFinite(distance));
}

export async function readCopy(copy: Copy, request: ReadRequest): Promise<ReadResult> {
  if (request.kind === 'scan') return scan(copy, request);
  const { tenant, scopes } = request;
  const held = scopes === '*' ? '' : ` AND ${oneOf('scope', scopes)}`;
  const named =
    request.kind === 'versions'
      ? oneOf(
          'key',
          request.uuids.map((uuid) => keyOf(tenant, uuid)),
        )
      : oneOf('root_uuid', request.roots);
  const found: readonly Found[] = await copy.rows
    .query()
    .where(`tenant = ${quoted(tenant)} AND ${named}${held}`)
    .select(['ledger', 'row'])
    .toArray();
  const asked: readonly Uuid[] = request.kind === 'versions' ? request.uuids : request.roots;
  const place = new Map(asked.map((uuid, index) => [uuid, index]));
  const nameOf = (entry: ReturnType<typeof toEntry>): number =>
    place.get(request.kind === 'versions' ? entry.row.uuid : entry.row.root_uuid) ?? 0;
  const rows = found
    .map(toEntry)
    .sort((a, b) => nameOf(a) - nameOf(b) || a.row.recorded_seq - b.row.recorded_seq);
  return { rows, cursor: null };
}

async function scan(
  copy: Copy,
  request: Extract<ReadRequest, { kind: 'scan' }>,
): Promise<ReadResult> {
  const { tenant, table, position, limit, visible_at: at, filter, cursor } = request;
  const seen = predicateOf({
    tenant,
    table,
    position,
    ...(at !== undefined && { at }),
    ...(filter && { filter }),
  });
  const columns = ['scope', 'recorded_seq', 'uuid'];
  // One row more than asked shows whether there is a next page.
  const found: readonly Found[] = await copy.rows
    .query()
    .where(cursor === undefined ? seen : `${seen} AND ${afterCursor(cursor)}`)
    .select(['ledger', 'row', ...columns])
    .orderBy(columns.map((columnName) => ({ columnName, ascending: true })))
    .limit(limit + 1)
    .toArray();
  const rows = found.slice(0, limit).map(toEntry);
  const last = rows.at(-1)?.row;
  const key = last && [last.scope_uuid, last.recorded_seq, last.uuid];
  const isMore = found.length > rows.length;
  return {
    rows,
    cursor: key && isMore ? Buffer.from(JSON.stringify(key)).toString('base64url') : null,
  };
}

/** A cursor says only after which key to go on: what may be seen is judged anew. */
function afterCursor(cursor: string): string {
  try {
    const [scope, seq, uuid]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof scope === 'string' && typeof seq === 'number' && typeof uuid === 'string')
      return (
        `(scope > ${quoted(scope)} OR (scope = ${quoted(scope)} AND (recorded_seq > ${seq} OR ` +
        `(recorded_seq = ${seq} AND uuid > ${quoted(uuid)}))))`
      );
  } catch {
    // A cursor of another make ends below as well.
  }
  throw new ContextEngineError('CONNECTOR.INVALID_REQUEST', {
    message: `The cursor \`${cursor.slice(0, 80)}\` is not one of a scan.`,
    fix: 'Pass the cursor of the page before, unchanged.',
  });
}
