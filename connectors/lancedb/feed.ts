/** What a feeder does to a copy: rows in, rows out, bytes erased, indexes kept. */
import { cpSync, existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type {
  ProjectedVersion,
  ProjectionBatch,
  ProjectionErasure,
  UpkeepBounds,
  UpkeepReport,
} from '../../src/cxri/projection.ts';
import { appendChanges, CHANGES, dropChanges, eraseIds } from './changes.ts';
import { bytesOf, type Copies, type Copy } from './copies.ts';
import { readOwnCursor, withMark, writeCursor } from './cursors.ts';
import type { Lance } from './load.ts';
import { oneOf, quoted } from './predicate.ts';
import { keyOf, schemaOf, toRecord } from './records.ts';

/** Keys named in one statement. */
const KEYS_AT_ONCE = 500;
/**
 * Files that held a row which is there no more: a deletion marks rows, and what they say stays in
 * the file until it is written anew.
 */
const UNCLEAN = 'unclean';
/** A step that was begun and not ended: its files may hold rows that no version names. */
const BEGUN = 'begun';
/** Old versions that a reader may be in the middle of. */
const READERS_MS = 60_000;
/** Fewer are looked at one by one: 20,000 of 256 dimensions take some 15 ms. */
const INDEXED_FROM = 20_000;

const markUnclean = ({ folder }: Copy): void => writeFileSync(join(folder, UNCLEAN), '');
const isUnclean = ({ folder }: Copy): boolean => existsSync(join(folder, UNCLEAN));

/** What was cut off is written anew by the next erasure, as a deletion is. */
export function mendCutOff(copy: Copy): void {
  if (existsSync(join(copy.folder, BEGUN))) markUnclean(copy);
}

/** A step that rejects or dies leaves its mark. */
export async function marked<T>({ folder }: Copy, step: () => Promise<T>): Promise<T> {
  const mark = join(folder, BEGUN);
  writeFileSync(mark, '');
  const done = await step();
  rmSync(mark, { force: true });
  return done;
}

export function checkVectors(
  { space }: Pick<Copy, 'space'>,
  upsert: readonly ProjectedVersion[],
): void {
  const dimensions = space?.dimensions ?? 0;
  const wrong = upsert.find(({ vector }) => vector !== null && vector.length !== dimensions);
  if (!wrong?.vector) return;
  throw new ContextEngineError('INFERENCE.DIMENSIONS', {
    message:
      `A vector of \`${wrong.vector.length}\` dimensions was fed to a mount of ` +
      `\`${space?.name ?? 'no space'}\`.`,
    fix: 'Run `contextengine rebuild MOUNT`, with the embedder of the ledger.',
  });
}

/** `seen`: versions that this copy was given already; null = any may be there. */
export async function applyTo(
  copy: Copy,
  batch: ProjectionBatch,
  by: { readonly lance: Lance; readonly seen: Set<string> | null },
): Promise<void> {
  const { tenant, upsert, remove, changes, cursor } = batch;
  const dimensions = copy.space?.dimensions ?? 0;
  if (upsert.length > 0) {
    const records = upsert.map((version) => toRecord(version, dimensions));
    const data = by.lance.lancedb.makeArrowTable(records, {
      schema: schemaOf(by.lance, dimensions),
    });
    const keys = upsert.map(({ entry }) => keyOf(tenant, entry.row.uuid));
    if (by.seen && !keys.some((key) => by.seen?.has(key))) await copy.rows.add(data);
    else {
      markUnclean(copy);
      await copy.rows
        .mergeInsert('key')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(data);
    }
    for (const key of keys) by.seen?.add(key);
  }
  await removeKeys(
    copy,
    remove.map((uuid) => keyOf(tenant, uuid)),
  );
  await tell(copy, { tenant, changes, cursor });
}

/** Of a batch that is applied again nothing is new. */
async function tell(
  copy: Copy,
  { tenant, changes, cursor }: Pick<ProjectionBatch, 'tenant' | 'changes' | 'cursor'>,
): Promise<void> {
  const { scope } = cursor;
  const before = readOwnCursor(copy, tenant);
  const mark = before.marks.find((one) => one.scope === scope) ?? { ...NO_MARK, scope };
  const from = mark.ordinal > 0 ? mark.seq : mark.seq + 1;
  const { counted } = mark;
  const fresh = { changes: changes.filter(({ seq }) => seq >= from), counted: counted ?? 0 };
  const told =
    counted === undefined ? {} : { counted: await appendChanges(copy, { tenant, scope }, fresh) };
  await writeCursor(copy, tenant, withMark(before, { ...cursor, ...told }));
}
const NO_MARK = { seq: 0, ordinal: 0, counted: 0 };

async function removeKeys(copy: Copy, keys: readonly string[]): Promise<number> {
  let removed = 0;
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE)
    removed += await removeWhere(copy, oneOf('key', keys.slice(start, start + KEYS_AT_ONCE)));
  return removed;
}

/** Counts first: a deletion of nothing would still be a version of the table. */
async function removeWhere(copy: Copy, predicate: string): Promise<number> {
  const found = await copy.rows.countRows(predicate);
  if (found === 0) return 0;
  markUnclean(copy);
  await copy.rows.delete(predicate);
  return found;
}

/**
 * Out of sight at once; then all that is left is written to a copy of its own, which takes the
 * place of this one. Nothing less is sure to leave no row, no word in an index and no old version.
 * Gives the copy that serves afterwards.
 */
export async function eraseFrom(
  copy: Copy,
  { tenant, uuids, scopes, policy_epoch: epoch }: ProjectionErasure,
  by: {
    readonly copies: Copies;
    readonly lance: Lance;
    readonly isServing: boolean;
    readonly serve: (clean: Copy) => Promise<void>;
  },
): Promise<{ readonly erased: number; readonly copy: Copy }> {
  let erased = await removeKeys(
    copy,
    uuids.map((uuid) => keyOf(tenant, uuid)),
  );
  if (scopes.length > 0)
    erased += await removeWhere(copy, `tenant = ${quoted(tenant)} AND ${oneOf('scope', scopes)}`);
  await eraseIds(copy, tenant, uuids);
  dropChanges(copy, tenant, scopes);
  const before = readOwnCursor(copy, tenant);
  const cursor = {
    policy_epoch: epoch,
    marks: before.marks.filter(({ scope }) => !scopes.includes(scope)),
  };
  if (!by.isServing || !isUnclean(copy)) {
    await writeCursor(copy, tenant, cursor);
    return { erased, copy };
  }
  const clean = await by.copies.make();
  try {
    for await (const batch of copy.rows.query()) {
      const table = new by.lance.arrow.Table([batch]);
      if (table.numRows > 0) await clean.rows.add(table);
    }
    for (const kept of ['cursors', CHANGES]) {
      const from = join(copy.folder, kept);
      if (existsSync(from)) cpSync(from, join(clean.folder, kept), { recursive: true });
    }
    await writeCursor(clean, tenant, cursor);
    await keepUp(clean, by.lance);
    await by.serve(clean);
  } catch (error) {
    by.copies.drop(clean);
    throw error;
  }
  return { erased, copy: clean };
}

/** With how many rows the index of vectors was built. */
const INDEXED = 'indexed.json';
/** Grown by so much, its partitions are too few: it is built anew. */
const GROWN = 4;
/** What a step may write before the old files go, of what the copy takes. */
const WRITTEN = 1.25;

/**
 * An index takes up what came; only a first one, and that of a copy four times as large, is built
 * whole. No step is begun that could fill the disk, or after the time is over.
 */
export async function keepUp(
  copy: Copy,
  lance: Lance,
  { timeoutMs = Number.POSITIVE_INFINITY, freeBytes = 0 }: UpkeepBounds = {},
): Promise<UpkeepReport> {
  const { rows, space, folder } = copy;
  const begun = performance.now();
  let postponed: UpkeepReport['postponed'];
  const mayGoOn = (): boolean => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < WRITTEN * bytesOf(folder) + freeBytes) postponed = 'disk';
    else if (performance.now() - begun > timeoutMs) postponed = 'time';
    return postponed === undefined;
  };
  const count = await rows.countRows();
  const names = (await rows.listIndices()).map(({ name }) => name);
  const isIndexed = names.includes('vector_idx');
  const isDue = space !== null && count >= INDEXED_FROM;
  const isGrown = isIndexed && count >= GROWN * indexedRows(folder, count);
  if (space && isDue && (!isIndexed || isGrown) && mayGoOn()) {
    await rows.createIndex('vector', { config: vectorIndex(count, space.dimensions, lance) });
    writeFileSync(join(folder, INDEXED), JSON.stringify({ rows: count }));
  }
  if (mayGoOn()) await rows.optimize({ cleanupOlderThan: new Date(Date.now() - READERS_MS) });
  const stats = await rows.indexStats(isIndexed ? 'vector_idx' : 'words_idx');
  const unindexed = stats?.numUnindexedRows ?? count;
  return { rows: count, unindexed, bytes: bytesOf(folder), ...(postponed && { postponed }) };
}

/** Of a copy of an earlier release, or of one that died in between: as if it were of now. */
function indexedRows(folder: string, count: number): number {
  try {
    const known: unknown = JSON.parse(readFileSync(join(folder, INDEXED), 'utf8'));
    const isKnown = typeof known === 'object' && known !== null && 'rows' in known;
    return isKnown && typeof known.rows === 'number' ? known.rows : count;
  } catch {
    return count;
  }
}

/**
 * One bit a dimension, refined by the vectors themselves: built in 17 s for 230,000 of 1,536, where
 * the graph took six minutes for 384. The rotation needs whole bytes.
 */
function vectorIndex(count: number, dimensions: number, { lancedb: { Index } }: Lance) {
  const shape = {
    distanceType: 'cosine',
    numPartitions: Math.max(8, Math.round(Math.sqrt(count) / 8)),
  } as const;
  return dimensions % 8 === 0 ? Index.ivfRq(shape) : Index.ivfFlat(shape);
}
