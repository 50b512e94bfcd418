/** The guard of the captures port: a plan and a receipt are those of the scope and consumer asked. */
import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { CapturesPort } from '../ports/captures.ts';
import { invalidRequest } from '../refuse.ts';

interface Batch {
  readonly consumer: string;
  readonly scope_uuid: string;
  readonly from_seq: number;
  readonly to_seq: number;
}

function checkConsumer({
  consumer,
  scope_uuid: scope,
}: Pick<Batch, 'consumer' | 'scope_uuid'>): void {
  checkUuids([scope], 'scope_uuid');
  if (!/^[\w./-]{1,200}$/.test(consumer))
    throw invalidRequest('consumer', consumer, 'Name extractor and version.');
}

function checkBatch(batch: Batch): void {
  checkConsumer(batch);
  const { from_seq: from, to_seq: to } = batch;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || to < from)
    throw invalidRequest('from_seq', from, 'Pass sequence numbers, the first of them first.');
}

export const guardCaptures = (port: CapturesPort): CapturesPort => ({
  captureProgress: async (tenant, asked) => {
    checkTenant(tenant);
    checkConsumer(asked);
    const seq = await port.captureProgress(tenant, asked);
    assertThat(Number.isSafeInteger(seq) && seq >= 0, 'the progress is a sequence number');
    return seq;
  },
  planCapture: async (tenant, capture) => {
    checkTenant(tenant);
    checkBatch(capture);
    const kept = await port.planCapture(tenant, capture);
    assertThat(
      kept === null || kept.from_seq === capture.from_seq,
      'a plan begins where it was asked to',
    );
    return kept;
  },
  openCapture: async (tenant, asked) => {
    checkTenant(tenant);
    checkConsumer(asked);
    const open = await port.openCapture(tenant, asked);
    assertThat(
      open === null || (open.scope_uuid === asked.scope_uuid && open.consumer === asked.consumer),
      'an open plan is of the scope and consumer that were asked for',
    );
    return open;
  },
  finishCapture: async (tenant, finished) => {
    checkTenant(tenant);
    checkBatch(finished.receipt);
    return port.finishCapture(tenant, finished);
  },
  skipCapture: async (tenant, skipped) => {
    checkTenant(tenant);
    checkBatch(skipped);
    return port.skipCapture(tenant, skipped);
  },
  listCaptures: async (tenant, asked, scopes) => {
    checkTenant(tenant);
    checkUuids([asked.scope_uuid], 'scope_uuid');
    const receipts = await port.listCaptures(tenant, asked, scopes);
    assertThat(receipts.length <= asked.limit, 'no more receipts are listed than were asked for');
    assertThat(
      receipts.every(
        ({ scope_uuid: scope }) => scope === asked.scope_uuid && holds({ scopes }, scope),
      ),
      'a listed receipt is of the scope, and the scope is held',
    );
    return receipts;
  },
});
