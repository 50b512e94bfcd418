/**
 * A past that was imported since: `as_of` alone asks what was known then, and a warning says that
 * it was nothing.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ComposeRequest, ContextEngine } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, SEED_MANIFEST, START_MS } from '../support/engines.ts';

const DAY_MS = 86_400_000;
const day = (n: number): string => new Date(START_MS + n * DAY_MS).toISOString();

let engine: ContextEngine;
let scope: string;
beforeAll(async () => {
  const time = { ms: START_MS };
  engine = await openEngine({ time, manifests: SEED_MANIFEST });
  ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }));
  time.ms += DAY_MS;
  const turn = { role: 'user' as const, content: 'The key is under the mat.' };
  await engine.append(scope, [{ ...turn, occurred_at: day(-30) }]);
});
afterAll(() => engine.close());

const composed = async (asked: Pick<ComposeRequest, 'as_of' | 'recorded_as_of'>) => {
  const { text, warnings } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: 'Where is the key?',
    permission_profile: LOCAL_PROFILE,
    ...asked,
  });
  return {
    isServed: text.includes('under the mat'),
    isWarned: warnings.some(({ code }) => code === 'PAST.NOTHING_RECORDED'),
  };
};

it('warns where nothing that was recorded by then is served', async () => {
  expect(await composed({ as_of: day(-29) })).toEqual({ isServed: false, isWarned: true });
  expect(await composed({ as_of: day(0.5) })).toEqual({ isServed: false, isWarned: true });
});

it('is silent where both clocks are given, or the time is later', async () => {
  for (const asked of [{ as_of: day(-29), recorded_as_of: day(2) }, { as_of: day(1.5) }, {}])
    expect(await composed(asked)).toEqual({ isServed: true, isWarned: false });
});
