/** The engine's capture: turns become memory, off the path of a composition; and that memory. */

import { extractorOf } from '../../capture/extractors.ts';
import { checkTimeZone } from '../../capture/times/time-zone.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { CANDIDATE_OUTCOMES, type CaptureReceipt, noCounts } from '../../model/capture.ts';
import { parseUuid } from '../../model/ids.ts';
import type { Grant } from '../../model/permission.ts';
import { createCaptureListing } from '../capture-listing.ts';
import { type CaptureWorker, captureDependencies, capturedTypes } from '../capture-worker.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { createCore } from './core-methods.ts';
import { createCosts } from './cost-methods.ts';
import { createFacts } from './fact-methods.ts';
import type { CaptureAnswer, CaptureInput, Memory } from './memory-surface.ts';
import { createProfiles } from './profile-methods.ts';

export interface CapturingParts extends EngineParts {
  readonly worker: CaptureWorker;
}

export function createCapturing(parts: CapturingParts): Memory {
  const { open, outage, worker } = parts;
  const { captures, listJobs } = createCaptureListing(parts);
  return {
    ...createFacts(parts),
    ...createCosts(parts),
    ...createCore(parts),
    ...createProfiles(parts),
    capture: open(async (scope, input, options) => {
      const { timeZone, mostBatches, isRetry } = checkCapture(input ?? {}, parts.timeZone);
      const call = {
        scope: parseUuid(scope, 'scope'),
        timeZone,
        ...(mostBatches !== undefined && { mostBatches }),
        ...signalOf(options),
      };
      const by = captureDependencies(parts, await parts.profileOf(options));
      const run = isRetry
        ? (await import('../../capture/retry.ts')).retryFailed
        : (await import('../../capture/capture.ts')).captureScope;
      return outage.watch(async () => {
        const { receipts, isMore, waiting, warnings } = await run(call, by);
        return { receipts, counts: sumOf(receipts), is_more: isMore, waits: waiting, warnings };
      }, hasStored);
    }),
    captures,
    jobs: {
      list: listJobs,
      run: open(async (options) => {
        const profile = await parts.profileOf(options);
        const grant = await grantOf(parts, options, 'jobs');
        await askForBehind(grant, parts);
        return worker.run(grant, profile);
      }),
    },
  };
}

/** Scopes that are looked at together. A scope has one job of a kind: so many one page lists. */
const SCOPES_AT_ONCE = 1000;

/**
 * What was appended by a process that died before it could ask for a capture: scopes whose progress
 * is behind their head. One that was asked for keeps the time that it waits for.
 */
async function askForBehind(grant: Grant, parts: EngineParts): Promise<void> {
  const types = capturedTypes(parts);
  if (types.size === 0) return;
  const { authority, permission, now } = parts;
  const { tenant } = grant;
  const listed = await authority.listScopes(tenant, grant.scopes, now());
  const captured = listed.filter(
    ({ scope }) => types.has(scope.block_type) && permission.mayRead(grant, scope),
  );
  for (let first = 0; first < captured.length; first += SCOPES_AT_ONCE) {
    const page = captured.slice(first, first + SCOPES_AT_ONCE);
    const scopes = page.map(({ scope }) => scope.root_uuid);
    const asked = { consumer: extractorOf(parts), scopes };
    const progress = await authority.progressOfScopes(tenant, asked);
    const done = new Map(progress.map(({ scope_uuid, done_seq }) => [scope_uuid, done_seq]));
    const behind = page.flatMap(({ scope: { root_uuid: root }, head }) =>
      (done.get(root) ?? 0) < head ? [root] : [],
    );
    if (behind.length === 0) continue;
    const listing = { kind: 'capture', scopes: behind, limit: SCOPES_AT_ONCE } as const;
    const open = await authority.listJobs(tenant, listing);
    const waiting = new Set(open.map(({ scope_uuid: scope }) => scope));
    for (const scope_uuid of behind)
      if (!waiting.has(scope_uuid))
        await authority.enqueueJob(tenant, { kind: 'capture', scope_uuid, not_before: now() });
  }
}

function checkCapture(
  input: CaptureInput,
  own: string,
): {
  readonly timeZone: string;
  readonly mostBatches: number | undefined;
  readonly isRetry: boolean;
} {
  checkInput('capture', input);
  const { time_zone: zone = own, max_batches: mostBatches, retry: isRetry = false } = input;
  return { timeZone: checkTimeZone(zone), mostBatches, isRetry };
}

function sumOf(receipts: readonly CaptureReceipt[]): CaptureAnswer['counts'] {
  const sum = noCounts();
  for (const { counts } of receipts)
    for (const outcome of CANDIDATE_OUTCOMES) sum[outcome] += counts[outcome];
  return sum;
}

const hasStored = ({ counts }: CaptureAnswer): boolean => counts.stored + counts.superseded > 0;
