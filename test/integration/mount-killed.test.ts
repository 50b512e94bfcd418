/**
 * Feeders of a mount of LanceDB, processes of their own from dist/, killed in feed, erasure, index
 * build, optimise, cleaning and rebuild. Every mount opens again, ends in the rows of a rebuild, and
 * has nothing of what was forgotten in any file.
 *
 * CONTEXTENGINE_MOUNT_KILLS=200 kills as many.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const KILLS = Number(process.env['CONTEXTENGINE_MOUNT_KILLS'] ?? 12);
/** Rows from which an index of vectors is built (connectors/lancedb/feed.ts). */
const INDEXED_FROM = 20_000;

describe('a mount whose feeder is killed', () => {
  let runs: typeof import('../support/mount-runs.mjs');
  beforeAll(async () => {
    const built = join(import.meta.dirname, '../../dist/connectors/lancedb/index.js');
    expect(existsSync(built), 'dist/ is not built: run `npm run build`').toBe(true);
    runs = await import('../support/mount-runs.mjs');
  });

  it('opens again, ends in the rows of a rebuild, and nothing erased comes back', async () => {
    const result = await runs.killFeeders({ kills: KILLS });
    expect(result).toMatchObject({ problems: [] });
    expect(result.kills).toBeGreaterThanOrEqual(KILLS / 2);
  }, 3_600_000);

  it('does so while an index of vectors is built and files are cleaned', async () => {
    const kills = Math.ceil(KILLS / 4);
    const result = await runs.killFeeders({ kills, base: INDEXED_FROM, seed: 5 });
    expect(result).toMatchObject({ problems: [] });
    expect(result.kills).toBeGreaterThan(0);
  }, 3_600_000);
});
