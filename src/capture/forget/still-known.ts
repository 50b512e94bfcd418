/** What is believed still of what an earlier capture wrote. */
import type { Authority } from '../../cxri/authority.ts';
import type { AnyFact, FactFilter, FactKey } from '../../model/fact-record.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import type { Grant } from '../../model/permission.ts';
import { spellingsOf } from '../voices/spellings.ts';

const PAGE = 1000;

interface Reading {
  readonly authority: Pick<Authority, 'listFacts'>;
  readonly grant: Grant;
  readonly now: Instant;
}

/** Versions of all times, but those that were retired. */
export async function believed(
  filter: FactFilter,
  { scope, root }: { readonly scope: Uuid; readonly root?: Uuid },
  { authority, grant, now }: Reading,
): Promise<readonly AnyFact[]> {
  const found: AnyFact[] = [];
  let after: FactKey | null = null;
  for (;;) {
    const { facts, hasMore } = await authority.listFacts(grant.tenant, {
      ...{ scopes: [scope], readable: [scope], state: 'all', at: now, filter },
      ...{ limit: PAGE, after },
      ...(root && { root }),
    });
    found.push(...facts.filter(({ row }) => row.retired_seq === null && row.status === 'live'));
    const last = facts.at(-1)?.row;
    if (!hasMore || !last) return found;
    after = { valid_from: last.valid_from, uuid: last.uuid };
  }
}

/** Of a speaker, under every spelling of their name. */
export async function believedOf(
  author: string,
  { filter = {}, ...at }: { readonly filter?: FactFilter; readonly scope: Uuid },
  reading: Reading,
): Promise<readonly AnyFact[]> {
  const found: AnyFact[] = [];
  for (const subject of spellingsOf(author))
    found.push(...(await believed({ ...filter, subject }, at, reading)));
  return found;
}

interface Written {
  /** The operation that wrote it. */
  readonly target: Uuid;
  readonly scope: Uuid;
  readonly root: Uuid | null;
}

/**
 * Whether it went already, undone or with all that was said of it: to forget it once more has
 * nothing left to do. What somebody made of it by hand is there still.
 */
export async function isGoneAlready(
  { target, scope, root }: Written,
  by: Reading & { readonly authority: Pick<Authority, 'readUndo'> },
): Promise<boolean> {
  const undo = await by.authority.readUndo(by.grant.tenant, target, by.grant.scopes);
  if (undo === null) return false;
  if (undo.undone_by !== null) return true;
  if (undo.built_on.length === 0) return false;
  // Whoever wrote the version that stands may have left its subject out.
  const known = await believed({}, { scope, root: root ?? undo.root_uuid }, by);
  return known.length === 0;
}
