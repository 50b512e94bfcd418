/** What is over in a life ends the values of properties that were of it, and no others. */
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
    role: { type: text, patterns: ["i work as {value}"] }
    employer: { type: text, patterns: ["i work at {value}"] }
    spouse: { type: text, patterns: ["my wife is {value}", "i am married to {value}"] }
    marital_status: { type: option, options: [single, married, divorced], patterns: ["my marital status is {value}"] }
    pets: { type: text, cardinality: many, patterns: ["my pet is {value}"] }
    car: { type: text, patterns: ["my car is {value}"] }
    phone: { type: text, patterns: ["my phone number is {value}"] }
    plan: { type: option, options: [pro, team], patterns: ["i am on the {value} plan"] }
`;

describeOnDatabases('what is over, of properties', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    const manifests = mkdtempSync(join(tmpdir(), 'life-'));
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
    time.ms = START_MS;
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
  });
  const say = async (...said: readonly string[]) => {
    for (const content of said) {
      time.ms += 40 * DAY_MS;
      const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
      const occurred_at = new Date(time.ms);
      const turn = { role: 'user', author: 'Ada', content, occurred_at } as const;
      await engine.append(made.scope_block_uuid, turn);
      await engine.capture(made.scope_block_uuid);
    }
  };
  const held = async (state: 'current' | 'past' = 'current') => {
    const { facts } = await engine.facts.list({ scope: user, state });
    return facts
      .flatMap(({ row }) => ('content' in row ? [] : [`${row.property}=${String(row.value)}`]))
      .sort();
  };

  it.each([
    ["I'm a nurse at Bosch.", 'I got fired', 'role=nurse'],
    ['I work as a nurse.', 'I retired', 'role=nurse'],
    ['I work as a nurse.', 'I was laid off last week', 'role=nurse'],
    ['I work at Bosch.', 'I quit my job', 'employer=Bosch'],
    ['I work at Bosch.', 'I was made redundant by Bosch.', 'employer=Bosch'],
    ["I'm married to Ben.", 'I got divorced', 'spouse=Ben'],
    ['My wife is Anna.', 'Anna and I split up', 'spouse=Anna'],
    ['My wife is Anna.', 'We broke up', 'spouse=Anna'],
    ['My marital status is married.', 'I got divorced', 'marital_status=married'],
    ['My pet is Rex.', 'Rex died', 'pets=Rex'],
    ['My car is a Golf.', 'I sold my car', 'car=Golf'],
    ['My car is a Golf.', 'I sold the Golf', 'car=Golf'],
    ["I'm on the pro plan.", 'I cancelled my plan', 'plan=pro'],
  ])('ends: %s %s', async (first, last, over) => {
    await say(first);
    const before = await held();
    expect(before).toEqual([over]);
    await say(last);
    // `I got divorced` is a value itself.
    expect((await held()).filter((each) => each !== 'marital_status=divorced')).toEqual([]);
    expect(await held('past')).toEqual([over]);
  });

  it('ends what one turn says of one job', async () => {
    await say('I work as a nurse. I work at Bosch.', 'I lost my job');
    expect(await held()).toEqual([]);
    expect(await held('past')).toEqual(['employer=Bosch', 'role=nurse']);
  });

  it.each([
    ['I work as a nurse.', 'I got laid off from Lidl'],
    ['I work at Bosch.', 'I got fired from Lidl'],
    ['I work as a nurse.', 'I was laid off in 2019'],
    ['I work as a nurse.', 'I was let go early today'],
    ['I work as a nurse.', 'I almost got fired'],
    ['I work as a nurse.', 'My sister got fired'],
    ['I work as a nurse.', 'I resigned from the school board'],
    ["I'm married to Ben.", 'My girlfriend and I broke up'],
    ["I'm married to Ben.", 'Tom and I broke up'],
    ["I'm married to Ben.", 'My parents got divorced'],
    ['My pet is Rex.', 'Max died'],
    ['My pet is Rex.', "My neighbour's dog Rex died"],
    ['My car is a Golf.', 'I sold my bike'],
    ['My car is a Golf.', 'I sold my old car'],
    ['My phone number is 555 0101.', 'I sold my phone'],
    ['My phone number is 555 0101.', 'My phone died'],
    ["I'm on the pro plan.", 'I cancelled my gym plan'],
  ])('ends nothing: %s %s', async (first, last) => {
    await say(first);
    const before = await held();
    expect(before).toHaveLength(1);
    await say(last);
    expect(await held()).toEqual(before);
  });

  it('of two pets ends the one that is named', async () => {
    await say('My pet is Rex.', 'My pet is Bo.', 'My pet died');
    expect(await held()).toEqual(['pets=Bo', 'pets=Rex']);
    await say('Rex died');
    expect(await held()).toEqual(['pets=Bo']);
  });

  it('is a job at another place, and no other occupation', async () => {
    await say("I'm a nurse at Bosch.", "I changed jobs, I'm at Siemens now");
    expect(await held()).not.toContain('role=Siemens');
    expect(await held()).toContain('employer=Siemens');
    await say("I changed jobs, I'm a teacher now");
    expect(await held()).toContain('role=teacher');
  });
});
