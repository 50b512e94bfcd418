/** The engine's capture: turns become memory, off the path of a composition. */

import { captureScope } from '../capture/capture.ts';
import { type CaptureDependencies, checkTimeZone } from '../capture/prepare.ts';
import { checkInput } from '../inputs/check-input.ts';
import { CANDIDATE_OUTCOMES, type CaptureReceipt, noCounts } from '../model/capture.ts';
import { parseUuid } from '../model/ids.ts';
import { writeOperations } from '../write/write.ts';
import type { CallOptions, CaptureAnswer, CaptureInput, ContextEngine } from './context-engine.ts';
import { type EngineParts, signalOf } from './engine-parts.ts';

export function createCapturing(parts: EngineParts): Pick<ContextEngine, 'capture'> {
  const { open, outage } = parts;
  return {
    capture: open(async (scope, input, options) => {
      const { timeZone, mostBatches } = checkCapture(input ?? {});
      const call = {
        scope: parseUuid(scope, 'scope'),
        timeZone,
        ...(mostBatches !== undefined && { mostBatches }),
        ...signalOf(options),
      };
      const by = await dependenciesOf(parts, options);
      return outage.watch(async () => {
        const { receipts, isMore, warnings } = await captureScope(call, by);
        return { receipts, counts: sumOf(receipts), is_more: isMore, warnings };
      }, hasStored);
    }),
  };
}

async function dependenciesOf(
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<CaptureDependencies> {
  const { authority, permission, embedder, manifests, digestOf, newId, now } = parts;
  const profile = await parts.profileOf(options);
  return {
    authority,
    permission,
    embedder,
    manifests,
    digestOf,
    newId,
    now,
    profile,
    write: (call) => writeOperations(call, parts),
  };
}

function checkCapture(input: CaptureInput): {
  readonly timeZone: string;
  readonly mostBatches: number | undefined;
} {
  checkInput('capture', input);
  const { time_zone: zone = 'UTC', max_batches: mostBatches } = input;
  return { timeZone: checkTimeZone(zone), mostBatches };
}

function sumOf(receipts: readonly CaptureReceipt[]): CaptureAnswer['counts'] {
  const sum = noCounts();
  for (const { counts } of receipts)
    for (const outcome of CANDIDATE_OUTCOMES) sum[outcome] += counts[outcome];
  return sum;
}

const hasStored = ({ counts }: CaptureAnswer): boolean => counts.stored + counts.superseded > 0;
