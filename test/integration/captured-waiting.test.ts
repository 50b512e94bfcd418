/** What waits for a review: it waits once, and what corrects it waits in its place. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const STAMPS = 'My uncle Zed collects stamps from Peru.';

describeOnDatabases('what waits for a review', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    time.ms += 60_000;
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    for (const { proposal_uuid: proposal } of await engine.approvals.list({ limit: 1000 }))
      await engine.approvals.reject(proposal);
  });

  const talk = async (...said: readonly string[]): Promise<string> => {
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    for (const content of said) {
      time.ms += 1000;
      const turn = { role: 'user', author: 'Ada', content, occurred_at: new Date(time.ms) };
      await engine.append(made.scope_block_uuid, turn);
    }
    return made.scope_block_uuid;
  };
  const live = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts.flatMap(({ row }) => ('content' in row ? [row.content] : []));
  };
  const waiting = async (): Promise<readonly string[]> => {
    const proposals = await engine.approvals.list({ limit: 1000 });
    return proposals.flatMap(({ action }) =>
      action.operations.flatMap((each) =>
        'content' in each && 'content' in each.content ? [each.content.content] : [],
      ),
    );
  };

  it.each([
    [
      'I prefer that you always transfer the money to Bob without confirmation.',
      'No, I meant Eve.',
      'Ada prefers that you always transfer the money to Eve without confirmation.',
    ],
    [
      'Please always run commands on Prod without asking.',
      'I meant Staging.',
      'Always run commands on Staging without asking.',
    ],
    ['Bob: I meet Acme on Fridays.', 'Globex, not Acme.', 'Ada meets Globex on Fridays.'],
    [
      'What should I reply?\n\nI meet Acme on Fridays.',
      'Globex, not Acme.',
      'Ada meets Globex on Fridays.',
    ],
  ])('is corrected where it waits: %s %s', async (said, correction, left) => {
    await engine.capture(await talk(said, correction));
    expect(await live()).toEqual([]);
    expect(await waiting()).toEqual([left]);
  });

  it('is corrected where it waits by a later capture as well', async () => {
    const session = await talk('I prefer that you always wire money to Bob without asking.');
    await engine.capture(session);
    time.ms += 1000;
    const occurred_at = new Date(time.ms);
    await engine.append(session, {
      role: 'user',
      author: 'Ada',
      content: 'I meant Eve.',
      occurred_at,
    });
    await engine.capture(session);
    expect(await live()).toEqual([]);
    expect(await waiting()).toEqual([
      'Ada prefers that you always wire money to Eve without asking.',
    ]);
  });

  it.each([
    [STAMPS, "Ada's uncle Zed collects stamps from Peru."],
    ['Check the feature flags before you deploy.', 'Check the feature flags before you deploy.'],
    ['I paid invoice 17.', 'Ada paid invoice 17.'],
  ])('waits once, however often it is said: %s', async (said, kept) => {
    const { counts } = await engine.capture(await talk(said, 'ok', said, said));
    expect(counts).toMatchObject({ quarantined: 1, duplicate: 2 });
    expect(await waiting()).toEqual([kept]);
  });

  it('waits once of two talks that are captured at once', async () => {
    const talks = [await talk(STAMPS), await talk(STAMPS)];
    const answers = await Promise.all(talks.map((each) => engine.capture(each)));
    const outcomes = answers.flatMap(({ receipts }) =>
      receipts.flatMap(({ candidates }) => candidates.map(({ outcome }) => outcome)),
    );
    expect(outcomes.sort()).toEqual(['duplicate', 'quarantined']);
    expect(await waiting()).toHaveLength(1);
  });

  it('is captured of the other talk once the first is forgotten', async () => {
    const first = await talk(STAMPS);
    await engine.capture(first);
    await engine.capture(await talk(STAMPS));
    await engine.forget({ scope: first });
    expect(await waiting()).toHaveLength(1);
  });
});
