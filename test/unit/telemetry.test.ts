import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearOutage, PROBE_EXIT_CODES, readOutage, writeOutage } from '../../src/telemetry/outage.ts';

const NOW = new Date('2026-03-08T12:00:00.000Z');
const outage = { reason: 'disk full', hint: 'Free some space.', owner: 'ingest', time: '2026-03-08T11:00:00.000Z' };

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
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'contextengine-outage/1' });
    expect(await clearOutage(path)).toBe(true);
    expect(await clearOutage(path)).toBe(true);
    expect(await readOutage(path, NOW)).toEqual({ state: 'clear' });
  });

  it('is valid for seven days', async () => {
    await writeOutage(path, outage);
    expect((await readOutage(path, new Date('2026-03-15T11:00:00.000Z'))).state).toBe('outage');
    expect((await readOutage(path, new Date('2026-03-15T11:00:00.001Z'))).state).toBe('clear');
  });

  it.each(['', '{"reason": "cut o', '[]', 'null', '{"reason": 3}', JSON.stringify({ ...outage, time: 'soon' })])(
    'still stands where it is damaged: %s',
    async (text) => {
      await mkdir(join(folder, 'state'));
      await writeFile(path, text);
      await utimes(path, NOW, NOW);
      expect(await readOutage(path, NOW)).toMatchObject({
        state: 'outage',
        outage: { reason: expect.stringContaining('damaged'), time: NOW.toISOString() },
      });
      expect((await readOutage(path, new Date(NOW.getTime() + 8 * 86_400_000))).state).toBe('clear');
    },
  );

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
