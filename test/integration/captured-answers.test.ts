/**
 * A captured fact is found by what its slot is asked by: `I moved to Lyon` answers `Where do I
 * live?`, and shares no word with it.
 */
import { beforeAll, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

const SAID = [
  'I moved to Lyon last month.',
  'I work at Voltaic as an engineer.',
  'I prefer email.',
  'I have a dog called Sable.',
  'I play tennis on Tuesdays.',
  'I drive a Skoda.',
  'I have a sister called Ines.',
  'I was born in 1988.',
  'I use Firefox at work.',
];

describeOnDatabases('what a captured fact answers', (open) => {
  let engine: ContextEngine;
  let asking: Uuid;

  beforeAll(async () => {
    const { url, owner } = await open();
    if (url !== null) await storeLocalHuman(owner);
    engine = await openEngine({
      database: url === null ? { inMemory: true } : { url },
      manifests: 'manifests',
      permission_profile: LOCAL_PROFILE,
    });
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const session = async () =>
      (await engine.scopes.create({ type: 'chat_session', inherits: [user] })).scope_block_uuid;
    const told = await session();
    for (const content of SAID)
      await engine.append(told, { role: 'user', author: 'Alex', content });
    await engine.capture(told);
    asking = await session();
    return () => engine.close();
  }, 600_000);

  it.each([
    ['where do I live', 'Lyon'],
    ['Where does Alex live?', 'Lyon'],
    ['what is my job?', 'Voltaic'],
    ['Do I have a pet?', 'Sable'],
    ['what car do I drive', 'Skoda'],
  ])('comes first: %s', async (query, expected) => {
    const { items } = await engine.composeBlockContext({
      scope_block_uuid: asking,
      intent: 'fact',
      query,
      permission_profile: LOCAL_PROFILE,
    });
    const facts = items.filter(({ layer }) => layer === 'open_set');
    const [first] = facts.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
    expect(first?.text).toContain(expected);
  });
});
