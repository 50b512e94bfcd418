/**
 * A write that the world broke leaves a marker, which compositions, `doctor` and the probe tell
 * until a write succeeds.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openPostgresOwner } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import { run } from '../../src/cli/run.ts';
import { type Composition, type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { writeOutage } from '../../src/telemetry/outage.ts';
import { describeOnDatabases } from '../support/databases.ts';
import {
  ORACLE_MANIFESTS,
  openEngine,
  refusalOf,
  START_MS,
  type TestClock,
} from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const compose = (engine: ContextEngine, scope: string): Promise<Composition> =>
  engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'fact',
    query: 'where is the boiler?',
    permission_profile: LOCAL_PROFILE,
  });
const outagesOf = ({ warnings }: Composition): readonly string[] =>
  warnings.flatMap(({ code, message }) => (code === 'OUTAGE' ? [message] : []));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextengine-outage-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const leaveMarker = (dataDir: string): Promise<boolean> =>
  writeOutage(join(dataDir, 'outage.json'), {
    reason: 'CONNECTOR.UNAVAILABLE: the disk is full',
    hint: 'Make room.',
    owner: 'another process',
    time: new Date().toISOString(),
  });

describe('a marker in the folder of an embedded database', () => {
  it('is reported by the process that holds it, until that process writes', async () => {
    const dataDir = join(folder, 'data');
    const cli = async (...words: string[]) => {
      const terminal = memoryTerminal({
        cwd: folder,
        env: { CONTEXTENGINE_MANIFESTS: ORACLE_MANIFESTS },
      });
      const code = await run([...words, '--data-dir', dataDir], terminal);
      return { code, out: terminal.output(), err: terminal.errors() };
    };
    await using engine = await openEngine({ database: { dataDir } });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    expect(outagesOf(await compose(engine, scope))).toEqual([]);
    expect(await cli('doctor', '--probe')).toMatchObject({ code: 0, out: 'clear\n' });

    // A locked folder is no outage: who asked is refused, and who holds it misses nothing.
    const refused = await cli('remember', '--scope', scope, 'the boiler is in the attic');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('CONNECTOR.LOCKED')]);
    expect(await cli('doctor', '--probe')).toMatchObject({ code: 0, out: 'clear\n' });
    expect(readdirSync(dataDir)).not.toContain('outage.json');

    await leaveMarker(dataDir);
    const probed = await cli('doctor', '--probe');
    expect([probed.code, probed.out]).toEqual([
      1,
      expect.stringContaining('could not write: CONNECTOR.UNAVAILABLE'),
    ]);
    await expect
      .poll(async () => outagesOf(await compose(engine, scope)), { timeout: 5000 })
      .toHaveLength(1);
    // From the cache as well: what is served again is told again, and a receipt is of the
    // composition, not of the day.
    const served = await compose(engine, scope);
    expect([served.cache.state, outagesOf(served)]).toEqual([
      'hit',
      [expect.stringContaining('another process')],
    ]);
    const { receipt } = await engine.explain(served.composition_id);
    expect(receipt.warnings.map(({ code }) => code)).not.toContain('OUTAGE');
    expect(await engine.health()).toMatchObject({
      verdict: 'degraded',
      details: { outage: { reason: expect.any(String) } },
    });

    await engine.remember(scope, { content: 'the boiler is in the attic' });
    expect(outagesOf(await compose(engine, scope))).toEqual([]);
    expect((await cli('doctor', '--probe')).code).toBe(0);
    expect(readdirSync(dataDir)).not.toContain('outage.json');
  });

  it('keeps nobody from making the database', async () => {
    const dataDir = join(folder, 'data');
    await leaveMarker(dataDir);
    expect(readdirSync(dataDir)).toEqual(['outage.json']);
    await using again = await openEngine({ database: { dataDir } });
    expect(await again.scopes.list()).toEqual([]);
  });
});

describeOnDatabases('a writer whose database goes away', (open, flavor) => {
  it.runIf(flavor === 'postgres')('says so until it can write again', async () => {
    const { url } = await open();
    await using elsewhere = await openPostgresOwner(inject('postgres')?.url ?? '');
    vi.stubEnv('CONTEXTENGINE_DATA_DIR', folder);
    const time: TestClock = { ms: START_MS };
    await using engine = await openEngine({
      time,
      database: { url: url ?? '' },
      permission_profile: LOCAL_PROFILE,
    });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    const name = new URL(url ?? '').pathname.slice(1);
    const allow = (isAllowed: boolean): Promise<unknown> =>
      elsewhere.exec(`alter database "${name}" with allow_connections ${isAllowed}`);

    await allow(false);
    await elsewhere.exec(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    const lost = await refusalOf(
      (async () => {
        for (;;) await engine.remember(scope, { content: `said at ${(time.ms += 1000)}` });
      })(),
    );
    expect(lost.code).toBe('CONNECTOR.UNAVAILABLE');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^outage-[0-9a-f]{12}\.json$/)]);
    await allow(true);

    expect(outagesOf(await compose(engine, scope))).toHaveLength(1);
    expect(await engine.health()).toMatchObject({
      details: { outage: { reason: expect.stringContaining('CONNECTOR.UNAVAILABLE') } },
    });
    await engine.remember(scope, { content: 'said again' });
    expect(outagesOf(await compose(engine, scope))).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
