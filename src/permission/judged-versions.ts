/**
 * The versions that a write is judged against: what an approval, which comes later, is compared
 * with.
 */
import type { Authority } from '../cxri/authority.ts';
import { scanPages } from '../cxri/scan-pages.ts';
import type { AnyRow } from '../model/block.ts';
import { isSlotted } from '../model/fact-slot.ts';
import type { Uuid } from '../model/ids.ts';
import type { AddOperation, Operation } from '../model/operation.ts';
import { type Grant, holds } from '../model/permission.ts';
import type { JudgedTarget, JudgedVersions } from '../model/proposal.ts';
import type { Position } from '../model/validity.ts';

type Reading = Pick<Authority, 'read' | 'heads'>;
type TypedAdd = AddOperation<'memory_schema_typed'>;

/** Those of each root that the operations change or end, and of each key that they set. */
export async function judgedVersions(
  operations: readonly Operation[],
  grant: Grant,
  authority: Reading,
): Promise<readonly JudgedVersions[]> {
  const judged = new Map<string, JudgedVersions>();
  for (const operation of operations) {
    const { scope } = operation;
    if (operation.operation === 'UPDATE' || operation.operation === 'DELETE') {
      const { root_uuid, table } = operation;
      const versions = await ofRoot({ scope, root_uuid }, grant, authority);
      const name = `${scope}/${root_uuid}`;
      const to = spokenTo(operation, judged.get(name));
      judged.set(name, { scope, table, root_uuid, key: null, versions, ...to });
    } else if (isTypedAdd(operation)) {
      const { subject, collection, property } = operation.content;
      const key = { subject, collection, property };
      const name = JSON.stringify([scope, subject, collection, property]);
      if (judged.has(name)) continue;
      const versions = await ofKey(operation, grant, authority);
      const table = 'memory_schema_typed';
      judged.set(name, { scope, table, root_uuid: null, key, versions });
    }
  }
  return [...judged.values()];
}

/**
 * A change in a slot leaves alone what holds later, so only what begins up to its instant can have
 * moved under it. All of a root is compared where one operation of it speaks of more.
 */
function spokenTo(
  operation: Operation,
  before: JudgedVersions | undefined,
): Pick<JudgedVersions, 'speaks_to'> {
  if (!isSlotted(operation) || (before && before.speaks_to === undefined)) return {};
  if (operation.operation === 'UPDATE' && operation.cause !== 'change') return {};
  const [at, to] = [operation.valid_from, before?.speaks_to];
  return { speaks_to: to !== undefined && to > at ? to : at };
}

/** What the links lead from and to, as far as it is there; a link to what is gone would dangle. */
export async function judgedTargets(
  operations: readonly Operation[],
  grant: Grant,
  authority: Reading,
): Promise<readonly JudgedTarget[]> {
  const roots = operations.flatMap((operation) =>
    (operation.operation === 'ADD' || operation.operation === 'UPDATE') &&
    operation.table === 'context_links'
      ? [operation.content.from_uuid, operation.content.to_uuid]
      : [],
  );
  return roots.length === 0 ? [] : standingTargets(roots, grant, authority);
}

/** The versions of each root that are believed and go on. */
export async function standingTargets(
  roots: readonly Uuid[],
  { tenant, scopes: held }: Grant,
  authority: Reading,
): Promise<readonly JudgedTarget[]> {
  const { rows } = await authority.read({
    kind: 'history',
    tenant,
    scopes: held.all ? '*' : [...held.uuids],
    roots: [...new Set(roots)].sort(),
  });
  const targets = new Map<Uuid, JudgedTarget>();
  for (const { row } of rows) {
    const { root_uuid, scope_uuid: scope } = row;
    const known = targets.get(root_uuid)?.versions ?? [];
    const stands = row.retired_seq === null && row.closed_seq === null && row.status === 'live';
    const versions = stands ? [...known, row.uuid].sort() : known;
    targets.set(root_uuid, { scope, root_uuid, versions });
  }
  return [...targets.values()];
}

/** The heads of the scopes whose own block is deleted. */
export async function endedHeads(
  operations: readonly Operation[],
  { tenant }: Grant,
  authority: Reading,
): Promise<Position> {
  const ended = operations.flatMap((operation) =>
    operation.operation === 'DELETE' && operation.root_uuid === operation.scope
      ? [operation.scope]
      : [],
  );
  if (ended.length === 0) return [];
  return (await authority.heads(tenant, [...new Set(ended)].sort())).position;
}

const isTypedAdd = (operation: Operation): operation is TypedAdd =>
  operation.operation === 'ADD' && operation.table === 'memory_schema_typed';

const believed = (rows: readonly AnyRow[], scope: Uuid): readonly Uuid[] =>
  rows
    .filter(({ row }) => row.scope_uuid === scope)
    .filter(({ row }) => row.retired_seq === null && row.status === 'live')
    .map(({ row }) => row.uuid)
    .sort();

async function ofRoot(
  of: { readonly scope: Uuid; readonly root_uuid: Uuid },
  { tenant }: Grant,
  authority: Reading,
): Promise<readonly Uuid[]> {
  const { scope, root_uuid: root } = of;
  const { rows } = await authority.read({
    kind: 'history',
    tenant,
    scopes: [scope],
    roots: [root],
  });
  return believed(rows, scope);
}

async function ofKey(
  { scope, content }: TypedAdd,
  grant: Grant,
  authority: Reading,
): Promise<readonly Uuid[]> {
  const { tenant } = grant;
  if (!holds(grant, scope)) return [];
  const { position } = await authority.heads(tenant, [scope]);
  if (position.length === 0) return [];
  const filter = {
    and: [
      { field: 'subject', eq: content.subject },
      { field: 'collection', eq: content.collection },
      { field: 'property', eq: content.property },
    ],
  };
  const scan = { tenant, table: 'memory_schema_typed', position, filter, limit: 1000 } as const;
  const rows: AnyRow[] = [];
  for await (const page of scanPages(authority, scan)) rows.push(...page);
  return believed(rows, scope);
}
