/** Requests, checked against their schemas before a connector sees them. */
import { requestProblem } from '../inputs/request-problem.ts';
import type { RequestName } from '../inputs/request-schemas.ts';
import { invalidRequest } from './refuse.ts';

/**
 * Throws `CONNECTOR.INVALID_REQUEST` with the first field that is wrong. `within`: the field of the
 * call that the request stands in.
 */
export function checkRequest(name: RequestName, request: unknown, within = ''): void {
  const problem = requestProblem(name, request);
  if (!problem) return;
  const { field, value, fix } = problem;
  const path = [within, field].filter((step) => step !== '').join('.');
  throw invalidRequest(path || 'request', value, fix);
}

export const checkTenant = (tenant: unknown): void => checkRequest('tenant', { tenant });
