/**
 * As many proposals of capture wait for a scope as may: what nobody reviews there holds up nobody
 * else, and what is written of a batch that waits is named.
 */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { MAX_WAITING_PROPOSALS } from '../../src/model/proposal.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const NAMES = 'Bo Al Cy Dee Ed Flo Gus Hal Ida Jo Kit Lou Max Ned Ola Pam Quin Ray Sue Tom'.split(
  ' ',
);
const FOODS = ['nuts', 'milk', 'eggs', 'soy', 'wheat', 'kiwi'];
const OF_FRIENDS = NAMES.flatMap((name) =>
  FOODS.map((food) => `My friend ${name} is allergic to ${food}.`),
);

describeOnDatabases('a scope with many reviews open', (open, flavor) => {
  let engine: ContextEngine;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });

  const sessionOf = async () => {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    return engine.scopes.create({ type: 'chat_session', inherits: [user] });
  };
  const say = (session: string, author: string, contents: readonly string[]) =>
    engine.append(
      session,
      contents.map((content) => {
        time.ms += 1000;
        return { role: 'user', author, content, occurred_at: new Date(time.ms) };
      }),
    );

  it('holds up no other, and names what it has written', { timeout: 120_000 }, async () => {
    const { scope_block_uuid: session } = await sessionOf();
    await say(session, 'Dana', ['I live in Rome.', ...OF_FRIENDS]);
    const { waits, warnings, receipts } = await engine.capture(session);
    expect(waits?.code).toBe('CAPTURE.REVIEWS_WAIT');
    const { facts } = await engine.facts.list({ scope: session });
    expect(facts.map(({ row }) => 'content' in row && row.content)).toContain(
      'Dana lives in Rome.',
    );
    expect(receipts).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^Of the batch that waits `1` is written/)]);
    expect((await engine.approvals.list({ limit: 1000 })).length).toBe(MAX_WAITING_PROPOSALS);

    const { scope_block_uuid: other } = await sessionOf();
    await say(other, 'Eve', ['I prefer jazz at work.', 'My friend Zed is allergic to nuts.']);
    const after = await engine.capture(other);
    expect(after.waits).toBeNull();
    expect(after.counts).toMatchObject({ stored: 1, quarantined: 1 });
  });
});
