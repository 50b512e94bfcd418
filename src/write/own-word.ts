/** Whose words a proposal is made of: nobody who may only propose approves their own. */
import type { Authority } from '../cxri/authority.ts';
import { sourceOfKey } from '../model/capture-key.ts';
import type { Instant } from '../model/ids.ts';
import { isRange, type Source } from '../model/operation.ts';
import type { Grant } from '../model/permission.ts';
import type { ProposedAction } from '../model/proposal.ts';

interface Reviewing {
  readonly authority: Authority;
  readonly grant: Grant;
  readonly now: Instant;
}

/**
 * Whether the reviewer, or an agent of theirs, said a source of it: then it is their own word,
 * whoever captured it, and whichever scopes they claim now. A source of which nobody can be named
 * counts as theirs.
 */
export async function isOwnWord(
  { operations }: ProposedAction,
  { authority, grant, now }: Reviewing,
): Promise<boolean> {
  const sources = operations.flatMap(sourcesOf);
  const uuids = [...new Set(sources.filter((source) => typeof source === 'string'))];
  if (sources.some(isRange)) return true;
  if (uuids.length === 0) return false;
  const readable = { but_types: [], at: now };
  const origins = await authority.factOrigins(grant.tenant, { uuids, readable });
  return uuids.some((uuid) => {
    const { principal, on_behalf_of: behind } = origins.get(uuid) ?? { principal: grant.principal };
    return principal === grant.principal || behind === grant.principal;
  });
}

/** What ends a fact has no sources: the key of capture names the turn that it was made of. */
function sourcesOf(operation: ProposedAction['operations'][number]): readonly Source[] {
  const { idempotency_key: key } = operation;
  const captured = key === undefined ? null : sourceOfKey(key);
  return [
    ...('sources' in operation ? (operation.sources ?? []) : []),
    ...(captured === null ? [] : [captured]),
  ];
}
