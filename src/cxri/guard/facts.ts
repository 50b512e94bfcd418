/** The guard of the facts port: nothing outside of what was asked for, and of what may be read. */
import { assertThat } from '../../codes/errors.ts';
import type { Uuid } from '../../model/ids.ts';
import { isAllScopes, type ReadableScopes } from '../../model/permission.ts';
import { isVisible } from '../../model/validity.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { FactsAsked, FactsPort } from '../ports/facts.ts';
import { invalidRequest } from '../refuse.ts';

function checkAsked(asked: FactsAsked): void {
  checkRequest('facts_page', asked);
  const { scopes, readable, after } = asked;
  if (after !== null) checkRequest('facts_key', after, 'after');
  if (isAllScopes(readable)) return;
  if (isAllScopes(scopes))
    throw invalidRequest('scopes', scopes, 'List scopes that are among `readable`.');
  const held = new Set(readable);
  const outside = scopes.find((scope) => !held.has(scope));
  if (outside !== undefined)
    throw invalidRequest('scopes', outside, 'List scopes that are among `readable`.');
}

/** Of what was not named, the connector alone knows which scopes there are. */
export function isAmong(scopes: ReadableScopes): (scope: Uuid) => boolean {
  if (isAllScopes(scopes)) return () => true;
  const named = new Set(scopes);
  return (scope) => named.has(scope);
}

export const guardFacts = (port: FactsPort): FactsPort => ({
  listFacts: async (tenant, asked) => {
    checkTenant(tenant);
    checkAsked(asked);
    const found = await port.listFacts(tenant, asked);
    const isOf = isAmong(asked.scopes);
    assertThat(
      found.facts.every(({ row }) => row.tenant_id === tenant && isOf(row.scope_uuid)),
      'a listed fact is of the tenant and of a scope that was asked for',
    );
    assertThat(
      found.facts.every(({ row }) => row.status === 'live'),
      'a listed fact is live',
    );
    assertThat(
      found.facts.length <= asked.limit && found.total >= found.facts.length,
      'a page holds no more facts than were asked for, and no more than there are',
    );
    return found;
  },
  factOrigins: async (tenant, asked) => {
    checkTenant(tenant);
    checkRequest('fact_origins', asked);
    const origins = await port.factOrigins(tenant, asked);
    const [uuids, isReadable] = [new Set(asked.uuids), isAmong(asked.readable)];
    assertThat(
      [...origins].every(
        ([uuid, { sources }]) =>
          uuids.has(uuid) && sources.every(({ scope_uuid: scope }) => isReadable(scope)),
      ),
      'an origin is of a version that was asked for, and names sources that may be read',
    );
    return origins;
  },
  factsAlike: async (tenant, asked) => {
    checkTenant(tenant);
    checkRequest('facts_alike', asked);
    const found = await port.factsAlike(tenant, asked);
    assertThat(found.length === asked.texts.length, 'each text has an answer');
    const most = 2 * asked.limit + asked.most_slots;
    assertThat(
      found.every(
        (facts) =>
          facts.length <= most &&
          facts.every(
            ({ row }) =>
              row.tenant_id === tenant &&
              row.scope_uuid === asked.scope &&
              isVisible(row, asked.valid_at, asked.head),
          ),
      ),
      'a fact that is alike is of the tenant and the scope, and holds at the instant',
    );
    return found;
  },
});
