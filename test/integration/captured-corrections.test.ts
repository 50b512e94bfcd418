/** Corrections in few words, where no slot says of what, and things that take the place of others. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const ASKED = 'assistant: ';

describeOnDatabases('what takes the place of a statement without a slot', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    time.ms += DAY_MS;
  });
  /** One conversation; the reasons of its last receipt. */
  const say = async (...said: readonly string[]): Promise<readonly string[]> => {
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    const session = made.scope_block_uuid;
    let reasons: readonly string[] = [];
    for (const text of said) {
      time.ms += 60_000;
      const isAsked = text.startsWith(ASKED);
      const by = isAsked
        ? ({ role: 'assistant', author: 'bot' } as const)
        : ({ role: 'user', author: 'Ada' } as const);
      const content = isAsked ? text.slice(ASKED.length) : text;
      await engine.append(session, { ...by, content, occurred_at: new Date(time.ms) });
      const { receipts } = await engine.capture(session);
      reasons = receipts.flatMap(({ candidates, declined_candidates: declined = [] }) =>
        [...candidates, ...declined].map(({ reason }) => reason),
      );
    }
    return reasons;
  };
  const known = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : String(row.value))).sort();
  };
  const past = async () => (await engine.facts.list({ scope: user, state: 'past' })).facts;

  describe('a correction in few words', () => {
    it('of what waits for a review waits in its place', async () => {
      const permission_profile = { ...LOCAL_PROFILE, principal: 'carol' };
      const tiers = { approvals: 'T1' } as const;
      await engine.principals.set({ principal: 'carol', kind: 'human', scopes: '*', tiers });
      await say('My current project is Nightingale.');
      await say("I'm working on Mercury.", 'Sorry, I meant Falcon.');
      expect(await known()).toEqual(["Ada's current project is Nightingale."]);
      const waiting = await engine.approvals.list({ state: 'pending' }, { permission_profile });
      expect(waiting).toHaveLength(1);
      for (const { proposal_uuid: proposal } of waiting)
        await engine.approvals.approve(proposal, null, { permission_profile });
      expect(await known()).toEqual(['Ada is working on Falcon.']);
      // What was so before was so.
      expect((await past()).map(({ row }) => 'content' in row && row.content)).toEqual([
        "Ada's current project is Nightingale.",
      ]);
    });

    it('is of what was switched to, not of what was left', async () => {
      await say('My phone is a Pixel 8.');
      await say(
        'I replaced my Pixel 8 with a Xperia 5.',
        "Correction: it's iPhone 15, not Xperia 5.",
      );
      expect(await known()).toEqual(["Ada's device is iPhone 15."]);
    });

    it.each([
      ["I'm moving to Bern", "sorry, it's Basel not Bern", 'Ada is moving to Basel.'],
      ["I'm moving to Bern", 'Basel, not Bern', 'Ada is moving to Basel.'],
      ["I'm moving to Bern", 'not Bern but Basel', 'Ada is moving to Basel.'],
      ["I'm moving to Bern", 'no wait, Basel instead of Bern', 'Ada is moving to Basel.'],
      ["I'm moving to Bern", 'I meant Basel', 'Ada is moving to Basel.'],
      ['I use vim', 'emacs, not vim', 'Ada uses emacs.'],
      ["i'm moving to bern", 'basel, not bern', 'Ada is moving to basel.'],
      ['my favourite colour is blue', 'nah, green actually', "Ada's favourite colour is green."],
      ['my favourite colour is blue', 'green, sorry', "Ada's favourite colour is green."],
      ['my favourite colour is blue', 'actually, green', "Ada's favourite colour is green."],
      ['my cat is called Tom', 'Tim, sorry', "Ada's cat is called Tim."],
      ['Falk is our landlord', "no wait, it's Winter, not Falk", "Winter is Ada's landlord."],
    ])('is of what was said: %s, %s', async (said, correction, content) => {
      await say(said, correction);
      expect(await known()).toEqual([content]);
      // It was never so.
      expect(await past()).toEqual([]);
    });

    it.each([
      ['I live in Bern.', 'I said Bern but I meant Basel', 'Ada lives in Basel.'],
      ['My rent is 910.', '920, not 910', "Ada's rent is 920."],
    ])('needs no more than the value: %s, %s', async (said, correction, content) => {
      await say(said, correction);
      expect(await known()).toEqual([content]);
    });

    it.each([
      ['thanks', 'Basel, not Bern'],
      [`${ASKED}Nice, Bern!`, 'Basel, sorry'],
      [`${ASKED}Got it, you live in Bern.`, "sorry, it's Basel not Bern"],
    ])('looks past thanks and an echo: %s, %s', async (between, correction) => {
      await say('I live in Bern.', between, correction);
      expect(await known()).toEqual(['Ada lives in Basel.']);
    });

    it.each([
      ['I live in Bern.', 'Book me a table in Bern.', 'Basel, not Bern'],
      ['I live in Bern.', 'Show me a hotel', 'Basel, not Bern'],
      ['I live in Bern.', 'Weather in Bern?', 'Basel, sorry'],
      ['I live in Bern.', `${ASKED}Which fair, Bern or Basel?`, 'Basel, not Bern'],
      ['I live in Bern.', 'Interesting, actually'],
      ['I live in Bern.', 'Quick question, actually'],
      ['I live in Bern.', 'Sorry, Tom'],
      ['I live in Bern. I work at Acme.', 'Basel, sorry'],
      ['I work at Acme.', 'Draft a mail to Acme.', `${ASKED}Dear Acme, ...`, 'Globex, not Acme'],
      ['My rent is 910.', 'What is 30 squared plus 20?', '920, not 910'],
      ['My rent is 910.', `${ASKED}The invoice total is 910.`, '920, not 910'],
      ['My rent is 910.', '5 minutes, sorry'],
      ['My favourite colour is blue.', 'Make the button blue.', 'green, sorry'],
    ])('leaves what was said where a task stands between: %s, %s, %s', async (...said) => {
      await say(said[0] ?? '');
      const before = await known();
      await say(...said);
      expect(await known()).toEqual(before);
    });

    it('parts a statement from its correction by no echo and no sigh', async () => {
      const firm = 'my employer is Marrow and Sons, have been there a bit.';
      await say(firm, `${ASKED}Noted.`, 'ugh, i meant Kestrel Systems, not Marrow and Sons.');
      expect(await known()).toEqual(["Ada's employer is Kestrel Systems, have been there a bit."]);
      await say("I'm moving to Bern", `${ASKED}Understood: Basel.`, 'i meant Basel, not Bern');
      expect(await known()).toContain('Ada is moving to Basel.');
    });

    it('keeps the class of what it corrects', async () => {
      await say('my favourite colour is blue', 'green, sorry');
      const { facts } = await engine.facts.list({ scope: user });
      expect(facts.map(({ row }) => 'class' in row && row.class)).toEqual(['preference']);
    });

    it('is of the last statement, though an earlier one has a slot', async () => {
      await say('I live in Rome', "I'm moving to Bern", 'I meant Basel');
      expect(await known()).toEqual(['Ada is moving to Basel.', 'Ada lives in Rome.']);
    });

    it.each([
      [["I'm moving to Bern. I was born in Bern.", 'Basel, not Bern']],
      [["I'm moving to Bern. I'm meeting Ana in Rome.", 'I meant Basel']],
    ])('is of nothing where two could be meant: %s', async (said) => {
      expect(await say(...said)).toContain('ambiguous');
      expect((await known()).join()).toContain('Bern');
      expect((await known()).join()).not.toContain('Basel');
    });

    it('is of nothing where another conversation told of the word as well', async () => {
      await say('I was born in Bern');
      expect(await say("I'm moving to Bern next year", 'Basel, not Bern')).toEqual(['ambiguous']);
      expect((await known()).join()).not.toContain('Basel');
    });

    it.each([
      ["I'm moving to Bern", 'Basel, not Rome'],
      ["I'm moving to Bern", 'tea, not coffee'],
      ["I'm moving to Bern", 'I meant well'],
      ["I'm moving to Bern", 'Tuesday, actually'],
      ["I'm moving to Bern", 'the mail says: Basel, not Bern'],
      ['my favourite colour is blue', 'busy, sorry'],
      ['my favourite colour is blue', 'thanks, sorry'],
      ['my favourite colour is blue', `${ASKED}Which car do you want?`, 'green, actually'],
      ['my favourite colour is blue', 'I have a cat', 'green, actually'],
      ["I'm moving to Bern", 'I have a cat', 'I sing', 'I play chess', 'Basel, not Bern'],
    ])('is none of it: %s, %s, %s', async (...said) => {
      await say(...said);
      expect((await known()).join()).toMatch(/Bern|blue/);
      expect((await known()).join()).not.toMatch(/Basel|green|busy|Tuesday/);
    });
  });

  describe('a thing in place of another', () => {
    it.each([
      ['I use vim', 'I switched from vim to helix'],
      ['I use vim', 'helix replaced vim'],
      ['I use vim', 'helix has replaced vim for me'],
      ['I use vim', 'I use helix instead of vim'],
      ['I use Notion', 'I ditched Notion for Obsidian'],
      ["I'm using Firefox", 'I went from Firefox to Chrome last week'],
    ])('ends the use of it: %s, %s', async (said, change) => {
      await say(said, change);
      expect(await known()).toHaveLength(1);
      expect(await past()).toHaveLength(1);
    });

    it('ends a part of a list alone', async () => {
      await say('I use vim and tmux', 'I switched from vim to helix');
      expect(await known()).toEqual(['Ada uses tmux. Ada switched from vim to helix.']);
    });

    it.each([
      ['I use vim', 'I switched to Linux'],
      ['I use vim', 'I switched from emacs to helix'],
      ['I hate vim', 'I switched from vim to helix'],
      ['I use vim', 'emacs replaced nano'],
      ['I use vim', "the plugin replaced vim's motions"],
    ])('ends nothing else: %s, %s', async (said, change) => {
      await say(said, change);
      expect((await known()).join()).toMatch(/Ada (?:uses|hates) vim\./);
      expect(await past()).toEqual([]);
    });
  });

  it.each([
    ['I use vim', "I didn't switch from vim to helix"],
    ['I use vim', 'I never switched from vim to helix'],
    ['I use vim', 'I was going to switch from vim to helix'],
    ['I use vim', "I don't want to switch from vim to helix"],
    ['I use vim', 'I switched from vim to helix for a day'],
    ['I use vim', 'I switched from vim to helix and back'],
    ['I use vim', 'I switched the font from vim to helix'],
    ['I use vim', 'helix never replaced vim'],
    ['I use vim', 'helix could have replaced vim'],
    ['I drive a Volvo', "I haven't replaced my Volvo with a Tesla"],
    ['I drive a Volvo', 'I replaced the tires of my Volvo with winter ones'],
    ['I live in Bern', 'I almost moved from Bern to Basel'],
    ['I live in Bern', 'I moved a desk from Bern to Basel'],
    ['I live in Bern', 'I moved from Spotify to Tidal'],
    ['I live in Bern', "I don't just live in Bern"],
    ['I live in Bern', "I don't live in Bern for the views"],
    ['I work at Acme', "I'm not at Acme today"],
    ['I work at Acme', "I don't work at Acme for the money"],
    ['I work at Acme', 'Acme is done for today'],
    ['I take metformin', 'I ran out of metformin'],
    ['I play chess', "I don't play chess online"],
    ['My boss is Bo', 'Bo is out today'],
    ['My dog is called Rex', 'Rex is done with his food'],
  ])('a change of nothing, or of a part, ends nothing: %s, %s', async (was, told) => {
    await say(was, told);
    expect(await past()).toEqual([]);
  });

  it.each([
    ['I live in Bern', 'I moved from Bern to Basel'],
    ['I live in Bern', "I don't live in Bern any more"],
    ['I bank with UBS', 'I moved from UBS to ZKB'],
    ['I train at Pulse', 'I changed my gym from Pulse to Forge'],
    ['I drive a Volvo', 'I replaced my Volvo with a Tesla'],
    ['I work at Acme', 'I no longer work at Acme'],
    ['I work at Acme', 'I left Acme'],
    ['I drive a Volvo', 'I sold my Volvo'],
    ['I play chess', "I don't play chess any more"],
  ])('a whole change ends what was: %s, %s', async (was, told) => {
    await say(was, told);
    expect(await past()).toHaveLength(1);
  });

  it.each([
    'I moved to Bern, forgot to tell you',
    'I moved to Bern, forgot about that',
    'I moved to Bern, totally forgot to say',
    'I moved to Bern - completely forgot to mention it, sorry',
    'I moved to Bern and forgot to tell you',
    'I moved to Bern, never told you',
  ])('is told late, and without what is said of that: %s', async (update) => {
    await say('I live in Rome', update);
    expect(await known()).toEqual(['Ada moved to Bern.']);
    expect(await past()).toHaveLength(1);
  });

  it.each([
    ['I moved to Bern, forgot my keys', /keys/],
    ['I moved to Bern, forgot to tell my boss', /boss/],
  ])('is not cut where it says more: %s', async (said, more) => {
    await say(said);
    expect((await known()).join()).toMatch(more);
  });

  it.each([
    '1. I live in Rome.\n2. I work at Acme.',
    'Some facts about me:\n1. I live in Rome.\n2. I work at Acme.',
  ])('is read of a numbered list: %s', async (said) => {
    await say(said);
    expect([...(await known())].sort()).toEqual(['Ada lives in Rome.', 'Ada works at Acme.']);
  });

  it.each([
    'Which is better English?\n1. I live in Rome.\n2. I am living in Rome.',
    'Which is better:\n1. I live in Rome.\n2. I am living in Rome.',
    '1. I live in Rome.\n2. I live in Oslo.\nTranslate these.',
  ])('is not taken of a list that is a sample: %s', async (said) => {
    await say(said);
    expect(await known()).toEqual([]);
  });
});
