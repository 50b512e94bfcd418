/** Why an item is in is said by the kind of its layer, whatever the manifest calls the layer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';

const MANIFEST = `apiVersion: contextengine/v1
kind: ContextDomain
metadata: { name: named, version: 1, scope_block_type: named_scope }
spec:
  layers: { last_words: { kind: recent, limit: 3 }, profile: { kind: schema_typed } }
  intents: { all: { layers: [last_words, profile] } }
`;

it('explains layers that are named otherwise than their kind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'explain-'));
  writeFileSync(join(folder, 'named.yaml'), MANIFEST);
  const call = { permission_profile: LOCAL_PROFILE };
  const engine = await openEngine({ manifests: folder });
  try {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'named_scope' }, call);
    await engine.append(scope, { role: 'user', content: 'good morning' }, call);
    await engine.setTyped(scope, 'Ada', 'profile', 'city', 'Oslo', call);
    const { composition_id: id } = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'all',
      query: 'where does Ada live',
      ...call,
    });
    const { items } = await engine.explain(id, call);
    const why = Object.fromEntries(items.map((item) => [item.layer, item.why]));
    expect(why['last_words']).toBe('one of the last turns of the scope');
    expect(why['profile']).toBe('the current value in the nearest scope');
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
