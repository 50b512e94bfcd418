/**
 * Two captures at once are each judged before the other's write. So what a batch stored is read
 * again: where an earlier fact of the scope says the same, the later gives way. The lock of a scope
 * orders its writes, so the later always finds the earlier, and never the other way round.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { QueryPart } from '../cxri/contract.ts';
import type { FactRow } from '../model/block.ts';
import type { CandidateReceipt } from '../model/capture.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { AddOperation } from '../model/operation.ts';
import type { Writing } from './7-write.ts';
import type { CapturePlan } from './state.ts';

export interface GivingWay extends Pick<Writing, 'write' | 'caller' | 'signal'> {
  readonly authority: Pick<Authority, 'heads' | 'query'>;
  readonly tenant: TenantId;
  readonly now: Instant;
}

type StoredFact = AddOperation<'memory_open_set'>;

/** Facts of one part: a scope's contents are asked for together. */
const PER_PART = 50;
const PER_REQUEST = 60;
const MOST_FOUND = 1000;

/** The receipts as they stand once the later of two equal facts has given way. */
export async function giveWay(
  plan: CapturePlan,
  candidates: readonly CandidateReceipt[],
  by: GivingWay,
): Promise<readonly CandidateReceipt[]> {
  const stored = storedFacts(plan, candidates);
  if (stored.size === 0) return candidates;
  const found = await readAlike([...stored.values()], by);
  const settled: CandidateReceipt[] = [];
  for (const candidate of candidates) {
    const fact = candidate.uuid === null ? undefined : stored.get(candidate.uuid);
    const earlier = fact && earlierOf(fact, candidate, found);
    const isGone = fact && earlier && (await retire(fact, found, by));
    settled.push(
      earlier && isGone
        ? {
            ...candidate,
            outcome: 'duplicate',
            reason: 'known',
            uuid: earlier.uuid,
            root_uuid: earlier.root_uuid,
          }
        : candidate,
    );
  }
  return settled;
}

/** By version. A resumed capture finds its own keys taken: `duplicate` under the id it planned. */
function storedFacts(
  { writes }: CapturePlan,
  candidates: readonly CandidateReceipt[],
): ReadonlyMap<Uuid, StoredFact> {
  const written = new Set(
    candidates.flatMap(({ outcome, uuid }) =>
      uuid !== null && (outcome === 'stored' || outcome === 'duplicate') ? [uuid] : [],
    ),
  );
  return new Map(
    writes.flatMap(({ operation }) =>
      operation.operation === 'ADD' &&
      operation.table === 'memory_open_set' &&
      written.has(operation.uuid)
        ? [[operation.uuid, operation] as const]
        : [],
    ),
  );
}

async function readAlike(
  stored: readonly StoredFact[],
  { authority, tenant, now, signal }: GivingWay,
): Promise<readonly FactRow[]> {
  const scopes = [...new Set(stored.map(({ scope }) => scope))];
  const asked = scopes.flatMap((scope) =>
    partsOf(
      scope,
      stored.filter((each) => each.scope === scope),
    ),
  );
  const { position } = await authority.heads(tenant, scopes, ...(signal ? [signal] : []));
  const rows: FactRow[] = [];
  for (let start = 0; start < asked.length; start += PER_REQUEST) {
    const parts = asked.slice(start, start + PER_REQUEST);
    const request = { tenant, position, valid_at: now, parts, ...(signal && { signal }) };
    for (const part of (await authority.query(request)).parts) {
      if (!part.ok)
        throw new ContextEngineError(part.error.code, {
          message: part.error.message,
          fix: 'Capture again: the batch goes on where it stopped.',
        });
      for (const hit of part.hits) if (hit.table === 'memory_open_set') rows.push(hit.row);
    }
  }
  return rows;
}

function partsOf(scope: Uuid, stored: readonly StoredFact[]): readonly QueryPart[] {
  const texts = [...new Set(stored.map(({ content }) => content.content))];
  return Array.from(
    { length: Math.ceil(texts.length / PER_PART) },
    (_, page): QueryPart => ({
      id: `${scope}/${page}`,
      table: 'memory_open_set',
      mode: 'list',
      scopes: [scope],
      limit: MOST_FOUND,
      filter: { field: 'content', in: texts.slice(page * PER_PART, (page + 1) * PER_PART) },
      order: { by: 'recorded_seq', direction: 'asc' },
    }),
  );
}

/** The first that says the same, and holds wherever the fact does; null = the fact is the first. */
function earlierOf(
  { scope, uuid, content, valid_from, valid_until }: StoredFact,
  { outcome }: CandidateReceipt,
  found: readonly FactRow[],
): FactRow | null {
  const own = found.find((row) => row.uuid === uuid);
  // One that is not there has given way already, before this capture was gone on with.
  if (!own && outcome !== 'duplicate') return null;
  const before = own?.recorded_seq ?? Number.POSITIVE_INFINITY;
  const alike = found.filter(
    (row) =>
      row.scope_uuid === scope &&
      row.uuid !== uuid &&
      row.recorded_seq < before &&
      row.content === content.content &&
      row.subject === content.subject &&
      row.class === content.class &&
      row.valid_from <= valid_from &&
      row.valid_until === (valid_until ?? null),
  );
  return alike[0] ?? null;
}

/**
 * Whether it is gone: a fact that was changed since stays. It ends where it began, by the right
 * that it was written by: to forget is another right, which its writer may not hold.
 */
async function retire(
  { scope, uuid, valid_from, idempotency_key: key }: StoredFact,
  found: readonly FactRow[],
  { write, caller, now, signal }: GivingWay,
): Promise<boolean> {
  if (!found.some((row) => row.uuid === uuid)) return true;
  try {
    const { receipts } = await write({
      operations: [
        {
          operation: 'DELETE',
          table: 'memory_open_set',
          scope,
          root_uuid: uuid,
          cause: 'change',
          valid_from,
          expected_version: uuid,
          reason: 'said at the same time in another conversation',
          ...(key !== undefined && { idempotency_key: `${key}/gives-way` }),
        },
      ],
      profile: caller,
      now,
      ...(signal && { signal }),
    });
    return receipts.every(({ outcome }) => outcome === 'stored' || outcome === 'duplicate');
  } catch (error) {
    if (error instanceof ContextEngineError && !error.retryable) return false;
    throw error;
  }
}
