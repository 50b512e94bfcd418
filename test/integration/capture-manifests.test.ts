/** Several manifests of one type of scope: what one of them keeps out of memory is kept out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uniteSettings } from '../../src/capture/unite-settings.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const manifest = (name: string, writing: string): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: chat_session }
spec:
  layers: { open_set: { top_k: 8 } }
  budget: { total_tokens: 4000 }
${writing}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextengine-manifests-'));
  const files = {
    'a-silent': '',
    'b-pay': '  writing: { never: [salary, divorce], cost_budget_usd_per_day: 0.5 }\n',
    'c-health':
      '  writing: { never: [insulin, salary], min_confidence: 0.1, near_duplicate: 0.8 }\n',
  };
  for (const [name, writing] of Object.entries(files))
    writeFileSync(join(folder, `${name}.yaml`), manifest(name, writing));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnDatabases('capture under several manifests', (open, flavor) => {
  it('keeps out what any of them names, whichever is loaded first', async () => {
    const time = { ms: START_MS };
    const engine = await openLocalEngine(open, flavor, {
      manifests: folder,
      time,
      embedder: 'off',
    });
    expect(uniteSettings(engine.manifests.manifests)).toMatchObject({
      ...{ never: ['salary', 'divorce', 'insulin'], nearDuplicate: null },
      ...{ minConfidence: 0.1, costBudgetUsdPerDay: 0.5 },
    });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    const occurred_at = new Date(START_MS);
    for (const content of ['My salary is 90000.', 'I am on insulin.', 'I am vegan.'])
      await engine.append(scope, { role: 'user', author: 'Ann', content, occurred_at });
    const { receipts } = await engine.capture(scope);
    expect(receipts[0]?.declined).toEqual({ never: 2 });
    const { facts } = await engine.facts.list({ scope });
    expect(facts).toMatchObject([{ row: { content: 'Ann is vegan.' } }]);
    await engine.close();
  });
});
