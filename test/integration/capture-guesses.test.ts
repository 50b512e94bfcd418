/** What no rule reads is a guess: a sure one is remembered, another waits for a review. */
import { expect, it } from 'vitest';
import { guess } from '../../src/capture/classifier/classify.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';

const SURE = 'We have been with Dunmore since the start of the month.';
const UNSURE = "I've Ruth Garvey doing the books since August, I'll ask her.";

it('lets a guess stand from .9 on, and below only once it is approved', async () => {
  expect(guess(SURE).keeps).toBeGreaterThan(0.9);
  expect(guess(UNSURE).keeps).toBeGreaterThan(0.7);
  expect(guess(UNSURE).keeps).toBeLessThan(0.9);
  await using engine = await createContextEngine({
    database: { inMemory: true },
    permission_profile: LOCAL_PROFILE,
    manifests: 'manifests',
  });
  const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
  const session = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
  const scope = session.scope_block_uuid;
  await engine.append(
    scope,
    [SURE, UNSURE].map((content) => ({ role: 'user' as const, author: 'Ada', content })),
  );
  const { receipts } = await engine.capture(scope);
  const outcomes = receipts.flatMap(({ candidates }) => candidates.map(({ outcome }) => outcome));
  expect(outcomes).toEqual(['stored', 'quarantined']);
  const known = async () => (await engine.facts.list({ scope: user })).facts.length;
  expect(await known()).toBe(1);
  const reviewer = { permission_profile: { ...LOCAL_PROFILE, principal: 'carol' } };
  await engine.principals.set({
    ...{ principal: 'carol', kind: 'human', scopes: '*', tiers: { approvals: 'T1' } },
  });
  const [waiting] = await engine.approvals.list({ state: 'pending' }, reviewer);
  if (!waiting) throw new Error('one waits');
  await engine.approvals.approve(waiting.proposal_uuid, null, reviewer);
  expect(await known()).toBe(2);
});
