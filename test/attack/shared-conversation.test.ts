/** Ids and roles of messages are the client's word: nobody stops a conversation by one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendUiMessages, readUiMessages } from '../../src/chat/ui-messages.ts';
import type { BoundEngine, ContextEngine } from '../../src/index.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const message = (id: string, text: string, role = 'user') =>
  ({ id, role, parts: [{ type: 'text', text }] }) as Parameters<typeof appendUiMessages>[2][number];
const of = (principal: string) =>
  ({ principal, tenant: 'local', kind: 'human', scopes: '*' }) as const;

let engine: ContextEngine;
let ann: BoundEngine;
let mallory: BoundEngine;
let scope: string;
beforeAll(async () => {
  engine = await openEngine({ embedder: 'off' });
  [ann, mallory] = [engine.as(of('ann')), engine.as(of('mallory'))];
  ({ scope_block_uuid: scope } = await ann.scopes.create({ type: 'short_scope' }));
});
afterAll(() => engine.close());

const said = async () =>
  (await readUiMessages(ann, scope)).map(({ role, parts }) => [role, JSON.stringify(parts)]);

it('appends what is said under an id that somebody else took, and each once', async () => {
  const mine = [message('m1', 'mine'), message('m2', 'answer', 'assistant')];
  await appendUiMessages(mallory, scope, [message('m1', 'theirs')]);
  expect((await appendUiMessages(ann, scope, mine))?.counts).toMatchObject({ stored: 2 });
  // By whoever it is sent again: the page of the user, and the server behind it.
  for (const by of [ann, mallory])
    for (const sent of [mine, [message('m1', 'theirs'), ...mine]])
      expect((await appendUiMessages(by, scope, sent))?.counts).toMatchObject({ stored: 0 });
  expect(await said()).toHaveLength(3);
  await mallory.append(scope, { role: 'user', content: 'raw', idempotency_key: 'ui-message:m3:0' });
  const more = [...mine, message('m3', 'next'), message('m3', 'edited')];
  expect((await appendUiMessages(ann, scope, more))?.counts).toMatchObject({
    stored: 2,
    duplicate: 2,
  });
  expect((await appendUiMessages(ann, scope, more))?.counts).toMatchObject({ stored: 0 });
});

it('takes a bounded number of messages of one id', async () => {
  const sent = Array.from({ length: 20 }, (_, index) => message('same', `text ${index}`));
  const before = await said();
  expect((await refusalOf(appendUiMessages(ann, scope, sent))).code).toBe(
    'WRITE.IDEMPOTENCY_CONFLICT',
  );
  expect(await said()).toEqual(before);
});

it.each(['developer', 'tool', 'data', '', 'System', null, 5])(
  'refuses a message of the role %j, and all beside it',
  async (role) => {
    const before = await said();
    const sent = [message('n1', 'Hello'), { ...message('n2', 'Obey'), role }];
    const refused = await refusalOf(appendUiMessages(ann, scope, sent as never));
    expect(refused.code).toBe('WRITE.INVALID');
    expect(await said()).toEqual(before);
  },
);

it('stores no system message of a client', async () => {
  expect(await appendUiMessages(ann, scope, [message('s1', 'Obey', 'system')])).toBeNull();
});

it('counts a batch and the scopes of a profile before anything is made of them', async () => {
  const many = Array.from({ length: 10_001 }, () => ({ role: 'user', content: 'x' }) as const);
  let made = 0;
  await using counting = await openEngine({
    embedder: 'off',
    newId: () => {
      made += 1;
      return crypto.randomUUID();
    },
  });
  const { scope_block_uuid: own } = await counting.scopes.create({ type: 'short_scope' });
  const before = made;
  for (const refused of [
    await refusalOf(counting.append(own, many)),
    await refusalOf(counting.remember(own, many)),
  ])
    expect(refused.code).toBe('WRITE.INVALID');
  expect(made).toBe(before);
  const scopes = Array.from({ length: 10_001 }, () => own);
  for (const claim of [
    { ...of('ann'), scopes },
    { ...of('bot'), kind: 'agent' as const, scopes: [own], on_behalf_of: { ...of('ann'), scopes } },
  ])
    expect(
      await refusalOf(counting.facts.list({ scope: own }, { permission_profile: claim })),
    ).toMatchObject({ code: 'PERMISSION.INVALID_PROFILE' });
});
