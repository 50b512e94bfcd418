/** The write path: judge who writes, decide the tier of each operation, commit all or nothing, then embed. */
import type { Authority, PendingEmbedding, ResolvedScope } from '../cxri/authority.ts';
import { checkOperations } from '../cxri/check-write.ts';
import { ContextEngineError } from '../errors.ts';
import type { Embedder } from '../inference/embedder.ts';
import { judgeProfile } from '../model/grant.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { Manifest, ManifestSet } from '../model/manifest.ts';
import type { Operation, Outcome, Receipt, WriteResult } from '../model/operation.ts';
import { OUTCOMES } from '../model/operation.ts';
import type { Grant, PermissionProfile } from '../model/permission.ts';
import { decide, refuse } from './decide.ts';
import { embedRows } from './embed-rows.ts';

export interface WriteDependencies {
  readonly authority: Authority;
  readonly embedder: Embedder | null;
  readonly manifests: ManifestSet;
  readonly digestOf: (text: string) => string;
  /** Name and version of the writing software, for the journal. */
  readonly writer: string;
}

export interface WriteCall {
  readonly operations: readonly Operation[];
  readonly profile: PermissionProfile;
  readonly now: Instant;
  readonly signal?: AbortSignal;
}

export async function writeOperations(call: WriteCall, dependencies: WriteDependencies): Promise<WriteResult> {
  const { operations, now } = call;
  if (Array.isArray(operations) && operations.length === 0) return { receipts: [], counts: countsOf([]), position: [] };
  // Before the scopes of the operations are looked up; the guard checks them again, as it does for everyone.
  checkOperations(operations);
  const { grant, manifest } = await authorize(call, dependencies);
  const result = await dependencies.authority.write({
    tenant: grant.tenant,
    operations,
    recorded_at: now,
    writer: {
      principal: grant.principal,
      on_behalf_of: grant.onBehalfOf,
      writer: dependencies.writer,
      manifest_digest: manifest?.digest ?? null,
      decision: 'T1',
    },
    ...(call.signal && { signal: call.signal }),
  });
  return dependencies.embedder
    ? await withEmbeddings(result, { call, grant }, { ...dependencies, embedder: dependencies.embedder })
    : result;
}

/** Every scope that is written, judged; the first operation that is not T1 refuses the whole call. */
async function authorize(call: WriteCall, dependencies: WriteDependencies): Promise<{ grant: Grant; manifest: Manifest | null }> {
  const created = new Set(call.operations.filter(isScopeCreation).map((operation) => operation.scope));
  const scopes = [...new Set(call.operations.map((operation) => operation.scope))];
  let judged: { grant: Grant; manifest: Manifest | null } | undefined;
  for (const scope of scopes) {
    const resolved = await lookUp(scope, call.profile, dependencies.authority);
    const grant = withCreated(judgeProfile(call.profile, resolved.rights, dependencies.digestOf), created);
    const type = resolved.closure[0]?.scope.block_type;
    const manifest = dependencies.manifests.manifests.find((candidate) => candidate.scopeBlockType === type) ?? null;
    if (type === undefined && !created.has(scope)) throw scopeMissing(scope, call.profile.tenant);
    for (const [index, operation] of call.operations.entries()) {
      if (operation.scope !== scope) continue;
      const decision = decide(operation, grant, manifest);
      if (decision.tier !== 'T1') await refuse({ grant, decision, scope, index, now: call.now }, dependencies.authority);
    }
    judged ??= { grant, manifest };
  }
  if (!judged)
    throw new ContextEngineError('WRITE.INVALID', { message: 'The call writes to no scope.', fix: 'Give each operation its scope.' });
  return judged;
}

const lookUp = (scope: Uuid, profile: PermissionProfile, authority: Authority): Promise<ResolvedScope> =>
  authority.resolveScope({
    tenant: profileTenant(profile),
    scope,
    principals: [profile.principal, ...(profile.on_behalf_of ? [profile.on_behalf_of.principal] : [])],
    max_depth: 0,
    max_scopes: 1,
  });

const profileTenant = (profile: PermissionProfile) => profile.tenant as Grant['tenant'];

const isScopeCreation = (operation: Operation): boolean =>
  operation.operation === 'ADD' && operation.table === 'blocks' && operation.content.is_scope && operation.uuid === operation.scope;

/** Who makes a scope holds it for the call that makes it. */
const withCreated = (grant: Grant, created: ReadonlySet<Uuid>): Grant =>
  created.size === 0 || grant.scopes.all
    ? grant
    : { ...grant, scopes: { all: false, uuids: new Set([...grant.scopes.uuids, ...created]) } };

const scopeMissing = (scope: Uuid, tenant: string): ContextEngineError =>
  new ContextEngineError('SCOPE.NOT_FOUND', {
    message: `There is no scope \`${scope}\` in tenant \`${tenant}\`.`,
    fix: 'Create it first with `scopes.create`.',
    where: { field: 'scope' },
  });

interface Written {
  readonly call: WriteCall;
  readonly grant: Grant;
}

async function withEmbeddings(
  result: WriteResult,
  { call, grant }: Written,
  dependencies: WriteDependencies & { readonly embedder: Embedder },
): Promise<WriteResult> {
  const pending = result.receipts.flatMap((receipt, index): PendingEmbedding[] => {
    const operation = call.operations[index];
    if (
      receipt.embedding !== 'pending' ||
      receipt.uuid === null ||
      !operation ||
      operation.operation === 'NOOP' ||
      operation.operation === 'DELETE'
    )
      return [];
    if (operation.table === 'memory_schema_typed' || operation.table === 'context_links') return [];
    return [
      { tenant: grant.tenant, scope_uuid: operation.scope, table: operation.table, uuid: receipt.uuid, content: operation.content.content },
    ];
  });
  if (pending.length === 0) return result;
  const embedded = await embedRows(pending, {
    authority: dependencies.authority,
    embedder: dependencies.embedder,
    ...(call.signal && { signal: call.signal }),
  });
  const done = new Set(pending.slice(0, embedded).map((row) => row.uuid));
  return {
    ...result,
    receipts: result.receipts.map((receipt) =>
      receipt.uuid !== null && done.has(receipt.uuid) ? { ...receipt, embedding: 'done' as const } : receipt,
    ),
  };
}

export function countsOf(receipts: readonly Receipt[]): Readonly<Record<Outcome, number>> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const receipt of receipts) counts[receipt.outcome] += 1;
  return counts;
}
