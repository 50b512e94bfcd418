/**
 * What a connector does with an approved proposal: the write or the redaction that it says, and
 * whether its versions still stand.
 */
import type { ForgetRequest } from '../model/erasure.ts';
import { type Instant, toEpochMs, toInstant, type Uuid } from '../model/ids.ts';
import type { JudgedVersions, ProposedAction } from '../model/proposal.ts';
import type { WriteRequest } from './contract.ts';

/** By the proposer: an approval does not make the approver the writer. */
export const proposedWrite = (action: ProposedAction, at: Instant): WriteRequest => ({
  tenant: action.tenant,
  operations: action.operations,
  decisions: action.decisions,
  ...(action.must_be_new.length > 0 && { must_be_new: action.must_be_new }),
  ...(action.seed !== null && { seed: action.seed }),
  recorded_at: at,
  writer: {
    principal: action.proposer,
    on_behalf_of: action.on_behalf_of,
    writer: action.writer,
  },
});

const DAY_MS = 24 * 3600 * 1000;

/** By the proposer too; null where nothing is to be forgotten. */
export function proposedForget(action: ProposedAction, at: Instant): ForgetRequest | null {
  const { redaction: asked, tenant, proposer: principal, on_behalf_of, tier } = action;
  if (!asked) return null;
  const { redaction, kind, value, within: scopes, grace_days: days } = asked;
  const erase_after = toInstant(toEpochMs(at) + days * DAY_MS);
  return { tenant, redaction, kind, value, scopes, at, erase_after, principal, on_behalf_of, tier };
}

/**
 * Whether any of the versions moved. `believed` gives those of a root or key as they stand under
 * the lock.
 */
export const hasMoved = (
  judged: readonly JudgedVersions[],
  believed: (of: JudgedVersions) => readonly Uuid[],
): boolean =>
  judged.some((each) => [...believed(each)].sort().join() !== [...each.versions].sort().join());
