/**
 * What a composition held of a scope that its reader does not hold stays out of sight, its short
 * ids too.
 */
import { expect, it } from 'vitest';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, SEED_MANIFEST, START_MS } from '../support/engines.ts';

it('explain and replay show no short id of a row of an unheld scope', async () => {
  await using engine = await openEngine({ time: { ms: START_MS }, manifests: SEED_MANIFEST });
  const outer = (await engine.scopes.create({ type: 'user' })).scope_block_uuid;
  const scope = (await engine.scopes.create({ type: 'chat_session', inherits: [outer] }))
    .scope_block_uuid;
  await engine.remember(outer, { content: 'The user keeps bees in the harbour.' });
  await engine.remember(scope, { content: 'The harbour is closed on Mondays.' });
  const composition = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: 'harbour',
    permission_profile: LOCAL_PROFILE,
  });
  const hidden = composition.items.filter(({ text }) => text.includes('bees'));
  const [id] = hidden.map((item) => item.id);
  expect(hidden).toHaveLength(1);
  expect(id).toMatch(/^[a-z]*\d+$/);

  const permission_profile = { ...LOCAL_PROFILE, principal: 'guest', scopes: [scope] };
  const seen = await engine.explain(composition.composition_id, { permission_profile });
  expect(seen.items.map((item) => item.id)).not.toContain(id);
  const replayed = await engine.replay(composition.composition_id, { permission_profile });
  expect(replayed.text).not.toContain('bees');
  expect(replayed.text).not.toMatch(new RegExp(String.raw`[#[]${String(id)}\b`, 'u'));
  expect(replayed.text).toContain('closed on Mondays');
  // Whoever holds both scopes still sees it.
  expect((await engine.explain(composition.composition_id)).items.map((item) => item.id)).toContain(
    id,
  );
});
