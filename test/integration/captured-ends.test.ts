/** A denial ends what was so: a typed value, or a state that had an end of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const CHAT = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: chat, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers: { schema_typed: { collection: person }, open_set: { top_k: 8 } }
  budget: { total_tokens: 2000 }
  permission: { reads: T1, writes: T2 }
  writing:
    into: { preference: user, fact: user, rule: user, typed: user }
`;
const PERSON = `apiVersion: contextengine.test/v1
kind: Collection
metadata: { name: person, version: 1 }
spec:
  properties:
    dietary: { type: option, options: [vegetarian, vegan], patterns: ["i am {value}"] }
    billing: { type: option, options: [annual, monthly], patterns: ["i switched to {value} billing", "i am on {value} billing"] }
    employer: { type: text, patterns: ["i work at {value}"] }
    home: { type: text, patterns: ["i live in {value}"] }
    cto: { type: text, patterns: ["our cto is {value}"] }
    scripts: { type: text, cardinality: many, patterns: ["i script in {value}"] }
`;

/** The statement of a return, or of a denial, can be kept as well. */
const isAbsence = (content: string): boolean => !/ (?:back|not) /.test(content);

describeOnDatabases('what is denied', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    const manifests = mkdtempSync(join(tmpdir(), 'denied-'));
    mkdirSync(join(manifests, 'collections'));
    writeFileSync(join(manifests, 'chat.yaml'), CHAT);
    writeFileSync(join(manifests, 'collections', 'person.yaml'), PERSON);
    engine = await openLocalEngine(open, flavor, { time, manifests });
    return async () => {
      await engine.close();
      rmSync(manifests, { recursive: true });
    };
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    session = made.scope_block_uuid;
    time.ms += DAY_MS;
  });
  const say = async (...said: readonly string[]) => {
    for (const content of said) {
      time.ms += 60_000;
      const occurred_at = new Date(time.ms);
      await engine.append(session, { role: 'user', author: 'Ada', content, occurred_at });
      await engine.capture(session);
    }
  };
  const held = async (state: 'current' | 'past' = 'current', scope = user) => {
    const { facts } = await engine.facts.list({ scope, state });
    return facts
      .map(({ row }) => ('content' in row ? row.content : `${row.property}=${String(row.value)}`))
      .sort();
  };

  it('is a value of a property: it was so until then', async () => {
    await say("I'm vegetarian.", "I'm not vegetarian any more.");
    expect(await held('past')).toEqual(['dietary=vegetarian']);
    expect(await held()).not.toContain('dietary=vegetarian');
    await say("I'm vegan.", "I'm not vegan.");
    expect((await held()).join()).not.toContain('dietary');
    await say('I work at Acme.', 'I no longer work at Acme.');
    expect(await held('past')).toContain('employer=Acme');
    expect((await held()).join()).not.toContain('employer');
  });

  it.each([
    ['I live in Bern.', "I don't live in Bern any more."],
    ['I live in Bern.', 'i dont live in bern anymore'],
    ["I'm based in Bern.", "I'm not based in Bern any more."],
    ['I live in Bern.', "I haven't lived in Bern since May."],
    ['I live in Bern.', "Hm. I'm not living in Bern any more."],
  ])('is the home, however it is denied: %s %s', async (said, denied) => {
    await say(said);
    expect(await held()).toEqual(['home=Bern']);
    await say(denied);
    expect(await held('past')).toEqual(['home=Bern']);
    expect((await held()).join()).not.toContain('home=');
  });

  it.each([
    "I don't live in Basel any more.",
    "I don't live in Bern on weekdays.",
    'Bern is nice.',
  ])('is no other home: %s', async (text) => {
    await say('I live in Bern.', text);
    expect(await held()).toContain('home=Bern');
  });

  it('is one of several values', async () => {
    await say('I script in Python, Go and Rust.');
    expect(await held()).toEqual(['scripts=Go', 'scripts=Python', 'scripts=Rust']);
    await say("I don't script in Go any more.");
    expect((await held()).filter((each) => each.startsWith('scripts'))).toEqual([
      'scripts=Python',
      'scripts=Rust',
    ]);
  });

  it.each([
    "I'm not vegan any more.",
    "I'm not vegetarian on Sundays.",
    "I'm not only vegetarian.",
    "I'm not really vegetarian any more.",
    'My wife is not vegetarian any more.',
    'Am I not vegetarian any more?',
    "Maybe I'm not vegetarian any more.",
    'Bob said: "I am not vegetarian any more."',
  ])('is no value where the sentence denies another thing: %s', async (text) => {
    await say("I'm vegetarian.", text);
    expect(await held()).toContain('dietary=vegetarian');
  });

  it('is undone as any other write', async () => {
    await say("I'm vegetarian.", "I'm not vegetarian any more.");
    const { captures } = await engine.captures.list({ scope: session, limit: 1 });
    const ended = captures[0]?.candidates.find(({ reason }) => reason === 'ended');
    expect(ended).toMatchObject({ outcome: 'superseded', class: 'typed' });
    await engine.undo(ended?.operation_id ?? '');
    expect(await held()).toContain('dietary=vegetarian');
  });

  it('is a state, which ends before its day', async () => {
    for (const [state, end] of [
      ["I'm off sick this week.", "I'm not sick any more."],
      ["I'm on vacation until October.", "I'm back from vacation."],
      ["I'm off sick for two weeks.", "I'm back at work."],
      ["I'm off sick this week.", "I'm back!"],
      ["I'm on call until October.", "I'm no longer on call."],
      ["I'm on call until October.", 'Not on call any more.'],
      ["I'm on-call until October.", "I'm not on call any more."],
      ["I'm on call until October.", "Sorry, I'm not on call."],
      ["I'm on call until October.", "I'm not on call after all."],
      ["I'm on call until October.", "I'm off call now."],
      ["I'm on parental leave until October.", "I'm back in the office today."],
    ] as const) {
      await say(state);
      expect((await held('current', session)).filter(isAbsence)).toHaveLength(1);
      await say(end);
      expect((await held('current', session)).filter(isAbsence), end).toEqual([]);
    }
    expect((await held('past', session)).filter(isAbsence)).toHaveLength(11);
  });

  it.each([
    ["I'm off sick this week.", "I'm not tired any more."],
    ["I'm off sick this week.", "I'm back at work on Monday."],
    ["I'm off sick this week.", "I'm back to square one."],
    ["I'm off sick this week.", "I'm back in an hour."],
    ["I'm on vacation until October.", "I'm back."],
    ["I'm on call until October.", "I'm not on call this weekend."],
    ["I'm on call until October.", "I'm not on call, except this week."],
    ["I'm on call until October.", "I'm not only on call."],
    ["I'm on call until October.", "I'm not on the call."],
    ["I'm on call until October.", "I'm off work today."],
    ["I'm on call until October.", 'Tom is not on call any more.'],
    ["I'm off sugar until October.", "I'm back at work."],
    ["I'm on a diet until October.", "I'm back from vacation."],
    ["I'm off sick this week.", 'Is it fine if I am back at work?'],
    ["I'm not drinking until October.", "I'm no longer drinking."],
  ])('is no other state: %s %s', async (state, text) => {
    await say(state, text);
    expect((await held('current', session)).length).toBeGreaterThanOrEqual(1);
    expect(await held('past', session)).toEqual([]);
  });

  it('is what a later day names: a change of yesterday holds, and from then', async () => {
    await say('I am on monthly billing.');
    time.ms += 3 * DAY_MS;
    await say('Switched to annual billing yesterday.');
    expect(await held()).toEqual(['billing=annual']);
    const { facts } = await engine.facts.list({ scope: user, state: 'current' });
    expect(Date.parse(facts[0]?.row.valid_from ?? '')).toBeLessThan(time.ms - DAY_MS / 2);
    // Told of on the day itself, it is not older than what it changes.
    await say('I am on monthly billing.', 'I switched to annual billing yesterday.');
    expect(await held()).toEqual(['billing=annual']);
    await say('Our CTO is Lena now.');
    expect(await held()).toEqual(['billing=annual', 'cto=Lena']);
  });
});
