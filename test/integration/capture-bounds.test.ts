/** What bounds a capture: a TTL in the words, and the negative space of the manifest. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const MANIFEST = new URL('../support/fixtures/capture/bounds.yaml', import.meta.url).pathname;
const DAY_MS = 86_400_000;

describeOnDatabases('a capture', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { manifests: MANIFEST, time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    ({ scope_block_uuid: session } = await engine.scopes.create({
      type: 'bounded_session',
      inherits: [user],
    }));
    time.ms += DAY_MS;
  });

  const say = (content: string) =>
    engine.append(session, {
      role: 'user',
      author: 'Ada',
      content,
      occurred_at: new Date(time.ms),
    });
  const composed = async (query: string): Promise<string> => {
    const asked = { scope_block_uuid: session, intent: 'fact', query, manifest: 'bounds' };
    const profile = { permission_profile: LOCAL_PROFILE };
    return (await engine.composeBlockContext({ ...asked, ...profile })).text;
  };
  const dayAfter = (days: number): string =>
    new Date(time.ms + days * DAY_MS).toISOString().slice(0, 10);

  it('ends with the TTL what takes a place for a while; what was so before is so again', async () => {
    await say('My desk is 2A.');
    await engine.capture(session);
    time.ms += DAY_MS;
    await say(`My desk is 4B. TTL: ${dayAfter(7)}`);
    expect((await engine.capture(session)).counts).toMatchObject({ superseded: 1, declined: 0 });
    expect(await composed('which desk?')).toContain('desk is 4B');
    expect(await composed('which desk?')).not.toContain('desk is 2A');
    time.ms += 9 * DAY_MS;
    expect(await composed('which desk?')).toContain('desk is 2A');
    expect(await composed('which desk?')).not.toContain('desk is 4B');
  });

  it('keeps a state in its session until its TTL, and what is over not at all', async () => {
    await say(`I am staying at Hotel Astoria.\nTTL: ${dayAfter(3)}`);
    await say(`The staging cluster is frozen. TTL: ${dayAfter(-3)}`);
    const { counts, receipts } = await engine.capture(session);
    expect(counts).toMatchObject({ stored: 1, declined: 1 });
    expect(receipts[0]?.declined).toEqual({ expired: 1 });
    const state = { outcome: 'stored', class: 'state', scope_uuid: session };
    expect(receipts[0]?.candidates).toMatchObject([state]);
    expect(await composed('which hotel?')).toContain('Hotel Astoria');
    time.ms += 5 * DAY_MS;
    expect(await composed('which hotel?')).not.toContain('Hotel Astoria');
  });

  it('keeps nothing of what may never be captured', async () => {
    await say("My salary's 90000. My salaries are paid monthly. I earn 90000 a year.");
    await say('I live in Ghent.');
    const { counts, receipts } = await engine.capture(session);
    expect(receipts[0]?.declined).toEqual({ never: 3 });
    expect(counts).toMatchObject({ stored: 1, declined: 3, quarantined: 0 });
    const { facts } = await engine.facts.list({ scope: session });
    expect(JSON.stringify(facts)).not.toContain('90000');
  });
});
