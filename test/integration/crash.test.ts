/**
 * Short runs of what `scripts/crash-test.mjs` does a hundred times: processes of their own, from
 * dist/, killed while they write.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

describe('an embedded folder whose process is killed', () => {
  let runs: typeof import('../support/crash-runs.mjs');
  beforeAll(async () => {
    const driver = join(
      import.meta.dirname,
      '../../dist/connectors/pgvector/driver/pglite/pglite.js',
    );
    expect(existsSync(driver), 'dist/ is not built: run `npm run build`').toBe(true);
    runs = await import('../support/crash-runs.mjs');
  });

  it('keeps every acknowledged row once, no half transaction, and sound indexes', async () => {
    const result = await runs.crashRuns({ runs: 5, seed: 7 });
    expect(result).toMatchObject({ problems: [] });
    expect(result.rows).toBeGreaterThan(0);
    expect(result.killedAfterAck).toBeGreaterThanOrEqual(4);
  }, 600_000);

  it('is refused to others while it is held, and goes to exactly one of two that want it after', async () => {
    expect(await runs.takeoverRuns({ tries: 3 })).toMatchObject({
      takenOver: 3,
      refused: 3,
      problems: [],
    });
  }, 600_000);

  it('is never held twice, also when eight processes take the lock and die with it', async () => {
    expect(await runs.contendRuns({ rounds: 2, processes: 8 })).toEqual({
      deaths: 16,
      violations: [],
    });
  }, 600_000);
});
