/** Typed values of one scope by their key, as a write looks for them. */
import type { AnyRow } from '../model/block.ts';
import { notBefore } from '../model/clock.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { CallOptions } from './context-engine.ts';
import { type EngineParts, grantOf } from './engine-parts.ts';

interface TypedLookup {
  /** Itself alone: the value of an outer scope is not written from here. */
  readonly scope: Uuid;
  readonly at: Instant;
  /** `at` is the clock's. */
  readonly isNow: boolean;
  /** All hold. */
  readonly fields: Readonly<
    Partial<Record<'subject' | 'collection' | 'property', string>> & { collection: string }
  >;
  readonly limit: number;
}

/** Throws `PERMISSION.DENIED` where the caller does not read the scope. */
export async function readTyped(
  { scope, at, isNow, fields, limit }: TypedLookup,
  parts: EngineParts,
  call: CallOptions,
): Promise<readonly AnyRow[]> {
  const grant = await grantOf(parts, call, 'write');
  await parts.permission.assertReadable(grant, scope, { door: 'write', field: 'scope' });
  const { closure } = await parts.authority.resolveScope({
    tenant: grant.tenant,
    scope,
    principals: [],
    max_depth: 0,
    max_scopes: 1,
  });
  const { rows } = await parts.authority.read({
    kind: 'scan',
    tenant: grant.tenant,
    table: 'memory_schema_typed',
    position: closure.map(({ head }) => ({ scope, head })),
    visible_at: isNow ? notBefore(at, closure[0]?.recorded_at ?? null) : at,
    filter: { and: Object.entries(fields).map(([field, eq]) => ({ field, eq })) },
    limit,
  });
  return rows;
}
