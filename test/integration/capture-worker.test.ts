/**
 * Capture after each append where the manifest says so, and a worker for what a process that died
 * left behind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type CallOptions, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases, describeOnServer } from '../support/databases.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';

const MANIFEST = new URL('../support/fixtures/capture/auto.yaml', import.meta.url).pathname;

describeOnServer('an engine without rights of its own', (open) => {
  const holder = { principal: 'ada', kind: 'human', scopes: '*' } as const;
  const by = { permission_profile: { ...holder, tenant: 'local' } } as const;
  const say = { role: 'user', author: 'Ada' } as const;

  /** It embeds when it is let. */
  const gated = () => {
    let letGo = (): void => undefined;
    const isLet = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const embed = async (texts: readonly string[]) => {
      // What a capture makes of the turn.
      if (texts.some((text) => text.includes('Ada is allergic'))) {
        begun();
        await isLet;
      }
      return texts.map(() => [1, 0, 0, 0]);
    };
    const embedder = { space: { provider: 'test', model: 'm', dimensions: 4 }, embed };
    return { embedder: { ...embedder, close: async () => undefined }, isBegun, letGo };
  };

  it('captures by the rights of who appended, also what comes while it captures', async () => {
    const { url } = await open();
    const { embedder, isBegun, letGo } = gated();
    const engine = await openEngine({ database: { url }, manifests: MANIFEST, embedder });
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }, by);
    const session = { type: 'auto_session', inherits: [user] };
    const { scope_block_uuid: scope } = await engine.scopes.create(session, by);
    await engine.append(scope, { ...say, content: 'I am allergic to nuts.' }, by);
    await isBegun;
    await engine.append(scope, { ...say, content: 'I live in Oslo.' }, by);
    letGo();
    await expect
      .poll(async () => (await engine.facts.list({ scope: user }, by)).total, { timeout: 60_000 })
      .toBe(2);
    await engine.close();
  });
});

describeOnDatabases('automatic capture', (open, flavor) => {
  const folder = mkdtempSync(join(tmpdir(), 'capture-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const time: TestClock = { ms: START_MS };
  let url: string | undefined;

  const opened = async (manifests: string = MANIFEST) => {
    if (flavor === 'postgres') url ??= (await open()).url ?? undefined;
    return openEngine({
      database: url ? { url } : { dataDir: folder },
      permission_profile: LOCAL_PROFILE,
      manifests,
      time,
    });
  };
  const say = { role: 'user', author: 'Ada' } as const;

  it('captures what is appended; what it did not get to before the close waits for the next', async () => {
    const first = await opened();
    const { scope_block_uuid: user } = await first.scopes.create({ type: 'user' });
    const { scope_block_uuid: scope } = await first.scopes.create({
      type: 'auto_session',
      inherits: [user],
    });
    await first.append(scope, { ...say, content: 'I am allergic to nuts.' });
    await first.append(scope, { ...say, content: 'I live in Oslo.' });
    await first.close();
    const second = await opened();
    expect((await second.jobs.run()).postponed).toEqual([]);
    expect((await second.capture(scope)).receipts).toEqual([]);
    const { scope_block_uuid: next } = await second.scopes.create({
      type: 'auto_session',
      inherits: [user],
    });
    const { text } = await second.composeBlockContext({
      scope_block_uuid: next,
      intent: 'fact',
      query: 'where does Ada live, and what is she allergic to?',
      manifest: 'auto',
      permission_profile: LOCAL_PROFILE,
    });
    expect(text).toContain('Ada is allergic to nuts.');
    expect(text).toContain('Ada lives in Oslo.');
    await second.close();
  });

  it('tells who holds nothing of no job, and leaves it to those who do', async () => {
    const silent = await opened(new URL('../support/fixtures/oracle', import.meta.url).pathname);
    const { scope_block_uuid: user } = await silent.scopes.create({ type: 'user' });
    const session = { type: 'auto_session', inherits: [user] };
    const { scope_block_uuid: scope } = await silent.scopes.create(session);
    await silent.append(scope, { ...say, content: 'I prefer ferries.' });
    await silent.close();
    const worker = await opened();
    const agent = { principal: 'nobody', tenant: 'local', kind: 'agent', scopes: [] } as const;
    const asked: CallOptions = { permission_profile: agent };
    // Leaves a job behind that has failed, and is due again an hour later.
    const reader = { ...LOCAL_PROFILE, tiers: { writes: 'excluded' } } as const;
    const failed = await worker.jobs.run({ permission_profile: reader });
    expect(failed.postponed.length).toBeGreaterThan(0);
    time.ms += 3_600_000;
    expect(await worker.jobs.run(asked)).toEqual({ done: 0, postponed: [] });
    expect((await worker.jobs.run()).postponed).toEqual([]);
    expect(
      (await worker.facts.list({ scope: user }, { permission_profile: LOCAL_PROFILE })).total,
    ).toBe(1);
    await worker.close();
  });

  it('finds what was appended by a process that asked for nothing', async () => {
    const silent = await opened(new URL('../support/fixtures/oracle', import.meta.url).pathname);
    const { scope_block_uuid: scope } = await silent.scopes.create({ type: 'auto_session' });
    await silent.append(scope, { ...say, content: 'I prefer trains.' });
    await silent.close();
    const worker = await opened();
    expect(await worker.jobs.run()).toMatchObject({ postponed: [] });
    // Its own facts moved the head of the scope: one look more, and nothing is left.
    expect((await worker.jobs.run()).postponed).toEqual([]);
    expect(await worker.jobs.run()).toEqual({ done: 0, postponed: [] });
    expect((await worker.capture(scope)).receipts).toEqual([]);
    await worker.close();
  });
});
