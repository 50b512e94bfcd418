/** An intent that reads none of the memory of its manifest says so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';

const manifestOf = (name: string, layers: string): string => `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name} }
spec: { layers: { system: { text: Be brief. }, ${layers} } }
`;

it('warns where an intent fires fixed text alone, and of no manifest that has no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixed-text-'));
  writeFileSync(join(folder, 'talk.yaml'), manifestOf('talk', 'recent: {}, open_set: {}'));
  writeFileSync(join(folder, 'rules.yaml'), manifestOf('rules', 'index: {}, open_set: {}'));
  writeFileSync(join(folder, 'fixed.yaml'), manifestOf('fixed', 'task: { text: Greet. }'));
  await using engine = await createContextEngine({
    database: { inMemory: true },
    manifests: folder,
  });
  rmSync(folder, { recursive: true });
  const said = async (type: string, intent: string): Promise<readonly string[]> => {
    const { scope_block_uuid } = await engine.scopes.create({ type });
    const { warnings } = await engine.composeBlockContext({
      ...{ scope_block_uuid, intent, query: 'What did we decide?' },
      permission_profile: LOCAL_PROFILE,
    });
    return warnings.flatMap(({ code, message }) => (code === 'LAYER.NONE_FIRES' ? [message] : []));
  };
  expect(await said('talk', 'recall_decision')).toEqual([
    'The intent `recall_decision` fires no layer of `talk` but fixed text and pins: recent, ' +
      'open_set stay silent.',
  ]);
  expect(await said('talk', 'fact')).toEqual([]);
  expect(await said('rules', 'recall_decision')).toEqual([]);
  expect(await said('fixed', 'recall_decision')).toEqual([]);
});
