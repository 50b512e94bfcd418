/**
 * What a connector does with an approved proposal: the write or the redaction that it says, and
 * whether its versions still stand.
 */
import { assertThat } from '../codes/errors.ts';
import type { AnyRow } from '../model/block.ts';
import {
  type BringBackRequest,
  type EraseRequest,
  type ForgetRequest,
  NAMED_BY_WORDS,
} from '../model/erasure.ts';
import { type Instant, toEpochMs, toInstant } from '../model/ids.ts';
import { stampedWith } from '../model/operation.ts';
import type { JudgedVersions, Proposal, ProposedAction } from '../model/proposal.ts';
import type { WriteRequest } from './contract.ts';
import type { SettleRequest } from './ports/proposals.ts';

/**
 * By the proposer: an approval does not make the approver the writer. Each version says of what
 * kind the approver is, since instructing layers go by it.
 */
export const proposedWrite = (
  action: ProposedAction,
  { at, by }: Pick<SettleRequest, 'at' | 'by'>,
): WriteRequest => ({
  tenant: action.tenant,
  operations: action.operations.map((operation) =>
    stampedWith(operation, (said) => ({ ...said, approver_kind: by.kind })),
  ),
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

/** What is forgotten, if its live rows in these scopes are those that it was judged against. */
export interface JudgedForget extends ForgetRequest {
  /** Their digest; null = of an earlier version. */
  readonly judged: string | null;
}

/** By the proposer too; null where nothing is to be forgotten. */
export function proposedForget(
  { action, target }: Pick<Proposal, 'action' | 'target'>,
  at: Instant,
): JudgedForget | null {
  const { redaction: asked, tenant, proposer: principal, on_behalf_of, tier } = action;
  if (!asked) return null;
  const { redaction, kind, within: scopes, grace_days: days, reach } = asked;
  const value = NAMED_BY_WORDS.has(kind) ? target : asked.value;
  assertThat(value !== null, 'a proposal that waits has its words');
  const erase_after = toInstant(toEpochMs(at) + days * DAY_MS);
  const by = { principal, on_behalf_of, tier };
  const judged = reach?.digest ?? null;
  return { tenant, redaction, kind, value, scopes, at, erase_after, ...by, judged };
}

/** The erasure that follows at once; null where the grace period is waited for. */
export function proposedErasure(action: ProposedAction, at: Instant): EraseRequest | null {
  const { redaction: asked, tenant, proposer: principal, on_behalf_of, tier } = action;
  if (asked?.is_now !== true) return null;
  return { tenant, redaction: asked.redaction, at, principal, on_behalf_of, tier };
}

/** What is to come back, in its scopes; null where nothing is. */
export function proposedReturn(action: ProposedAction, at: Instant): BringBackRequest | null {
  const { bring_back: asked, tenant, proposer: principal, on_behalf_of, tier } = action;
  if (!asked) return null;
  const scopes = action.scopes.length === 0 ? null : action.scopes;
  return { tenant, redaction: asked.redaction, scopes, at, principal, on_behalf_of, tier };
}

/**
 * Whether any of the versions moved. `believed` gives those of a root or key as they stand under
 * the lock.
 */
export const hasMoved = (
  judged: readonly JudgedVersions[],
  believed: (of: JudgedVersions) => readonly AnyRow[],
): boolean =>
  judged.some((each) => {
    const { speaks_to: to } = each;
    // What a version was when it was judged is known of those that stand now alone.
    const later = new Set(
      believed(each).flatMap(({ row }) =>
        to !== undefined && row.valid_from > to && !each.versions.includes(row.uuid)
          ? [row.uuid]
          : [],
      ),
    );
    const standing = believed(each).map(({ row }) => row.uuid);
    const compared = standing.filter((uuid) => !later.has(uuid));
    return compared.sort().join() !== [...each.versions].sort().join();
  });
