/**
 * What is to be forgotten may stand in the middle of what came to be of it: `I live in Bern`, then
 * `in Basel`. The root goes whole, and what else capture knew of it is written anew, as it held
 * had the rest never been said. A root in which somebody wrote by hand is left to `undo`.
 */
import type { Authority } from '../../cxri/authority.ts';
import { type FactContent, type TypedContent, VERSIONED_COLUMNS } from '../../model/block.ts';
import { keyAgain } from '../../model/capture-key.ts';
import type { AnyFact, FactOrigin } from '../../model/fact-record.ts';
import { isCapturedValue, isOfCapture } from '../../model/fact-slot.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import type { Operation } from '../../model/operation.ts';
import type { Prepared } from '../prepare.ts';
import type { PlannedRetraction } from '../state.ts';

export interface OutOfRoot {
  /** Believed, of all times. */
  readonly versions: readonly AnyFact[];
  readonly goes: (version: AnyFact) => boolean;
  readonly keyOf: (index: number) => string;
  readonly at: Instant;
}

interface Planning {
  readonly authority: Pick<Authority, 'factOrigins'>;
  readonly prepared: Pick<Prepared, 'grant' | 'scopes' | 'idOf'>;
}

export const isOfCaptureAlone = (versions: readonly AnyFact[]): boolean =>
  versions.every((each) =>
    each.table === 'memory_open_set' ? isOfCapture(each.row) : isCapturedValue(each.row),
  );

/** null = nothing is believed of it. */
export async function planOutOfRoot(
  { versions, goes, keyOf, at }: OutOfRoot,
  { authority, prepared: { grant, scopes, idOf } }: Planning,
): Promise<Extract<PlannedRetraction['what'], { kind: 'root' }> | null> {
  const [first] = versions;
  if (!first) return null;
  const { table, row } = first;
  const key = keyOf(0);
  const kept = keptOf(versions, goes);
  const uuids = kept.map(({ version }) => version.row.uuid);
  const readable = [...new Set([row.scope_uuid, ...scopes])];
  const origins = await authority.factOrigins(grant.tenant, { uuids, readable });
  const root = idOf(row.scope_uuid, key, row.root_uuid);
  const stays = kept.map(({ version, until }, index): Operation => {
    const { uuid } = version.row;
    const copy = {
      ...copyOf(version, origins.get(uuid)),
      ...(until !== null && !isClosed(kept[index + 1], until) && { valid_until: until }),
      idempotency_key: keyAgain(key, uuid),
    };
    const ofRoot = { operation: 'UPDATE', cause: 'change', root_uuid: root } as const;
    // The pair of table and content stays a pair.
    return (
      index === 0
        ? { ...copy, operation: 'ADD', uuid: root }
        : { ...copy, ...ofRoot, uuid: idOf(row.scope_uuid, key, uuid) }
    ) as Operation;
  });
  const what = { kind: 'root', table, root: row.root_uuid, at } as const;
  return stays.length === 0 ? what : { ...what, stays };
}

interface Kept {
  readonly version: AnyFact;
  until: Instant | null;
}

/** The one behind it closes it, and gives it back where that is undone. */
const isClosed = (next: Kept | undefined, until: Instant): boolean =>
  next?.version.row.valid_from === until;

/** What gave way to what goes holds on until that did, but where it had an end of its own. */
function keptOf(versions: readonly AnyFact[], goes: OutOfRoot['goes']): readonly Kept[] {
  const kept: Kept[] = [];
  for (const version of versions.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))) {
    const { valid_from: from, valid_until: until } = version.row;
    const before = kept.at(-1);
    if (!goes(version)) kept.push({ version, until });
    else if (before?.until === from && before.version.row.closed_seq !== null) before.until = until;
  }
  return kept;
}
const startOf = ({ row }: AnyFact): Instant => row.valid_from;

const VERSIONED: ReadonlySet<string> = new Set(VERSIONED_COLUMNS);

function copyOf({ table, row }: AnyFact, origin: FactOrigin | undefined) {
  const named = Object.entries(row).filter(([name]) => !VERSIONED.has(name));
  const content = Object.fromEntries(named) as FactContent & TypedContent;
  const known = (origin?.sources ?? []).flatMap((each) => ('uuid' in each ? [each.uuid] : []));
  // The turn that said it may be of another talk; capture puts its uuid there.
  const said = row.provenance.source_id as Uuid | undefined;
  const sources = [...new Set([...known, ...(said === undefined ? [] : [said])])];
  return { table, scope: row.scope_uuid, content, valid_from: row.valid_from, sources };
}
