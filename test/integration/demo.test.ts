/** What the demo tells its reader to look for is in what it shows. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { excerpt } from '../../src/cli/demo/excerpt.ts';
import { DEMO_FEATURES } from '../../src/cli/demo/features.ts';
import { type DemoScopes, ingestDemo } from '../../src/cli/demo/ingest-demo.ts';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';

const ROOT = join(import.meta.dirname, '../..');

let engine: ContextEngine;
let scopes: DemoScopes;
beforeAll(async () => {
  engine = await openEngine({ manifests: join(ROOT, 'manifests') });
  const data = join(ROOT, 'examples/demo');
  ({ scopes } = await ingestDemo(engine, { data, nowMs: Date.now() }));
});
afterAll(() => engine.close());

it.each(DEMO_FEATURES)('of $name: each of its telling words', async (feature) => {
  const { text } = await engine.composeBlockContext({
    scope_block_uuid: scopes[feature.name],
    intent: feature.intent,
    query: feature.query,
    inputs: feature.inputs,
    permission_profile: LOCAL_PROFILE,
  });
  const shown = excerpt(text, feature.telling);
  expect(feature.telling.filter((words) => !shown.includes(words))).toEqual([]);
  expect(shown.length).toBeLessThan(text.length);
});
