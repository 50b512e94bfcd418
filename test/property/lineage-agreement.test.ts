/**
 * Lineage by version: a row falls if and only if one of its own sources did, and pgvector, which
 * walks down from what fell, agrees with the reference, which judges every row by its sources.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import type { AnyRow, LinkRow } from '../../src/model/block.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { type LineageHistory, LineageRun, lineageHistories } from '../support/lineage-commands.ts';

/**
 * The bars are 10,000 and 500: `CONTEXTENGINE_LINEAGE_RUNS` is the share of them, 1 in the nightly
 * run.
 */
const SHARE = Number(process.env['CONTEXTENGINE_LINEAGE_RUNS'] ?? 0.06);
const RUNS = { reference: Math.ceil(10_000 * SHARE), database: Math.ceil(500 * SHARE) };

let runs = 0;
const named = (): string => {
  runs += 1;
  return `lineage${runs}`;
};

/** Whether a copy took its place when it was retired, or since. */
const isReplaced = ({ row }: AnyRow, rows: readonly AnyRow[]): boolean =>
  rows.some(
    ({ row: other }) => other.recut_of === row.uuid && other.recorded_seq >= (row.retired_seq ?? 0),
  );

/** What is wrong, and was not put back. */
const isLost = (entry: AnyRow, rows: readonly AnyRow[]): boolean =>
  entry.row.retired_seq !== null &&
  ['correction', 'prune', 'cascade', 'redaction'].includes(entry.row.cause ?? '') &&
  !isReplaced(entry, rows);

function partsOf(uuid: Uuid, rows: readonly AnyRow[]): readonly AnyRow[] {
  return rows.flatMap((entry) =>
    entry.row.uuid === uuid
      ? [entry]
      : entry.row.recut_of === uuid
        ? partsOf(entry.row.uuid, rows)
        : [],
  );
}

const isRead = ({ table, row }: AnyRow, link: LinkRow): boolean =>
  table === 'blocks' &&
  !row.is_scope &&
  row.scope_uuid === link.to_uuid &&
  row.recorded_seq >= (link.from_seq ?? 0) &&
  row.recorded_seq <= (link.to_seq ?? 0) &&
  (row.retired_seq === null || row.retired_seq > (link.seen_seq ?? 0));

/** Whether something else is believed of the root over its time. */
const isTaken = (row: AnyRow['row'], rows: readonly AnyRow[]): boolean =>
  rows.some(
    ({ row: other }) =>
      other.root_uuid === row.root_uuid &&
      other.retired_seq === null &&
      (row.valid_until === null || other.valid_from < row.valid_until) &&
      (other.valid_until === null || row.valid_from < other.valid_until),
  );

/** A row falls if and only if one of its own sources did, and comes back with the last of them. */
function expectFounded(rows: readonly AnyRow[], run: LineageRun): void {
  const founded = new Map<Uuid, boolean>();
  const open = new Set<Uuid>();
  for (const { table, row } of rows) {
    if (table !== 'context_links' || row.link_type !== 'derived_from') continue;
    const sources = rows.filter((entry) =>
      row.from_seq === null ? entry.row.uuid === row.to_uuid : isRead(entry, row),
    );
    expect(sources.length).toBeGreaterThan(0);
    // What of a source was lost before was not read. Of one write it is left open.
    const since = run.writeOf(row.scope_uuid, row.recorded_seq);
    const lost = sources
      .flatMap(({ row: { uuid } }) => partsOf(uuid, rows))
      .filter((part) => isLost(part, rows))
      .map((part) => run.writeOf(part.row.scope_uuid, part.row.retired_seq ?? 0));
    if (lost.includes(since)) {
      for (const part of partsOf(row.from_uuid, rows)) open.add(part.row.uuid);
      continue;
    }
    const isLostOne = lost.some((write) => write > since);
    for (const part of partsOf(row.from_uuid, rows))
      founded.set(part.row.uuid, (founded.get(part.row.uuid) ?? true) && !isLostOne);
  }
  for (const { table, row } of rows) {
    if (open.has(row.uuid)) continue;
    if (row.retired_seq === null) expect(founded.get(row.uuid) ?? true, row.uuid).toBe(true);
    const isDown = row.cause === 'cascade' && !isReplaced({ table, row } as AnyRow, rows);
    if (isDown && !isTaken(row, rows)) expect(founded.get(row.uuid), row.uuid).toBe(false);
  }
}

/** Plays a history; what an undo of the last operation restores is what was visible before it. */
async function playAll(run: LineageRun, history: LineageHistory): Promise<number> {
  let undone = 0;
  let last: { readonly before: readonly string[]; readonly isOne: boolean } | null = null;
  const seen: (readonly string[])[] = [await run.visible(await run.position())];
  for (const commands of history) {
    const [command] = commands;
    const count = run.receipts.length;
    const before = seen.at(-1) ?? [];
    await run.play(commands);
    if (run.positions.length === seen.length) continue;
    const now = await run.visible(await run.position());
    seen.push(now);
    if (run.receipts.length === count) continue;
    if (command?.kind === 'undo') {
      undone += 1;
      if (command.back === 0 && last?.isOne === true) expect(now).toEqual(last.before);
    }
    last = { before, isOne: commands.length === 1 };
  }
  // By a position of then, every instant is as it was seen then.
  for (const [index, position] of run.positions.entries())
    expect(await run.visible(position)).toEqual(seen[index]);
  return undone;
}

describe('lineage by version [reference]', () => {
  it('a row falls if and only if one of its own sources did, and an undo restores it', async () => {
    let fallen = 0;
    let undone = 0;
    let back = 0;
    await fc.assert(
      fc.asyncProperty(lineageHistories(16), async (history: LineageHistory) => {
        const run = new LineageRun(referenceAuthority(), named());
        await run.begin();
        undone += await playAll(run, history);
        const rows = await run.rows();
        expectFounded(rows, run);
        fallen += rows.filter(({ row }) => row.cause === 'cascade').length;
        const journals = (await run.journals()).flat();
        back += journals.filter(({ operation }) => operation === 'RETURN').length;
      }),
      { numRuns: RUNS.reference },
    );
    expect(fallen).toBeGreaterThan(RUNS.reference / 10);
    expect(undone).toBeGreaterThan(RUNS.reference / 4);
    expect(back).toBeGreaterThan(RUNS.reference / 100);
  }, 1_800_000);
});

describeOnDatabases('lineage by version', (open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });

  it('agrees with the reference on every answer, row and journal entry', async () => {
    await fc.assert(
      fc.asyncProperty(lineageHistories(16), async (history: LineageHistory) => {
        const name = named();
        const expected = new LineageRun(referenceAuthority(), name);
        const actual = new LineageRun(pgvectorAuthority(database.database), name);
        await expected.begin();
        await actual.begin();
        for (const commands of history)
          expect(await actual.play(commands)).toEqual(await expected.play(commands));
        expect(await actual.rows()).toEqual(await expected.rows());
        expect(await actual.journals()).toEqual(await expected.journals());
        for (const position of expected.positions)
          expect(await actual.visible(position)).toEqual(await expected.visible(position));
        for (const { operation_id: operation } of expected.receipts)
          expect(await actual.undoOf(operation)).toEqual(await expected.undoOf(operation));
      }),
      { numRuns: RUNS.database },
    );
  }, 1_800_000);
});
