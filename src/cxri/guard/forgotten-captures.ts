/** The guard of captures of forgotten turns: what is given lies in scopes that are held. */
import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ForgottenCapturesPort } from '../ports/forgotten-captures.ts';
import { checkBatch } from './capture-progress.ts';

export const guardForgottenCaptures = (port: ForgottenCapturesPort): ForgottenCapturesPort => ({
  forgottenCaptures: async (tenant, asked, scopes) => {
    checkRequest('redaction', { tenant, redaction: asked.redaction });
    const found = await port.forgottenCaptures(tenant, asked, scopes);
    assertThat(
      found.receipts.every(({ scope_uuid: scope }) => holds({ scopes }, scope)),
      'a receipt is of a scope that is held',
    );
    return found;
  },
  operationsOfKeys: async (tenant, asked, scopes) => {
    checkTenant(tenant);
    return holds({ scopes }, asked.scope) ? port.operationsOfKeys(tenant, asked, scopes) : [];
  },
  operationsAfter: async (tenant, redaction, scopes) => {
    checkRequest('redaction', { tenant, redaction });
    const found = await port.operationsAfter(tenant, redaction, scopes);
    assertThat(
      found.every(({ scope }) => holds({ scopes }, scope)),
      'an operation is of a scope that is held',
    );
    return found;
  },
  amendCapture: async (tenant, amended) => {
    checkTenant(tenant);
    checkBatch(amended.receipt);
    const { was, receipt } = amended;
    assertThat(
      was.capture_uuid === receipt.capture_uuid && was.from_seq === receipt.from_seq,
      'a receipt is amended by one of the same capture',
    );
    return port.amendCapture(tenant, amended);
  },
});
