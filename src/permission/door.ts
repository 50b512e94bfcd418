/**
 * The one door of tiers and scopes, for reads and writes. A claim becomes a grant, and each scope
 * is judged by the strictest manifest of its type. A scope that is not held is never looked up, so
 * it answers like one that is not there. Every denial is audited before it is thrown.
 */
import { assertThat, ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { AnyRow, BlockRow } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseTenant } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import type {
  Grant,
  PermissionKey,
  PermissionProfile,
  StoredRights,
  Tier,
} from '../model/permission.ts';
import { holds, strictest } from '../model/permission.ts';
import type { Proposal } from '../model/proposal.ts';
import { importTier, rawTier } from './decide-write.ts';
import { judgeProfile } from './judge-profile.ts';
import { createPolicy, type Policy } from './policy.ts';
import { type ProposalDraft, proposeActions } from './propose.ts';
import { isScopeOfItself } from './references.ts';
import { refuse } from './refuse.ts';

export interface DoorParts {
  readonly authority: Pick<Authority, 'readRights' | 'read' | 'audit' | 'propose' | 'databaseId'>;
  readonly manifests: readonly Manifest[];
  readonly digestOf: (text: string) => string;
  readonly now: () => Instant;
  readonly newId: () => Uuid;
  /** The human of an embedded folder; null on a server. */
  readonly owner: string | null;
}

/** Where a call entered, for the audit and the error. */
export interface Entrance {
  /** `compose`, `look_back`, `write`, `import`, … */
  readonly door: string;
  /** The field of the call that names the scope. */
  readonly field: string;
  /** Of an item of a batch. */
  readonly index?: number;
}

export interface Denial {
  readonly tier: Tier;
  readonly key: PermissionKey;
  readonly scope: Uuid | null;
}

export interface PermissionDoor {
  readonly policy: Policy;
  /** The human of an embedded folder; null on a server. */
  readonly owner: string | null;
  /** What a claim is worth now. One round trip. */
  judge(profile: PermissionProfile, entrance: Entrance): Promise<Grant>;
  /** The same, where the stored rights were read already. */
  judgeWith(
    profile: PermissionProfile,
    rights: Readonly<Record<string, StoredRights>>,
    entrance: Entrance,
  ): Promise<Grant>;
  /** {@link mayRead} of a claim that is not audited: false for all where the claim fails. */
  readsOf(
    profile: PermissionProfile,
    rights: Readonly<Record<string, StoredRights>>,
  ): (scope: BlockRow) => boolean;
  /** Whether the grant reads this scope; for scope blocks that were read already. */
  mayRead(grant: Grant, scope: BlockRow): boolean;
  /**
   * The same of one that may not be found, as a scope that is forgotten: its type is not known, so
   * the strictest manifest judges it.
   */
  mayReadHeld(grant: Grant, scope: BlockRow | undefined): boolean;
  /** The same by the type of a scope that the grant holds. */
  readsType(grant: Grant, scopeType: string): boolean;
  /** Those of the scopes that the grant reads. One round trip. */
  readable(grant: Grant, scopes: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
  /** The scope block, where the grant reads it; rejects otherwise. One round trip. */
  assertReadable(grant: Grant, scope: Uuid, entrance: Entrance): Promise<BlockRow>;
  /** The same, where the block was read already; `undefined` = it is not there. */
  assertReads(
    grant: Grant,
    asked: { readonly scope: Uuid; readonly block: BlockRow | undefined },
    entrance: Entrance,
  ): Promise<BlockRow>;
  /** Rejects where the grant reads nothing at all. */
  assertReader(grant: Grant, entrance: Entrance): Promise<void>;
  /**
   * Rejects where the grant does not read the audit: that takes a person or service of the whole
   * tenant.
   */
  assertAuditor(grant: Grant, entrance: Entrance): Promise<void>;
  /** Rejects where the grant may not store what is not derived: turns, outcomes. */
  assertStores(grant: Grant, block: BlockRow, entrance: Entrance): Promise<void>;
  /** Rejects where the grant may not restore a scope of this type under this id. */
  assertImports(
    grant: Grant,
    asked: { readonly scope: Uuid; readonly scopeType: string },
    entrance: Entrance,
  ): Promise<void>;
  /** Scope blocks by uuid, of held scopes only. One round trip, none for no scope. */
  blocksOf(grant: Grant, scopes: readonly Uuid[]): Promise<ReadonlyMap<Uuid, BlockRow>>;
  /** What waits for a second principal; audited with it where it is new. */
  propose(grant: Grant, draft: ProposalDraft): Promise<Proposal>;
  /** Several, one after the other; those before one that is refused wait all the same. */
  proposeEach(grant: Grant, drafts: readonly ProposalDraft[]): Promise<readonly Proposal[]>;
  /** Audits a refusal that is thrown elsewhere. */
  auditRefusal(
    grant: Grant,
    refused: { readonly detail: string; readonly tier: Tier; readonly key: PermissionKey },
    entrance: Entrance,
  ): Promise<void>;
  /** Audits, then rejects. */
  deny(grant: Grant, denial: Denial, entrance: Entrance): Promise<never>;
}

/** Claims whose rights have to be looked up. */
export const principalsOf = (profile: PermissionProfile): readonly string[] => [
  profile.principal,
  ...(profile.on_behalf_of ? [profile.on_behalf_of.principal] : []),
];

export const scopeMissing = (scope: Uuid, tenant: string, field: string): ContextEngineError =>
  new ContextEngineError('SCOPE.NOT_FOUND', {
    message: `There is no scope \`${scope}\` in tenant \`${tenant}\`.`,
    fix:
      'Create it with `scopes.create` or `contextengine scope create`, or list what there is ' +
      'with `contextengine scope list`.',
    where: { field },
  });

export function createPermissionDoor(parts: DoorParts): PermissionDoor {
  const policy = createPolicy(parts.manifests);
  const readTier = (grant: Grant, type: string): Tier =>
    strictest(grant.tiers.reads, policy.tierOf(type, 'reads') ?? 'T1');

  const door: PermissionDoor = {
    policy,
    owner: parts.owner,
    ...judgeMethods(parts, () => door),
    mayRead: (grant, row) =>
      holds(grant, row.root_uuid) &&
      isScopeOfItself({ table: 'blocks', row }) &&
      readTier(grant, row.block_type) === 'T1',
    mayReadHeld: (grant, row) =>
      row
        ? door.mayRead(grant, row)
        : strictest(grant.tiers.reads, policy.strictestOf('reads')) === 'T1',
    readsType: (grant, type) => readTier(grant, type) === 'T1',
    readable: async (grant, scopes) => {
      const blocks = await door.blocksOf(grant, scopes);
      return new Set(
        [...blocks].flatMap(([uuid, block]) => (door.mayRead(grant, block) ? [uuid] : [])),
      );
    },
    assertReadable: async (grant, scope, entrance) => {
      const block = (await door.blocksOf(grant, [scope])).get(scope);
      return door.assertReads(grant, { scope, block }, entrance);
    },
    assertReads: async (grant, { scope, block }, entrance) => {
      const ofGrant = holds(grant, scope) ? grant.tiers.reads : 'excluded';
      if (ofGrant !== 'T1')
        return door.deny(grant, { tier: ofGrant, key: 'reads', scope }, entrance);
      if (!block || !isScopeOfItself({ table: 'blocks', row: block }))
        throw scopeAbsent(grant, { scope, block, field: entrance.field });
      const tier = readTier(grant, block.block_type);
      return tier === 'T1' ? block : door.deny(grant, { tier, key: 'reads', scope }, entrance);
    },
    assertReader: async (grant, entrance) => {
      const tier = grant.tiers.reads;
      if (tier !== 'T1') await door.deny(grant, { tier, key: 'reads', scope: null }, entrance);
    },
    assertAuditor: async (grant, entrance) => {
      const isWhole = grant.scopes.all && grant.kind !== 'agent';
      const tier = isWhole ? grant.tiers.reads : 'excluded';
      if (tier !== 'T1') await door.deny(grant, { tier, key: 'reads', scope: null }, entrance);
    },
    assertStores: async (grant, { root_uuid: scope, block_type: scopeType }, entrance) => {
      const tier = holds(grant, scope) ? rawTier(grant, { policy, scopeType }) : 'excluded';
      if (tier !== 'T1') await door.deny(grant, { tier, key: 'writes', scope }, entrance);
    },
    assertImports: async (grant, { scope, scopeType }, entrance) => {
      const tier = holds(grant, scope) ? importTier(grant, { policy, scopeType }) : 'excluded';
      if (tier !== 'T1') await door.deny(grant, { tier, key: 'writes', scope }, entrance);
    },
    ...recordMethods(parts),
  };
  return door;
}

type RecordMethod = 'blocksOf' | 'propose' | 'proposeEach' | 'auditRefusal' | 'deny';

/** What is read of scopes, and what is kept of decisions. */
function recordMethods(parts: DoorParts): Pick<PermissionDoor, RecordMethod> {
  return {
    blocksOf: (grant, scopes) => readBlocks(grant, scopes, parts.authority),
    propose: async (grant, draft) => {
      const [proposal] = await proposeActions(grant, [draft], parts);
      assertThat(proposal, 'the draft became a proposal');
      return proposal;
    },
    proposeEach: (grant, drafts) => proposeActions(grant, drafts, parts),
    auditRefusal: async (
      { tenant, principal, onBehalfOf },
      { detail, tier, key },
      { door: name },
    ) =>
      parts.authority.audit(tenant, [
        {
          principal,
          on_behalf_of: onBehalfOf,
          action: `${name}.${key}`,
          scope_uuid: null,
          decision: 'denied',
          tier,
          detail,
          at: parts.now(),
        },
      ]),
    deny: ({ tenant, principal, onBehalfOf }, denial, { door: name, field, index }) =>
      refuse(
        {
          tenant,
          principal,
          onBehalfOf,
          ...denial,
          door: name,
          where: { field, ...(index !== undefined && { index }) },
          at: parts.now(),
        },
        parts.authority,
      ),
  };
}

type JudgeMethod = 'judge' | 'judgeWith' | 'readsOf';

/** From a claim and the rights that are stored to a grant. */
function judgeMethods(
  parts: DoorParts,
  doorOf: () => PermissionDoor,
): Pick<PermissionDoor, JudgeMethod> {
  const { authority, digestOf, owner } = parts;
  return {
    judge: async (profile, entrance) => {
      const rights = await authority.readRights(parseTenant(profile.tenant), principalsOf(profile));
      return doorOf().judgeWith(profile, rights, entrance);
    },
    judgeWith: async (profile, rights, entrance) => {
      try {
        return judgeProfile(profile, rights, { digestOf, owner });
      } catch (error) {
        await auditFailedClaim(error, { profile, entrance, parts });
        throw error;
      }
    },
    readsOf: (profile, rights) => {
      const grant = grantOrNull(() => judgeProfile(profile, rights, { digestOf, owner }));
      return (scope) => grant !== null && doorOf().mayRead(grant, scope);
    },
  };
}

function grantOrNull(judge: () => Grant): Grant | null {
  try {
    return judge();
  } catch (error) {
    if (error instanceof ContextEngineError) return null;
    throw error;
  }
}

/** A row is named as one only to those who hold its scope; to others it is not there. */
function scopeAbsent(
  grant: Grant,
  asked: { readonly scope: Uuid; readonly block: BlockRow | undefined; readonly field: string },
): ContextEngineError {
  const { scope, block, field } = asked;
  if (!block || !holds(grant, block.scope_uuid)) return scopeMissing(scope, grant.tenant, field);
  return new ContextEngineError('SCOPE.NOT_A_SCOPE', {
    message: `\`${scope}\` is a row, not a scope.`,
    fix: 'Pass the uuid that `scopes.create` returned.',
    where: { field },
  });
}

async function auditFailedClaim(
  error: unknown,
  by: {
    readonly profile: PermissionProfile;
    readonly entrance: Entrance;
    readonly parts: DoorParts;
  },
): Promise<void> {
  if (!(error instanceof ContextEngineError) || error.code !== 'PERMISSION.DENIED') return;
  const { profile, entrance, parts } = by;
  await parts.authority.audit(parseTenant(profile.tenant), [
    {
      principal: profile.principal,
      on_behalf_of: profile.on_behalf_of?.principal ?? null,
      action: `${entrance.door}.profile`,
      scope_uuid: null,
      decision: 'denied',
      tier: 'excluded',
      detail: '',
      at: parts.now(),
    },
  ]);
}

/** As many as one read names. */
const MAX_SCOPES = 10_000;

async function readBlocks(
  grant: Grant,
  scopes: readonly Uuid[],
  authority: Pick<Authority, 'read'>,
): Promise<ReadonlyMap<Uuid, BlockRow>> {
  const held = [...new Set(scopes)].filter((scope) => holds(grant, scope));
  const blocks = new Map<Uuid, BlockRow>();
  for (let start = 0; start < held.length; start += MAX_SCOPES) {
    const roots = held.slice(start, start + MAX_SCOPES);
    const { rows } = await authority.read({
      kind: 'history',
      tenant: grant.tenant,
      scopes: grant.scopes.all ? '*' : roots,
      roots,
    });
    for (const row of rows) keepLatest(blocks, row);
  }
  return blocks;
}

/** The believed version that begins last: the one that a closure shows. */
function keepLatest(blocks: Map<Uuid, BlockRow>, { table, row }: AnyRow): void {
  if (table !== 'blocks' || row.retired_seq !== null) return;
  const known = blocks.get(row.root_uuid);
  if (!known || known.valid_from <= row.valid_from) blocks.set(row.root_uuid, row);
}
