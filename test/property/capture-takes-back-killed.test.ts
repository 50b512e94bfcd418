/**
 * A correction of what waits for a review takes its place, in a capture that dies at any call: one
 * proposal waits, the right one. Where a reviewer approved the other meanwhile, it corrects that.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { Uuid } from '../../src/model/ids.ts';
import {
  ALL_SCOPES,
  capture,
  makeWorld,
  memoryOf,
  SESSION,
  say,
  TENANT,
  timeOf,
  waitingOf,
} from '../support/capture-world.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const user = (text: string) => ({ role: 'user', text }) as const;

/** What was said first waits; its correction is said and not captured yet. */
async function world(): Promise<Authority> {
  const authority = await createReferenceConnector().connect();
  await makeWorld(authority);
  await say(authority, [user('My landlord is called Falk. My sister lives in Rome.')]);
  await capture(authority);
  await say(authority, [user('Sorry, I meant Winter, not Falk.')], { from: 2 });
  return authority;
}

const approve = (authority: Authority, proposal: Uuid) =>
  authority.settleProposal({
    ...{ tenant: TENANT, proposal, decision: 'approve', at: timeOf(100_001), signed: null },
    by: { principal: 'local', kind: 'human', on_behalf_of: null, is_owner: true },
  });

describe('a correction of what waits', async () => {
  const right = await world();
  const counted = faulty(right, 0);
  await capture(counted.authority);
  const memory = await memoryOf(right);

  it('waits in its place', async () => {
    const waiting = [...(await waitingOf(right)).keys()].sort();
    expect(waiting).toEqual(["Ada's landlord is called Winter.", "Ada's sister lives in Rome."]);
  });

  it.each<[Fault]>([['before'], ['after']])(
    'dies %s any call, and is gone on with',
    async (fault) => {
      for (let failAt = 1; failAt <= counted.calls(); failAt += 1) {
        const authority = await world();
        await capture(faulty(authority, failAt, fault).authority).catch(() => null);
        await capture(authority);
        const where = `${fault} call ${failAt} (${counted.log[failAt - 1]})`;
        expect(await memoryOf(authority), where).toEqual(memory);
        const receipts = await authority.listCaptures(
          TENANT,
          { scope_uuid: SESSION, limit: 9 },
          ALL_SCOPES,
        );
        for (const { counts, counted: sum } of receipts)
          expect(Object.values(counts).reduce((total, count) => total + count, 0)).toBe(sum);
        expect(receipts).toHaveLength(2);
      }
    },
  );

  it('is the same by two captures at once', async () => {
    const authority = await world();
    await Promise.all([capture(authority), capture(authority)]);
    expect(await memoryOf(authority)).toEqual(memory);
  });

  it('corrects what a reviewer approved while it was planned', async () => {
    const authority = await world();
    const wrong = (await waitingOf(authority)).get("Ada's landlord is called Falk.");
    if (wrong === undefined) throw new Error('nothing waits');
    await capture({
      ...authority,
      planCapture: async (tenant, planned) => {
        const kept = await authority.planCapture(tenant, planned);
        expect((await approve(authority, wrong)).state).toBe('approved');
        return kept;
      },
    });
    const [proposal] = [...(await waitingOf(authority))].flatMap(([content, id]) =>
      content.includes('Winter') ? [id] : [],
    );
    if (proposal === undefined) throw new Error('the correction does not wait');
    expect((await approve(authority, proposal)).state).toBe('approved');
    const believed = (await memoryOf(authority)).filter(
      (row) => /landlord/.test(String(row)) && /"isBelieved":true/.test(String(row)),
    );
    expect(believed).toHaveLength(1);
    expect(believed[0]).toContain('Winter');
  });
});
