/** What failed of a capture is tried again in its place, and takes nothing good along. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';
import { echo, factsOf, type ModelDouble, openModelDouble } from '../support/model-double.ts';

const NUTS = 'I am allergic to peanuts.';
const GRAZ = 'I live in Graz.';
const SECRET = 'My password is hunter2-Zebra!';
const fact = (segment: number, content: string, more: object = {}) => ({
  ...{ segment, content, class: 'fact', subject: 'Ada', confidence: 0.9 },
  ...more,
});

describeOnDatabases('a capture of which something failed', (open, flavor) => {
  let engine: ContextEngine;
  let double: ModelDouble;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    double = await openModelDouble();
    engine = await openLocalEngine(open, flavor, {
      extractor: {
        ...{ provider: 'openai', model: 'double', baseUrl: double.baseUrl, apiKey: 'sk-key' },
        ...{ inputUsdPerMillion: 1, outputUsdPerMillion: 1 },
      },
      time,
    });
  });
  afterAll(async () => {
    await engine.close();
    await double.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' }));
    time.ms += 86_400_000;
    double.asked.length = 0;
    for (const { proposal_uuid: id } of await engine.approvals.list({ limit: 1000 }))
      await engine.approvals.reject(id);
  });
  const say = async (content: string): Promise<void> => {
    const occurred_at = new Date(time.ms);
    await engine.append(session, { role: 'user', author: 'Ada', content, occurred_at });
  };
  const kept = async () => {
    const { captures } = await engine.captures.list({ scope: session });
    for (const { counts, counted, candidates, declined, declined_candidates } of captures) {
      const sum = (of: object): number => Object.values(of).reduce((all, each) => all + each, 0);
      expect(sum(counts)).toBe(counted);
      expect(sum(declined)).toBe(counts.declined);
      expect(candidates.length + (declined_candidates ?? []).length).toBe(counted);
    }
    return captures;
  };

  it('is tried again, and what is good then is in the receipt of then', async () => {
    await say(NUTS);
    await say(GRAZ);
    double.reply = () => '{"facts": "none"}';
    const first = await engine.capture(session);
    expect(first.counts).toMatchObject({ failed: 2, quarantined: 0 });
    expect((await kept())[0]?.failures[0]?.fix).toContain('--retry');
    // A capture reads no turn twice; a retry that fails again loses nothing.
    expect((await engine.capture(session)).receipts).toEqual([]);
    expect((await engine.capture(session, { retry: true })).counts).toMatchObject({ failed: 2 });
    double.reply = () => factsOf([fact(0, 'Ada is allergic to peanuts.')]);
    const again = await engine.capture(session, { retry: true });
    expect(again.counts).toMatchObject({ failed: 0, quarantined: 1, declined: 1 });
    expect(again.receipts.map((each) => each.capture_uuid)).toEqual(
      first.receipts.map((each) => each.capture_uuid),
    );
    expect(await kept()).toHaveLength(1);
    expect(await engine.approvals.list()).toHaveLength(1);
    expect((await engine.capture(session, { retry: true })).receipts).toEqual([]);
  });

  it('asks about what failed alone, and stores nothing twice', async () => {
    await say(NUTS);
    await say(GRAZ);
    double.reply = () =>
      factsOf([
        fact(0, 'Ada is allergic to peanuts.'),
        fact(1, 'Ada lives in Graz.', { class: 4 }),
      ]);
    const first = await engine.capture(session);
    // The good is used, and the bad one is there with its code and its place.
    expect(first.counts).toMatchObject({ quarantined: 1, failed: 1 });
    expect(double.asked).toHaveLength(1);
    const failed = (await kept())[0]?.failures ?? [];
    expect(failed).toMatchObject([{ code: 'CAPTURE.ANSWER_UNUSABLE', start: 0, end: GRAZ.length }]);
    double.reply = () => factsOf([fact(0, 'Ada lives in Graz.')]);
    const again = await engine.capture(session, { retry: true });
    expect(again.counts).toMatchObject({ quarantined: 2, failed: 0 });
    expect(JSON.stringify(double.asked.at(-1)?.body)).not.toContain('peanuts');
    expect(await engine.approvals.list()).toHaveLength(2);
    await kept();
  });

  it('has an entry that names no piece', async () => {
    await say(NUTS);
    double.reply = () =>
      factsOf([fact(0, 'Ada is allergic to peanuts.'), fact(99, 'Ada is a pilot.')]);
    const { counts } = await engine.capture(session);
    expect(counts).toMatchObject({ quarantined: 1, failed: 1 });
    expect((await engine.capture(session, { retry: true })).receipts).toEqual([]);
    await kept();
  });

  it('lists what was declined by its place, and no word of a secret', async () => {
    await say(`${NUTS} ${SECRET} How are you?`);
    double.reply = echo;
    const { receipts } = await engine.capture(session);
    const declined = receipts[0]?.declined_candidates ?? [];
    expect(declined).toContainEqual(
      expect.objectContaining({ reason: 'secret', source_uuid: expect.any(String) }),
    );
    const { start = 0, end = 0 } = declined.find(({ reason }) => reason === 'secret') ?? {};
    expect(`${NUTS} ${SECRET} How are you?`.slice(start, end)).toContain('hunter2');
    expect(JSON.stringify(receipts)).not.toContain('hunter2');
    await kept();
  });
});
