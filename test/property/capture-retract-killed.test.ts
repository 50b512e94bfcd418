/**
 * `Forget I said that.`, of what an earlier capture stored or proposed, in a capture that dies at
 * any call or meets another: the same memory, and receipts that say the same.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import {
  ALL_SCOPES,
  capture,
  makeWorld,
  memoryOf,
  SESSION,
  say,
  TENANT,
  waitingOf,
} from '../support/capture-world.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const user = (text: string) => ({ role: 'user', text }) as const;

/** A home that was left, a fact that waits; both are taken back and not captured yet. */
async function world(): Promise<Authority> {
  const authority = await createReferenceConnector().connect();
  await makeWorld(authority);
  await say(authority, [user('I live in Rome. My sister lives in Turin.')]);
  await capture(authority);
  await say(authority, [user('My sister lives in Genoa now. I live in Oslo now.')], { from: 2 });
  await capture(authority);
  await say(authority, [user('Forget I said that. I work at Acme.')], { from: 3 });
  return authority;
}

const listed = (authority: Authority) =>
  authority.listCaptures(TENANT, { scope_uuid: SESSION, limit: 9 }, ALL_SCOPES);
const believedIn = async (authority: Authority): Promise<string> =>
  (await memoryOf(authority))
    .map(String)
    .filter((row) => row.includes('"isBelieved":true'))
    .join('\n');

describe('what is taken back', async () => {
  const right = await world();
  const counted = faulty(right, 0);
  await capture(counted.authority);
  const memory = await memoryOf(right);
  const [receipt] = await listed(right);

  it('leaves what was said before it, stored or waiting', async () => {
    expect(receipt?.counts).toMatchObject({ superseded: 2, stored: 1, failed: 0, quarantined: 0 });
    expect([...(await waitingOf(right)).keys()]).toEqual(["Ada's sister lives in Turin."]);
    const believed = await believedIn(right);
    expect(believed).toContain('Ada lives in Rome.');
    expect(believed).toContain('Ada works at Acme.');
    expect(believed).not.toContain('Oslo');
  });

  it.each<[Fault]>([['before'], ['after']])(
    'is taken back by a capture that dies %s any call, and is gone on with',
    async (fault) => {
      for (let failAt = 1; failAt <= counted.calls(); failAt += 1) {
        const authority = await world();
        await capture(faulty(authority, failAt, fault).authority).catch(() => null);
        await capture(authority);
        const where = `${fault} call ${failAt} (${counted.log[failAt - 1]})`;
        expect(await memoryOf(authority), where).toEqual(memory);
        expect([...(await waitingOf(authority)).keys()], where).toEqual([
          "Ada's sister lives in Turin.",
        ]);
        const receipts = await listed(authority);
        expect(receipts, where).toHaveLength(3);
        const { counts, counted: sum } = receipts[0] ?? {};
        expect(Object.values(counts ?? {}).reduce((total, count) => total + count, 0)).toBe(sum);
        expect(counts?.superseded, where).toBe(2);
        expect(counts?.failed, where).toBe(0);
      }
    },
  );

  it('is the same by two captures at once', async () => {
    const authority = await world();
    await Promise.all([capture(authority), capture(authority)]);
    expect(await memoryOf(authority)).toEqual(memory);
    expect((await listed(authority))[0]?.counts).toMatchObject({ superseded: 2, failed: 0 });
  });
});
