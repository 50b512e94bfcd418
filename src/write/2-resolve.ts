/** Stage 2: the scopes that are written, and what the claim of the writer is worth. */
import type { BlockRow } from '../model/block.ts';
import { parseTenant, type Uuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import { principalsOf } from '../permission/door.ts';
import type { CheckedWrite } from './1-check.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export interface ResolvedWrite extends CheckedWrite {
  readonly grant: Grant;
  /** As far as they are there and held. */
  readonly blocks: ReadonlyMap<Uuid, BlockRow>;
}

/** One round trip where one scope is written, two for more. */
export async function resolveWrite(
  checked: CheckedWrite,
  { authority, permission }: WriteDependencies,
): Promise<ResolvedWrite> {
  const { operations, profile, created } = checked;
  const [first, ...others] = new Set(operations.map(({ scope }) => scope));
  const resolved = await authority.resolveScope({
    tenant: parseTenant(profile.tenant),
    scope: first as Uuid, // stage 1 lets no empty batch pass
    principals: principalsOf(profile),
    // Its own rights and block: what it inherits from gives no right to write.
    max_depth: 0,
    max_scopes: 1,
  });
  const entrance = { door: 'write', field: 'permission_profile' };
  const grant = await permission.judgeWith(profile, resolved.rights, entrance);
  const further = others.filter((scope) => !created.has(scope));
  const blocks = new Map(further.length === 0 ? [] : await permission.blocksOf(grant, further));
  const own = resolved.closure[0]?.scope;
  if (own && first !== undefined) blocks.set(first, own);
  return { ...checked, grant, blocks };
}
