/** The guard of capture progress: a consumer and a batch are named, and the answer is a number. */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type {
  CaptureConsumer,
  CaptureProgressPort,
  SkippedCapture,
} from '../ports/capture-progress.ts';
import { invalidRequest } from '../refuse.ts';

export const checkConsumer = (asked: CaptureConsumer): void =>
  checkRequest('capture_consumer', asked);

export function checkBatch(batch: Omit<SkippedCapture, 'at'>): void {
  checkRequest('capture_batch', batch);
  if (batch.to_seq < batch.from_seq)
    throw invalidRequest('to_seq', batch.to_seq, 'End a batch where it begins, or after it.');
}

export const guardCaptureProgress = (port: CaptureProgressPort): CaptureProgressPort => ({
  captureProgress: async (tenant, asked) => {
    checkTenant(tenant);
    checkConsumer(asked);
    const seq = await port.captureProgress(tenant, asked);
    assertThat(Number.isSafeInteger(seq) && seq >= 0, 'the progress is a sequence number');
    return seq;
  },
  progressOfScopes: async (tenant, asked) => {
    checkTenant(tenant);
    checkRequest('progress_page', asked);
    const found = await port.progressOfScopes(tenant, asked);
    const scopes = new Set(asked.scopes);
    assertThat(
      found.every(
        ({ scope_uuid: scope, done_seq: seq }) =>
          scopes.delete(scope) && Number.isSafeInteger(seq) && seq >= 0,
      ),
      'the progress is a sequence number, one of each scope that was asked for',
    );
    return found;
  },
  skipCapture: async (tenant, skipped) => {
    checkTenant(tenant);
    checkBatch(skipped);
    return port.skipCapture(tenant, skipped);
  },
});
