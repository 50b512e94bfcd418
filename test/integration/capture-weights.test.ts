/**
 * Where the weights of the classifier cannot be read, no turn is used up: the capture fails with
 * what to do, and finds the same turns once the files are back.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it } from 'vitest';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, refusalOf, START_MS } from '../support/engines.ts';

const MANIFESTS = new URL('../../manifests', import.meta.url).pathname;
const read = fs.readFileSync;

/** What a disk does to the files of the weights, for whoever reads them by `node:fs`. */
function disk(answers: (() => Buffer) | null): void {
  const isWeights = (path: unknown): boolean => String(path).endsWith('/weights/table.i8');
  const broken: typeof fs.readFileSync = ((...args: Parameters<typeof read>) =>
    answers && isWeights(args[0]) ? answers() : read(...args)) as typeof read;
  fs.readFileSync = answers ? broken : read;
  syncBuiltinESMExports();
}

const missing = (): Buffer => {
  throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' });
};
const damaged = (): Buffer => Buffer.from('short');

afterEach(() => disk(null));

it('loses no turn to missing or damaged weights', async () => {
  const time = { ms: START_MS };
  const engine = await openEngine({
    permission_profile: LOCAL_PROFILE,
    manifests: MANIFESTS,
    time,
  });
  try {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    // The last one is for the classifier alone.
    const texts = ['I am vegan.', 'A loyalty discount has brought my gym fee down to 41 euros.'];
    const occurred_at = new Date(START_MS);
    for (const content of texts)
      await engine.append(scope, { role: 'user', author: 'Ann', content, occurred_at });
    for (const state of [missing, damaged]) {
      disk(state);
      const refusal = await refusalOf(engine.capture(scope));
      expect(refusal.code).toBe('INFERENCE.UNAVAILABLE');
      expect(refusal.fix).toContain('Install contextengine again');
      expect((await engine.facts.list({ scope, state: 'all' })).total).toBe(0);
    }
    disk(null);
    const { counts, receipts } = await engine.capture(scope);
    expect(counts.stored + counts.superseded + counts.quarantined).toBe(2);
    expect(counts.failed).toBe(0);
    expect(receipts.map(({ turns }) => turns)).toEqual([2]);
    expect((await engine.capture(scope)).receipts).toEqual([]);
  } finally {
    await engine.close();
  }
});
