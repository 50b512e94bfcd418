/**
 * Stage 4: a write that is not T1 becomes a proposal, whole: its operations may need each other.
 */
import { assertThat } from '../codes/errors.ts';
import { canonicalJson } from '../cxri/payload.ts';
import { isSlotted, type SlottedOperation } from '../model/fact-slot.ts';
import type { Uuid } from '../model/ids.ts';
import {
  countsOf,
  isOfTable,
  type Operation,
  type Receipt,
  type WriteResult,
} from '../model/operation.ts';
import type { JudgedVersions } from '../model/proposal.ts';
import type { Waits } from '../permission/authorize-write.ts';
import { endedHeads, judgedTargets, judgedVersions } from '../permission/judged-versions.ts';
import type { ProposalDraft } from '../permission/propose.ts';
import type { AuthorizedWrite } from './3-authorize.ts';
import { derivesIds } from './5-commit.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** An edge of authority is approved by who holds both of its ends. */
const grantedEnds = (operation: Operation): readonly Uuid[] =>
  (operation.operation === 'ADD' || operation.operation === 'UPDATE') &&
  operation.table === 'context_links' &&
  ['inherits', 'grants'].includes(operation.content.link_type)
    ? [operation.content.from_uuid, operation.content.to_uuid]
    : [];

/** The answer of a write that waits; null where it goes on. */
export async function proposeWrite(
  authorized: AuthorizedWrite,
  by: WriteDependencies,
): Promise<WriteResult | null> {
  const { waits, operations, decisions, grant } = authorized;
  if (waits === null) return null;
  if (authorized.isApart) return proposeApart(authorized, by);
  const draft = await draftOf(authorized, { operations, decisions, waits }, by);
  const proposal = await by.permission.propose(grant, draft);
  const { proposal_uuid, digest, action } = proposal;
  const receipts = operations.map((operation) => receiptOf(operation, proposal_uuid));
  const { tier, expires_at } = action;
  return {
    receipts,
    counts: countsOf(receipts),
    position: [],
    proposal: { proposal_uuid, tier, digest, expires_at },
  };
}

/** Each by itself: the receipt of an operation names its proposal. All of them wait. */
async function proposeApart(
  authorized: AuthorizedWrite,
  by: WriteDependencies,
): Promise<WriteResult> {
  const { operations, decisions, waitsOf, grant } = authorized;
  const drafts: ProposalDraft[] = [];
  for (const [index, operation] of operations.entries()) {
    const [decision, waits] = [decisions[index], waitsOf[index]];
    assertThat(decision && waits, 'each operation of what is proposed apart waits');
    const own = { operations: [operation], decisions: [decision], waits };
    drafts.push(await draftOf(authorized, own, by));
  }
  const proposals = await by.permission.proposeEach(grant, drafts);
  const receipts = operations.map((operation, index) => {
    const proposal = proposals[index];
    assertThat(proposal, 'each draft became a proposal');
    return receiptOf(operation, proposal.proposal_uuid);
  });
  return { receipts, counts: countsOf(receipts), position: [] };
}

/** What holds from the same instant on stays, where the operation is not judged against it. */
const yielding = (operation: Operation, versions: readonly JudgedVersions[]): Operation =>
  isSlotted(operation) && !isJudged(operation, versions)
    ? { ...operation, yields: true }
    : operation;
const isJudged = (operation: SlottedOperation, versions: readonly JudgedVersions[]): boolean =>
  operation.operation === 'UPDATE' &&
  versions.some(
    ({ root_uuid, versions: of }) => root_uuid === operation.root_uuid && of.length > 0,
  );

type Drafted = Pick<AuthorizedWrite, 'operations' | 'decisions'> & { readonly waits: Waits };

async function draftOf(
  { unheldBirths, grant, isOfCapture }: AuthorizedWrite,
  { operations, decisions, waits }: Drafted,
  { authority, writer, newId }: WriteDependencies,
): Promise<ProposalDraft> {
  const versions = await judgedVersions(operations, grant, authority);
  return {
    kind: 'write',
    ...waits,
    scopes: [
      ...new Set([...operations.map(({ scope }) => scope), ...operations.flatMap(grantedEnds)]),
    ],
    writer,
    operations: operations.map((operation) => yielding(operation, versions)),
    decisions,
    must_be_new: unheldBirths,
    seed: operations.some(derivesIds) ? newId() : null,
    versions,
    targets: await judgedTargets(operations, grant, authority),
    heads: await endedHeads(operations, grant, authority),
    ...(isOfCapture && sayingOf(operations)),
  };
}

/** A statement that several conversations make waits once. What has a slot waits by its time. */
function sayingOf([only, ...more]: readonly Operation[]): Pick<ProposalDraft, 'saying'> {
  const isStatement =
    more.length === 0 && only?.operation === 'ADD' && only.table === 'memory_open_set';
  if (!isStatement || isSlotted(only)) return {};
  const { scope, content, valid_until = null } = only;
  const { content: said, subject, class: memory } = content;
  return { saying: canonicalJson([scope, said, subject, memory, valid_until]) };
}

const receiptOf = (operation: Operation, proposal: Uuid): Receipt => ({
  operation_id: proposal,
  operation: operation.operation,
  table: isOfTable(operation) ? operation.table : null,
  outcome: 'quarantined',
  scope: operation.scope,
  uuid: null,
  root_uuid: 'root_uuid' in operation ? operation.root_uuid : null,
  seq: 0,
  embedding: 'none',
  ...(operation.reason !== undefined && { reason: operation.reason }),
});
