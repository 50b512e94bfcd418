/**
 * Every composition replays byte for byte, and `as_of` is a brute-force judgement of every stored
 * row.
 */
import { beforeAll, expect, it } from 'vitest';
import type { AnyRow, Composition, ContextEngine, Position } from '../../src/index.ts';
import { parseInstant, parseUuid } from '../../src/index.ts';
import { headOf, isVisible } from '../../src/model/validity.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { at, openEngine, START_MS, type TestClock } from '../support/engines.ts';
import { type Fixture, ROUND_MS, WRITER_PROFILE, writeFixture } from '../support/replay-fixture.ts';

const ROUNDS = 100;
const CALL = { permission_profile: WRITER_PROFILE };

describeOnDatabases('two writers, two hundred writes', (open, flavor) => {
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  let fixture: Fixture;
  let rows: readonly AnyRow[];

  beforeAll(async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    const database = url === null ? ({ inMemory: true } as const) : { url };
    engine = await openEngine({ database, time });
    const second = url === null ? engine : await openEngine({ database, time });
    fixture = await writeFixture([engine, second], time, ROUNDS);
    // Receipts are written behind the call: only its own engine waits for them.
    if (second !== engine) await second.close();
    time.ms = START_MS + (ROUNDS + 5) * ROUND_MS;
    rows = [...(await rowsOf(engine, fixture.scope)), ...(await rowsOf(engine, fixture.outer))];
    return () => engine.close();
  }, 600_000);

  it('holds every kind of row that history can leave', () => {
    const facts = rows
      .filter(({ table }) => table === 'memory_open_set' || table === 'memory_schema_typed')
      .map(({ row }) => row);
    expect(fixture.writes).toBe(2 * ROUNDS);
    expect(fixture.compositions.length).toBe((2 * ROUNDS) / 5);
    for (const cause of ['change', 'correction', 'cascade'] as const)
      expect(facts.filter((row) => row.cause === cause).length, cause).toBeGreaterThan(2);
    expect(
      facts.filter((row) => row.closed_seq !== null && row.superseded_by !== null).length,
    ).toBeGreaterThan(2);
    expect(facts.filter((row) => row.retired_seq !== null).length).toBeGreaterThan(10);
  });

  it('replays every composition byte for byte', async () => {
    for (const composition of fixture.compositions) {
      const replay = await engine.replay(composition.composition_id, CALL);
      expect(replay.gone).toEqual([]);
      expect(replay.text).toBe(composition.text);
      expect(replay.identical).toBe(true);
    }
    expect(new Set(fixture.compositions.map(({ text }) => text)).size).toBeGreaterThan(ROUNDS / 5);
  });

  it('judges each composition as its own position and instant did', () => {
    for (const composition of fixture.compositions)
      expect(servedBy(composition)).toEqual(oracle(rows, composition.as_of, composition.position));
  });

  it('answers `as_of` each instant with what was known and true then', async () => {
    for (const { instant, position } of fixture.moments.filter((_, index) => index % 4 === 0)) {
      const composition = await compose(engine, fixture, { as_of: instant });
      expect(headsOf(composition.position)).toEqual(headsOf(position));
      expect(servedBy(composition), instant).toEqual(oracle(rows, instant, position));
    }
  });

  it('answers `recorded_as_of` a position, at instants before, at and after each edge', async () => {
    const edges = [
      ...new Set(
        rows.flatMap(({ row }) => [row.valid_from, ...(row.valid_until ? [row.valid_until] : [])]),
      ),
    ].sort();
    const instants = edges.flatMap((edge) => [Date.parse(edge) - 1, Date.parse(edge)]).map(at);
    for (const [index, instant] of instants.entries()) {
      if (index % 5 !== 0) continue;
      const moment = fixture.moments[(index * 7) % fixture.moments.length];
      if (!moment) continue;
      const composition = await compose(engine, fixture, {
        as_of: instant,
        recorded_as_of: moment.position,
      });
      expect(servedBy(composition), `${instant} at ${JSON.stringify(moment.position)}`).toEqual(
        oracle(rows, instant, moment.position),
      );
    }
  }, 600_000);
});

const compose = (
  engine: ContextEngine,
  fixture: Fixture,
  when: { readonly as_of: string; readonly recorded_as_of?: Position },
): Promise<Composition> =>
  engine.composeBlockContext({
    scope_block_uuid: fixture.scope,
    intent: 'all',
    query: 'ledger',
    permission_profile: WRITER_PROFILE,
    trace: true,
    ...when,
  });

const headsOf = (position: Position): readonly string[] =>
  position.map(({ scope, head }) => `${scope} ${head}`).sort();

async function rowsOf(engine: ContextEngine, scope: string): Promise<AnyRow[]> {
  const rows: AnyRow[] = [];
  for await (const line of engine.exportScope(scope, CALL))
    if ('table' in line) rows.push(line as unknown as AnyRow);
  return rows;
}

const LAYERS = ['open_set', 'schema_typed'];

/** Versions of the two layers of memory that a composition serves. */
const servedBy = (composition: Composition): readonly string[] =>
  composition.items
    .flatMap((item) => (LAYERS.includes(item.layer) && item.uuid ? [item.uuid] : []))
    .sort();

/**
 * Every row judged by itself; of typed values of one key the inner scope's shadow the outer
 * scope's.
 */
function oracle(rows: readonly AnyRow[], instant: string, position: Position): readonly string[] {
  const visible = rows.filter(({ row }) => {
    const head = headOf(position, row.scope_uuid);
    return head !== undefined && isVisible(row, parseInstant(instant, 'instant'), head);
  });
  const inner = parseUuid(position[0]?.scope, 'scope');
  const keyOf = (item: AnyRow): string =>
    item.table === 'memory_schema_typed'
      ? [item.row.collection, item.row.subject, item.row.property].join('/')
      : '';
  const innerKeys = new Set(visible.filter(({ row }) => row.scope_uuid === inner).map(keyOf));
  return visible
    .filter(
      (item) =>
        item.table === 'memory_open_set' ||
        (item.table === 'memory_schema_typed' &&
          (item.row.scope_uuid === inner || !innerKeys.has(keyOf(item)))),
    )
    .map(({ row }) => row.uuid as string)
    .sort();
}
