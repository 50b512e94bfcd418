/** The guard of capture progress: a consumer and a batch are named, and the answer is a number. */
import { assertThat } from '../../codes/errors.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type {
  CaptureConsumer,
  CaptureProgressPort,
  SkippedCapture,
} from '../ports/capture-progress.ts';
import { invalidRequest } from '../refuse.ts';

export function checkConsumer({ consumer, scope_uuid: scope }: CaptureConsumer): void {
  checkUuids([scope], 'scope_uuid');
  if (!/^[\w./-]{1,200}$/.test(consumer))
    throw invalidRequest('consumer', consumer, 'Name extractor and version.');
}

export function checkBatch(batch: Omit<SkippedCapture, 'at'>): void {
  checkConsumer(batch);
  const { from_seq: from, to_seq: to } = batch;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || to < from)
    throw invalidRequest('from_seq', from, 'Pass sequence numbers, the first of them first.');
}

export const guardCaptureProgress = (port: CaptureProgressPort): CaptureProgressPort => ({
  captureProgress: async (tenant, asked) => {
    checkTenant(tenant);
    checkConsumer(asked);
    const seq = await port.captureProgress(tenant, asked);
    assertThat(Number.isSafeInteger(seq) && seq >= 0, 'the progress is a sequence number');
    return seq;
  },
  skipCapture: async (tenant, skipped) => {
    checkTenant(tenant);
    checkBatch(skipped);
    return port.skipCapture(tenant, skipped);
  },
});
