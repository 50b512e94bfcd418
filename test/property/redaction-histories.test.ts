/**
 * Histories in which things are forgotten, brought back and erased between writes and undos: what
 * a redaction took out of sight comes back with its undo, pgvector and the reference agree, and no
 * order of them shows a row whose source is lost or two values over one time.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import type { AnyRow } from '../../src/model/block.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import {
  isRedaction,
  LineageRun,
  type RedactedHistory,
  redactedHistories,
} from '../support/lineage-commands.ts';

/** The bars are 10,000 and 500: `CONTEXTENGINE_LINEAGE_RUNS` is the share of them. */
const SHARE = Number(process.env['CONTEXTENGINE_LINEAGE_RUNS'] ?? 0.06);
const RUNS = { reference: Math.ceil(10_000 * SHARE), database: Math.ceil(500 * SHARE) };

let runs = 0;
const named = (): string => {
  runs += 1;
  return `redactions${runs}`;
};

/** What is believed of a root over one time is one version. */
function expectOneOverATime(rows: readonly AnyRow[]): void {
  const believed = rows.filter(({ row }) => row.retired_seq === null);
  for (const { row } of believed)
    for (const { row: other } of believed)
      if (row.root_uuid === other.root_uuid && row.uuid < other.uuid) {
        const meets =
          (row.valid_until === null || other.valid_from < row.valid_until) &&
          (other.valid_until === null || row.valid_from < other.valid_until);
        expect([row.uuid, other.uuid, meets]).toEqual([row.uuid, other.uuid, false]);
      }
}

/** A row that is believed names sources that are there: what was forgotten took it along. */
function expectSourcesThere(rows: readonly AnyRow[]): void {
  const there = new Set(rows.map(({ row }) => row.uuid));
  for (const { table, row } of rows)
    if (table === 'context_links' && row.link_type === 'derived_from' && row.from_seq === null)
      expect([row.to_uuid, there.has(row.to_uuid)]).toEqual([row.to_uuid, true]);
}

describe('histories with redactions [reference]', () => {
  it('what is forgotten goes with what derives from it, and comes back as it was', async () => {
    let [forgotten, back] = [0, 0];
    await fc.assert(
      fc.asyncProperty(redactedHistories(16), async (history: RedactedHistory) => {
        const run = new LineageRun(referenceAuthority(), named());
        await run.begin();
        let before: unknown = null;
        for (const step of history) {
          const now = [await run.rows(), await run.journals()];
          if (!isRedaction(step)) {
            await run.play(step);
            before = null;
            continue;
          }
          const answer = await run.redact(step);
          const rows = await run.rows();
          if (step.kind === 'forget' && !Array.isArray(answer)) {
            forgotten += 1;
            before = now;
          } else if (step.kind === 'bring_back' && answer === 'brought_back' && step.back === 0) {
            back += 1;
            if (before) expect([rows, await run.journals()]).toEqual(before);
            before = null;
          } else before = null;
          expectOneOverATime(rows);
          expectSourcesThere(rows);
        }
      }),
      { numRuns: RUNS.reference },
    );
    expect(forgotten).toBeGreaterThan(RUNS.reference / 2);
    expect(back).toBeGreaterThan(RUNS.reference / 10);
  }, 1_800_000);
});

describeOnDatabases('histories with redactions', (open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });

  it('agrees with the reference on every answer, row and journal entry', async () => {
    await fc.assert(
      fc.asyncProperty(redactedHistories(16), async (history: RedactedHistory) => {
        const name = named();
        const expected = new LineageRun(referenceAuthority(), name);
        const actual = new LineageRun(pgvectorAuthority(database.database), name);
        await expected.begin();
        await actual.begin();
        for (const step of history)
          if (isRedaction(step))
            expect(await actual.redact(step)).toEqual(await expected.redact(step));
          else expect(await actual.play(step)).toEqual(await expected.play(step));
        expect(await actual.rows()).toEqual(await expected.rows());
        expect(await actual.journals()).toEqual(await expected.journals());
        for (const position of expected.positions)
          expect(await actual.visible(position)).toEqual(await expected.visible(position));
      }),
      { numRuns: RUNS.database },
    );
  }, 1_800_000);
});
