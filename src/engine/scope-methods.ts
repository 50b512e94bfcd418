/** The engine's methods for scopes: create and list. */
import { ContextEngineError } from '../codes/errors.ts';
import { keyedDigest, uuidOfDigest } from '../cxri/keyed-digest.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { Uuid } from '../model/ids.ts';
import { parseUuid } from '../model/ids.ts';
import type { WriteResult } from '../model/operation.ts';
import type { Grant } from '../model/permission.ts';
import { holds } from '../model/permission.ts';
import type { ScopeInput } from '../model/write-input.ts';
import { uuidsOf } from '../write/check-content.ts';
import { scopeOperations } from '../write/to-operations.ts';
import { writeOperations } from '../write/write.ts';
import type { CallOptions, ContextEngine } from './context-engine.ts';
import { type EngineParts, grantOf, signalOf } from './engine-parts.ts';

export async function createScope(
  parts: EngineParts,
  input: ScopeInput,
  options: CallOptions | undefined,
): Promise<{ readonly scope_block_uuid: Uuid; readonly result: WriteResult }> {
  const { scope, created } = await checkedScope(input, parts, options);
  const now = parts.now();
  const operations = scopeOperations(input, { scope, now, newId: parts.newId });
  const profile = await parts.profileOf(options);
  const call = { operations, profile, now, created, ...signalOf(options) };
  const result = await writeOperations(call, parts);
  return { scope_block_uuid: result.receipts[0]?.root_uuid ?? scope, result };
}

export async function listScopes(
  parts: EngineParts,
  options: CallOptions | undefined,
): ReturnType<ContextEngine['scopes']['list']> {
  const grant = await grantOf(parts, options, 'list');
  await parts.permission.assertReader(grant, { door: 'list', field: 'permission_profile' });
  const listed = await parts.authority.listScopes(grant.tenant, grant.scopes, parts.now());
  return listed
    .filter(({ scope }) => parts.permission.mayRead(grant, scope))
    .map(({ scope, head }) => ({
      scope_block_uuid: scope.root_uuid,
      type: scope.block_type,
      title: scope.title,
      head,
    }));
}

interface ScopeToBe {
  readonly scope: Uuid;
  /** The scope, where the engine chose its id: its maker then holds it for the call. */
  readonly created: ReadonlySet<Uuid>;
}

const NONE: ReadonlySet<Uuid> = new Set();

/** The uuid of the scope to be made, whose outer scopes are there. */
async function checkedScope(
  input: ScopeInput,
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<ScopeToBe> {
  checkInput('scope', input);
  const inherits = uuidsOf(input.inherits, 'inherits');
  const given = input.uuid === undefined ? undefined : parseUuid(input.uuid, 'uuid');
  const needsGrant = inherits.length > 0 || typeof input.idempotency_key === 'string';
  const grant = needsGrant ? await grantOf(parts, options, 'write') : null;
  if (grant) await assertOuterScopes(inherits, grant, parts);
  if (given !== undefined) return { scope: given, created: NONE };
  const { idempotency_key: key } = input;
  const isKeyed = grant !== null && typeof key === 'string';
  const scope = isKeyed ? await scopeOfKey(key, grant, parts) : parts.newId();
  return { scope, created: new Set([scope]) };
}

/**
 * An outer scope that is not there would be inherited from for ever in vain. One that is not held
 * is not looked up: the write refuses it like every edge to it.
 */
async function assertOuterScopes(
  inherits: readonly Uuid[],
  grant: Grant,
  parts: EngineParts,
): Promise<void> {
  const blocks = await parts.permission.blocksOf(grant, inherits);
  for (const [index, scope] of inherits.entries())
    if (holds(grant, scope) && !blocks.get(scope)?.is_scope)
      throw new ContextEngineError('SCOPE.NOT_FOUND', {
        message: `There is no scope \`${scope}\` to inherit from.`,
        fix: 'Create the outer scope first.',
        where: { field: 'inherits', index },
      });
}

/**
 * A scope that is made under a key has the same uuid at every retry. Who holds all of a tenant
 * shares its keys; anyone else has keys of their own, so that a key shows nothing of other scopes.
 * The digest is keyed: nobody computes the uuid of a key, to take its place or to look for it.
 */
export async function scopeOfKey(
  key: string,
  { tenant, scopes, principal }: Grant,
  { authority, digestOf }: Pick<EngineParts, 'authority' | 'digestOf'>,
): Promise<Uuid> {
  const owner = scopes.all ? [] : [principal];
  const digest = digestOf(JSON.stringify([tenant, 'scope', ...owner, key]));
  const earlier = parseUuid(uuidOfDigest(digest), 'uuid');
  if (await authority.isEarlierScope(tenant, earlier)) return earlier;
  const digestKey = await authority.digestKey(tenant);
  return parseUuid(uuidOfDigest(keyedDigest(digestKey, digest)), 'uuid');
}
