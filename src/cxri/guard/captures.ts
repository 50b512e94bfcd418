/** The guard of captures: a plan and a receipt are those of the scope and consumer asked for. */
import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { CapturesPort } from '../ports/captures.ts';
import { checkBatch, checkConsumer } from './capture-progress.ts';

export const guardCaptures = (port: CapturesPort): CapturesPort => ({
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
  splitCapture: async (tenant, split) => {
    checkTenant(tenant);
    checkBatch(split.receipt);
    return port.splitCapture(tenant, split);
  },
  listCaptures: async (tenant, asked, scopes) => {
    checkTenant(tenant);
    checkRequest('captures_page', asked);
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
