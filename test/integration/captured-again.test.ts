/**
 * What a person says again tells when it still held: another value that is captured late, of a time
 * before that, ends there. Nothing is stored for it, and no reviewer is asked.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('a captured fact that is said again', (open, flavor) => {
  let engine: ContextEngine;
  let session: string;
  const time: TestClock = { ms: START_MS + 100 * DAY_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' }));
  });

  const on = (day: number): Date => new Date(START_MS + day * DAY_MS);
  const say = async (day: number, content: string, by?: PermissionProfile) => {
    const said = { role: 'user', author: 'Ann', content, occurred_at: on(day) } as const;
    const { receipts } = await engine.append(session, said);
    const captured = await engine.capture(session, {}, by && { permission_profile: by });
    const candidates = captured.receipts.flatMap((receipt) => receipt.candidates);
    return { turn: receipts[0]?.uuid ?? '', candidates };
  };
  /** What holds on a day; without one, now. */
  const facts = async (day?: number) => {
    const at = day === undefined ? undefined : on(day).toISOString();
    const listed = await engine.facts.list({ scope: session, state: 'all' });
    return listed.facts.flatMap((fact) => {
      if (fact.table !== 'memory_open_set' || fact.row.retired_seq !== null) return [];
      const { content, valid_from, valid_until } = fact.row;
      const holds =
        at === undefined
          ? valid_until === null
          : valid_from <= at && (valid_until === null || at < valid_until);
      return holds ? [content] : [];
    });
  };

  it('holds where another value comes late, of a time before', async () => {
    const first = await say(1, 'I live in Graz.');
    const again = await say(5, 'I live in Graz.');
    expect(again.candidates).toMatchObject([
      {
        outcome: 'duplicate',
        reason: 'said_already',
        uuid: first.candidates[0]?.uuid,
        operation_id: null,
      },
    ]);
    await say(3, 'I live in Lyon.');
    expect(await facts(2)).toEqual(['Ann lives in Graz.']);
    expect(await facts(4)).toEqual(['Ann lives in Lyon.']);
    expect(await facts()).toEqual(['Ann lives in Graz.']);
  });

  it('stores nothing, however often it is said', async () => {
    for (const day of [1, 2, 3, 4]) await say(day, 'I live in Graz.');
    const { facts: all } = await engine.facts.list({ scope: session, state: 'all' });
    expect(all).toHaveLength(1);
    expect(await engine.approvals.list({ state: 'pending' })).toEqual([]);
  });

  it('is not told by a turn that was forgotten', async () => {
    await say(1, 'I live in Graz.');
    const again = await say(5, 'I live in Graz.');
    await engine.forget({ block: again.turn });
    await say(3, 'I live in Lyon.');
    expect(await facts()).toEqual(['Ann lives in Lyon.']);
  });

  it('holds from then on where the first turn is forgotten', async () => {
    const first = await say(1, 'I live in Graz.');
    await say(5, 'I live in Graz.');
    await say(3, 'I live in Lyon.');
    await engine.forget({ block: first.turn });
    expect(await facts(4)).toEqual(['Ann lives in Lyon.']);
    expect(await facts()).toEqual(['Ann lives in Graz.']);
  });

  it('holds all of the time again once the late value is forgotten', async () => {
    await say(1, 'I live in Graz.');
    await say(5, 'I live in Graz.');
    const late = await say(3, 'I live in Lyon.');
    await engine.forget({ block: late.turn });
    for (const day of [2, 4, 6]) expect(await facts(day)).toEqual(['Ann lives in Graz.']);
    expect(await facts()).toEqual(['Ann lives in Graz.']);
  });

  it.each(['I moved to Lyon on March 5.', 'I have lived in Lyon since March 5.'])(
    'gives way to what is told after it, of whatever day: %s',
    async (content) => {
      await say(1, 'I live in Graz.');
      await say(20, 'I live in Graz.');
      await say(30, content);
      expect(await facts()).toHaveLength(1);
      expect((await facts()).join()).toContain('Lyon');
    },
  );

  it('asks no reviewer where the caller may only propose', async () => {
    await say(1, 'I live in Graz.');
    const agent = { principal: 'bot', tenant: 'local', kind: 'agent', scopes: '*' } as const;
    const again = await say(5, 'I live in Graz.', agent);
    expect(again.candidates).toMatchObject([{ outcome: 'duplicate', proposal_uuid: null }]);
    expect(await engine.approvals.list({ state: 'pending' })).toEqual([]);
  });
});
