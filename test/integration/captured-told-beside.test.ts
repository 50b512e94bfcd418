/** What ends, is corrected or takes the place of something beside what else a sentence says. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const REVIEWER = { permission_profile: { ...LOCAL_PROFILE, principal: 'carol' } };

describeOnDatabases('what is told beside a state', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    const tiers = { approvals: 'T1' } as const;
    await engine.principals.set({ principal: 'carol', kind: 'human', scopes: '*', tiers });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
  });

  /** Turns of one conversation. */
  const talk = async (turns: readonly string[]): Promise<void> => {
    time.ms += DAY_MS;
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    for (const content of turns) {
      time.ms += 60_000;
      const turn = { role: 'user', author: 'Ada', content } as const;
      await engine.append(made.scope_block_uuid, { ...turn, occurred_at: new Date(time.ms) });
    }
    await engine.capture(made.scope_block_uuid);
  };
  const review = async (): Promise<void> => {
    for (const { proposal_uuid } of await engine.approvals.list({ state: 'pending' }, REVIEWER))
      await engine.approvals.approve(proposal_uuid, null, REVIEWER);
  };
  /** Of talks one after the other, whatever waits in them approved. */
  const known = async (...talks: readonly (readonly string[])[]): Promise<readonly string[]> => {
    for (const turns of talks) {
      await talk(turns);
      await review();
    }
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : String(row.value))).sort();
  };

  it.each([
    [['I live in Lund.'], ['I left Lund for good.'], []],
    [
      ['I live in Lund.'],
      ['I left Acme for good.'],
      ['Ada left Acme for good.', 'Ada lives in Lund.'],
    ],
    [
      ['My editor is Bo.'],
      ['It is not Bo after all, it is Clemens.'],
      ["Ada's editor is Clemens."],
    ],
    [['My editor is Bo.'], ["It isn't Bo after all, it's Clemens."], ["Ada's editor is Clemens."]],
    [['My editor is Bo.'], ["It isn't far after all, it's lovely."], ["Ada's editor is Bo."]],
    [
      ["I've got a Yaris."],
      ["The Yaris got totalled, so now I've got a Mazda."],
      ['Ada has got a Mazda.'],
    ],
    [["My girlfriend's called Petra."], ['Uh, Petra and I split up in the meantime.'], []],
    [
      ['I drink espresso in the morning, two of them.'],
      ["I've stopped drinking espresso, I drink matcha in the morning now."],
      ["Ada's morning drink is matcha."],
    ],
    [
      ['We take Rex to Dr Sung, our vet.'],
      ['Our vet is Dr Petrov now.'],
      ["Ada's vet is Dr Petrov now."],
    ],
  ])('after %j and %j holds %j', async (before, said, holds) => {
    expect(await known(before, said)).toEqual(holds);
  });

  it('is the going of the one who is replaced, and of nobody else', async () => {
    const [sitter] = ['Our babysitter is Carla.'];
    const jodie = "Ada's new babysitter is Jodie.";
    expect(await known([sitter], ['Carla moved to Spain, our new babysitter is Jodie.'])).toEqual([
      jodie,
    ]);
    const left = 'Ben moved to Spain, our new babysitter is Kim.';
    expect(await known([left])).toEqual(["Ada's new babysitter is Kim.", 'Ben moved to Spain.']);
  });

  it.each([
    ['Reem is great, we cook together.', 'Revolut'],
    ['The weather is nice.', 'Revolut'],
    ['I want to move a loan to Starling.', 'Starling'],
    ['Is Starling any good?', 'Starling'],
    ['Book me a table for two.', 'Starling'],
  ])('a correction that names the old value reaches over `%s` or not', async (between, bank) => {
    const all = await known([
      'My bank is Starling.',
      between,
      'Sorry, I meant Revolut, not Starling.',
    ]);
    expect(all).toContain(`Ada's bank is ${bank}.`);
  });
});
