/**
 * Half a minute of what `scripts/storm-test.mjs` does for ten: processes of their own, from dist/,
 * while sessions are killed.
 */
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { storm } from '../support/storm-runs.mjs';

const postgres = inject('postgres');
describe.runIf(postgres !== null)('writers and readers whose sessions are killed', () => {
  it('lose and double nothing that was acknowledged, every composition replays, every export comes back', async () => {
    const server = postgres ?? { url: '', template: '' };
    const result = await storm({
      url: server.url,
      template: server.template,
      manifests: join(import.meta.dirname, '../../manifests'),
      writers: 4,
      readers: 1,
      ms: 20_000,
      kills: 12,
      // The server of a test run is not ours to restart: all sessions at once is what its clients
      // see of one.
      restart: null,
      restarts: 2,
      isLineage: true,
    });
    expect(result.problems).toEqual([]);
    expect(result.restarts).toBe(2);
    expect(result.acked).toBeGreaterThan(0);
    expect(result.composed).toBeGreaterThan(0);
    expect(Math.min(...result.exported)).toBeGreaterThan(10);
  }, 600_000);
});
