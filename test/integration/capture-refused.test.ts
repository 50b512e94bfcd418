/** What may not be written says who may not: whoever captures, or who proposes in its name. */
import { expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const CAPTURE = 'contextengine.capture';

describeOnDatabases('a capture that may propose nothing', (open, flavor) => {
  it('names who may not, and goes on once it may', async () => {
    await using engine = await openLocalEngine(open, flavor, {});
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    const { scope_block_uuid: session } = made;
    const principal = { principal: CAPTURE, kind: 'agent', scopes: '*' } as const;
    await engine.principals.set({ ...principal, tiers: { writes: 'excluded' } });
    for (const content of ['I live in Graz.', 'My friend Bo is allergic to nuts.'])
      await engine.append(session, { role: 'user', author: 'Ada', content });
    const known = async () => {
      const { facts } = await engine.facts.list({ scope: user });
      return facts.map(({ row }) => ('content' in row ? row.content : row.property));
    };

    const { code, message, fix } = await refusalOf(engine.capture(session));
    expect(code).toBe('PERMISSION.DENIED');
    expect(message).toContain(`\`${CAPTURE}\``);
    expect(fix).toContain(`principals add ${CAPTURE} --kind agent --tier writes=T2`);
    expect(await known()).toEqual(['Ada lives in Graz.']);

    await engine.principals.set({ ...principal, tiers: { writes: 'T2' } });
    const { counts } = await engine.capture(session);
    expect([counts.quarantined, counts.failed]).toEqual([1, 0]);
  });
});
