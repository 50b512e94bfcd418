/**
 * The plan is written; what of it met another version than the one that it was judged against is
 * planned anew and written, until nothing is left: nobody's words are lost, and none are ended that
 * nobody compared them with.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { CandidateReceipt } from '../../model/capture.ts';
import { candidateOfKey, keyAnew } from '../../model/capture-key.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { Operation } from '../../model/operation.ts';
import { CONFLICT, type Receipts, type Writing, writePlan } from '../7-write.ts';
import type { CapturePlan, PlannedWrite } from '../state.ts';
import { isJudged } from './expected-versions.ts';
import { asFirst } from './take-back.ts';

export interface WritingAnew {
  readonly writing: () => Writing;
  readonly tenant: TenantId;
  readonly authority: Pick<Authority, 'read' | 'factOrigins'>;
  /** By `candidateOfKey`; `found`: those that the turns still say. */
  readonly planAnew: (names: ReadonlySet<string>) => Promise<PlannedAnew>;
}
type PlannedAnew = Pick<CapturePlan, 'writes' | 'settled'> & {
  readonly found: ReadonlySet<string>;
};

export interface WrittenPlan {
  /** With what was planned anew in the place of what it was before. */
  readonly plan: CapturePlan;
  readonly written: Receipts;
}

/** Beyond so many somebody else writes of it all the time: then it stands beside that. */
const MOST_ATTEMPTS = 3;

export async function writeJudged(plan: CapturePlan, by: WritingAnew): Promise<WrittenPlan> {
  let all: WrittenPlan = { plan, written: await writePlan(plan, by.writing()) };
  for (let attempt = 1; attempt <= MOST_ATTEMPTS + 1; attempt += 1) {
    const moved = all.plan.writes.filter((each) => isMoved(all.written.get(each), each));
    if (moved.length === 0) return all;
    const known = await writtenBefore(moved, by);
    const left = moved.filter((each) => !known.has(each));
    const anew = await anewOf(left, attempt, by);
    const next = { ...plan, ...anew };
    const written = await writePlan(next, by.writing());
    const taken = new Set(left);
    all = {
      plan: {
        ...plan,
        settled: [...all.plan.settled, ...next.settled],
        writes: [...all.plan.writes.filter((each) => !taken.has(each)), ...next.writes],
      },
      written: new Map([...all.written, ...known, ...written]),
    };
  }
  return all;
}

/** A key that was taken by another payload: whoever began to carry it out planned it otherwise. */
const isMoved = (receipt: CandidateReceipt | undefined, { operation }: PlannedWrite): boolean =>
  receipt?.outcome === 'failed' &&
  ((receipt.reason === CONFLICT && isJudged(operation)) ||
    (receipt.reason === 'WRITE.IDEMPOTENCY_CONFLICT' && isAnew(operation)));
const isAnew = ({ idempotency_key: key = '' }: Operation): boolean => key.includes('/anew-');

/** What an attempt that died has written is there under the id that every attempt gives it. */
async function writtenBefore(
  moved: readonly PlannedWrite[],
  { authority, tenant }: WritingAnew,
): Promise<Receipts> {
  const uuidOf = ({ operation }: PlannedWrite): readonly Uuid[] =>
    'uuid' in operation ? [operation.uuid] : [];
  const uuids = moved.flatMap(uuidOf);
  if (uuids.length === 0) return new Map();
  const scopes = [...new Set(moved.map(({ operation }) => operation.scope))];
  const { rows } = await authority.read({ kind: 'versions', tenant, scopes, uuids });
  const there = new Map(rows.map(({ row }) => [row.uuid, row]));
  const origins =
    rows.length === 0
      ? null
      : await authority.factOrigins(tenant, { uuids: [...there.keys()], readable: scopes });
  return new Map(
    moved.flatMap((each) => {
      const row = there.get(uuidOf(each)[0] ?? ('' as Uuid));
      const operation = (row && origins?.get(row.uuid)?.operation_id) ?? null;
      return row ? [[each, knownAs(each, row, operation)] as const] : [];
    }),
  );
}

const knownAs = (
  { source_uuid, start, end, class: memory, operation, why }: PlannedWrite,
  { uuid, root_uuid }: Readonly<Record<'uuid' | 'root_uuid', Uuid>>,
  operation_id: Uuid | null,
): CandidateReceipt => ({
  ...{ source_uuid, start, end, class: memory },
  ...{ outcome: 'duplicate', reason: why, scope_uuid: operation.scope },
  ...{ uuid, root_uuid, proposal_uuid: null, operation_id },
});

async function anewOf(
  moved: readonly PlannedWrite[],
  attempt: number,
  { planAnew }: WritingAnew,
): Promise<Pick<CapturePlan, 'writes' | 'settled'>> {
  const keyed = (planned: PlannedWrite): PlannedWrite => {
    const { idempotency_key: key = '' } = planned.operation;
    const operation = { ...planned.operation, idempotency_key: keyAnew(key, attempt) };
    return { ...planned, operation };
  };
  const beside = (each: PlannedWrite): PlannedWrite => keyed(asFirst(each) ?? each);
  if (moved.length === 0) return { writes: [], settled: [] };
  if (attempt > MOST_ATTEMPTS) return { writes: moved.map(beside), settled: [] };
  const names = new Map(
    moved.map((each) => [candidateOfKey(each.operation.idempotency_key ?? '') ?? '', each]),
  );
  const { writes, settled, found } = await planAnew(new Set(names.keys()));
  const lost = [...names].flatMap(([name, each]) => (found.has(name) ? [] : [each]));
  return { writes: [...writes.map(keyed), ...lost.map(beside)], settled };
}
