/** The same words in two conversations, captured at one instant: one memory of each. */
import { expect, it } from 'vitest';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';

const MANIFESTS = new URL('../../manifests', import.meta.url).pathname;
const SAID = 'I am allergic to peanuts. I love cycling. I prefer window seats.';

describeOnDatabases('captured twice at once', (open, flavor) => {
  it('stores each statement once, and the receipts add up', async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    const time: TestClock = { ms: START_MS };
    const opened = () =>
      openEngine({
        database: url ? { url } : { inMemory: true },
        permission_profile: LOCAL_PROFILE,
        manifests: MANIFESTS,
        time,
      });
    const first = await opened();
    // On a server the second is another engine, as in another process.
    const second = url ? await opened() : first;
    for (let round = 0; round < 5; round += 1) {
      time.ms += 60_000;
      const { scope_block_uuid: user } = await first.scopes.create({ type: 'user' });
      const sessions: string[] = [];
      for (let each = 0; each < 2; each += 1) {
        const made = await first.scopes.create({ type: 'chat_session', inherits: [user] });
        const occurred_at = new Date(time.ms);
        const turn = { role: 'user', author: 'Ada', content: SAID, occurred_at };
        await first.append(made.scope_block_uuid, turn);
        sessions.push(made.scope_block_uuid);
      }
      const [a = '', b = ''] = sessions;
      const answers = await Promise.all([first.capture(a), second.capture(b)]);
      const { facts } = await first.facts.list({ scope: user });
      const texts = facts.map((fact) => ('content' in fact.row ? fact.row.content : ''));
      expect(texts.sort(), `round ${round}`).toEqual([...new Set(texts)]);
      expect(texts).toHaveLength(3);
      const sum = (outcome: 'stored' | 'duplicate'): number =>
        answers.reduce((all, { counts }) => all + counts[outcome], 0);
      expect([sum('stored'), sum('duplicate')]).toEqual([3, 3]);
      const roots = new Set(facts.map((fact) => String(fact.row.root_uuid)));
      for (const { receipts } of answers)
        for (const { counted, counts, candidates } of receipts) {
          expect(Object.values(counts).reduce((all, count) => all + count, 0)).toBe(counted);
          for (const each of candidates) expect(roots).toContain(each.root_uuid);
        }
      for (const session of sessions) expect((await first.capture(session)).receipts).toEqual([]);
    }
    await first.close();
    if (second !== first) await second.close();
  }, 120_000);

  it('says of one scope that two capture what was written, and writes it once', async () => {
    const engine = await openEngine({
      database: flavor === 'postgres' ? { url: (await open()).url ?? '' } : { inMemory: true },
      permission_profile: LOCAL_PROFILE,
      manifests: MANIFESTS,
      time: { ms: START_MS },
    });
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    const session = made.scope_block_uuid;
    const occurred_at = new Date(START_MS);
    await engine.append(session, { role: 'user', author: 'Ada', content: SAID, occurred_at });
    const answers = await Promise.all([engine.capture(session), engine.capture(session)]);
    expect((await engine.facts.list({ scope: user })).facts).toHaveLength(3);
    for (const { receipts } of answers)
      for (const { counts } of receipts) expect(counts).toMatchObject({ stored: 3, duplicate: 0 });
    const kept = await engine.captures.list({ scope: session });
    expect(kept.captures.map(({ counts }) => counts)).toMatchObject([{ stored: 3, duplicate: 0 }]);
    await engine.close();
  }, 120_000);
});
