/** What somebody wrote by hand of a slot, and what a person says of it in a conversation. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine, REVIEWER, storeReviewer } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('a fact that was written by hand', (open, flavor) => {
  let engine: ContextEngine;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    await storeReviewer(engine);
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' }));
  });

  const current = async () => {
    const { facts } = await engine.facts.list({ scope: session });
    return facts.flatMap(({ row }) => ('content' in row ? [row.content] : [])).sort();
  };

  it.each([
    ['Ada lives in Graz.', 'I moved to Bern.', 'Ada moved to Bern.'],
    ["Ada's day rate is 640.", 'My day rate is 700 now.', "Ada's day rate is 700 now."],
    ['The user drives a Golf.', 'I drive a Tesla.', 'Ada drives a Tesla.'],
  ])('%s stands until a reviewer approves what `%s` says', async (written, said, changed) => {
    await engine.remember(session, { content: written });
    time.ms += DAY_MS;
    await engine.append(session, { role: 'user', author: 'Ada', content: said });
    const { receipts } = await engine.capture(session);
    expect(receipts[0]?.candidates).toMatchObject([
      { outcome: 'quarantined', reason: 'contradicts' },
    ]);
    expect(await current()).toEqual([written]);
    const pending = await engine.approvals.list({ state: 'pending' }, REVIEWER);
    const own = pending.filter(({ action }) =>
      action.operations.some(({ scope }) => scope === session),
    );
    for (const { proposal_uuid: proposal } of own)
      await engine.approvals.approve(proposal, null, REVIEWER);
    expect(await current()).toEqual([changed]);
  });

  it.each([
    ['Ada lives in Graz.', 'I live in Graz.'],
    ['Ada works at Acme.', 'I work at Acme.'],
  ])('%s is known already where `%s` is said', async (written, said) => {
    await engine.remember(session, { content: written });
    time.ms += DAY_MS;
    await engine.append(session, { role: 'user', author: 'Ada', content: said });
    const { receipts } = await engine.capture(session);
    expect(receipts[0]?.candidates).toMatchObject([{ outcome: 'duplicate' }]);
    expect(await current()).toEqual([written]);
  });

  it.each([
    ['Bo lives in Graz.', 'I moved to Bern.'],
    ['Ada lives in Graz.', 'I work at Acme.'],
    ['Ada had lived in Graz.', 'I moved to Bern.'],
  ])('%s says nothing of what `%s` says', async (written, said) => {
    await engine.remember(session, { content: written });
    time.ms += DAY_MS;
    await engine.append(session, { role: 'user', author: 'Ada', content: said });
    const { receipts } = await engine.capture(session);
    expect(receipts[0]?.candidates).toMatchObject([{ outcome: 'stored' }]);
    expect(await current()).toHaveLength(2);
  });
});
