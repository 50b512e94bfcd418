/** The engine's upkeep: facts that faded, by scope, and the mounts beside them. */
import { ContextEngineError } from '../../codes/errors.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { keepUpScope, type ScopeWork } from '../../jobs/keep-up-scope.ts';
import { readProtected } from '../../jobs/protected-rows.ts';
import { UPKEEP_WRITER } from '../../jobs/scope-use.ts';
import type { AnyRow } from '../../model/block.ts';
import { type Instant, parseUuid, toEpochMs, toInstant, type Uuid } from '../../model/ids.ts';
import type { DeleteOperation, WriteResult } from '../../model/operation.ts';
import type { Grant, PermissionProfile } from '../../model/permission.ts';
import { halfLifeOf } from '../../model/signals/importance.ts';
import type { MountUpkeep, ScopeUpkeep, UpkeepRules } from '../../model/upkeep.ts';
import { writeOperations } from '../../write/write.ts';
import { type EngineParts, readerOf } from '../engine-parts.ts';
import type { OpenMounts } from './mount-methods.ts';
import type { Upkeep, UpkeepInput } from './upkeep-surface.ts';

type UpkeepParts = EngineParts & { readonly mounted: OpenMounts };

const DEFAULT_MOST = 1_000;
const DEFAULT_MOUNT_SECONDS = 600;
/** Of a worker that died in a large scope; anyone may take it over then. */
const CLAIM_MS = 3_600_000;
const MOST_PROPOSALS = 1_000;
/** Half-life of rows of which no layer says one (src/model/signals/importance.ts). */
const HALF_LIFE_DAYS = 90;
/** Left free on the disk of a mount. */
const FREE_BYTES = 1024 ** 3;

export function createUpkeep(parts: UpkeepParts): Upkeep {
  const { open, outage, now } = parts;
  return {
    upkeep: open(async (given, options) => {
      const input = given ?? {};
      checkInput('upkeep', input);
      const grant = await readerOf(parts, options);
      const profile = await parts.profileOf(options);
      const at = now();
      const run = { grant, profile, at, input };
      return outage.watch(
        async () => {
          const { scopes, busy } = await keepUpFacts(run, parts);
          const isDryRun = input.dry_run === true;
          // The words of a proposal to forget go when its time is over.
          if (!isDryRun) await parts.authority.lapseProposals(grant.tenant, at);
          const mounts = isDryRun ? [] : await keepUpMounts(run, parts);
          return { at, is_dry_run: isDryRun, scopes, busy, mounts };
        },
        ({ is_dry_run: isDry, scopes }) => !isDry && scopes.some(hasWritten),
      );
    }),
  };
}

const hasWritten = ({ archived, pruned }: ScopeUpkeep): boolean =>
  archived.length + pruned.length > 0;

interface Run {
  readonly grant: Grant;
  readonly profile: PermissionProfile;
  readonly at: Instant;
  readonly input: UpkeepInput;
}

async function keepUpFacts(
  run: Run,
  parts: UpkeepParts,
): Promise<{ readonly scopes: readonly ScopeUpkeep[]; readonly busy: readonly Uuid[] }> {
  const { grant, at, input } = run;
  const { authority, permission } = parts;
  const { tenant } = grant;
  const asked = input.scope === undefined ? null : parseUuid(input.scope, 'scope');
  if (asked !== null)
    await permission.assertReadable(grant, asked, { door: 'upkeep', field: 'scope' });
  const listed = await authority.listScopes(tenant, grant.scopes, at);
  const due = listed.flatMap(({ scope, head }) => {
    const rules = rulesOf(scope.block_type, parts);
    const isAsked = asked === null || asked === scope.root_uuid;
    return rules && isAsked && permission.mayRead(grant, scope)
      ? [{ scope: scope.root_uuid, head, rules, type: scope.block_type }]
      : [];
  });
  const scopes: ScopeUpkeep[] = [];
  const busy: Uuid[] = [];
  if (due.length === 0) return { scopes, busy };
  const shared = {
    tenant,
    authority,
    now: at,
    most: input.limit ?? DEFAULT_MOST,
    protectedRows: await readProtected(tenant, at, authority),
    proposed: await proposedRoots(run, parts),
    write: input.dry_run === true ? null : writerOf(run, parts),
  };
  for (const { scope, head, rules, type } of due) {
    const work: ScopeWork = {
      ...shared,
      ...{ scope, head, rules },
      halfLifeDays: (fact) => longestHalfLife(fact, type, parts),
    };
    const done = shared.write === null ? await keepUpScope(work) : await claimed(work, parts);
    if (done) scopes.push(done);
    else busy.push(scope);
  }
  return { scopes, busy };
}

/** Of several manifests that serve a type the most careful numbers; null = none asks for it. */
function rulesOf(type: string, { manifests }: EngineParts): UpkeepRules | null {
  const said = manifests.manifests.flatMap(({ scopeBlockType, retention }) =>
    scopeBlockType === type && retention.upkeep ? [retention.upkeep] : [],
  );
  if (said.length === 0) return null;
  const prunes = said.flatMap(({ pruneAfterDays }) => pruneAfterDays ?? []);
  return {
    archiveUnder: Math.min(...said.map(({ archiveUnder }) => archiveUnder)),
    unusedDays: Math.max(...said.map(({ unusedDays }) => unusedDays)),
    pruneAfterDays: prunes.length < said.length ? null : Math.max(...prunes),
  };
}

/** Of the layers that serve facts of the type; what fades for one of them may not for another. */
function longestHalfLife(fact: AnyRow, type: string, { manifests }: EngineParts): number {
  const days = manifests.manifests.flatMap(({ scopeBlockType, layers }) =>
    scopeBlockType === type
      ? layers.flatMap(({ kind, scoring }) =>
          kind === 'archival' || kind === 'open_set' ? [halfLifeOf(fact, scoring)] : [],
        )
      : [],
  );
  return Math.max(1, ...(days.length > 0 ? days : [HALF_LIFE_DAYS]));
}

const writerOf =
  ({ profile, at }: Run, parts: UpkeepParts) =>
  (operations: readonly DeleteOperation[]): Promise<WriteResult> =>
    writeOperations({ operations, profile, now: at }, { ...parts, writer: UPKEEP_WRITER });

/**
 * Roots that the caller proposed and that still wait: asked for once is enough. What another one
 * proposed holds up nobody who may do it.
 */
async function proposedRoots(
  { grant, at }: Run,
  { authority }: UpkeepParts,
): Promise<ReadonlySet<Uuid>> {
  const asked = { state: 'pending', limit: MOST_PROPOSALS } as const;
  const waiting = await authority.listProposals(grant.tenant, asked, grant.scopes);
  return new Set(
    waiting
      .filter(({ action }) => action.proposer === grant.principal && action.expires_at > at)
      .flatMap(({ action }) =>
        action.operations.flatMap((operation) =>
          'root_uuid' in operation ? [operation.root_uuid] : [],
        ),
      ),
  );
}

/** One worker at a time in a scope; null = another is at it. */
async function claimed(work: ScopeWork, parts: UpkeepParts): Promise<ScopeUpkeep | null> {
  const { authority, newId, now } = parts;
  const { tenant, scope } = work;
  const at = now();
  const until = toInstant(toEpochMs(at) + CLAIM_MS);
  await authority.enqueueJob(tenant, { kind: 'upkeep', scope_uuid: scope, not_before: at });
  const held = { all: false, uuids: new Set([scope]) };
  const claim = { kind: 'upkeep', worker: newId(), held, at, until } as const;
  const job = await authority.claimJob(tenant, claim);
  if (job === null) return null;
  try {
    const done = await keepUpScope(work);
    await authority.finishJob(tenant, job);
    return done;
  } catch (cause) {
    const error = cause instanceof ContextEngineError ? cause.code : 'INTERNAL';
    await authority.postponeJob(tenant, job, { not_before: at, error });
    throw cause;
  }
}

/** By who holds the whole tenant, as its feed is. */
async function keepUpMounts(
  { grant, input }: Run,
  { mounted }: UpkeepParts,
): Promise<readonly MountUpkeep[]> {
  const done: MountUpkeep[] = [];
  if (!grant.scopes.all || grant.kind === 'agent') return done;
  const timeoutMs = (input.mount_seconds ?? DEFAULT_MOUNT_SECONDS) * 1000;
  for (const mount of mounted.names) {
    try {
      const report = await mounted.feeding(mount, grant.tenant, (feed) =>
        feed.upkeep({ timeoutMs, freeBytes: FREE_BYTES }),
      );
      done.push({ mount, ...report, postponed: report.postponed ?? null });
    } catch (error) {
      if (!(error instanceof ContextEngineError) || error.code !== 'CONNECTOR.LOCKED') throw error;
      done.push({ mount, rows: 0, unindexed: 0, bytes: 0, postponed: 'busy' });
    }
  }
  return done;
}
