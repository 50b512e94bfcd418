/**
 * The same conversation in two databases, whose turns have other ids: many statements alike, so
 * that more of them are known than are compared. The memory of both is the same.
 */
import { expect, it } from 'vitest';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { Dice } from '../support/dice.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const MINUTE_MS = 60_000;
const TURNS = 200;
const FORMS = [
  'My friend # is allergic to %.',
  'I bought a % in #.',
  'My # is % now.',
  'I prefer % for #.',
  'I no longer use %.',
  'We moved the # meeting to %.',
];
const THINGS = 'nuts shellfish pollen canoe tent camera lamp Tuesday Friday Vim Zed tea'.split(' ');
const OTHERS = 'Mara Leo Ines May July work breakfast desk design sales board Oslo'.split(' ');

function talk(): readonly { readonly content: string; readonly at: number }[] {
  const dice = new Dice(7);
  const start = Date.parse('2025-03-03T09:00:00Z');
  return Array.from({ length: TURNS }, (_, index) => ({
    content: dice.of(FORMS).replace('#', dice.of(OTHERS)).replace('%', dice.of(THINGS)),
    at: start + index * MINUTE_MS,
  }));
}

describeOnDatabases('one conversation in two databases', (open, flavor) => {
  it('makes one memory', async () => {
    const memories: string[][] = [];
    for (let round = 0; round < 2; round += 1) {
      const time = { ms: Date.parse('2025-03-10T09:00:00Z') };
      const engine = await openLocalEngine(open, flavor, { time });
      const user = (await engine.scopes.create({ type: 'user' })).scope_block_uuid;
      const session = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
      const turns = talk().map(({ content, at }) => ({
        ...{ role: 'user', author: 'Ada', content, occurred_at: new Date(at) },
      }));
      await engine.append(session.scope_block_uuid, turns);
      for (let more = true; more; )
        more = (await engine.capture(session.scope_block_uuid)).is_more === true;
      const known: string[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof engine.facts.list>> = await engine.facts.list({
          ...{ scope: user, state: 'all', limit: 500 },
          ...(after !== null && { after }),
        });
        for (const { row } of page.facts) {
          const said = 'content' in row ? row.content : JSON.stringify(row.value);
          known.push([said, row.valid_from, row.valid_until].join(' | '));
        }
        after = page.cursor;
      } while (after !== null);
      const proposals = await engine.approvals.list(
        { state: 'pending', limit: 1000 },
        { permission_profile: LOCAL_PROFILE },
      );
      known.push(...proposals.map(({ action }) => JSON.stringify(action.operations.length)));
      memories.push(known.sort());
      await engine.close();
    }
    expect(memories[0]?.length).toBeGreaterThan(100);
    expect(memories[1]).toEqual(memories[0]);
  }, 300_000);
});
