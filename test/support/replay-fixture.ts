/**
 * Two hundred writes of two writers: late, back-dated, corrected, ended and cascaded rows, with
 * compositions in between.
 */
import type {
  Composition,
  ContextEngine,
  PermissionProfile,
  Position,
  WriteResult,
} from '../../src/index.ts';
import { at, START_MS, type TestClock } from './engines.ts';

export const WRITER_PROFILE: PermissionProfile = {
  principal: 'fixture',
  tenant: 'local',
  kind: 'human',
  scopes: '*',
};
const CALL = { permission_profile: WRITER_PROFILE };
export const ROUND_MS = 60_000;

/** After each round: the instant between it and the next, and the heads of the moment. */
export interface Moment {
  readonly instant: string;
  readonly position: Position;
}
export interface Fixture {
  readonly scope: string;
  readonly outer: string;
  readonly moments: readonly Moment[];
  readonly compositions: readonly Composition[];
  readonly writes: number;
}

/** Mulberry32: the same writes in every run. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Known {
  root: string;
  uuid: string;
  scope: string;
  /**
   * Whether it is derived: a correction of its source withdraws it, so nothing more is said of it.
   */
  isBase: boolean;
}

class FixtureWriter {
  readonly #facts: Known[] = [];
  readonly #draw: (below: number) => number;
  readonly #engine: ContextEngine;
  readonly #scopes: readonly string[];
  readonly #time: TestClock;
  #count = 0;

  constructor(options: {
    engine: ContextEngine;
    scopes: readonly string[];
    time: TestClock;
    seed: number;
  }) {
    this.#draw = drawing(options.seed);
    this.#engine = options.engine;
    this.#scopes = options.scopes;
    this.#time = options.time;
  }

  /**
   * Every text shares one word, so that a search for it finds all, and has words of its own, so
   * that none is like another.
   */
  #text(): string {
    this.#count += 1;
    const word = (): string =>
      Array.from(
        { length: 9 },
        () => 'bcdfghjklmnprstvwz'.charAt(this.#draw(18)) + 'aeiou'.charAt(this.#draw(5)),
      ).join('');
    return `ledger ${word()} ${word()} ${word()} ${this.#count}`;
  }

  #past(): string {
    return at(this.#time.ms - (1 + this.#draw(40)) * 17_000);
  }

  #pick(): Known | undefined {
    const bases = this.#facts.filter((fact) => fact.isBase);
    return bases[this.#draw(Math.max(1, bases.length))];
  }

  write(): Promise<WriteResult> {
    const scope = this.#scopes[this.#draw(this.#scopes.length)] ?? '';
    const fact = this.#pick();
    const kind = this.#draw(10);
    if (kind === 0)
      return this.#engine.append(
        scope,
        { content: this.#text(), role: 'user', occurred_at: this.#past() },
        CALL,
      );
    if (kind <= 3) return this.#value(scope, kind);
    if (!fact || kind === 4)
      return this.#remember(scope, kind === 4 ? { valid_from: this.#past() } : {});
    if (kind === 5)
      return this.#remember(scope, {
        valid_from: this.#past(),
        valid_until: at(this.#time.ms + (1 + this.#draw(9)) * 41_000),
      });
    if (kind === 6) return this.#derive(fact);
    if (kind === 7)
      return this.#engine.remember(
        fact.scope,
        { content: this.#text(), replaces: fact.root, valid_from: this.#past() },
        CALL,
      );
    if (kind === 8) return this.#correct(fact);
    return this.#end(fact);
  }

  /** Both writers set the same three values: on time, late, and over a closed interval. */
  #value(scope: string, kind: number): Promise<WriteResult> {
    const property = ['city', 'mood', 'editor'][this.#draw(3)] ?? 'city';
    const from = kind === 1 ? {} : { valid_from: this.#past() };
    const until = kind === 3 ? { valid_until: at(this.#time.ms + 95_000) } : {};
    return this.#engine.setTyped(scope, 'user', 'profile', property, this.#text(), {
      ...from,
      ...until,
      ...CALL,
    });
  }

  async #remember(
    scope: string,
    times: { valid_from?: string; valid_until?: string },
  ): Promise<WriteResult> {
    const result = await this.#engine.remember(scope, { content: this.#text(), ...times }, CALL);
    this.#learn(result, scope, times.valid_until === undefined);
    return result;
  }

  async #derive(source: Known): Promise<WriteResult> {
    const result = await this.#engine.remember(
      source.scope,
      { content: this.#text(), sources: [source.uuid] },
      CALL,
    );
    this.#learn(result, source.scope, false);
    return result;
  }

  /**
   * Says of the root's newest version that it was never so: what was derived from it goes with it.
   */
  async #correct(fact: Known): Promise<WriteResult> {
    const result = await this.#engine.remember(
      fact.scope,
      { content: this.#text(), corrects: fact.root },
      CALL,
    );
    fact.uuid = result.receipts[0]?.uuid ?? fact.uuid;
    return result;
  }

  async #end(fact: Known): Promise<WriteResult> {
    this.#facts.splice(this.#facts.indexOf(fact), 1);
    const [row] = await this.#engine.history(fact.root, CALL);
    return this.#engine.write(
      [
        {
          operation: 'DELETE',
          table: 'memory_open_set',
          scope: row?.row.scope_uuid ?? never(),
          root_uuid: row?.row.root_uuid ?? never(),
          cause: 'change',
          valid_from: row?.row.valid_from ?? never(),
        },
      ],
      CALL,
    );
  }

  #learn(result: WriteResult, scope: string, isBase: boolean): void {
    const [receipt] = result.receipts;
    if (receipt?.uuid && receipt.root_uuid)
      this.#facts.push({ root: receipt.root_uuid, uuid: receipt.uuid, scope, isBase });
  }
}

const never = (): never => {
  throw new Error('a fact that was remembered has a history');
};

/** `engines`: one, shared by both writers, or one each. The clock stands still within a round. */
export async function writeFixture(
  engines: readonly [ContextEngine, ContextEngine],
  time: TestClock,
  rounds: number,
): Promise<Fixture> {
  time.ms = START_MS;
  const [first] = engines;
  const { scope_block_uuid: outer, result: outerMade } = await first.scopes.create(
    { type: 'oracle_scope' },
    CALL,
  );
  const { scope_block_uuid: scope, result: made } = await first.scopes.create(
    { type: 'oracle_scope', inherits: [outer] },
    CALL,
  );
  const writers = engines.map(
    (engine, index) =>
      new FixtureWriter({ engine, scopes: [scope, outer], time, seed: 11 + index }),
  );
  /** The inner scope first, as a composition has it. */
  const heads = new Map(
    [...made.position, ...outerMade.position].map((entry): [string, Position[number]] => [
      entry.scope,
      entry,
    ]),
  );
  const moments: Moment[] = [];
  const compositions: Composition[] = [];
  const compose = (engine: ContextEngine): Promise<Composition> =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'daily',
      query: 'ledger',
      permission_profile: WRITER_PROFILE,
    });
  for (let round = 1; round <= rounds; round += 1) {
    time.ms = START_MS + round * ROUND_MS;
    const isComposed = round % 5 === 0;
    const before = isComposed ? [compose(engines[0])] : [];
    const writing = writers.map((writer) => writer.write());
    const between = isComposed && writing[0] ? [writing[0].then(() => compose(engines[1]))] : [];
    const composing = [...before, ...between];
    const results = await Promise.all(writing);
    compositions.push(...(await Promise.all(composing)));
    for (const entry of results.flatMap((result) => result.position))
      if ((heads.get(entry.scope)?.head ?? 0) < entry.head) heads.set(entry.scope, entry);
    moments.push({ instant: at(time.ms + ROUND_MS / 2), position: [...heads.values()] });
  }
  return { scope, outer, moments, compositions, writes: rounds * writers.length };
}
