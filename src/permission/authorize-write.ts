/** Who may write what: every operation of a batch judged, before anything is written. */
import type { Authority } from '../cxri/authority.ts';
import type { AnyRow, BlockRow, LinkRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import type { Operation, WriteDecision } from '../model/operation.ts';
import type { Grant, PermissionKey } from '../model/permission.ts';
import { holds } from '../model/permission.ts';
import type { UndoPlan } from '../model/undo.ts';
import { decideWrite } from './decide-write.ts';
import type { PermissionDoor } from './door.ts';
import { scopeMissing } from './door.ts';
import { checkReferences, isScopeOfItself, referencesOf } from './references.ts';
import { undoPlans } from './undo-plans.ts';

export interface WriteAsked {
  readonly operations: readonly Operation[];
  /**
   * Scopes that the engine makes under ids of its own. Their maker may fill them in the same call,
   * as long as the connector finds, under its lock, that they were not there.
   */
  readonly created: ReadonlySet<Uuid>;
  readonly grant: Grant;
  /** Of the scopes that are written, as far as they are there and held. */
  readonly blocks: ReadonlyMap<Uuid, BlockRow>;
}

export interface Waits {
  readonly tier: 'T2' | 'T3';
  readonly key: PermissionKey;
}

export interface WriteAuthorization {
  /** The types of the scopes that are written. */
  readonly typeOf: ReadonlyMap<Uuid, string>;
  /** Those of `created` that the grant does not hold: the write must find them absent. */
  readonly unheldBirths: readonly Uuid[];
  /** One for each operation, in order. */
  readonly decisions: readonly WriteDecision[];
  /** What the whole batch waits for, by its strictest operation; null = nothing. */
  readonly waits: Waits | null;
  /** What each operation waits for by itself, in order. */
  readonly waitsOf: readonly (Waits | null)[];
  /** Scopes in which links that give rights are made, changed or ended. */
  readonly granting: readonly Uuid[];
  /** What each undo was judged by, by the operation that it takes back. */
  readonly undos: ReadonlyMap<Uuid, UndoPlan>;
}

interface Judging {
  readonly door: PermissionDoor;
  readonly authority: Pick<Authority, 'read' | 'readUndo'>;
}

/** Rejects for the first operation that is excluded; nothing of the batch is written then. */
export async function authorizeWrite(
  asked: WriteAsked,
  { door, authority }: Judging,
): Promise<WriteAuthorization> {
  const { operations, created, grant } = asked;
  const typeOf = await typesOf(asked, door);
  const widened = withCreated(grant, created);
  const touched = await touchedLinks(operations, grant, authority);
  const undos = await undoPlans(operations, grant, { door, authority });
  const decisions: WriteDecision[] = [];
  const granting = new Set<Uuid>();
  const waitsOf: (Waits | null)[] = [];
  for (const [index, operation] of operations.entries()) {
    const scopeType = typeOf.get(operation.scope) ?? '';
    const { tier, key } = decideWrite(operation, widened, {
      policy: door.policy,
      scopeType,
      touched: 'root_uuid' in operation ? touched.get(operation.root_uuid) : undefined,
      undone: operation.operation === 'UNDO' ? undos.get(operation.target)?.effects : undefined,
    });
    const entrance = { door: 'write', field: 'operations', index };
    if (tier === 'excluded')
      await door.deny(grant, { tier, key, scope: operation.scope }, entrance);
    waitsOf.push(tier === 'T2' || tier === 'T3' ? { tier, key } : null);
    if (key === 'grants') granting.add(operation.scope);
    decisions.push({ decision: tier, manifest_digest: door.policy.decidedBy(scopeType, key) });
  }
  checkReferences(
    operations,
    await referencedRows(widened, operations, { door, authority, typeOf }),
  );
  const unheldBirths = [...created].filter((scope) => !holds(grant, scope));
  const waiting = waitsOf.filter((each) => each !== null);
  const waits = waiting.find(({ tier }) => tier === 'T3') ?? waiting[0] ?? null;
  return { typeOf, unheldBirths, decisions, waits, waitsOf, granting: [...granting], undos };
}

/** Rejects for the first scope that is not held, or is neither there nor made by the batch. */
async function typesOf(
  { operations, created, grant, blocks }: WriteAsked,
  door: PermissionDoor,
): Promise<ReadonlyMap<Uuid, string>> {
  const typeOf = new Map<Uuid, string>();
  for (const scope of new Set(operations.map((operation) => operation.scope))) {
    const index = operations.findIndex((operation) => operation.scope === scope);
    const entrance = { door: 'write', field: 'operations', index };
    if (!holds(grant, scope) && !created.has(scope))
      await door.deny(grant, { tier: 'excluded', key: 'writes', scope }, entrance);
    const block = blocks.get(scope);
    const type = block && isScopeOfItself({ table: 'blocks', row: block }) && block.block_type;
    const birth = operations.find((operation) => isBirth(operation) && operation.scope === scope);
    if (!type && !birth) throw scopeMissing(scope, grant.tenant, 'scope');
    typeOf.set(scope, type || birthType(birth));
  }
  return typeOf;
}

const isBirth = (operation: Operation): boolean =>
  operation.operation === 'ADD' &&
  operation.table === 'blocks' &&
  operation.content.is_scope &&
  operation.uuid === operation.scope;

const birthType = (operation: Operation | undefined): string =>
  operation?.operation === 'ADD' && operation.table === 'blocks'
    ? operation.content.block_type
    : '';

const withCreated = (grant: Grant, created: ReadonlySet<Uuid>): Grant =>
  created.size === 0 || grant.scopes.all
    ? grant
    : { ...grant, scopes: { all: false, uuids: new Set([...grant.scopes.uuids, ...created]) } };

/** The links that the operations change or end. No round trip where there are none. */
async function touchedLinks(
  operations: readonly Operation[],
  { tenant, scopes }: Grant,
  authority: Judging['authority'],
): Promise<ReadonlyMap<Uuid, LinkRow>> {
  const roots = new Set<Uuid>();
  for (const operation of operations)
    if ('root_uuid' in operation && operation.table === 'context_links')
      roots.add(operation.root_uuid);
  const links = new Map<Uuid, LinkRow>();
  const held = scopes.all ? '*' : [...scopes.uuids];
  for (const page of pages([...roots])) {
    const read = { kind: 'history', tenant, scopes: held, roots: page } as const;
    for (const { table, row } of (await authority.read(read)).rows)
      if (table === 'context_links') links.set(row.root_uuid, row);
  }
  return links;
}

/** The rows that the operations point at, as far as the writer reads them. */
async function referencedRows(
  grant: Grant,
  operations: readonly Operation[],
  { door, authority, typeOf }: Judging & { readonly typeOf: ReadonlyMap<Uuid, string> },
): Promise<readonly AnyRow[]> {
  const { versions, roots } = referencesOf(operations);
  const { tenant } = grant;
  const scopes = grant.scopes.all ? '*' : [...grant.scopes.uuids];
  const found: AnyRow[] = [];
  for (const uuids of pages(versions))
    found.push(...(await authority.read({ kind: 'versions', tenant, scopes, uuids })).rows);
  for (const page of pages(roots))
    found.push(...(await authority.read({ kind: 'history', tenant, scopes, roots: page })).rows);
  if (found.length === 0) return found;
  const elsewhere = found.map(({ row }) => row.scope_uuid).filter((scope) => !typeOf.has(scope));
  const readable = new Set(elsewhere.length === 0 ? [] : await door.readable(grant, elsewhere));
  for (const [scope, type] of typeOf) if (door.readsType(grant, type)) readable.add(scope);
  return found.filter(({ row }) => readable.has(row.scope_uuid));
}

/** As many as one read names. */
const PAGE = 10_000;

function* pages(uuids: readonly Uuid[]): Generator<readonly Uuid[]> {
  for (let start = 0; start < uuids.length; start += PAGE) yield uuids.slice(start, start + PAGE);
}
