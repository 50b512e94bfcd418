/**
 * `Forget I said that.`, of a turn that an earlier capture read: what it stored of that turn is to
 * be undone, so that what gave way comes back, and what waits for a review is to be withdrawn.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { AnyRow, BlockRow } from '../../model/block.ts';
import type { CandidateReceipt } from '../../model/capture.ts';
import { captureKey, sourceOfKey } from '../../model/capture-key.ts';
import type { AnyFact } from '../../model/fact-record.ts';
import type { Uuid } from '../../model/ids.ts';
import { isBringing, type Operation } from '../../model/operation.ts';
import { proposerFor } from '../7-write.ts';
import type { Prepared } from '../prepare.ts';
import type { PlannedRetraction, Settled } from '../state.ts';
import type { Vouches } from '../voices/vouchers.ts';
import { isProposedBy } from '../write/waiting.ts';
import type { TakenBack } from './forget-requests.ts';
import { isOfCaptureAlone, planOutOfRoot } from './out-of-root.ts';
import { believed, isGoneAlready } from './still-known.ts';

/** By the turn that is taken back. */
export type Retractions = ReadonlyMap<Uuid, TakenBack>;

export interface Retracting {
  readonly prepared: Pick<Prepared, 'grant' | 'of' | 'writing' | 'scopes' | 'idOf'>;
  readonly authority: Pick<
    Authority,
    'listCaptures' | 'listProposals' | 'factOrigins' | 'listFacts' | 'readUndo'
  >;
  readonly vouches: Vouches;
  /** Of the batch, where the sentence that asks has its place. */
  readonly settled: readonly Settled[];
  /** Roots of which it is planned already what becomes of them. */
  readonly roots: ReadonlySet<Uuid>;
  /** Whether a turn asks to forget what a row holds. */
  readonly isAsked: (entry: AnyRow, request: BlockRow) => boolean;
}

export interface PlannedRetractions {
  readonly retractions: readonly PlannedRetraction[];
  /** Versions and proposals that will not be there: what is said again is news. */
  readonly gone: ReadonlySet<Uuid>;
}

/** Why it was written, in receipts and in the journal. */
export const TAKEN_BACK = 'taken_back';
/** More captures than the turns before a batch are of. */
const MOST_CAPTURES = 64;
/** Behind those of what the turn itself says. */
export const FIRST_ORDINAL = 1000;

interface Request {
  readonly by: BlockRow;
  readonly at: number;
}

/** None where nothing was stored of the turns. */
export async function planRetractions(
  asked: Retractions,
  by: Retracting,
): Promise<PlannedRetractions> {
  const retractions: PlannedRetraction[] = [];
  const gone = new Set<Uuid>();
  if (asked.size === 0) return { retractions, gone };
  const { of, writing } = by.prepared;
  const left = await leftOf(asked, by);
  const targets = new Set(
    left.flatMap(({ what }) => (what.kind === 'stored' ? [what.target] : [])),
  );
  const roots = new Set(by.roots);
  // What one operation began another may have gone on with: the last goes first.
  for (const [index, each] of left.toReversed().entries()) {
    const { request, scope, memory } = each;
    const isDirect = writing.isAutonomous && by.vouches(request.by, scope, true);
    // A review is for the reviewer to end, whatever an agent writes as somebody's words.
    if (each.what.kind === 'waits' && !isDirect) continue;
    const ordinal = FIRST_ORDINAL + index;
    const key = captureKey({ consumer: of.consumer, source: request.by.uuid, ordinal });
    const { what, versions } = (await whatGoes(each, { targets, roots, key }, by)) ?? {};
    if (!what || !versions) continue;
    const place = placeOf(request.by, request.at, by.settled);
    retractions.push({ ...place, class: memory, scope, isDirect, key, what });
    if (isDirect) for (const version of versions) gone.add(version);
  }
  return { retractions, gone };
}

type Asking = Left & { readonly request: Request };

/** In the order in which it was written. */
async function leftOf(asked: Retractions, by: Retracting): Promise<readonly Asking[]> {
  const { grant, of } = by.prepared;
  const listing = { scope_uuid: of.scope_uuid, limit: MOST_CAPTURES };
  const captures = await by.authority.listCaptures(grant.tenant, listing, grant.scopes);
  const said = captures.flatMap(({ candidates }) => candidates);
  const left: Asking[] = [];
  for (const [source, { by: request, at, spans }] of asked) {
    // Said once more, it does not bring back what the first time took.
    const own = said.filter(
      (each) =>
        each.source_uuid === source &&
        each.reason !== TAKEN_BACK &&
        spans.some(({ start, end }) => each.start < end && start < each.end),
    );
    for (const each of own)
      for (const found of await whatIsLeft(each, by))
        if (!(await isForgotten(found, request, by)))
          left.push({ ...found, request: { by: request, at } });
  }
  return left;
}

interface Going {
  /** All operations that are to be undone. */
  readonly targets: Set<Uuid>;
  /** Those of which it is planned what becomes of them. */
  readonly roots: Set<Uuid>;
  readonly key: string;
}

/** null = nothing: it is planned already, or an undo would bring back what is to be forgotten. */
async function whatGoes(
  { what, scope, gone, request }: Asking,
  { targets, roots, key }: Going,
  by: Retracting,
): Promise<{
  readonly what: PlannedRetraction['what'];
  readonly versions: readonly Uuid[];
} | null> {
  const asIs = { what, versions: [gone] };
  if (what.kind !== 'stored') return asIs;
  const { authority, prepared } = by;
  const { tenant, scopes } = prepared.grant;
  const undo = await authority.readUndo(tenant, what.target, scopes);
  if (undo === null) return asIs;
  const { root_uuid: root, effects, built_on: builtOn } = undo;
  if (roots.has(root)) return null;
  if (effects.some(({ entry, is }) => is && by.isAsked(entry, request.by))) {
    targets.delete(what.target);
    return null;
  }
  if (builtOn.every(({ operation_id: id }) => targets.has(id))) return asIs;
  const at = request.by.occurred_at;
  const reading = { authority, grant: prepared.grant, now: at };
  const versions = await believed({}, { scope, root }, reading);
  if (!isOfCaptureAlone(versions)) return asIs;
  roots.add(root);
  const uuids = versions.map(({ row }) => row.uuid);
  const origins = await authority.factOrigins(tenant, { uuids, readable: [scope] });
  const goes = ({ row }: AnyFact): boolean => {
    const id = origins.get(row.uuid)?.operation_id ?? null;
    return id !== null && targets.has(id);
  };
  if (!versions.some(goes)) return null;
  const without = await planOutOfRoot({ versions, goes, keyOf: () => key, at }, by);
  return without && { what: without, versions: uuids };
}

/** The sentence that asks. */
export function placeOf(
  { uuid, content }: BlockRow,
  at: number,
  settled: readonly Settled[],
): Pick<Settled, 'source_uuid' | 'start' | 'end'> {
  const own = settled.filter(({ source_uuid: source }) => source === uuid);
  const [first] = own.toSorted((a, b) => a.start - b.start);
  const asks = own.find(({ start }) => start === at) ?? first;
  return { source_uuid: uuid, start: asks?.start ?? 0, end: asks?.end ?? content.length };
}

interface Left {
  readonly scope: Uuid;
  readonly memory: PlannedRetraction['class'];
  readonly what: PlannedRetraction['what'];
  readonly gone: Uuid;
  /** null = that of the operation. */
  readonly root: Uuid | null;
}

/** By an earlier request: the sentence that asks again is then one that claims nothing. */
async function isForgotten(
  { what, scope, root }: Left,
  request: BlockRow,
  { authority, prepared: { grant } }: Retracting,
): Promise<boolean> {
  if (what.kind !== 'stored') return false;
  const by = { authority, grant, now: request.occurred_at };
  return isGoneAlready({ target: what.target, scope, root }, by);
}

/** What was stored, at once or when somebody approved it, or what still waits, as it was said. */
async function whatIsLeft(
  candidate: CandidateReceipt,
  { prepared: { grant, writing }, authority }: Retracting,
): Promise<readonly Left[]> {
  const { outcome, operation_id: target, proposal_uuid: proposal, uuid } = candidate;
  const { scope_uuid: scope, class: memory, source_uuid: source, root_uuid: root } = candidate;
  // Of what was known already nothing was stored: that is found by its words.
  if (scope === null || outcome === 'duplicate') return [];
  const common = { scope, memory: memory ?? 'fact', root } as const;
  if (outcome !== 'quarantined')
    return target === null
      ? []
      : [{ ...common, what: { kind: 'stored', target }, gone: uuid ?? target }];
  if (proposal === null) return [];
  const asked = { id: proposal, state: null, limit: 1 };
  const [found] = await authority.listProposals(grant.tenant, asked, grant.scopes);
  if (!found) return [];
  const { operations } = found.action;
  const isOfTurn = ({ idempotency_key: key = '' }: Operation): boolean =>
    sourceOfKey(key) === source;
  if (found.state === 'pending') {
    const isOwn = isProposedBy(proposerFor(writing), found.action);
    const rest = operations.filter((each) => !isOfTurn(each));
    return isOwn ? [{ ...common, what: { kind: 'waits', proposal, rest }, gone: proposal }] : [];
  }
  if (found.state !== 'approved') return [];
  const bringing = operations.filter(isBringing).filter(isOfTurn);
  if (bringing.length === 0) return [];
  const uuids = bringing.map(({ uuid: each }) => each);
  const readable = [...new Set(bringing.map(({ scope: each }) => each))];
  const origins = await authority.factOrigins(grant.tenant, { uuids, readable });
  return uuids.flatMap((each): readonly Left[] => {
    const approved = origins.get(each)?.operation_id ?? null;
    if (approved === null) return [];
    return [{ ...common, what: { kind: 'stored', target: approved }, gone: each }];
  });
}

/** Settled pieces but for the sentences that ask: they have become what they do. */
export const withoutRequests = (
  settled: readonly Settled[],
  retractions: readonly PlannedRetraction[],
): readonly Settled[] =>
  settled.filter(
    ({ source_uuid: source, start }) =>
      !retractions.some((each) => each.source_uuid === source && each.start === start),
  );
