/**
 * What several conversations state waits once: the proposal of the first one stands for all. So
 * what was proposed is looked at again: where its proposal is that of another turn, or the fact is
 * there by now, the statement is a repetition.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { FactRow } from '../../model/block.ts';
import type { CandidateReceipt } from '../../model/capture.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { AddOperation, Operation } from '../../model/operation.ts';
import type { Grant, PermissionProfile } from '../../model/permission.ts';
import type { CapturePlan } from '../state.ts';
import { withdraw } from './take-back.ts';
import { WAITS } from './waiting.ts';

type Proposed = AddOperation<'memory_open_set'>;

export interface OneWaits {
  readonly authority: Pick<Authority, 'listProposals' | 'settleProposal'>;
  readonly tenant: TenantId;
  readonly scopes: Grant['scopes'];
  readonly proposer: PermissionProfile;
  readonly now: Instant;
  /** What was written of the same contents since they were compared. */
  readonly standing: (facts: readonly Proposed[]) => Promise<readonly FactRow[]>;
}

/** As many as are listed at once; beyond them a reviewer has other worries. */
const MOST_WAITING = 1000;

/** The receipts as they stand then. */
export async function oneWaits(
  { writes }: CapturePlan,
  candidates: readonly CandidateReceipt[],
  by: OneWaits,
): Promise<readonly CandidateReceipt[]> {
  const planned = new Map(
    writes.flatMap(({ operation }) => (isFirst(operation) ? [[operation.uuid, operation]] : [])),
  );
  const asked = new Set(
    candidates.flatMap(({ outcome, proposal_uuid: id }) =>
      outcome === 'quarantined' && id !== null ? [id] : [],
    ),
  );
  if (asked.size === 0 || planned.size === 0) return candidates;
  const listing = { state: 'pending', limit: MOST_WAITING } as const;
  const pending = await by.authority.listProposals(by.tenant, listing, by.scopes);
  const own = new Map<Uuid, Proposed>();
  const became = new Map<Uuid, FactRow | null>();
  for (const { proposal_uuid: id, action } of pending) {
    const [only, ...more] = action.operations;
    if (!asked.has(id) || !only || more.length > 0 || !isFirst(only)) continue;
    if (planned.has(only.uuid)) own.set(id, only);
    else became.set(id, null);
  }
  const standing = own.size === 0 ? [] : await by.standing([...own.values()]);
  for (const [proposal, fact] of own) {
    const row = standing.find((each) => says(each, fact));
    if (row && (await withdraw({ proposal }, by)) === null) became.set(proposal, row);
  }
  return candidates.map((candidate) => {
    const row = became.get(candidate.proposal_uuid ?? ('' as Uuid));
    return row === undefined ? candidate : knownAs(candidate, row);
  });
}

const isFirst = (operation: Operation): operation is Proposed =>
  operation.operation === 'ADD' && operation.table === 'memory_open_set';

const says = (row: FactRow, { scope, content, valid_until }: Proposed): boolean =>
  row.scope_uuid === scope &&
  row.content === content.content &&
  row.subject === content.subject &&
  row.class === content.class &&
  row.valid_until === (valid_until ?? null);

const knownAs = (candidate: CandidateReceipt, row: FactRow | null): CandidateReceipt => ({
  ...candidate,
  ...{ outcome: 'duplicate', reason: row ? 'known' : WAITS, proposal_uuid: null },
  ...{ uuid: row?.uuid ?? null, root_uuid: row?.root_uuid ?? null },
});
