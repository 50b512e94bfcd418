/**
 * From what the turns of a batch say to its plan, before anything is written. `placedIn` validates
 * it, after a model has extracted it where there is one; `planOf` runs near-duplicate, judge and
 * contradict.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { nearDuplicateOf } from '../inference/near-duplicate.ts';
import type { StructuredModel } from '../inference/structured-model.ts';
import type { AnyRow, BlockRow } from '../model/block.ts';
import { candidateName } from '../model/capture-key.ts';
import { notBefore } from '../model/clock.ts';
import type { Uuid } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import type { Position } from '../model/validity.ts';
import { validateCandidates } from './3-validate.ts';
import { proposerFor } from './7-write.ts';
import { ask, readKnownFacts } from './compare/known-facts.ts';
import { asKnownSpeakers } from './compare/known-speakers.ts';
import {
  type NamedRequest,
  namedIn,
  type PlanningNamed,
  planNamed,
  restatedIn,
  wantedAs,
} from './forget/forget-known.ts';
import {
  holdsMatter,
  type PlannedMatters,
  type PlanningMatters,
  planMatters,
  wantedIn,
} from './forget/forget-matters.ts';
import type { ForgetRequest } from './forget/forget-requests.ts';
import { type PlannedTopics, planTopics } from './forget/forget-topics.ts';
import { planRetractions, type Retractions, withoutRequests } from './forget/retract.ts';
import { withVain } from './forget/vain-requests.ts';
import { askModel } from './model/ask-model.ts';
import { isShown, modelCandidates, spanOf, unusableAt } from './model/model-extract.ts';
import { type Planning, planWrites } from './plan-writes.ts';
import type { CaptureDependencies, Prepared } from './prepare.ts';
import { type BatchRead, collectionsOf, readBatch } from './read-batch.ts';
import { spanName } from './receipt.ts';
import {
  type Candidate,
  type CapturePlan,
  callerOf,
  declinedAs,
  type PlacedCandidate,
  type PlannedRetraction,
  type Stage,
} from './state.ts';
import { loadTopics } from './succession/topics.ts';
import type { Turns } from './turns.ts';
import { isInstruction } from './voices/voice.ts';
import { type Vouches, vouchersOf } from './voices/vouchers.ts';
import { CaptureWaits } from './waits.ts';
import { withExpected } from './write/expected-versions.ts';
import { NOTHING_WAITS, readWaiting } from './write/waiting.ts';

/** What is kept of a batch until it is finished. */
export interface BatchSource {
  readonly plan: CapturePlan;
}

type Planned = Prepared & { readonly from: number };

export async function planBatch(
  batch: BatchRead,
  prepared: Planned,
  by: CaptureDependencies,
): Promise<CapturePlan> {
  const read = await placedIn(batch, prepared, by);
  const { placed, settled, asked, requests, named, vouches } = read;
  const retracting = { prepared, authority: by.authority, vouches, settled };
  const topics = await knownTopics(requests, retracting, by);
  const matters = await knownMatters(read, { ...retracting, undone: topics.operations }, by);
  const isAsked = (entry: AnyRow, turn: BlockRow): boolean => holdsMatter(entry, turn, requests);
  const own = await planRetractions(asked, { ...retracting, roots: matters.roots, isAsked });
  const before = new Set([...own.gone, ...topics.gone, ...matters.gone]);
  const targets = own.retractions.flatMap(({ what }) =>
    what.kind === 'stored' ? [what.target] : [],
  );
  const undone = new Set([...targets, ...topics.operations, ...matters.operations]);
  const known = await knownNamed(named, { ...retracting, gone: before, undone }, by);
  const isOfTopics = ({ what }: PlannedRetraction): boolean =>
    what.kind === 'stored' && topics.operations.has(what.target);
  const retractions = [
    ...topics.retractions,
    ...matters.retractions,
    ...own.retractions.filter((each) => !isOfTopics(each)),
    ...known.map(({ version: _, ...each }) => each),
  ];
  const gone = new Set([...before, ...known.map(({ version }) => version)]);
  const { position, ...compared } = await planOf(placed, { ...prepared, gone }, by);
  return {
    planned_by: callerOf(prepared.grant),
    judged_at: position,
    sources: batch.turns.rows.map(({ uuid }) => uuid),
    writes: compared.writes,
    ...(retractions.length > 0 && { retractions }),
    settled: [...withVain(withoutRequests(settled, retractions), read), ...compared.settled],
  };
}

/** Some of a batch once more, by `candidateName`, judged against what is known by now. */
export async function planAnew(
  { turns, names }: { readonly turns: Turns; readonly names: ReadonlySet<string> },
  prepared: Planned,
  by: CaptureDependencies,
): Promise<Pick<CapturePlan, 'writes' | 'settled'> & { readonly found: ReadonlySet<string> }> {
  const { placed } = await placedIn(await readBatch(turns, prepared, by), prepared, by);
  const nameOf = ({ candidate: { source_uuid: source, ordinal } }: PlacedCandidate): string =>
    candidateName({ source, ordinal });
  const asked = placed.filter((each) => names.has(nameOf(each)));
  const { writes, settled } = await planOf(asked, { ...prepared, gone: new Set() }, by);
  return { writes, settled, found: new Set(asked.map(nameOf)) };
}

/** Some of a batch once more, by `spanName`: what their turns say of them now. */
export async function planSpans(
  { turns, spans }: { readonly turns: Turns; readonly spans: ReadonlySet<string> },
  prepared: Planned,
  by: CaptureDependencies,
): Promise<CapturePlan> {
  const read = await readBatch(turns, prepared, by);
  const { placed, settled } = await placedIn(read, { ...prepared, spans }, by);
  const asked = placed.filter(({ candidate }) => spans.has(spanName(candidate)));
  const planned = await planOf(asked, { ...prepared, gone: new Set() }, by);
  const before = settled.filter((each) => spans.has(spanName(each)));
  return {
    planned_by: callerOf(prepared.grant),
    judged_at: planned.position,
    sources: turns.rows.map(({ uuid }) => uuid),
    writes: planned.writes,
    settled: [...before, ...planned.settled],
  };
}

interface Placed extends Pick<CapturePlan, 'settled'> {
  readonly placed: readonly PlacedCandidate[];
  /** To take back what turns before these said. */
  readonly asked: Retractions;
  readonly requests: readonly ForgetRequest[];
  readonly takenBack: Retractions;
  /** What turns ask to forget by its words. */
  readonly stated: readonly NamedRequest[];
  /** To take back what other conversations said as well. */
  readonly named: readonly NamedRequest[];
  readonly vouches: Vouches;
}

async function placedIn(
  read: BatchRead,
  prepared: Planned & { readonly spans?: ReadonlySet<string> },
  by: CaptureDependencies,
): Promise<Placed> {
  const { before, isAmongPeople, gating, extracting, requests, takenBack } = read;
  const { settings, timeZone, targetOf, scopes } = prepared;
  const [own] = scopes;
  const { model } = by;
  const extracted = model ? await extractByModel(read, { ...prepared, model }, by) : read.extracted;
  const { minConfidence, never } = settings;
  const checked = { now: by.now(), timeZone, minConfidence, never, isByModel: model !== null };
  const valid = validateCandidates(extracted.going, checked);
  const direct = valid.going.flatMap(({ isDirect, turn }) => (isDirect ? [turn] : []));
  const { isAutonomous } = prepared.writing;
  const earlier = new Set(before.map(({ uuid }) => uuid));
  const asked: Retractions = new Map([...takenBack].filter(([uuid]) => earlier.has(uuid)));
  const reading = { gating, extracting };
  const stated = namedIn(requests, reading);
  const named = restatedIn(takenBack, [...before, ...read.turns.rows], reading);
  const vouched = new Set([...direct, ...requests.map(({ turn }) => turn)]);
  const vouches = await vouchersOf([...vouched], prepared, by);
  const placed = valid.going.map((candidate): PlacedCandidate => {
    const target = targetOf(candidate.class);
    // Of several people one is the user, who alone gives rules to the user's other conversations.
    const isOnesRule = isAmongPeople && target !== own && isInstruction(candidate.class);
    const mayTake = isAutonomous && !isOnesRule && vouches(candidate.turn, target);
    return { candidate: { ...candidate, isDirect: candidate.isDirect && mayTake }, target };
  });
  const settled = [...read.unread, ...extracted.settled, ...valid.settled];
  return { placed, settled, asked, requests, takenBack, stated, named, vouches };
}

const NO_TOPICS: PlannedTopics = { retractions: [], gone: new Set(), operations: new Set() };

async function knownTopics(
  requests: readonly ForgetRequest[],
  retracting: Pick<PlanningNamed, 'vouches' | 'settled'> & { readonly prepared: Planned },
  by: CaptureDependencies,
): Promise<PlannedTopics> {
  if (requests.every(({ named }) => named.topics.size === 0)) return NO_TOPICS;
  const { prepared } = retracting;
  return planTopics(requests, {
    ...retracting,
    ...(await readingOf(retracting, by)),
    collections: collectionsOf(prepared, by),
  });
}

const NO_MATTERS: PlannedMatters = { ...NO_TOPICS, roots: new Set() };

async function knownMatters(
  { requests, stated }: Pick<Placed, 'requests' | 'stated'>,
  retracting: Pick<PlanningMatters, 'vouches' | 'settled' | 'undone'> & {
    readonly prepared: Planned;
  },
  by: CaptureDependencies,
): Promise<PlannedMatters> {
  const wanted = [...wantedIn(requests), ...stated.map(wantedAs)];
  if (wanted.length === 0) return NO_MATTERS;
  return planMatters(wanted, { ...retracting, ...(await readingOf(retracting, by)) });
}

async function knownNamed(
  named: readonly NamedRequest[],
  retracting: Omit<PlanningNamed, 'position' | 'now' | 'prepared' | 'authority'> & {
    readonly prepared: Planned;
  },
  by: CaptureDependencies,
): ReturnType<typeof planNamed> {
  if (named.length === 0) return [];
  return planNamed(named, { ...retracting, ...(await readingOf(retracting, by)) });
}

const readingOf = async (
  { prepared }: { readonly prepared: Planned },
  by: CaptureDependencies,
): Promise<
  Pick<PlanningMatters, 'authority' | 'now'> & Pick<PlanningNamed, 'authority' | 'position'>
> => ({
  authority: by.authority,
  position: (await headsOf(prepared, by)).position,
  now: notBefore(by.now(), prepared.recordedAt),
});

/** `gone`: versions and proposals that it takes back itself. */
type Comparing = Prepared & { readonly gone: ReadonlySet<Uuid> };

async function planOf(
  placed: readonly PlacedCandidate[],
  prepared: Comparing,
  by: CaptureDependencies,
): Promise<Pick<CapturePlan, 'writes' | 'settled'> & { readonly position: Position }> {
  const { position } = placed.length === 0 ? { position: [] } : await headsOf(prepared, by);
  const { tenant } = prepared.grant;
  const { signal } = prepared.writing;
  const now = notBefore(by.now(), prepared.recordedAt);
  const asking = { authority: by.authority, tenant, position, now, ...(signal && { signal }) };
  const named = await asKnownSpeakers(placed, (parts) => ask(parts, asking));
  const planned = await planWrites(named, await planningOf(named, { ...prepared, position }, by));
  const reading = { tenant, position };
  const writes = await withExpected(planned.writes, reading, by.authority);
  return { writes, settled: planned.settled, position };
}

async function extractByModel(
  { gated: all, extracting: settings, turns: { to_seq } }: BatchRead,
  prepared: Planned & { readonly spans?: ReadonlySet<string>; readonly model: StructuredModel },
  by: CaptureDependencies,
): Promise<Stage<Candidate>> {
  const { model, spans } = prepared;
  // Of what was read before, the model is asked about the pieces that are asked for alone.
  const gated = spans ? all.filter((each) => spans.has(spanName(spanOf(each)))) : all;
  const { grant, of, from, manifest, settings: writing } = prepared;
  const { signal } = prepared.writing;
  if (!gated.some(isShown))
    return modelCandidates(
      gated,
      { output: { facts: [], properties: [], unusable: [] }, segments: [] },
      settings,
    );
  const asked = await askModel(gated, {
    tenant: grant.tenant,
    of: { ...of, from_seq: from },
    to_seq,
    manifest: manifest?.name ?? '',
    capUsd: writing.costBudgetUsdPerDay,
    collections: settings.collections,
    model,
    authority: by.authority,
    now: by.now,
    ...(signal && { signal }),
  });
  if (asked.outcome === 'waits') throw new CaptureWaits(asked.waiting);
  if (asked.outcome === 'answered') return modelCandidates(gated, asked, settings);
  // Each piece by its place: whoever reviews finds the words in the turn.
  return {
    going: [],
    settled: gated.map((segment) =>
      isShown(segment)
        ? unusableAt(spanOf(segment))
        : declinedAs(spanOf(segment), segment.verdict.isKept ? 'no_claim' : segment.verdict.reason),
    ),
  };
}

const headsOf = (
  { grant, scopes, writing: { signal } }: Prepared,
  { authority }: CaptureDependencies,
): Promise<{ readonly position: Position }> =>
  authority.heads(grant.tenant, scopes, ...(signal ? [signal] : []));

async function planningOf(
  placed: readonly PlacedCandidate[],
  prepared: Comparing & { readonly position: Position },
  by: CaptureDependencies,
): Promise<Planning> {
  const { grant, position, gone, recordedAt, of, idOf, settings, writing } = prepared;
  const { authority, embedder, manifests, now } = by;
  const { signal } = writing;
  const nearDuplicate = settings.nearDuplicate ?? nearDuplicateOf(embedder?.space ?? null);
  return {
    known: await readKnownFacts(placed, {
      authority,
      embedder,
      nearDuplicate,
      tenant: grant.tenant,
      position,
      gone,
      now: notBefore(now(), recordedAt),
      ...(signal && { signal }),
    }),
    waiting:
      placed.length === 0
        ? NOTHING_WAITS
        : await readWaiting({ grant, proposer: proposerFor(writing), now: now(), gone }, authority),
    consumer: of.consumer,
    model: by.model?.model ?? null,
    isAutonomous: writing.isAutonomous,
    nearDuplicate,
    // What a model makes of a turn is not what the weights were learned from.
    topics: by.model || placed.length === 0 ? null : await loadTopics(),
    idOf,
    typeOf: (candidate) => typeOf(candidate, manifests.collections),
  };
}

function typeOf(
  { typed }: Extract<Candidate, { kind: 'typed' }>,
  collections: Readonly<Record<string, Collection>>,
) {
  const property = collections[typed.collection]?.properties[typed.property];
  if (property) return { type: property.type, cardinality: property.cardinality };
  throw new ContextEngineError('WRITE.TYPE_MISMATCH', {
    message: `There is no \`${typed.property}\` in \`${typed.collection}\`.`,
    fix: 'Load the collection that declares it.',
  });
}
