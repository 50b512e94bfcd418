/** Receipts of captures in hand, by hand and behind appends; and what waits, with why. */
import { beforeAll, expect, it } from 'vitest';
import { captureChecks } from '../../src/cli/health-checks.ts';
import { type ContextEngine, LOCAL_PROFILE, type PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import {
  openEngine,
  refusalOf,
  refusedAs,
  START_MS,
  type TestClock,
  told,
} from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';
import { echo, openModelDouble } from '../support/model-double.ts';

const AUTO = new URL('../support/fixtures/capture/auto.yaml', import.meta.url).pathname;
const BY_HAND = new URL('../support/fixtures/capture/hand.yaml', import.meta.url).pathname;
const say = { role: 'user', author: 'Ada' } as const;

describeOnDatabases('what captures left', (open, flavor) => {
  const time: TestClock = { ms: START_MS };
  let database: { readonly url: string } | { readonly inMemory: true };
  const opened = (more: Partial<Parameters<typeof openEngine>[0]> = {}): Promise<ContextEngine> =>
    openEngine({ database, permission_profile: LOCAL_PROFILE, manifests: AUTO, time, ...more });

  beforeAll(async () => {
    const server = flavor === 'postgres' ? await open() : null;
    if (server) await storeLocalHuman(server.owner);
    database = server?.url ? { url: server.url } : { inMemory: true };
  });

  it('lists the receipts of a scope by page, the latest first, and says that nothing waits', async () => {
    const engine = await opened({ manifests: BY_HAND });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'hand_session' });
    expect(await engine.captures.list({ scope })).toEqual({ captures: [], cursor: null });
    await engine.append(scope, { ...say, content: 'I prefer ferries.' });
    await engine.append(scope, { ...say, content: 'I live in Oslo.' });
    expect(await engine.captures.progress(scope)).toMatchObject({
      scope_block_uuid: scope,
      extractor: expect.stringMatching(/^rules\//),
      is_automatic: false,
      turns: 2,
      is_more: false,
      job: null,
    });
    const [first] = (await engine.capture(scope)).receipts;
    time.ms += 60_000;
    await engine.append(scope, { ...say, content: 'I am allergic to nuts.' });
    const [second] = (await engine.capture(scope)).receipts;
    const page = await engine.captures.list({ scope, limit: 1 });
    expect(page.captures).toEqual([{ ...second, failures: [] }]);
    expect(page.captures[0]?.counts).toMatchObject({ stored: 1, failed: 0 });
    const next = await engine.captures.list({ scope, limit: 1, after: page.cursor ?? '' });
    expect(next.captures).toEqual([{ ...first, failures: [] }]);
    const last = await engine.captures.list({ scope, limit: 1, after: next.cursor ?? '' });
    expect(last).toEqual({ captures: [], cursor: null });
    expect(await engine.captures.progress(scope)).toMatchObject({ turns: 0, job: null });
    await engine.close();
  });

  it('lists what was captured behind appends', async () => {
    const engine = await opened();
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'auto_session' });
    await engine.append(scope, { ...say, content: 'I prefer trains.' });
    await engine.jobs.run();
    await expect
      .poll(async () => (await engine.captures.progress(scope)).turns, { timeout: 30_000 })
      .toBe(0);
    const { captures } = await engine.captures.list({ scope });
    expect(captures.reduce((sum, { turns }) => sum + turns, 0)).toBe(1);
    expect(await engine.captures.progress(scope)).toMatchObject({ is_automatic: true });
    await engine.close();
  });

  it('puts the job off until when a capture by hand says that it waits', async () => {
    await using double = await doubled();
    double.model.reply = () => JSON.stringify({ facts: [], properties: [] });
    const costly = { inputUsdPerMillion: 1e6, outputUsdPerMillion: 1e6 };
    const engine = await opened({ extractor: { ...double.extractor, ...costly } });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'auto_session' });
    await engine.append(scope, { ...say, content: 'I live in Ghent.' });
    await expect
      .poll(async () => (await engine.captures.progress(scope)).job?.failure?.code, {
        timeout: 30_000,
      })
      .toBe('CAPTURE.BUDGET_SPENT');
    const { waits } = await engine.capture(scope);
    const { job } = await engine.captures.progress(scope);
    expect(waits?.code).toBe('CAPTURE.BUDGET_SPENT');
    expect(job).toMatchObject({ state: 'waits', not_before: waits?.until });
    await engine.close();
  });

  it('shows a capture behind an append that failed, with its code and when it is tried again', async () => {
    await using double = await doubled();
    double.model.reply = (_question, response) => {
      response.writeHead(500).end();
      return null;
    };
    const engine = await opened({ extractor: double.extractor });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'auto_session' });
    await engine.append(scope, { ...say, content: 'I live in Ghent.' });
    await expect
      .poll(async () => (await engine.captures.progress(scope)).job?.failure?.code, {
        timeout: 30_000,
      })
      .toBe('INFERENCE.UNAVAILABLE');
    const failed = await engine.captures.progress(scope);
    expect(failed).toMatchObject({
      extractor: expect.stringMatching(/^model\//),
      turns: 1,
      job: { state: 'waits', attempts: 1, failure: { fix: expect.stringContaining('key') } },
    });
    expect(Date.parse(failed.job?.not_before ?? '')).toBeGreaterThan(time.ms);
    const jobs = await engine.jobs.list();
    expect(jobs).toContainEqual(failed.job);
    expect(await engine.jobs.list({ scope })).toEqual([failed.job]);
    // Nobody is told behind an append; `doctor` says it.
    const own = jobs.filter(({ scope_block_uuid: of }) => of === scope);
    expect(captureChecks(own)).toMatchObject([
      {
        state: 'warn',
        message: '1 scope waits for a capture, of 1 the last try failed: INFERENCE.UNAVAILABLE',
        fix: expect.stringContaining('contextengine capture list'),
      },
    ]);
    expect(captureChecks([])).toEqual([]);
    expect((await engine.captures.list({ scope })).captures).toEqual([]);
    // The cause is gone: tried again, it is captured, and nothing of the failure is left.
    double.model.reply = () => '{"facts": [{"segm';
    time.ms += 3_600_000;
    await engine.jobs.run();
    expect(await engine.captures.progress(scope)).toMatchObject({ turns: 0, job: null });
    const [receipt] = (await engine.captures.list({ scope })).captures;
    expect(receipt?.counts.failed).toBe(1);
    expect(receipt?.failures).toMatchObject([
      { code: 'CAPTURE.ANSWER_UNUSABLE', fix: expect.stringContaining('remember'), start: 0 },
    ]);
    await engine.close();
  });

  it.each([
    [401, 'INFERENCE.REFUSED', 0],
    [404, 'INFERENCE.REFUSED', 0],
    [503, 'INFERENCE.UNAVAILABLE', 1],
  ])('of %i no worker asks again before it is due (%s)', async (status, code, attempts) => {
    await using double = await doubled();
    double.model.reply = (_question, response) => {
      response.writeHead(status).end();
      return null;
    };
    const engine = await opened({ extractor: double.extractor });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'auto_session' });
    const content = `I live in Gouda ${status}.`;
    await engine.append(scope, { ...say, content });
    const jobOf = async () => (await engine.captures.progress(scope)).job;
    await expect.poll(async () => (await jobOf())?.failure?.code, { timeout: 30_000 }).toBe(code);
    const waits = await jobOf();
    expect(waits).toMatchObject({ state: 'waits', attempts });
    const questions = () => double.model.asked.filter(({ text }) => text.includes(content));
    expect(questions()).toHaveLength(1);
    await engine.jobs.run();
    expect(await jobOf()).toEqual(waits);
    expect(questions()).toHaveLength(1);
    // By hand the error comes in full, and what waits is captured once the key is right.
    const refused = await refusalOf(engine.capture(scope));
    expect(refused).toMatchObject({ code, retryable: attempts === 1 });
    double.model.reply = echo;
    expect((await engine.capture(scope)).counts).toMatchObject({ quarantined: 1 });
    time.ms += 3_600_000;
    await engine.jobs.run();
    expect(await engine.captures.progress(scope)).toMatchObject({ turns: 0, job: null });
    await engine.close();
  });

  it('tells nothing to another tenant, nor to who does not hold the scope', async () => {
    const engine = await opened({ manifests: BY_HAND });
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const session = { type: 'hand_session', inherits: [user] };
    const { scope_block_uuid: scope } = await engine.scopes.create(session);
    await engine.append(scope, { ...say, content: 'I prefer trams.' });
    await engine.capture(scope);
    const claims: readonly PermissionProfile[] = [
      { ...LOCAL_PROFILE, tenant: 'elsewhere' },
      {
        principal: 'guest',
        tenant: 'local',
        kind: 'human',
        scopes: [user],
        tiers: { reads: 'T1' },
      },
      { ...LOCAL_PROFILE, principal: 'shut', tiers: { reads: 'excluded' } },
    ];
    for (const permission_profile of claims) {
      const options = { permission_profile };
      const facts = await refusalOf(engine.facts.list({ scope }, options));
      const refused = [
        await refusalOf(engine.captures.list({ scope }, options)),
        await refusalOf(engine.captures.progress(scope, options)),
        await refusalOf(engine.jobs.list({ scope }, options)),
      ];
      expect(refused.map(({ code }) => code)).toEqual([facts.code, facts.code, facts.code]);
    }
    const elsewhere = { permission_profile: claims[0] as PermissionProfile };
    expect(await engine.jobs.list({}, elsewhere)).toEqual([]);
    // Who holds the conversation alone learns no id of what stands with the user.
    const holder: PermissionProfile = { ...LOCAL_PROFILE, principal: 'guest', scopes: [scope] };
    const seen = await engine.captures.list({ scope }, { permission_profile: holder });
    const candidates = seen.captures.flatMap((each) => each.candidates);
    expect(candidates).toMatchObject([
      { outcome: 'stored', class: 'preference', scope_uuid: null, root_uuid: null, uuid: null },
    ]);
    const own = (await engine.captures.list({ scope })).captures.flatMap((each) => each.candidates);
    expect(own).toMatchObject([{ scope_uuid: user, root_uuid: expect.any(String) }]);
    await engine.close();
  });

  it('refuses what it cannot mean with a code', async () => {
    const engine = await opened();
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'auto_session' });
    const calls = [
      engine.captures.list({ scope, limit: 0 }),
      engine.captures.list({ scope, limit: 1001 }),
      engine.captures.list({ scope, after: 'nowhere' }),
      engine.captures.list({ scope: 'x' }),
      engine.jobs.list({ limit: 1.5 }),
      engine.jobs.list({ scope: 'x' }),
      engine.captures.progress('x' as never),
    ];
    for (const call of calls)
      expect(told(await refusalOf(call))).toEqual(refusedAs('CONFIG.INVALID_VALUE'));
    await engine.close();
  });
});

/** A model that answers as the test sets it. */
async function doubled() {
  const model = await openModelDouble();
  return {
    model,
    extractor: {
      provider: 'openai',
      model: 'double',
      baseUrl: model.baseUrl,
      apiKey: 'sk-double',
      inputUsdPerMillion: 10,
      outputUsdPerMillion: 20,
    } as const,
    [Symbol.asyncDispose]: () => model.close(),
  };
}
