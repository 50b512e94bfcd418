/** What the manifests of `init` and of the package keep for the next session of the same person. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { manifestTemplate } from '../../src/cli/manifest-template.ts';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

const PACKAGE = new URL('../../manifests', import.meta.url).pathname;
const SAID = [
  'To deploy the shop, first run the tests, then push the tag and watch the dashboard.',
  'Lesson learned: the nightly cron runs in UTC.',
  'The staging server is at staging.example.com.',
  'Always run the linter before you commit.',
  'I am on vacation until 2026-03-20.',
] as const;

describeOnDatabases('what the next session knows', (open, flavor) => {
  const folder = mkdtempSync(join(tmpdir(), 'init-memory-'));
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  beforeAll(async () => {
    const file = join(folder, 'desk.yaml');
    writeFileSync(file, manifestTemplate('desk', 'desk_thread'));
    const server = flavor === 'postgres' ? await open() : null;
    if (server) await storeLocalHuman(server.owner);
    engine = await openEngine({
      database: server?.url ? { url: server.url } : { inMemory: true },
      permission_profile: LOCAL_PROFILE,
      manifests: [file, PACKAGE],
      time,
    });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  const CASES = [
    ['desk_thread', 'user'],
    ['chat_session', 'user'],
    ['agent_run', 'project'],
  ] as const;
  it.each(CASES)('of %s, what is of its %s', async (type, outer) => {
    const { scope_block_uuid: shared } = await engine.scopes.create({ type: outer });
    const session = { type, inherits: [shared] };
    const { scope_block_uuid: first } = await engine.scopes.create(session);
    for (const content of SAID)
      await engine.append(first, { role: 'user', author: 'Ada', content });
    const { receipts, warnings } = await engine.capture(first);
    expect(warnings).toEqual([]);
    const placed = receipts.flatMap(({ candidates }) => candidates);
    expect(
      placed.map(({ class: memory, scope_uuid: scope }) => [memory, scope === shared]),
    ).toEqual([
      ['procedure', true],
      ['lesson', true],
      ['lookup', true],
      ['rule', true],
      ['state', false],
    ]);
    for (const { proposal_uuid: id } of placed) if (id !== null) await engine.approvals.approve(id);
    const { scope_block_uuid: next } = await engine.scopes.create(session);
    const { text } = await engine.composeBlockContext({
      scope_block_uuid: next,
      intent: 'fact',
      query: 'How is the shop deployed, and where is the staging server?',
      permission_profile: LOCAL_PROFILE,
    });
    for (const known of ['first run the tests', 'runs in UTC', 'staging.example.com', 'linter'])
      expect(text).toContain(known);
    expect(text).not.toContain('vacation');
  });
});
