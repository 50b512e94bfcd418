/**
 * Only what capture wrote by itself gives way to what it guesses: a fact that somebody wrote,
 * changed, corrected or approved stands beside the guess, also after an export and an import.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine, PACKAGE_MANIFESTS } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const THIRD = 'I have a desk on the third floor.';
const FIFTH = 'I now have a desk on the fifth floor.';

describeOnDatabases('the mark of capture', (open, flavor) => {
  let engine: ContextEngine;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' }));
    time.ms += DAY_MS;
  });

  const append = async (content: string, permission_profile = LOCAL_PROFILE) =>
    engine.append(
      session,
      { role: 'user', author: 'Ann', content, occurred_at: new Date(time.ms) },
      { permission_profile },
    );
  const say = async (content: string, by = engine) => {
    time.ms += DAY_MS;
    await by.append(session, {
      role: 'user',
      author: 'Ann',
      content,
      occurred_at: new Date(time.ms),
    });
    const { receipts } = await by.capture(session);
    return receipts.flatMap(({ candidates }) => candidates);
  };
  const live = async (by = engine) => {
    const { facts } = await by.facts.list({ scope: session });
    return facts.flatMap((fact) => (fact.table === 'memory_open_set' ? [fact.row] : [])).reverse();
  };
  const wordsOf = (rows: Awaited<ReturnType<typeof live>>) => rows.map(({ content }) => content);
  const captured = async () => {
    await say(THIRD);
    const [fact] = await live();
    time.ms += DAY_MS;
    return fact?.root_uuid ?? '';
  };
  const stands = async (content: string) => {
    expect(await say(FIFTH)).toMatchObject([{ outcome: 'stored', reason: 'new' }]);
    expect(wordsOf(await live())).toEqual([content, 'Ann now has a desk on the fifth floor.']);
  };

  it('lets what capture wrote itself give way', async () => {
    await captured();
    expect(await say(FIFTH)).toMatchObject([{ outcome: 'superseded', reason: 'takes_its_place' }]);
    expect(await live()).toHaveLength(1);
  });

  it('is lost with a change by hand', async () => {
    const root = await captured();
    await engine.facts.update(root, {
      content: 'Ann has a desk on the third floor, by the window.',
    });
    await stands('Ann has a desk on the third floor, by the window.');
  });

  it('is lost with a correction by hand, which keeps the extractor', async () => {
    const root = await captured();
    const [before] = await engine.facts.history(root);
    await engine.correct(root, { content: 'Ann has a desk on the fourth floor.' });
    const last = (await engine.facts.history(root)).find(({ row }) => row.retired_seq === null);
    expect(last?.origin.extractor).toBe(before?.origin.extractor);
    expect(last?.origin.extractor).toMatch(/^rules\//);
    await stands('Ann has a desk on the fourth floor.');
  });

  it('is lost where a reviewer approves what waited', async () => {
    const eve: PermissionProfile = {
      principal: 'eve',
      tenant: 'local',
      kind: 'service',
      scopes: [session],
      tiers: { writes: 'T2' },
    };
    await engine.principals.set({
      principal: 'eve',
      kind: 'service',
      tiers: { writes: 'T2' },
      scopes: [session],
    });
    await append(THIRD, eve);
    const { receipts } = await engine.capture(session);
    const [waiting] = receipts.flatMap(({ candidates }) => candidates);
    await engine.approvals.approve(waiting?.proposal_uuid ?? '');
    expect((await live())[0]?.metadata).toHaveProperty('captured_by');
    await stands('Ann has a desk on the third floor.');
  });

  it('has keys that are no caller’s to take', async () => {
    const said = await append(THIRD);
    const key = `capture/rules/9/${said.receipts[0]?.uuid}/0`;
    const taking = engine.remember(session, { content: 'mine', idempotency_key: key });
    await expect(taking).rejects.toMatchObject({
      code: 'WRITE.INVALID',
      where: { field: 'idempotency_key' },
    });
    expect((await engine.capture(session)).counts).toMatchObject({ stored: 1, failed: 0 });
  });

  it('is no caller’s to set', async () => {
    const content = 'Ann has a desk on the third floor.';
    const said = { subject: 'Ann', class: 'fact', metadata: { captured_by: 'rules/1', note: 1 } };
    const stored = await engine.remember(session, { content, ...said });
    expect((await live())[0]?.metadata).toEqual({ note: 1 });
    time.ms += DAY_MS;
    const root = stored.receipts[0]?.root_uuid ?? '';
    await engine.remember(session, { content, ...said, replaces: root });
    expect((await live())[0]?.metadata).toEqual({ note: 1 });
    await stands(content);
  });

  it('is that of the same facts after an export and an import', async () => {
    const root = await captured();
    await engine.correct(root, { content: 'Ann has a desk on the fourth floor.' });
    await say('My favorite color is green.');
    const lines: unknown[] = [];
    for await (const line of engine.exportScope(session)) lines.push(line);
    const there = await openEngine({
      permission_profile: LOCAL_PROFILE,
      manifests: PACKAGE_MANIFESTS,
      time,
    });
    try {
      await there.importScope(
        (async function* () {
          yield* lines;
        })(),
      );
      const marks = (rows: Awaited<ReturnType<typeof live>>) =>
        rows.map(({ content, metadata }) => [content, 'captured_by' in metadata]);
      expect(marks(await live(there))).toEqual(marks(await live()));
      expect(marks(await live(there))).toEqual([
        ['Ann has a desk on the fourth floor.', false],
        ["Ann's favorite color is green.", true],
      ]);
      await say(FIFTH, there);
      expect(wordsOf(await live(there))).toContain('Ann has a desk on the fourth floor.');
    } finally {
      await there.close();
    }
  });
});
