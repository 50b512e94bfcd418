/** The engine's methods for scopes: create and list. */
import { ContextEngineError } from '../../codes/errors.ts';
import type { DescribedScope } from '../../cxri/ports/ledger.ts';
import { checkInput } from '../../inputs/check-input.ts';
import type { Uuid } from '../../model/ids.ts';
import { parseUuid } from '../../model/ids.ts';
import type { ListedScope } from '../../model/listed-scope.ts';
import type { WriteResult } from '../../model/operation.ts';
import type { Grant } from '../../model/permission.ts';
import { holds } from '../../model/permission.ts';
import type { ScopeInput } from '../../model/write-input.ts';
import { uuidsOf } from '../../write/check-content.ts';
import { scopeOperations } from '../../write/to-operations.ts';
import { writeOperations } from '../../write/write.ts';
import type { CallOptions } from '../context-engine.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { scopeOfKey, scopesOfKeys } from '../scope-keys.ts';

interface CreatedScope {
  readonly scope_block_uuid: Uuid;
  readonly result: WriteResult;
}

/** How often a scope is made anew that was forgotten while it was made. */
const MAX_ATTEMPTS = 3;

/**
 * A write that is there already stores nothing again, also where what it made is forgotten. A key
 * goes on to another scope then; a uuid does not.
 */
export async function createScope(
  parts: EngineParts,
  input: ScopeInput,
  options: CallOptions | undefined,
): Promise<CreatedScope> {
  checkInput('scope', input);
  const attempts = input.uuid === undefined ? MAX_ATTEMPTS : 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const made = await makeScope(parts, input, options);
    if (made.result.receipts[0]?.outcome !== 'duplicate') return made;
    const { tenant } = await grantOf(parts, options, 'write');
    const [stored] = await parts.authority.madeScopes(tenant, [made.scope_block_uuid]);
    if (stored?.is_standing !== false) return made;
  }
  throw scopeGone(input);
}

const scopeGone = ({ uuid, idempotency_key: key }: ScopeInput): ContextEngineError =>
  uuid === undefined
    ? new ContextEngineError('WRITE.REFUSED', {
        message: `The scope of key \`${key}\` is forgotten as often as it is made.`,
        fix: 'End what forgets it, then call again.',
        where: { field: 'idempotency_key' },
      })
    : new ContextEngineError('WRITE.REFUSED', {
        message: `The scope \`${uuid}\` was made before, and is forgotten or deleted since.`,
        fix: 'Make another scope: pass another `uuid` and `idempotency_key`, or no `uuid`.',
        where: { field: 'uuid' },
      });

async function makeScope(
  parts: EngineParts,
  input: ScopeInput,
  options: CallOptions | undefined,
): Promise<CreatedScope> {
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
): Promise<readonly ListedScope[]> {
  const grant = await grantOf(parts, options, 'list');
  await parts.permission.assertReader(grant, { door: 'list', field: 'permission_profile' });
  const listed = await parts.authority.listScopes(grant.tenant, grant.scopes, parts.now());
  const shown = listed.filter(({ scope }) => parts.permission.mayRead(grant, scope));
  const described = await describedOf(
    shown.map(({ scope }) => scope.root_uuid),
    grant,
    parts,
  );
  return shown.map(({ scope, head }) => ({
    scope_block_uuid: scope.root_uuid,
    type: scope.block_type,
    title: scope.title,
    head,
    ...(described.get(scope.root_uuid) ?? { key: null, inherits: [] }),
  }));
}

/** Row-level security compares each row with all scopes that a request names. */
const SCOPES_AT_ONCE = 100;

/** A key that leads the caller to another scope, or nowhere, is none of the scope for them. */
async function describedOf(
  scopes: readonly Uuid[],
  grant: Grant,
  parts: EngineParts,
): Promise<ReadonlyMap<Uuid, Pick<ListedScope, 'key' | 'inherits'>>> {
  const described: DescribedScope[] = [];
  for (let start = 0; start < scopes.length; start += SCOPES_AT_ONCE) {
    const some = scopes.slice(start, start + SCOPES_AT_ONCE);
    described.push(...(await parts.authority.describeScopes(grant.tenant, some, parts.now())));
  }
  const keys = [...new Set(described.flatMap(({ key }) => key ?? []))];
  const found = keys.length === 0 ? null : await scopesOfKeys(keys, grant, parts);
  return new Map(
    described.map(({ scope, key, inherits }) => {
      const isFound = key !== null && found?.get(key) === scope;
      return [scope, { key: isFound ? key : null, inherits }];
    }),
  );
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
