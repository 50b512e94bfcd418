/**
 * Two captures at once are each judged before the other's write. So what a batch stored is read
 * again: where an earlier fact of the scope says the same, the later gives way. The lock of a scope
 * orders its writes, so the later always finds the earlier, and never the other way round.
 */
import { ContextEngineError, isOperational } from '../../codes/errors.ts';
import type { Authority } from '../../cxri/authority.ts';
import type { QueryPart } from '../../cxri/contract.ts';
import type { FactRow } from '../../model/block.ts';
import type { CandidateReceipt } from '../../model/capture.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { AddOperation, Operation, Receipt } from '../../model/operation.ts';
import { headOf, type Position } from '../../model/validity.ts';
import { forReviews, type Writing } from '../7-write.ts';
import type { CapturePlan } from '../state.ts';
import { CaptureWaits } from '../waits.ts';

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
  const found = await readAlike([...stored.values()], plan.judged_at ?? [], by);
  const earlier = new Map<Uuid, FactRow>();
  for (const candidate of candidates) {
    const fact = candidate.uuid === null ? undefined : stored.get(candidate.uuid);
    const row = fact && earlierOf(fact, candidate, found);
    if (fact && row) earlier.set(fact.uuid, row);
  }
  const left = [...earlier.keys()].flatMap((uuid) => stored.get(uuid) ?? []);
  // What is not there has given way already, before this capture was gone on with.
  const standing = left.filter(({ uuid }) => found.some((row) => row.uuid === uuid));
  const retired = await retire(standing, by);
  return candidates.map((candidate) => {
    const row = candidate.uuid === null ? undefined : earlier.get(candidate.uuid);
    return row ? settled(candidate, row, retired.get(candidate.uuid ?? '') ?? 'gone') : candidate;
  });
}

/** `stays`: it was changed since. A code: why it could not be ended, so that both stand. */
type Retired = 'gone' | 'stays' | { readonly code: string };

function settled(candidate: CandidateReceipt, row: FactRow, became: Retired): CandidateReceipt {
  if (became === 'stays') return candidate;
  if (became !== 'gone') return { ...candidate, outcome: 'failed', reason: became.code };
  const { uuid, root_uuid } = row;
  return {
    ...candidate,
    outcome: 'duplicate',
    reason: 'known',
    uuid,
    root_uuid,
    operation_id: null,
  };
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

/**
 * Of what was written since the facts were compared: what stood before was compared with. So it
 * costs what was written meanwhile, however much the scope holds.
 */
export async function readAlike(
  stored: readonly StoredFact[],
  judgedAt: Position,
  { authority, tenant, now, signal }: GivingWay,
): Promise<readonly FactRow[]> {
  const scopes = [...new Set(stored.map(({ scope }) => scope))];
  const asked = scopes.flatMap((scope) => {
    const texts = stored.flatMap((each) => (each.scope === scope ? [each.content.content] : []));
    return partsOf({ scope, after: headOf(judgedAt, scope) ?? 0, texts: [...new Set(texts)] });
  });
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

function partsOf({
  scope,
  after,
  texts,
}: {
  readonly scope: Uuid;
  readonly after: number;
  readonly texts: readonly string[];
}): readonly QueryPart[] {
  return Array.from(
    { length: Math.ceil(texts.length / PER_PART) },
    (_, page): QueryPart => ({
      id: `${scope}/${page}`,
      table: 'memory_open_set',
      mode: 'list',
      scopes: [scope],
      limit: MOST_FOUND,
      filter: {
        and: [
          { field: 'recorded_seq', gt: after },
          { field: 'content', in: texts.slice(page * PER_PART, (page + 1) * PER_PART) },
        ],
      },
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
 * They end where they began, by the right that they were written by: to forget is another right,
 * which their writer may not hold. Together; where one is refused, each by itself.
 */
async function retire(
  facts: readonly StoredFact[],
  by: GivingWay,
): Promise<ReadonlyMap<string, Retired>> {
  if (facts.length === 0) return new Map();
  const { write, caller, now, signal } = by;
  try {
    const operations = facts.map(endOf);
    const { receipts } = await write({
      operations,
      profile: caller,
      now,
      isOfCapture: true,
      ...(signal && { signal }),
    });
    return new Map(facts.map(({ uuid }, index) => [uuid, becameOf(receipts[index])]));
  } catch (error) {
    if (!(error instanceof ContextEngineError) || isOperational(error)) throw error;
    if (error.code === 'PERMISSION.TOO_MANY_PROPOSALS') throw new CaptureWaits(forReviews(now));
    const [only] = facts;
    if (facts.length === 1 && only)
      // Forgotten meanwhile: there is nothing left to give way.
      return new Map([[only.uuid, error.code === 'WRITE.NOT_FOUND' ? 'gone' : error]]);
    const alone: (readonly [string, Retired])[] = [];
    for (const fact of facts) alone.push(...(await retire([fact], by)));
    return new Map(alone);
  }
}

const endOf = ({ scope, uuid, valid_from, idempotency_key: key }: StoredFact): Operation => ({
  operation: 'DELETE',
  table: 'memory_open_set',
  scope,
  root_uuid: uuid,
  cause: 'change',
  valid_from,
  expected_version: uuid,
  reason: 'said at the same time in another conversation',
  ...(key !== undefined && { idempotency_key: `${key}/gives-way` }),
});

/** A conflict: another version took its place. A proposal: whoever reviews it ends the fact. */
function becameOf(receipt: Receipt | undefined): Retired {
  const outcome = receipt?.outcome;
  if (outcome === 'stored' || outcome === 'duplicate') return 'gone';
  if (outcome === 'conflict' || outcome === 'quarantined') return 'stays';
  return { code: receipt?.reason ?? 'WRITE.REFUSED' };
}
