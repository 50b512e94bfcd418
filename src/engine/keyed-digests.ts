/** Digests for whoever makes ids and keys of content, as an ingest does. */
import { keyedDigest } from '../cxri/keyed-digest.ts';
import { parseUuid } from '../model/ids.ts';
import type { KeyedDigests } from '../model/keyed-digests.ts';
import { holds } from '../model/permission.ts';
import type { CallOptions } from './context-engine.ts';
import { type EngineParts, grantOf } from './engine-parts.ts';

export async function keyedDigests(
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<KeyedDigests> {
  const { authority, permission } = parts;
  const grant = await grantOf(parts, options, 'write');
  const { tenant } = grant;
  await permission.assertReader(grant, { door: 'write', field: 'permission_profile' });
  const key = await authority.digestKey(tenant);
  return {
    // A domain of its own: it gives no digest that the store compares others with.
    digestOf: (text) => keyedDigest(key, `ingest ${text}`),
    isEarlierScope: async (given) => {
      const scope = parseUuid(given, 'scope');
      if (!holds(grant, scope)) return false;
      const [made] = await authority.madeScopes(tenant, [scope]);
      return made?.is_earlier ?? false;
    },
    forgotten: async (given, { uuids, keys }) => {
      const scope = parseUuid(given, 'scope');
      if (!holds(grant, scope)) return { uuids: [], keys: [] };
      return authority.forgottenNames(tenant, {
        scope,
        uuids: uuids.map((uuid) => parseUuid(uuid, 'uuids')),
        keys,
      });
    },
  };
}
