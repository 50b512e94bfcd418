/**
 * Whose words a turn may state at once. Whoever appends a turn says who speaks in it, so a
 * statement is as good as the word of who appended: the caller, whose rights judge what is written,
 * a principal that is stored with the right to write the target, or the human of an embedded
 * folder, of whom nothing needs to be stored. An agent's word is not enough:
 * it could state through a turn what it may only propose. All else waits for a review.
 */
import type { BlockRow } from '../../model/block.ts';
import type { FactOrigin } from '../../model/fact-record.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { Grant, StoredRights } from '../../model/permission.ts';
import { defaultTier } from '../../permission/judge-profile.ts';
import type { CaptureDependencies, Prepared } from '../prepare.ts';

/** What is stated is written; what is taken back is deleted as well. */
export type Vouches = (turn: BlockRow, target: Uuid, isTakenBack?: boolean) => boolean;

export async function vouchersOf(
  turns: readonly BlockRow[],
  { grant, scopes }: Pick<Prepared, 'grant' | 'scopes'>,
  { authority, permission }: Pick<CaptureDependencies, 'authority' | 'permission'>,
): Promise<Vouches> {
  if (turns.length === 0) return () => false;
  const uuids = turns.map(({ uuid }) => uuid);
  const origins = await authority.factOrigins(grant.tenant, { uuids, readable: scopes });
  const others = new Set(
    [...origins.values()].flatMap((origin) => (isCaller(origin, grant) ? [] : [origin.principal])),
  );
  const rights = await rightsOf(grant.tenant, [...others], authority);
  return ({ uuid, provenance: { writer_kind: kind } }, target, isTakenBack = false) => {
    const origin = origins.get(uuid);
    const stored = origin && rights[origin.principal];
    // A turn without the stamp may be anyone's.
    if (!origin || kind === undefined || kind === 'agent') return false;
    return (
      isCaller(origin, grant) ||
      (origin.on_behalf_of === null &&
        (stored
          ? mayWrite(stored, target) && (!isTakenBack || mayDelete(stored))
          : origin.principal === permission.owner))
    );
  };
}

const isCaller = (
  { principal, on_behalf_of: onBehalfOf }: Pick<FactOrigin, 'principal' | 'on_behalf_of'>,
  grant: Grant,
): boolean => principal === grant.principal && onBehalfOf === grant.onBehalfOf;

const rightsOf = async (
  tenant: TenantId,
  principals: readonly string[],
  authority: CaptureDependencies['authority'],
): Promise<Readonly<Record<string, StoredRights>>> =>
  principals.length === 0 ? {} : authority.readRights(tenant, principals);

const mayDelete = ({ tiers, kind }: StoredRights): boolean =>
  (tiers.deletes ?? defaultTier('deletes', kind)) === 'T1';

const mayWrite = (stored: StoredRights, target: Uuid): boolean =>
  !stored.isDisabled &&
  stored.kind !== 'agent' &&
  (stored.tiers.writes ?? defaultTier('writes', stored.kind)) === 'T1' &&
  (stored.scopes.all || stored.scopes.uuids.has(target));
