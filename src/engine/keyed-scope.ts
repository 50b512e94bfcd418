/**
 * Scopes under the application's own keys: `scopes.find` and `scopes.getOrCreate`. A key is the
 * `idempotency_key` of `scopes.create`, so that a scope made there is found here.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { BlockRow } from '../model/block.ts';
import { parseUuid, type Uuid } from '../model/ids.ts';
import type { WriteResult } from '../model/operation.ts';
import type { Grant } from '../model/permission.ts';
import type { KeyedScopeInput } from '../model/write-input.ts';
import { uuidsOf } from '../write/check-content.ts';
import { scopeTitleOperation } from '../write/to-operations.ts';
import { writeOperations } from '../write/write.ts';
import type { CallOptions } from './context-engine.ts';
import { type EngineParts, grantOf, signalOf } from './engine-parts.ts';
import { createScope } from './methods/scope-methods.ts';
import { scopeOfKey } from './scope-keys.ts';

/** null = the caller holds no scope of this key. */
export async function findScope(
  parts: EngineParts,
  key: string,
  options: CallOptions | undefined,
): Promise<Uuid | null> {
  checkInput('scope_key', { key });
  const grant = await grantOf(parts, options, 'list');
  await parts.permission.assertReader(grant, { door: 'list', field: 'permission_profile' });
  const block = await blockOfKey(parts, key, grant);
  return block !== null && parts.permission.mayRead(grant, block) ? block.root_uuid : null;
}

export interface FoundOrCreated {
  readonly scope_block_uuid: Uuid;
  readonly is_new: boolean;
  /** null = nothing was written. */
  readonly result: WriteResult | null;
}

/**
 * Two calls at once make one scope. Of a scope that is there, only a title that is given and
 * another is written; another type, or an outer scope that it does not inherit from, is refused.
 */
export async function getOrCreateScope(
  parts: EngineParts,
  input: KeyedScopeInput,
  options: CallOptions | undefined,
): Promise<FoundOrCreated> {
  checkInput('keyed_scope', input);
  const { key, ...scope } = input;
  const grant = await grantOf(parts, options, 'write');
  const block = await blockOfKey(parts, key, grant);
  if (block === null) {
    const made = await createScope(parts, { ...scope, idempotency_key: key }, options);
    const isNew = made.result.receipts[0]?.outcome === 'stored';
    return { scope_block_uuid: made.scope_block_uuid, is_new: isNew, result: made.result };
  }
  const { root_uuid: uuid } = block;
  if (block.block_type !== input.type)
    throw otherScope(key, `is of type \`${block.block_type}\``, 'type');
  await assertInherits(parts, { grant, input, uuid });
  if (input.title === undefined || input.title === block.title)
    return { scope_block_uuid: uuid, is_new: false, result: null };
  const operations = [
    scopeTitleOperation(block, input.title, { now: parts.now(), newId: parts.newId }),
  ];
  const profile = await parts.profileOf(options);
  const call = { operations, profile, now: parts.now(), ...signalOf(options) };
  return { scope_block_uuid: uuid, is_new: false, result: await writeOperations(call, parts) };
}

async function blockOfKey(parts: EngineParts, key: string, grant: Grant): Promise<BlockRow | null> {
  const uuid = await scopeOfKey(key, grant, parts);
  const block = (await parts.permission.blocksOf(grant, [uuid])).get(uuid);
  return block?.is_scope ? block : null;
}

async function assertInherits(
  { authority }: EngineParts,
  asked: { readonly grant: Grant; readonly input: KeyedScopeInput; readonly uuid: Uuid },
): Promise<void> {
  const wanted = uuidsOf(asked.input.inherits, 'inherits');
  if (wanted.length === 0) return;
  const { closure } = await authority.resolveScope({
    tenant: asked.grant.tenant,
    scope: parseUuid(asked.uuid, 'scope'),
    principals: [],
    max_depth: 1,
    max_scopes: 64,
  });
  const inherited = new Set(closure.slice(1).map(({ scope }) => scope.root_uuid));
  const missing = wanted.find((outer) => !inherited.has(outer));
  if (missing !== undefined)
    throw otherScope(asked.input.key, `does not inherit from \`${missing}\``, 'inherits');
}

const otherScope = (key: string, what: string, field: string): ContextEngineError =>
  new ContextEngineError('WRITE.IDEMPOTENCY_CONFLICT', {
    message: `The scope of key \`${key}\` ${what}.`,
    fix:
      field === 'inherits'
        ? 'Link it with `engine.link(scope, { type: "inherits", from, to })`, or leave ' +
          '`inherits` out.'
        : 'Take another key, or pass that type: a scope keeps its type. Once the scope is ' +
          'forgotten, its key takes any.',
    where: { field },
  });
