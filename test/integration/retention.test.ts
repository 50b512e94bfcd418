/** How long what was forgotten waits for its erasure: the fewest days that a manifest says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { at, openEngine, START_MS, type TestClock } from '../support/engines.ts';

const DAY_MS = 24 * 3600 * 1000;
const manifest = (name: string, retention: string): string => `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name} }
spec:
  layers: { recent: { limit: 12 } }
${retention}`;

it('is what the strictest manifest of the scopes says, and erased after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-retention-'));
  writeFileSync(join(folder, 'a.yaml'), manifest('week', '  retention: { grace_days: 7 }\n'));
  writeFileSync(join(folder, 'b.yaml'), manifest('days', '  retention: { grace_days: 3 }\n'));
  writeFileSync(join(folder, 'c.yaml'), manifest('plain', ''));
  const time: TestClock = { ms: START_MS };
  const engine = await openEngine({ time, manifests: folder });
  const after = (days: number): string => at(time.ms + days * DAY_MS);
  for (const [type, days] of [
    ['week', 7],
    ['days', 3],
    ['plain', 30],
  ] as const) {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type });
    await engine.append(scope, { content: 'what is said here', author: `Zoe of ${type}` });
    await engine.append(scope, { content: 'what else is said', author: `Max of ${type}` });
    // Wherever the person said something: the fewest days of all manifests.
    expect((await engine.forget({ author: `Zoe of ${type}` })).erase_after).toBe(after(3));
    expect((await engine.forget({ scope })).erase_after).toBe(after(days));
  }
  time.ms += 3 * DAY_MS;
  expect(await engine.erasure.erase(null)).toHaveLength(4);
  time.ms += 27 * DAY_MS;
  expect(await engine.erasure.erase(null)).toHaveLength(2);
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
