/**
 * Feeds a projection from the ledger: scope by scope in the order of the journal, resumed by its
 * cursor. What is fed is the state of a root as it stands now, so that feeding an entry again, or
 * feeding it late, ends in the same rows.
 */
import type { Authority } from '../cxri/authority.ts';
import type { Change } from '../cxri/contract.ts';
import type {
  FeedCursor,
  FeedMark,
  ProjectedVersion,
  Projection,
  ProjectionFeed,
} from '../cxri/projection.ts';
import type { AnyRow, Table } from '../model/block.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { JournalRecord } from '../model/journal.ts';
import type { FeedRun } from '../model/mount.ts';
import type { HeldScopes } from '../model/permission.ts';
import { searchText } from '../text/search-text.ts';

/** Tables that a layer searches. */
export const PROJECTED_TABLES = ['blocks', 'memory_open_set'] as const satisfies readonly Table[];

export interface FeedWork {
  readonly tenant: TenantId;
  readonly authority: Pick<
    Authority,
    | 'heads'
    | 'listRedactions'
    | 'listScopes'
    | 'read'
    | 'readEmbeddings'
    | 'readJournal'
    | 'readReturned'
  >;
  /** Of the vectors; null = rows are fed without any. */
  readonly space: string | null;
  readonly now: () => Instant;
  /** Ends after the batch under way. */
  readonly isStopped: () => boolean;
}

const ALL: HeldScopes = { all: true, uuids: new Set() };
const PAGE = 500;
/** Of a position (src/inputs/request-fields.ts). */
const SCOPES_AT_ONCE = 64;
const EVERY_HEAD = Number.MAX_SAFE_INTEGER;

/** `reader`: what is in the projection, to find what was forgotten; null = nothing is in it yet. */
export async function feedProjection(
  feed: ProjectionFeed,
  reader: Pick<Projection, 'read'> | null,
  work: FeedWork,
): Promise<FeedRun> {
  const { tenant, authority, now } = work;
  const scopes = await authority.listScopes(tenant, ALL, now());
  const { policy_epoch: epoch } = await authority.heads(
    tenant,
    scopes.slice(0, 1).map(({ scope }) => scope.root_uuid),
  );
  const cursor = await feed.cursor(tenant);
  const there = new Set(scopes.map(({ scope }) => scope.root_uuid));
  const back = await feedReturned(feed, { work, cursor, epoch, there });
  const erased = await eraseForgotten(feed, reader, {
    ...{ work, cursor, there },
    // Rows that came back without their vectors are looked for again.
    epoch: back.isWaiting ? cursor.policy_epoch : epoch,
  });
  const marks = new Map(cursor.marks.map((mark) => [mark.scope, mark]));
  let [upserted, removed] = [back.upserted, 0];
  const waiting: Uuid[] = [];
  for (const { scope, head } of scopes) {
    const at = scope.root_uuid;
    let mark = marks.get(at) ?? { scope: at, seq: 0, ordinal: 0 };
    while (mark.seq < head && !work.isStopped()) {
      const batch = await readBatch(mark, head, work);
      if (batch.isWaiting) waiting.push(at);
      const { changes } = batch;
      const moved = batch.isWaiting
        ? { changes: [], cursor: mark }
        : { changes, cursor: batch.mark };
      await feed.apply({ tenant, ...batch.rows, ...moved });
      upserted += batch.rows.upsert.length;
      removed += batch.rows.remove.length;
      if (batch.isWaiting) break;
      mark = batch.mark;
    }
  }
  return { upserted, removed, erased, waiting };
}

interface Batch {
  readonly rows: { readonly upsert: readonly ProjectedVersion[]; readonly remove: readonly Uuid[] };
  readonly changes: readonly Change[];
  readonly mark: FeedMark;
  /** Some rows have no vector yet: they are fed by their words, and fed again. */
  readonly isWaiting: boolean;
}

async function readBatch(mark: FeedMark, head: number, work: FeedWork): Promise<Batch> {
  const { authority, tenant } = work;
  const { scope } = mark;
  const page = await authority.readJournal({ tenant, scope, after: mark, head, limit: PAGE });
  const isFull = page.length === PAGE;
  const entries = isFull ? withoutPart(page) : page;
  const last = entries.at(-1);
  const roots = new Set(
    entries.flatMap(({ root_uuid: root, table }) =>
      root !== null && isProjected(table) ? [root] : [],
    ),
  );
  const { rows } = await authority.read({
    kind: 'history',
    tenant,
    scopes: [scope],
    roots: [...roots],
  });
  const { isWaiting, ...changed } = await changesOf(rows, work);
  return {
    rows: changed,
    // A page that is not full is the last one: whatever a head counts beside it is not in it.
    mark: last && isFull ? markAt(scope, last) : { scope, seq: head, ordinal: 0 },
    changes: entries.map((entry) => toChange(scope, entry)),
    isWaiting,
  };
}

/** A subscription resumes by seq: one that the page cuts is read whole, by the next page. */
function withoutPart(page: readonly JournalRecord[]): readonly JournalRecord[] {
  const cut = page.at(-1)?.seq;
  const whole = page.filter(({ seq }) => seq !== cut);
  return whole.length > 0 ? whole : page;
}

const toChange = (
  scope: Uuid,
  { seq, operation, table, uuid, root_uuid }: JournalRecord,
): Change => ({ scope, seq, operation, table, uuid, root_uuid });

/** What stands of roots, and what does not. */
async function changesOf(
  rows: readonly AnyRow[],
  work: FeedWork,
): Promise<Batch['rows'] & Pick<Batch, 'isWaiting'>> {
  const believed = rows.filter(isBelieved);
  const vectors = await vectorsOf(believed, work);
  const uuids = new Set(believed.map(({ row }) => row.uuid));
  return {
    upsert: believed.map((entry) => ({ entry, vector: vectors.get(entry.row.uuid) ?? null })),
    remove: rows.flatMap(({ row }) => (uuids.has(row.uuid) ? [] : [row.uuid])),
    isWaiting: work.space !== null && vectors.size < believed.length,
  };
}

const markAt = (scope: Uuid, last: { readonly seq: number; readonly ordinal: number }) => ({
  scope,
  seq: last.seq,
  ordinal: last.ordinal,
});

const isProjected = (table: Table | null): boolean =>
  PROJECTED_TABLES.some((projected) => projected === table);

/** Rows without a text of their own, as scopes and documents, are found by nothing. */
const isBelieved = ({ table, row }: AnyRow): boolean =>
  isProjected(table) && row.retired_seq === null && searchText(row) !== '';

async function vectorsOf(
  rows: readonly AnyRow[],
  { authority, tenant, space }: FeedWork,
): Promise<ReadonlyMap<Uuid, readonly number[]>> {
  if (space === null || rows.length === 0) return new Map();
  const stored = await authority.readEmbeddings(
    tenant,
    space,
    rows.map(({ row }) => row.uuid),
  );
  return new Map(
    stored.flatMap(({ uuid, origin, ordinal, values }) =>
      origin === 'content' && ordinal === 0 ? [[uuid, values] as const] : [],
    ),
  );
}

/**
 * What was brought back has no entry in a journal either: the versions since the epoch that the
 * projection knows. A scope that it holds nothing of is fed from its beginning anyway.
 */
async function feedReturned(
  feed: ProjectionFeed,
  { work, cursor, epoch, there }: Forgotten,
): Promise<{ readonly upserted: number; readonly isWaiting: boolean }> {
  const { tenant, authority } = work;
  let [upserted, isWaiting] = [0, false];
  const marks = new Map(cursor.marks.map((mark) => [mark.scope, mark]));
  let after: Uuid | null = null;
  if (marks.size === 0 || cursor.policy_epoch === epoch) return { upserted, isWaiting };
  do {
    const asked = { epoch: cursor.policy_epoch, after, limit: PAGE };
    const page: Awaited<ReturnType<typeof authority.readReturned>> = await authority.readReturned(
      tenant,
      asked,
    );
    for (const scope of new Set(page.map((version) => version.scope))) {
      const mark = marks.get(scope);
      if (!mark || !there.has(scope)) continue;
      const own = page.filter((version) => version.scope === scope);
      const roots = [...new Set(own.map(({ root_uuid: root }) => root))];
      const { rows } = await authority.read({ kind: 'history', tenant, scopes: [scope], roots });
      const { isWaiting: waits, ...changed } = await changesOf(rows, work);
      await feed.apply({ tenant, ...changed, changes: [], cursor: mark });
      upserted += changed.upsert.length;
      isWaiting ||= waits;
    }
    after = page.length < PAGE ? null : (page.at(-1)?.uuid ?? null);
  } while (after !== null);
  return { upserted, isWaiting };
}

interface Forgotten {
  readonly work: FeedWork;
  readonly cursor: FeedCursor;
  readonly epoch: number;
  /** Scopes that are there. */
  readonly there: ReadonlySet<Uuid>;
}

/**
 * What was forgotten has no entry in a journal: where the policy epoch moved, what the projection
 * holds is compared with what the authority still shows.
 */
async function eraseForgotten(
  feed: ProjectionFeed,
  reader: Pick<Projection, 'read'> | null,
  { work, cursor, epoch, there }: Forgotten,
): Promise<number> {
  const { tenant, authority } = work;
  const scopes = cursor.marks.flatMap(({ scope }) => (there.has(scope) ? [] : [scope]));
  // A copy that is made cannot be read yet: the feed after it compares what was forgotten since.
  const isUnread = reader === null && cursor.marks.length > 0;
  if (scopes.length === 0 && (isUnread || cursor.policy_epoch === epoch)) return 0;
  const redactions = await authority.listRedactions(tenant, { limit: 1 });
  const kept = cursor.marks.flatMap(({ scope }) => (there.has(scope) ? [scope] : []));
  const uuids = reader === null || redactions.length === 0 ? [] : await missing(reader, kept, work);
  const policy_epoch = isUnread ? cursor.policy_epoch : epoch;
  return feed.erase({ tenant, uuids, scopes, policy_epoch });
}

async function missing(
  reader: Pick<Projection, 'read'>,
  scopes: readonly Uuid[],
  { tenant, authority }: FeedWork,
): Promise<readonly Uuid[]> {
  const gone: Uuid[] = [];
  for (let start = 0; start < scopes.length; start += SCOPES_AT_ONCE)
    for (const table of PROJECTED_TABLES) {
      const some = scopes.slice(start, start + SCOPES_AT_ONCE);
      const position = some.map((scope) => ({ scope, head: EVERY_HEAD }));
      let next: string | null = null;
      do {
        const page: Awaited<ReturnType<Projection['read']>> = await reader.read({
          ...{ kind: 'scan', tenant, table, position, limit: PAGE },
          ...(next !== null && { cursor: next }),
        });
        const uuids = page.rows.map(({ row }) => row.uuid);
        const { rows } = await authority.read({ kind: 'versions', tenant, scopes: some, uuids });
        const shown = new Set(rows.map(({ row }) => row.uuid));
        gone.push(...uuids.filter((uuid) => !shown.has(uuid)));
        next = page.cursor;
      } while (next !== null);
    }
  return gone;
}
