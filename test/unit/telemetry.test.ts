import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContextEngineError, type ErrorCode } from '../../src/codes/errors.ts';
import { toInstant } from '../../src/model/ids.ts';
import {
  clearOutage,
  outagePath,
  PROBE_EXIT_CODES,
  readOutage,
  writeOutage,
} from '../../src/telemetry/outage.ts';
import { createOutageMarker, isOutage } from '../../src/telemetry/outage-marker.ts';

const NOW = new Date('2026-03-08T12:00:00.000Z');
const outage = {
  reason: 'disk full',
  hint: 'Free some space.',
  owner: 'ingest',
  time: '2026-03-08T11:00:00.000Z',
};

describe('the outage marker', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outage-'));
    path = join(folder, 'state', 'outage.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is read back until it is cleared', async () => {
    expect(await readOutage(path, NOW)).toEqual({ state: 'clear' });
    expect(await writeOutage(path, outage)).toBe(true);
    expect(await readOutage(path, NOW)).toEqual({ state: 'outage', outage });
    expect(await writeOutage(path, { ...outage, reason: 'still full' })).toBe(true);
    expect(await readOutage(path, NOW)).toMatchObject({ outage: { reason: 'still full' } });
    expect(await readdir(join(folder, 'state'))).toEqual(['outage.json']);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      format: 'contextengine-outage/1',
    });
    expect(await clearOutage(path)).toBe(true);
    expect(await clearOutage(path)).toBe(true);
    expect(await readOutage(path, NOW)).toEqual({ state: 'clear' });
  });

  it('is valid for seven days', async () => {
    await writeOutage(path, outage);
    expect((await readOutage(path, new Date('2026-03-15T11:00:00.000Z'))).state).toBe('outage');
    expect((await readOutage(path, new Date('2026-03-15T11:00:00.001Z'))).state).toBe('clear');
  });

  it.each([
    '',
    '{"reason": "cut o',
    '[]',
    'null',
    '{"reason": 3}',
    JSON.stringify({ ...outage, time: 'soon' }),
  ])('still stands where it is damaged: %s', async (text) => {
    await mkdir(join(folder, 'state'));
    await writeFile(path, text);
    await utimes(path, NOW, NOW);
    expect(await readOutage(path, NOW)).toMatchObject({
      state: 'outage',
      outage: { reason: expect.stringContaining('damaged'), time: NOW.toISOString() },
    });
    expect((await readOutage(path, new Date(NOW.getTime() + 8 * 86_400_000))).state).toBe('clear');
  });

  it('never throws: it says that it does not know', async () => {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'a'), '');
    const reading = await readOutage(path, NOW);
    expect(reading.state).toBe('unknown');
    expect(await writeOutage(path, outage)).toBe(false);
    expect(await clearOutage(path)).toBe(false);
    expect(await readdir(join(folder, 'state'))).toEqual(['outage.json']);
    expect(PROBE_EXIT_CODES).toEqual({ clear: 0, outage: 1, unknown: 2 });
  });
});

describe('outagePath', () => {
  it('is in the folder of an embedded database, and by host and name for one on a server, whoever logs in', () => {
    const url = (given: string) => outagePath({ url: given }, '/state');
    expect(outagePath({ dataDir: '/data' }, '/state')).toBe(join('/data', 'outage.json'));
    expect(outagePath({ inMemory: true }, '/state')).toBeNull();
    expect(url('postgres://ann:secret@db:5432/app')).toBe(
      url('postgres://bo:other@db:5432/app?sslmode=require'),
    );
    expect(url('postgres://ann@db:5432/app')).not.toBe(url('postgres://ann@db:5432/other'));
    expect(url('postgres://ann:secret@db/app')).toMatch(/^.state.outage-[0-9a-f]{12}\.json$/);
    expect(url('postgres://DB:5432/app')).toBe(url('postgresql://db/app'));
    expect(url('postgres:///app?host=/run/a')).not.toBe(url('postgres:///app?host=/run/b'));
    expect(url('host=db')).toMatch(/outage-[0-9a-f]{12}\.json$/);
  });
});

describe('createOutageMarker', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const failing = (code: ErrorCode) => async (): Promise<never> => {
    throw new ContextEngineError(code, { message: 'it is away', fix: 'Start it.' });
  };
  const processes = (path: string | null) => {
    const clock = { ms: NOW.getTime() };
    const one = (owner: string) =>
      createOutageMarker({
        path,
        owner,
        now: () => toInstant(clock.ms),
        stopwatch: () => clock.ms,
      });
    return { clock, one };
  };

  it('is left by a write that the store failed, reported by every process, and cleared by the next write that succeeds', async () => {
    const { clock, one } = processes(join(folder, 'outage.json'));
    const [writer, reader] = [one('writer'), one('reader')];
    expect(await reader.warning()).toBeNull();
    await expect(writer.watch(failing('CONNECTOR.UNAVAILABLE'), () => true)).rejects.toMatchObject({
      code: 'CONNECTOR.UNAVAILABLE',
    });
    expect(await writer.warning()).toMatchObject({
      code: 'OUTAGE',
      message: expect.not.stringContaining('it is away'),
    });
    expect(await writer.reading()).toMatchObject({
      outage: { reason: 'CONNECTOR.UNAVAILABLE: it is away', hint: 'Start it.' },
    });
    expect(await reader.warning()).toBeNull();
    clock.ms += 1000;
    expect(await reader.warning()).toMatchObject({
      message: expect.stringMatching(/2026-03-08T12:00:00.000Z.*writer/),
    });
    expect(
      await reader.watch(
        async () => 'nothing to do',
        () => false,
      ),
    ).toBe('nothing to do');
    expect(await reader.warning()).not.toBeNull();
    expect(
      await reader.watch(
        async () => 'written',
        () => true,
      ),
    ).toBe('written');
    expect(await reader.warning()).toBeNull();
    clock.ms += 1000;
    expect(await writer.warning()).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not left for an error of the caller, or for an aborted call', async () => {
    const { one } = processes(null);
    const marker = one('writer');
    for (const code of [
      'WRITE.INVALID',
      'PERMISSION.DENIED',
      'PERMISSION.UNAVAILABLE',
      'CONNECTOR.DEADLINE',
      'CONNECTOR.CLOSED',
    ] as const)
      await expect(marker.watch(failing(code), () => true)).rejects.toMatchObject({ code });
    await expect(
      marker.watch(
        () => Promise.reject(new Error('a bug')),
        () => true,
      ),
    ).rejects.toThrow('a bug');
    expect(await marker.reading()).toEqual({ state: 'clear' });
    expect(isOutage(new Error('a bug'))).toBe(false);
  });

  it('is known to its own process where there is no file', async () => {
    const marker = processes(null).one('writer');
    await expect(marker.watch(failing('CONNECTOR.UNAVAILABLE'), () => true)).rejects.toThrow();
    expect((await marker.reading()).state).toBe('outage');
    await marker.watch(
      async () => 1,
      () => true,
    );
    expect((await marker.reading()).state).toBe('clear');
  });

  it('is kept by its process where it cannot be written, and fails no call', async () => {
    await writeFile(join(folder, 'file'), '');
    const { clock, one } = processes(join(folder, 'file', 'outage.json'));
    const marker = one('writer');
    expect((await marker.reading()).state).toBe('unknown');
    expect(await marker.warning()).toBeNull();
    await expect(marker.watch(failing('CONNECTOR.UNAVAILABLE'), () => true)).rejects.toMatchObject({
      code: 'CONNECTOR.UNAVAILABLE',
    });
    clock.ms += 10_000;
    expect((await marker.reading()).state).toBe('outage');
    expect(
      await marker.watch(
        async () => 'written',
        () => true,
      ),
    ).toBe('written');
    expect((await marker.reading()).state).not.toBe('outage');
  });

  it('that another process left a moment ago is cleared by a write as well', async () => {
    const { clock, one } = processes(join(folder, 'outage.json'));
    const [writer, other] = [one('writer'), one('other')];
    expect(await writer.warning()).toBeNull();
    clock.ms += 300;
    await expect(other.watch(failing('CONNECTOR.UNAVAILABLE'), () => true)).rejects.toThrow();
    clock.ms += 200;
    await writer.watch(
      async () => 'written',
      () => true,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
