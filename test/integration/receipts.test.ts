/**
 * What a request says is kept as it was served: whatever its bytes are, its receipt is stored and
 * replays.
 */
import { beforeAll, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { at, openEngine, refusalOf, refusedAs, START_MS, told } from '../support/engines.ts';

const MANIFESTS = new URL('../support/fixtures/datamark', import.meta.url).pathname;
const HALF = '\ud800';

describeOnDatabases('a receipt', (open, flavor) => {
  let engine: ContextEngine;
  let scope: string;

  beforeAll(async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    const database = url === null ? ({ inMemory: true } as const) : { url };
    engine = await openEngine({
      database,
      manifests: MANIFESTS,
      permission_profile: LOCAL_PROFILE,
    });
    const outer = await engine.scopes.create({ type: 'user' });
    const inner = await engine.scopes.create({
      type: 'marked_scope',
      inherits: [outer.scope_block_uuid],
    });
    scope = inner.scope_block_uuid;
    await engine.append(scope, {
      content: 'the boiler is in the attic',
      occurred_at: at(START_MS),
    });
    await engine.remember(scope, { content: 'the boiler is red' });
    return () => engine.close();
  }, 300_000);

  const compose = (more: object = {}) =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: 'where is the boiler?',
      permission_profile: LOCAL_PROFILE,
      ...more,
    });

  it('of a datamarked composition replays byte for byte', async () => {
    const composed = await compose();
    expect(composed.text).toMatch(/the[\ue000-\uf8ff]boiler[\ue000-\uf8ff]is/);
    expect(composed.position.length).toBe(2);
    const replay = await engine.replay(composed.composition_id);
    expect(replay.text).toBe(composed.text);
    expect(replay.identical).toBe(true);
  });

  it('is kept whatever the texts of the request hold, and so are those of other callers', async () => {
    const ids: string[] = [];
    const hostile = ['a\0b', `a${HALF}b`, `\0${HALF}`, '\udc00'];
    for (const [index, topic] of hostile.entries()) {
      ids.push((await compose({ query: `other ${index}` })).composition_id);
      const composed = await compose({ inputs: { topic }, query: `${topic} ${index}` });
      expect(composed.text.isWellFormed() && !composed.text.includes('\0')).toBe(true);
      ids.push(composed.composition_id);
    }
    for (const id of ids) expect(await engine.replay(id)).toMatchObject({ identical: true });
    expect((await engine.health()).details).not.toHaveProperty('lost_receipts');
  });

  it('is never asked for by a name that no store can hold', async () => {
    for (const name of ['gpt\0', `gpt${HALF}`]) {
      for (const field of ['model', 'manifest', 'intent'])
        expect(told(await refusalOf(compose({ [field]: name })))).toEqual(
          refusedAs('CONFIG.INVALID_VALUE'),
        );
      const profile = { ...LOCAL_PROFILE, principal: name };
      expect((await refusalOf(compose({ permission_profile: profile }))).code).toBe(
        'PERMISSION.INVALID_PROFILE',
      );
    }
    expect((await engine.health()).details).not.toHaveProperty('lost_receipts');
  });
});
