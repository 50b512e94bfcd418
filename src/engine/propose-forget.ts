/** A `forget` at T2 or T3 waits for another principal, with what it would reach now. */
import { digestOfTarget } from '../cxri/keyed-digest.ts';
import { nothingNamed } from '../ledger/refusals.ts';
import { type AnyRow, TABLES } from '../model/block.ts';
import {
  type CopyCounts,
  NAMED_BY_WORDS,
  type RedactionReach,
  type TargetKind,
} from '../model/erasure.ts';
import { parseUuid, type Uuid } from '../model/ids.ts';
import type { Grant, Tier } from '../model/permission.ts';
import { standingTargets } from '../permission/judged-versions.ts';
import type { ProposalDraft } from '../permission/propose.ts';
import { seesProposals } from '../write/settle.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ForgetAnswer } from './methods/forget-surface.ts';

export interface Named {
  readonly kind: TargetKind;
  readonly value: string;
}

export interface Judgement {
  readonly grant: Grant;
  readonly tier: Tier;
  readonly grace_days: number;
}

interface Waiting extends Judgement {
  readonly tier: 'T2' | 'T3';
  readonly isNow: boolean;
}

/** Its words stand beside the action as long as it waits; the action has their keyed digest. */
export async function proposeForget(
  named: Named,
  { grant, tier, grace_days, isNow: is_now }: Waiting,
  parts: EngineParts,
): Promise<ForgetAnswer> {
  const { authority, permission } = parts;
  const { kind, value } = named;
  await parts.settled();
  const reach = await reachOf(named, grant, parts);
  if (Object.keys(reach.counts).length === 0) throw nothingNamed();
  const { scopes, counts, digest } = reach;
  const isWords = NAMED_BY_WORDS.has(kind);
  const draft: ProposalDraft = {
    kind: 'redaction',
    key: 'redactions',
    tier,
    writer: 'forget',
    scopes,
    targets: await targetsOf(named, grant, parts),
    redaction: {
      redaction: parts.newId(),
      kind,
      value: isWords ? digestOfTarget(await authority.digestKey(grant.tenant), named) : value,
      within: reach.is_whole ? null : scopes,
      grace_days,
      is_now,
      reach: { counts, digest },
    },
    ...(isWords && { target: value }),
  };
  const proposal = await permission.propose(grant, draft);
  const { proposal_uuid, digest: signed, action } = proposal;
  const { tier: waits, expires_at } = action;
  return {
    redaction_uuid: action.redaction?.redaction ?? proposal_uuid,
    outcome: 'quarantined',
    counts: {},
    erase_after: null,
    certificate: null,
    followed: null,
    proposal: { proposal_uuid, tier: waits, digest: signed, expires_at },
  };
}

/** Nobody learns of a row, a question or a proposal by what they propose that they may not see. */
async function reachOf(
  { kind, value }: Named,
  grant: Grant,
  parts: EngineParts,
): Promise<RedactionReach> {
  const { tenant } = grant;
  const scopes = kind === 'tenant' ? null : await readScopes(grant, parts);
  return parts.authority.reachOf({ tenant, kind, value, scopes, ...seenCopies(grant) });
}

/** An agent lists neither. */
const seenCopies = (grant: Grant) => ({
  has_questions: grant.kind !== 'agent' && grant.tiers.reads === 'T1',
  has_proposals: seesProposals(grant),
});

/** What is told of how much was reached: as `reachOf` counts. */
export function toldCounts(counts: CopyCounts, grant: Grant): CopyCounts {
  const { has_questions: questions, has_proposals: proposals } = seenCopies(grant);
  const isTold = (copy: string): boolean =>
    copy === 'proposals' ? proposals : questions || LEDGER_COPIES.has(copy);
  return Object.fromEntries(Object.entries(counts).filter(([copy]) => isTold(copy)));
}

const LEDGER_COPIES: ReadonlySet<string> = new Set(TABLES);

/** Nothing is found that the grant does not read; null = it reads all. */
async function readScopes(
  grant: Grant,
  { authority, permission, now }: EngineParts,
): Promise<readonly Uuid[] | null> {
  if (!grant.scopes.all)
    return [...(await permission.readable(grant, [...grant.scopes.uuids]))].sort();
  const listed = await authority.listScopes(grant.tenant, grant.scopes, now());
  const readable = listed.filter(({ scope }) => permission.mayRead(grant, scope));
  return readable.length === listed.length
    ? null
    : readable.map(({ scope }) => scope.root_uuid).sort();
}

/** The versions of a row that is named by its id. */
async function targetsOf(named: Named, grant: Grant, parts: EngineParts) {
  if (!BY_ROW.has(named.kind)) return [];
  const rows = await rowsOf(named, parts, grant);
  const roots = [...new Set(rows.map(({ row }) => row.root_uuid))];
  return standingTargets(roots, grant, parts.authority);
}

const BY_ROW: ReadonlySet<TargetKind> = new Set(['version', 'root', 'block']);

export async function rowsOf(
  { kind, value }: Named,
  { authority }: EngineParts,
  { tenant, scopes }: Grant,
): Promise<readonly AnyRow[]> {
  const held = scopes.all ? '*' : [...scopes.uuids];
  const uuid = parseUuid(value, kind);
  const { rows } = await authority.read(
    kind === 'version'
      ? { kind: 'versions', tenant, scopes: held, uuids: [uuid] }
      : { kind: 'history', tenant, scopes: held, roots: [uuid] },
  );
  return rows;
}
