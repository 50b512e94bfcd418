/**
 * Typed updates, late, early, overlapping, with sources, corrections and redactions, against an
 * oracle that knows days and no intervals: at every instant the value of then, none that is stale,
 * and none lost. `CONTEXTENGINE_TYPED_UPDATES` is how many on a database; the reference has 10,000.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import {
  addScope,
  blockContent,
  day,
  typedContent,
  WRITER,
} from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { parseTenant, parseUuid, toEpochMs, toInstant, type Uuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { type Command, DAYS, DayByDay } from '../support/day-by-day.ts';
import { Dice } from '../support/dice.ts';

const ON_REFERENCE = Number(process.env['CONTEXTENGINE_TYPED_UPDATES_REFERENCE'] ?? 10_000);
const ON_DATABASES = Number(process.env['CONTEXTENGINE_TYPED_UPDATES'] ?? 200);
const UPDATES_PER_HISTORY = 50;
const PROPERTIES = ['city', 'employer', 'diet'];
const HALF_DAY_MS = 43_200_000;

const uuidOf = (n: number): Uuid =>
  parseUuid(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`, 'uuid');
const SCOPE = uuidOf(1);
const turnOf = (n: number): Uuid => uuidOf(1000 + n);

interface Tracked {
  readonly oracle: DayByDay;
  /** By update: what comes after a thing was forgotten is another thing. */
  readonly roots: Map<number, Uuid>;
  /** Updates, each with a turn of the same number as its source. */
  readonly made: number[];
}

/** Wrong answers of a history, out of all that were asked. */
async function playHistory(authority: Authority, name: string, seed: number) {
  const dice = new Dice(seed);
  const tenant = parseTenant(name);
  let at = 100;
  const write = async (operations: readonly Operation[]) => {
    at += 1;
    return authority.write({ tenant, writer: WRITER, operations, recorded_at: day(at) });
  };
  await write([
    addScope(SCOPE),
    ...Array.from({ length: UPDATES_PER_HISTORY }, (_, n): Operation => {
      const common = {
        operation: 'ADD',
        table: 'blocks',
        scope: SCOPE,
        valid_from: day(0),
      } as const;
      return { ...common, uuid: turnOf(n), content: blockContent(`turn ${n}`) };
    }),
  ]);
  const tracked = new Map<string, Tracked>(
    PROPERTIES.map((each) => [each, { oracle: new DayByDay(), roots: new Map(), made: [] }]),
  );
  const forgotten = new Set<number>();
  const answers = { asked: 0, stale: 0, lost: 0 };
  for (let index = 0; index < UPDATES_PER_HISTORY; index += 1) {
    const property = dice.of(PROPERTIES);
    const kept = tracked.get(property);
    if (!kept) continue;
    const command = commandOf(kept, dice);
    if (command === 'forget') {
      const turn = dice.of(kept.made);
      if (forgotten.has(turn)) continue;
      forgotten.add(turn);
      at += 1;
      await authority.forget({
        tenant,
        redaction: uuidOf(5000 + index),
        kind: 'block',
        value: turnOf(turn),
        scopes: null,
        at: day(at),
        erase_after: day(at + 30),
        principal: 'law',
        on_behalf_of: null,
        tier: 'T1',
      });
      kept.oracle.withdraw(turn);
    } else {
      // Every other one says again what some update said before.
      const value = dice.roll(2) === 0 ? `v${index + 1}` : `w${dice.roll(3)}`;
      const held = kept.oracle.cells[command.kind === 'correction' ? command.at : 0]?.by ?? -1;
      const root = kept.roots.get(held) ?? null;
      const { receipts } = await write([operationOf(command, { property, value, index, root })]);
      const written = receipts[0]?.root_uuid;
      if (written) kept.roots.set(index, written);
      kept.oracle.run(command, index, value);
      kept.made.push(index);
    }
    if (index % 10 === 9) await ask(authority, { tenant: name, tracked, at }, answers);
  }
  return answers;
}

function commandOf(kept: Tracked, dice: Dice): Command | 'forget' {
  const from = dice.roll(DAYS);
  const way = dice.roll(20);
  if (way < 2 && kept.made.length > 0) return 'forget';
  if (way < 6 && kept.oracle.cells[from] !== undefined) return { kind: 'correction', at: from };
  const until = dice.roll(3) === 0 ? from + 1 + dice.roll(DAYS) : null;
  return { kind: 'change', from, until };
}

function operationOf(
  command: Command,
  of: {
    readonly property: string;
    readonly value: string;
    readonly index: number;
    readonly root: Uuid | null;
  },
): Operation {
  const { property, value, index, root } = of;
  const common = {
    table: 'memory_schema_typed',
    scope: SCOPE,
    uuid: uuidOf(100 + index),
    content: typedContent(value, { property }),
    sources: [turnOf(index)],
  } as const;
  if (command.kind === 'correction' && root)
    return {
      ...common,
      operation: 'UPDATE',
      root_uuid: root,
      cause: 'correction',
      valid_from: day(command.at),
    };
  if (command.kind !== 'change') throw new Error('no such update');
  return {
    ...common,
    operation: 'ADD',
    valid_from: day(command.from),
    ...(command.until !== null && { valid_until: day(command.until) }),
  };
}

async function ask(
  authority: Authority,
  {
    tenant: name,
    tracked,
    at,
  }: {
    readonly tenant: string;
    readonly tracked: ReadonlyMap<string, Tracked>;
    readonly at: number;
  },
  answers: { asked: number; stale: number; lost: number },
): Promise<void> {
  const tenant = parseTenant(name);
  const { position } = await authority.heads(tenant, [SCOPE]);
  for (let n = 0; n < 2 * DAYS; n += 1) {
    const part = {
      id: 'now',
      table: 'memory_schema_typed',
      mode: 'list',
      order: { by: 'valid_from', direction: 'asc' },
      scopes: [SCOPE],
      limit: 50,
    } as const;
    const { parts } = await authority.query({
      tenant,
      position,
      valid_at: toInstant(toEpochMs(day(n)) + HALF_DAY_MS),
      parts: [part],
    });
    const [answer] = parts;
    const rows = answer?.ok
      ? answer.hits.flatMap(({ row }) => ('property' in row ? [row] : []))
      : [];
    for (const [property, { oracle }] of tracked) {
      const served = rows.filter((row) => row.property === property).map(({ value }) => value);
      const right = oracle.cells[n]?.value;
      answers.asked += 1;
      if (right !== undefined && !served.includes(right)) answers.lost += 1;
      if (served.some((value) => value !== right)) answers.stale += 1;
    }
  }
  expect(at).toBeGreaterThan(0);
}

async function playAll(authority: Authority, updates: number, of: string) {
  const sum = { asked: 0, stale: 0, lost: 0 };
  for (let seed = 0; seed < Math.ceil(updates / UPDATES_PER_HISTORY); seed += 1) {
    const { asked, stale, lost } = await playHistory(authority, `typed${of}${seed}`, seed + 1);
    sum.asked += asked;
    sum.stale += stale;
    sum.lost += lost;
  }
  process.stdout.write(
    `typed updates [${of}]: ${updates} updates, ${sum.asked} answers, ${sum.stale} stale, ${sum.lost} lost\n`,
  );
  expect(sum.asked).toBeGreaterThan(updates);
  expect(sum).toMatchObject({ stale: 0, lost: 0 });
}

describe('typed updates [reference]', () => {
  it(
    'are at every instant what was said of it last',
    () => playAll(referenceAuthority(), ON_REFERENCE, 'reference'),
    1_800_000,
  );
});

describeOnDatabases('typed updates', (open, flavor) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  it(
    'are at every instant what was said of it last',
    () => playAll(pgvectorAuthority(database.database), ON_DATABASES, flavor),
    1_800_000,
  );
});
