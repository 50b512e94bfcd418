/** The engine's captures in hand: their receipts by page, how far a scope is, and what waits. */
import { extractorOf } from '../capture/extractors.ts';
import { ContextEngineError } from '../codes/errors.ts';
import type { CaptureConsumer } from '../cxri/ports/capture-progress.ts';
import type { CaptureKey } from '../cxri/ports/captures.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { CandidateReceipt, CaptureReceipt } from '../model/capture.ts';
import { parseInstant, parseUuid, shown, type Uuid } from '../model/ids.ts';
import type { OpenJob } from '../model/job.ts';
import type { Grant } from '../model/permission.ts';
import { failureOf } from './capture-failure.ts';
import { capturedTypes } from './capture-worker.ts';
import { type EngineParts, readerOf } from './engine-parts.ts';
import type { CaptureProgress, CaptureRecord, WaitingJob } from './methods/capture-surface.ts';
import type { Memory } from './methods/memory-surface.ts';

const DEFAULT_LIMIT = 100;
/** One read: more turns than that are never captured in a glance. */
const MOST_COUNTED = 1000;
/** That one request may name. */
const MOST_SCOPES = 10_000;

export function createCaptureListing(
  parts: EngineParts,
): Pick<Memory, 'captures'> & { readonly listJobs: Memory['jobs']['list'] } {
  const { authority, open, permission, now } = parts;
  return {
    captures: {
      list: open(async (asked, options) => {
        checkInput('capture_listing', asked);
        const { limit = DEFAULT_LIMIT } = asked;
        const after = asked.after === undefined ? null : parseCursor(asked.after);
        const scope = parseUuid(asked.scope, 'scope');
        const grant = await readerOf(parts, options);
        await permission.assertReadable(grant, scope, entrance('scope'));
        const found = await authority.listCaptures(
          grant.tenant,
          { scope_uuid: scope, limit, ...(after && { after }) },
          grant.scopes,
        );
        const targets = found.flatMap(({ candidates }) => candidates.flatMap(targetOf));
        const readable = await permission.readable(grant, [...new Set(targets)]);
        const last = found.length === limit ? found.at(-1) : undefined;
        return {
          captures: found.map((each) => toRecord(each, readable)),
          cursor: last ? toCursor(last) : null,
        };
      }),
      progress: open(async (given, options) => {
        const scope = parseUuid(given, 'scope');
        const grant = await readerOf(parts, options);
        const block = await permission.assertReadable(grant, scope, entrance('scope'));
        return progressOf({ grant, scope, type: block.block_type }, parts);
      }),
    },
    listJobs: open(async (asked, options) => {
      checkInput('job_listing', asked ?? {});
      const { scope: given, limit = DEFAULT_LIMIT } = asked ?? {};
      const grant = await readerOf(parts, options);
      const scope = given === undefined ? null : parseUuid(given, 'scope');
      if (scope !== null) await permission.assertReadable(grant, scope, entrance('scope'));
      const scopes = scope === null ? await readableOf(grant, parts) : [scope];
      const jobs: OpenJob[] = [];
      for (let first = 0; first < scopes.length; first += MOST_SCOPES) {
        const some = scopes.slice(first, first + MOST_SCOPES);
        jobs.push(
          ...(await authority.listJobs(grant.tenant, { kind: 'capture', scopes: some, limit })),
        );
      }
      return jobs
        .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
        .slice(0, limit)
        .map((job) => toWaiting(job, now()));
    }),
  };
}

/** A scope has one job of a kind: no two are equal. */
const orderOf = ({ not_before, scope_uuid }: OpenJob): string => not_before + scope_uuid;

const entrance = (field: string) => ({ door: 'captures', field });

async function readableOf(
  grant: Grant,
  { authority, permission, now }: EngineParts,
): Promise<readonly Uuid[]> {
  const listed = await authority.listScopes(grant.tenant, grant.scopes, now());
  return listed.flatMap((each) =>
    permission.mayRead(grant, each.scope) ? [each.scope.root_uuid] : [],
  );
}

interface Asked {
  readonly grant: Grant;
  readonly scope: Uuid;
  readonly type: string;
}

async function progressOf(
  { grant, scope, type }: Asked,
  parts: EngineParts,
): Promise<CaptureProgress> {
  const { authority, now } = parts;
  const { tenant } = grant;
  const extractor = extractorOf(parts);
  const of = { consumer: extractor, scope_uuid: scope };
  const done = await authority.captureProgress(tenant, of);
  const { position } = await authority.heads(tenant, [scope]);
  const head = position.find((entry) => entry.scope === scope)?.head ?? 0;
  const asked = { tenant, scope, from_seq: done + 1, head, limit: MOST_COUNTED };
  // Only who asks loads it.
  const { countTurns } = await import('../capture/turns.ts');
  const { turns, isMore } = await countTurns(asked, authority);
  const [job] = await authority.listJobs(tenant, { kind: 'capture', scopes: [scope], limit: 1 });
  return {
    scope_block_uuid: scope,
    extractor,
    is_automatic: capturedTypes(parts).has(type),
    turns: Math.max(0, turns - (await writtenOf({ grant, of, from: done + 1 }, parts))),
    is_more: isMore,
    job: job ? toWaiting(job, now()) : null,
  };
}

/** Turns of a batch that waits of which nothing is left: its parts have receipts. */
async function writtenOf(
  {
    grant,
    of,
    from,
  }: { readonly grant: Grant; readonly of: CaptureConsumer; readonly from: number },
  { authority }: Pick<EngineParts, 'authority'>,
): Promise<number> {
  const { tenant, scopes } = grant;
  if ((await authority.openCapture(tenant, of)) === null) return 0;
  const listing = { scope_uuid: of.scope_uuid, limit: MOST_COUNTED };
  return (await authority.listCaptures(tenant, listing, scopes))
    .filter(({ consumer, from_seq }) => consumer === of.consumer && from_seq === from)
    .reduce((sum, { turns }) => sum + turns, 0);
}

function toWaiting(job: OpenJob, now: string): WaitingJob {
  const { scope_uuid, attempts, not_before, claimed_until: until, last_error: error } = job;
  const isRunning = until !== null && until > now;
  return {
    kind: 'capture',
    scope_block_uuid: scope_uuid,
    state: isRunning ? 'running' : not_before > now ? 'waits' : 'due',
    attempts,
    not_before,
    failure: error === null ? null : failureOf(error),
  };
}

function toRecord(receipt: CaptureReceipt, readable: ReadonlySet<Uuid>): CaptureRecord {
  return {
    ...receipt,
    declined_candidates: receipt.declined_candidates ?? [],
    candidates: receipt.candidates.map((each) =>
      each.scope_uuid === null || readable.has(each.scope_uuid) ? each : outOfSight(each),
    ),
    failures: receipt.candidates.flatMap(({ outcome, reason, source_uuid, start, end }) =>
      outcome === 'failed' ? [{ source_uuid, start, end, ...failureOf(reason) }] : [],
    ),
  };
}

const targetOf = ({ scope_uuid: scope }: CandidateReceipt): readonly Uuid[] =>
  scope === null ? [] : [scope];

/** What stands where the caller does not read has no ids for them. */
const outOfSight = (candidate: CandidateReceipt): CandidateReceipt => ({
  ...candidate,
  reason: candidate.reason.replaceAll(UUID, '').trim(),
  scope_uuid: null,
  uuid: null,
  root_uuid: null,
  proposal_uuid: null,
  operation_id: null,
});

/** `may contradict` one that stands there. */
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

const toCursor = ({ captured_at, from_seq, capture_uuid }: CaptureKey): string =>
  Buffer.from(JSON.stringify([captured_at, from_seq, capture_uuid])).toString('base64url');

/** A cursor says only after which receipt to go on: what may be seen is judged anew. */
function parseCursor(cursor: string): CaptureKey {
  try {
    const [at, from, uuid]: readonly unknown[] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    );
    if (typeof at === 'string' && Number.isSafeInteger(from) && Number(from) > 0)
      return {
        captured_at: parseInstant(at, 'after'),
        from_seq: Number(from),
        capture_uuid: parseUuid(uuid, 'after'),
      };
  } catch {
    // Whatever it is, it is refused below.
  }
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`after\` is \`${shown(cursor)}\`, which is no cursor of a page of captures.`,
    fix: 'Pass the `cursor` of the page before, unchanged.',
    where: { field: 'after' },
  });
}
