/**
 * What a connector answered, held against what it was asked. A row outside the request is a bug of
 * the connector: the whole answer is refused, because a filter here would hide the bug and serve
 * the next one.
 */
import { assertThat } from '../codes/errors.ts';
import type { AnyRow } from '../model/block.ts';
import { isSlotted } from '../model/fact-slot.ts';
import type { Uuid } from '../model/ids.ts';
import { type Operation, OUTCOMES, type Receipt, type WriteResult } from '../model/operation.ts';
import { isVisible, type Position } from '../model/validity.ts';
import type {
  Hit,
  Lexicon,
  PartResult,
  QueryPart,
  QueryRequest,
  ReadRequest,
  ReadResult,
  SearchPart,
  WriteRequest,
} from './contract.ts';

/**
 * One result for each part, in its order, and no row outside the tenant, the scopes, the table and
 * (V, K).
 */
export function checkQueryAnswer(
  request: QueryRequest,
  parts: readonly QueryPart[],
  results: readonly PartResult[],
): void {
  assertThat(results.length === parts.length, 'a query is answered part by part');
  const heads = headsOf(request.position);
  for (const [index, part] of parts.entries()) {
    const result = results[index];
    assertThat(result?.id === part.id, 'parts are answered in the order asked');
    if (!result.ok) continue;
    assertThat(result.hits.length <= mostHits(part), 'a part returns no more than its limit');
    for (const hit of result.hits) {
      checkRow(hit, { tenant: request.tenant, heads });
      assertThat(hit.table === part.table, 'a part returns rows of its table');
      assertThat(
        part.scopes === undefined || part.scopes.includes(hit.row.scope_uuid),
        'a part returns rows of its scopes',
      );
      assertThat(
        isVisible(hit.row, request.valid_at, heads.get(hit.row.scope_uuid) ?? -1),
        'a row is visible at the position and the valid time',
      );
    }
    if (part.mode === 'search') checkSearchAnswer(part, result);
    if (part.mode === 'keys')
      assertThat(
        result.hits.every(({ row }) => part.uuids.includes(row.uuid)),
        'versions that were asked for are returned, and no other',
      );
  }
}

/** A search: the best of two legs, each with what stands beside it. */
const mostHits = (part: QueryPart): number =>
  part.mode === 'search' ? 2 * part.limit * (1 + 2 * (part.neighbours ?? 0)) : part.limit;

/** Cosines of vectors that are not quite of length one. */
const ROUNDING = 1e-3;

function checkSearchAnswer(
  part: SearchPart,
  { hits, lexicon }: Extract<PartResult, { ok: true }>,
): void {
  const byUuid = new Map(hits.map((hit) => [hit.row.uuid, hit]));
  assertThat(byUuid.size === hits.length, 'a search returns each row once');
  for (const hit of hits) {
    const { dense = 0, lexical = 0.5 } = hit.signals;
    assertThat(Math.abs(dense) <= 1 + ROUNDING, 'a cosine is between -1 and 1');
    assertThat(lexical > 0 && lexical <= 1, 'a lexical signal is above 0 and at most 1');
    assertThat(
      (hit.beside !== undefined) === (part.neighbours ?? 0) > 0,
      'a hit says what stands beside it where that was asked',
    );
    if (hit.beside) checkBeside(hit, hit.beside, byUuid);
  }
  if (lexicon) checkLexicon(part, lexicon);
}

/** Two rows beside each other say so of each other, and stand in one conversation. */
function checkBeside(
  hit: Hit,
  { previous, next }: NonNullable<Hit['beside']>,
  byUuid: ReadonlyMap<Uuid, Hit>,
): void {
  assertThat(previous !== hit.row.uuid && next !== hit.row.uuid, 'no row stands beside itself');
  const [before, after] = [previous && byUuid.get(previous), next && byUuid.get(next)];
  assertThat(
    (!before || before.beside?.next === hit.row.uuid) &&
      (!after || after.beside?.previous === hit.row.uuid),
    'rows beside each other say so of each other',
  );
  for (const other of [before, after])
    assertThat(
      !other || isSameConversation(hit, other),
      'rows beside each other are of one scope, type and parent',
    );
}

const isSameConversation = (a: Hit, b: Hit): boolean =>
  a.table === 'blocks' &&
  b.table === 'blocks' &&
  a.row.scope_uuid === b.row.scope_uuid &&
  a.row.block_type === b.row.block_type &&
  a.row.parent_uuid === b.row.parent_uuid;

function checkLexicon(
  part: SearchPart,
  { documents, mean_length: meanLength, frequencies }: Lexicon,
): void {
  assertThat(part.text !== undefined, 'a lexicon comes with a search by text');
  assertThat(
    isCount(documents) && Number.isFinite(meanLength) && meanLength >= 0,
    'a lexicon counts documents and their terms',
  );
  assertThat(
    Object.values(frequencies).every((df) => isCount(df) && df <= documents),
    'a term occurs in no more documents than there are',
  );
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

export function checkReadAnswer(request: ReadRequest, result: ReadResult): void {
  const { rows } = result;
  if (request.kind === 'scan') {
    const heads = headsOf(request.position);
    assertThat(rows.length <= request.limit, 'a scan returns no more than its limit');
    for (const entry of rows) {
      checkRow(entry, { tenant: request.tenant, heads });
      const head = heads.get(entry.row.scope_uuid) ?? -1;
      assertThat(
        entry.table === request.table && entry.row.recorded_seq <= head,
        'a scan returns rows of its table, up to its position',
      );
      assertThat(
        request.visible_at === undefined || isVisible(entry.row, request.visible_at, head),
        'a scan returns what is visible',
      );
    }
    return;
  }
  const asked = new Set(request.kind === 'versions' ? request.uuids : request.roots);
  const scopes = request.scopes === '*' ? null : new Set(request.scopes);
  for (const { row } of rows) {
    assertThat(
      row.tenant_id === request.tenant && (scopes === null || scopes.has(row.scope_uuid)),
      'a read returns rows of the tenant and scopes asked for',
    );
    assertThat(
      asked.has(request.kind === 'versions' ? row.uuid : row.root_uuid) && row.status === 'live',
      'a read returns what was asked for, and live',
    );
  }
}

/** A receipt for each operation, counts that add up, and a position that has them all. */
export function checkWriteAnswer(request: WriteRequest, result: WriteResult): void {
  assertThat(result.receipts.length === request.operations.length, 'each operation has a receipt');
  const heads = headsOf(result.position);
  for (const [index, receipt] of result.receipts.entries()) {
    const operation = request.operations[index];
    assertThat(
      operation !== undefined &&
        receipt.scope === operation.scope &&
        isCarriedOutAs(operation, receipt, request),
      'receipts stand in the order of the operations',
    );
    assertThat(
      receipt.seq <= (heads.get(receipt.scope) ?? -1),
      'the position of a write includes what it wrote',
    );
  }
  assertThat(
    OUTCOMES.every(
      (outcome) =>
        result.counts[outcome] ===
        result.receipts.filter((receipt) => receipt.outcome === outcome).length,
    ),
    'the counts are those of the receipts',
  );
}

/** In a slot, a fact follows what holds there, and its end may stand in it already. */
const isCarriedOutAs = (
  operation: Operation,
  { operation: kind }: Receipt,
  { operations }: WriteRequest,
): boolean =>
  kind === operation.operation ||
  (isSlotted(operation) && (kind === 'ADD' || kind === 'UPDATE')) ||
  (operation.operation === 'DELETE' && kind === 'NOOP' && operations.some(isSlotted));

const headsOf = (position: Position): ReadonlyMap<string, number> =>
  new Map(position.map(({ scope, head }) => [scope, head]));

function checkRow(
  { row }: AnyRow,
  asked: { readonly tenant: string; readonly heads: ReadonlyMap<string, number> },
): void {
  assertThat(row.tenant_id === asked.tenant, 'no row of another tenant is returned');
  assertThat(
    asked.heads.has(row.scope_uuid),
    'no row outside the scopes of the position is returned',
  );
}
