/**
 * From keys of the application to scopes. The uuid of a keyed scope is made of its key, so that it
 * is the same at every retry. A scope that was forgotten or deleted keeps its uuid; its key goes on
 * to the next uuid, which is made of the key and a number.
 */
import { assertThat } from '../codes/errors.ts';
import { keyedDigest, uuidOfDigest } from '../cxri/keyed-digest.ts';
import type { MadeScope } from '../cxri/ports/keys.ts';
import { parseUuid, type Uuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import type { EngineParts } from './engine-parts.ts';

type KeyParts = Pick<EngineParts, 'authority' | 'digestOf'>;

/** The scope of the key, or the uuid of the scope that is to be made under it. */
export async function scopeOfKey(key: string, grant: Grant, parts: KeyParts): Promise<Uuid> {
  const scope = (await scopesOfKeys([key], grant, parts)).get(key);
  assertThat(scope !== undefined, 'a key has a scope, or a uuid for one');
  return scope;
}

/** Uuids of a key that are asked for together: hardly any scope is forgotten three times. */
const UUIDS_AT_ONCE = 4;
/** With five uuids each, half of what one request of the store may name. */
const KEYS_AT_ONCE = 1000;

/** As {@link scopeOfKey}, of many keys: one request for a thousand of them. */
export async function scopesOfKeys(
  keys: readonly string[],
  grant: Grant,
  parts: KeyParts,
): Promise<ReadonlyMap<string, Uuid>> {
  const uuidsOf = await uuidsOfKeys(grant, parts);
  const found = new Map<string, Uuid>();
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    let open = keys.slice(start, start + KEYS_AT_ONCE);
    // Windows overlap by one, so that each has the uuid before the first that was not made.
    for (let first = 0; open.length > 0; first += UUIDS_AT_ONCE - 1) {
      const asked = open.map((key) => ({ key, ...uuidsOf(key, first) }));
      const uuids = asked.flatMap(({ earlier, keyed }) => [...earlier, ...keyed]);
      const made = await parts.authority.madeScopes(grant.tenant, uuids);
      const byUuid = new Map(made.map((each) => [each.scope, each]));
      for (const each of asked) {
        const scope = pick(each, byUuid);
        if (scope !== undefined) found.set(each.key, scope);
      }
      open = open.filter((key) => !found.has(key));
    }
  }
  return found;
}

/** Some of the uuids of a key, in order. `earlier`: what the first was before ids were keyed. */
interface UuidsOfKey {
  readonly earlier: readonly Uuid[];
  readonly keyed: readonly Uuid[];
}

/**
 * Who holds all of a tenant shares its keys; anyone else has keys of their own, so that a key shows
 * nothing of other scopes. The digest is keyed: nobody computes the uuid of a key, to take its
 * place or to look for it.
 */
async function uuidsOfKeys(
  { tenant, scopes, principal }: Grant,
  { authority, digestOf }: KeyParts,
): Promise<(key: string, first: number) => UuidsOfKey> {
  const owner = scopes.all ? [] : [principal];
  const digestKey = await authority.digestKey(tenant);
  const digestOfKey = (key: string, number: number): string =>
    digestOf(JSON.stringify([tenant, 'scope', ...owner, key, ...(number === 0 ? [] : [number])]));
  return (key, first) => ({
    earlier: first === 0 ? [uuidOf(digestOfKey(key, 0))] : [],
    keyed: Array.from({ length: UUIDS_AT_ONCE }, (_, index) =>
      uuidOf(keyedDigest(digestKey, digestOfKey(key, first + index))),
    ),
  });
}

const uuidOf = (digest: string): Uuid => parseUuid(uuidOfDigest(digest), 'uuid');

/**
 * Invariant: of the scopes that were made under a key, the key names the last one while it stands,
 * and otherwise the next (test/integration/keyed-scopes.test.ts). So a scope that is brought back
 * after the next one was made stands without its key. `undefined`: all of these were made.
 */
function pick(
  { earlier, keyed }: UuidsOfKey,
  made: ReadonlyMap<Uuid, MadeScope>,
): Uuid | undefined {
  const before = earlier.filter((uuid) => made.get(uuid)?.is_earlier);
  const uuids = [...before, ...keyed.slice(before.length)];
  const next = uuids.findIndex((uuid) => !made.has(uuid));
  const last = uuids[next - 1];
  return last !== undefined && made.get(last)?.is_standing ? last : uuids[next];
}
