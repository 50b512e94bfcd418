/**
 * As many proposals of capture wait for a scope as may: what nobody reviews there holds up nobody
 * else, and what is written of a batch that waits is named.
 */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { noCounts } from '../../src/model/capture.ts';
import { MAX_WAITING_PROPOSALS } from '../../src/model/proposal.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { OF_FRIENDS } from '../support/friends.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const sum = (of: readonly number[]): number => of.reduce((before, each) => before + each, 0);

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

  const contentsOf = async (scope: string): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope, limit: 1000 });
    return facts.flatMap(({ row }) => ('content' in row ? [row.content] : []));
  };
  /** Settles so many of what waits for the scope. */
  const reject = async (count: number): Promise<void> => {
    const waiting = await engine.approvals.list({ limit: count });
    for (const { proposal_uuid: proposal } of waiting) await engine.approvals.reject(proposal);
  };

  it('holds up no other, and has a receipt of what is written', { timeout: 120_000 }, async () => {
    const { scope_block_uuid: session } = await sessionOf();
    const said = ['I live in Rome.', 'What is the weather?', ...OF_FRIENDS];
    await say(session, 'Dana', said);
    const { waits, counts, receipts, is_more } = await engine.capture(session);
    expect(waits?.code).toBe('CAPTURE.REVIEWS_WAIT');
    expect(await contentsOf(session)).toContain('Dana lives in Rome.');
    expect(counts).toEqual({
      ...noCounts(),
      ...{ stored: 1, declined: 1, quarantined: MAX_WAITING_PROPOSALS },
    });
    expect(receipts.map(({ turns }) => turns)).toEqual([MAX_WAITING_PROPOSALS + 2]);
    expect(is_more).toBe(true);
    expect((await engine.approvals.list({ limit: 1000 })).length).toBe(MAX_WAITING_PROPOSALS);
    expect((await engine.captures.list({ scope: session })).captures).toMatchObject(receipts);

    const left = said.length - MAX_WAITING_PROPOSALS - 2;
    expect(await engine.captures.progress(session)).toMatchObject({ turns: left });

    const { scope_block_uuid: other } = await sessionOf();
    await say(other, 'Eve', ['I prefer jazz at work.', 'My friend Zed is allergic to nuts.']);
    const after = await engine.capture(other);
    expect(after.waits).toBeNull();
    expect(after.counts).toMatchObject({ stored: 1, quarantined: 1 });

    // Without room nothing is written, and there is nothing to tell.
    expect((await engine.capture(session)).receipts).toEqual([]);
    time.ms += 1000;
    await reject(5);
    const some = await engine.capture(session);
    expect(some.counts).toEqual({ ...noCounts(), quarantined: 4 });
    expect(some.waits?.code).toBe('CAPTURE.REVIEWS_WAIT');
    time.ms += 1000;
    await reject(MAX_WAITING_PROPOSALS);
    const last = await engine.capture(session);
    expect(last).toMatchObject({ waits: null, is_more: false });
    const all = [...receipts, ...some.receipts, ...last.receipts];
    const { captures } = await engine.captures.list({ scope: session });
    expect(captures.toReversed()).toMatchObject(all);
    expect(new Set(all.map(({ capture_uuid: uuid }) => uuid)).size).toBe(3);
    const places = all.flatMap(({ candidates, declined_candidates: declined = [] }) =>
      [...candidates, ...declined].map(({ source_uuid, start }) => `${source_uuid}/${start}`),
    );
    expect(new Set(places).size).toBe(said.length);
    expect(places.length).toBe(said.length);
    expect(sum(all.map(({ counted }) => counted))).toBe(said.length);
    expect(sum(all.map(({ turns }) => turns))).toBe(said.length);
  });

  it('gives back what a turn of it ended, once that is forgotten', {
    timeout: 120_000,
  }, async () => {
    await reject(1000);
    const { scope_block_uuid: session } = await sessionOf();
    await say(session, 'Dana', ['I live in Rome.']);
    await engine.capture(session);
    const said = await say(session, 'Dana', ['I moved to Oslo.', ...OF_FRIENDS]);
    const [moved = '', ...friends] = said.receipts.flatMap(({ uuid }) => uuid ?? []);
    expect((await engine.capture(session)).waits?.code).toBe('CAPTURE.REVIEWS_WAIT');
    expect(await contentsOf(session)).toEqual(['Dana moved to Oslo.']);
    await engine.forget({ block: moved });
    expect(await contentsOf(session)).toEqual(['Dana lives in Rome.']);
    // One of those that no proposal is made of yet.
    const last = friends.at(-1) ?? '';
    await engine.forget({ block: last });
    await reject(1000);
    const { receipts, waits } = await engine.capture(session);
    expect(waits).toBeNull();
    const became = new Map(
      receipts.flatMap(({ candidates }) => candidates.map((of) => [of.source_uuid, of.reason])),
    );
    expect([...became.keys()].sort()).toEqual(friends.slice(MAX_WAITING_PROPOSALS).sort());
    expect(became.get(last as never)).toBe('WRITE.SOURCE_GONE');
  });
});
