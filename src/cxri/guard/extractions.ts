/** The guard of the extractions port: answers of the batch, costs of the scopes asked for. */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ExtractionsPort } from '../ports/extractions.ts';
import { isAmong } from './facts.ts';

export const guardExtractions = (port: ExtractionsPort): ExtractionsPort => ({
  extractionsOf: async (tenant, of) => {
    checkTenant(tenant);
    checkRequest('extraction_key', of);
    const found = await port.extractionsOf(tenant, of);
    assertThat(
      found.every(
        (each, index) =>
          each.scope_uuid === of.scope_uuid &&
          each.consumer === of.consumer &&
          each.from_seq === of.from_seq &&
          (index === 0 || each.attempt > (found[index - 1]?.attempt ?? 0)),
      ),
      'an extraction is of the batch that was asked for, in the order of its calls',
    );
    return found;
  },
  reserveExtraction: async (tenant, request) => {
    checkTenant(tenant);
    checkRequest('extraction_key', request);
    checkRequest('extraction_call', request);
    return port.reserveExtraction(tenant, request);
  },
  settleExtraction: async (tenant, answer) => {
    checkTenant(tenant);
    checkRequest('extraction_key', answer);
    checkRequest('extraction_answer', answer);
    return port.settleExtraction(tenant, answer);
  },
  dropAnswers: async (tenant, of) => {
    checkTenant(tenant);
    checkRequest('extraction_key', of);
    return port.dropAnswers(tenant, of);
  },
  listCosts: async (tenant, asked) => {
    checkTenant(tenant);
    checkRequest('costs_page', asked);
    const costs = await port.listCosts(tenant, asked);
    const isOf = isAmong(asked.scopes);
    assertThat(
      costs.length <= asked.limit && costs.every(({ scope_uuid: scope }) => isOf(scope)),
      'a cost is of a scope that was asked for, and there are no more of them than asked for',
    );
    return costs;
  },
});
