import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics, OVERFLOW } from '../../src/telemetry/metrics.ts';
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

describe('metrics', () => {
  it('counts and times, by name', () => {
    const metrics = createMetrics();
    metrics.count('outbox.dropped', 3);
    metrics.count('compose');
    metrics.count('compose');
    for (const ms of [1, 2, 3, 100]) metrics.record('compose.ms', ms);
    const { counters, histograms } = metrics.snapshot();
    expect(Object.entries(counters)).toEqual([
      ['compose', 2],
      ['outbox.dropped', 3],
    ]);
    expect(histograms['compose.ms']).toMatchObject({ count: 4, sum: 106, min: 1, max: 100, p95: 100 });
    expect(createMetrics().snapshot()).toEqual({ counters: {}, histograms: {} });
  });

  it('gives quantiles that are at most 19 % too high and never beyond what was seen', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 60 }), (values) => {
        const metrics = createMetrics();
        for (const value of values) metrics.record('ms', value);
        const sorted = [...values].sort((a, b) => a - b);
        const { p50 = 0, p95 = 0, max = 0 } = metrics.snapshot().histograms['ms'] ?? {};
        for (const [share, estimate] of [
          [0.5, p50],
          [0.95, p95],
        ] as const) {
          const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
          expect(estimate).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
          expect(estimate).toBeLessThanOrEqual(Math.min(max, exact * 1.19 * (1 + 1e-9)));
        }
      }),
    );
  });

  it('takes what is no measurement as 0, and very long ones as they are', () => {
    const metrics = createMetrics();
    metrics.record('odd', Number.NaN);
    metrics.record('odd', -4);
    expect(metrics.snapshot().histograms['odd']).toEqual({ count: 2, sum: 0, min: 0, max: 0, p50: 0, p95: 0 });
    metrics.record('long', 5_000_000);
    expect(metrics.snapshot().histograms['long']?.p95).toBe(5_000_000);
  });

  it('keeps a bounded number of names', () => {
    const metrics = createMetrics();
    for (let index = 0; index < 2000; index += 1) metrics.count(`from user ${index}`);
    const { counters } = metrics.snapshot();
    expect(Object.keys(counters).length).toBeLessThanOrEqual(501);
    expect(counters[OVERFLOW]).toBe(1500);
  });
});
