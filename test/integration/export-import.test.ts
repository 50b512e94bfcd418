/**
 * An export taken while others write is of one position; what comes of it behaves as the original
 * does.
 */
import { beforeAll, expect, it } from 'vitest';
import { type Composition, type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { at, openEngine, START_MS, type TestClock } from '../support/engines.ts';

const HOUR_MS = 3_600_000;
const THERE = { permission_profile: { ...LOCAL_PROFILE, tenant: 'elsewhere' } };
const HERE = { permission_profile: LOCAL_PROFILE };

describeOnDatabases('an export during writes', (open, flavor) => {
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  let scope: string;
  const exported: Record<string, unknown>[] = [];
  const keyed = { content: 'the boiler is in the attic', idempotency_key: 'line 1' };

  beforeAll(async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    const database = url === null ? ({ inMemory: true } as const) : { url };
    engine = await openEngine({ database, time, ...HERE });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    await engine.append(scope, keyed);
    const { receipts } = await engine.remember(scope, { content: 'the boiler is red' });
    for (let hour = 1; hour <= 5; hour += 1) {
      time.ms += HOUR_MS;
      await engine.setTyped(scope, 'user', 'profile', 'city', `city ${hour}`);
      await engine.remember(scope, { content: `the boiler makes noise ${hour}` });
    }
    const used = await compose(HERE, {});
    const root = used.items.find(({ table }) => table === 'memory_open_set')?.root_uuid;
    await engine.recordOutcome({ composition_id: used.composition_id, used: root ? [root] : [] });
    time.ms += HOUR_MS;
    for await (const line of engine.exportScope(scope)) {
      exported.push({ ...line });
      // Between any two lines: a row that closes what is exported, and one that is new.
      await engine.setTyped(scope, 'user', 'profile', 'city', `late ${exported.length}`);
      await engine.remember(scope, {
        content: `the boiler is green ${exported.length}`,
        replaces: receipts[0]?.root_uuid ?? '',
      });
      time.ms += 1000;
    }
    await engine.importScope(lines(), THERE);
    await engine.embedPending(THERE);
    return () => engine.close();
  }, 600_000);

  async function* lines() {
    yield* exported;
  }
  const compose = (call: typeof HERE, more: object): Promise<Composition> =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'fact',
      query: 'boiler',
      ...call,
      ...more,
    });

  it('is exported again as it was', async () => {
    const again: unknown[] = [];
    for await (const line of engine.exportScope(scope, THERE)) again.push(line);
    expect(again).toEqual(exported);
    expect(JSON.stringify(exported)).not.toContain('late');
  });

  it('answers `as_of` each hour as the original does, and a composition of it replays', async () => {
    for (const hours of [0.5, 1.5, 3.5, 5.5]) {
      const asOf = { as_of: at(START_MS + hours * HOUR_MS) };
      const [here, there] = [await compose(HERE, asOf), await compose(THERE, asOf)];
      expect(there.position).toEqual(here.position);
      expect(there.usage_position).toEqual(here.usage_position);
      expect(there.items.map(({ uuid }) => uuid).sort()).toEqual(
        here.items.map(({ uuid }) => uuid).sort(),
      );
      expect(there.items.length).toBeGreaterThan(0);
      expect(there.warnings.map(({ code }) => code)).toContain('SEARCH.STATISTICS_OF_NOW');
    }
    const now = await compose(THERE, {});
    expect(now.warnings.map(({ code }) => code)).not.toContain('SEARCH.STATISTICS_OF_NOW');
    const replay = await engine.replay(now.composition_id, THERE);
    expect(replay).toMatchObject({ identical: true, text: now.text });
  });

  it('knows what was written under which key', async () => {
    const again = await engine.append(scope, keyed, THERE);
    expect(again.counts).toMatchObject({ stored: 0, duplicate: 1 });
    // No digest of the payload left the other tenant: the key alone says that it is there.
    const other = await engine.append(scope, { ...keyed, content: 'another text' }, THERE);
    expect(other.counts).toMatchObject({ stored: 0, duplicate: 1 });
  });
});
