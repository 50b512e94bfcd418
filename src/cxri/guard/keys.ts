/** The guard of the keys port: a key is of its tenant, and long enough to be one. */
import { assertThat } from '../../codes/errors.ts';
import type { ForgottenNames } from '../../model/keyed-digests.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { KeysPort } from '../ports/keys.ts';

export const guardKeys = (port: KeysPort): KeysPort => ({
  digestKey: async (tenant) => {
    checkTenant(tenant);
    const key = await port.digestKey(tenant);
    assertThat(/^[0-9a-f]{64}$/.test(key), 'a digest key has 64 hexadecimal digits');
    return key;
  },
  madeScopes: async (tenant, scopes) => {
    checkTenant(tenant);
    checkRequest('scope_names', { scopes });
    const made = await port.madeScopes(tenant, scopes);
    for (const { scope } of made)
      assertThat(scopes.includes(scope), 'made scopes are of those that were asked for');
    return made;
  },
  forgottenNames: async (tenant, names) => {
    checkTenant(tenant);
    checkRequest('names_of_scope', names);
    const forgotten = await port.forgottenNames(tenant, names);
    const isAsked = ({ uuids, keys }: ForgottenNames): boolean =>
      uuids.every((uuid) => names.uuids.includes(uuid)) &&
      keys.every((key) => names.keys.includes(key));
    assertThat(isAsked(forgotten), 'no more is forgotten than was asked for');
    return forgotten;
  },
});
