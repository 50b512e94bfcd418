/** Chat loops with OpenAI: context in, tools and streams as they are, each exchange appended once. */
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { contextCompletions } from '../../src/chat/openai.ts';
import { chatEngine } from '../support/chat-engine.ts';
import { storedTurns } from '../support/stored-turns.ts';

const loop = chatEngine();
const { newScope } = loop;

describe('chat completions of OpenAI', () => {
  type Body = OpenAI.Chat.Completions.ChatCompletionCreateParams;
  /** A client whose server is a function. */
  function clientOf(respond: (body: Body) => Response) {
    const bodies: Body[] = [];
    const client = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async (_url, init) => {
        const body = JSON.parse(String(init?.body)) as Body;
        bodies.push(body);
        return respond(body);
      },
    });
    return { client, bodies };
  }
  const answered = (content: string) =>
    Response.json({ id: 'x', choices: [{ index: 0, message: { role: 'assistant', content } }] });

  it('have the context behind the system messages, and the turns that they lack', async () => {
    const scope = await newScope();
    const { client, bodies } = clientOf(() => answered('Noted.'));
    const chat = contextCompletions(loop.bound, { client, scope, intent: 'follow_up' });
    await chat.create({ model: 'm', messages: [{ role: 'user', content: 'I moved to Oslo.' }] });
    const { choices } = await chat.create({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where do I live?' },
      ],
    });
    expect(choices[0]?.message.content).toBe('Noted.');
    const sent = bodies[1]?.messages ?? [];
    expect(sent[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(sent.filter(({ role }) => role !== 'system')).toEqual([
      { role: 'user', content: 'I moved to Oslo.' },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'Where do I live?' },
    ]);
    expect(await storedTurns(loop.bound, scope)).toHaveLength(4);
  });

  it('have what the question found just before it, behind all that a cache can keep', async () => {
    const scope = await newScope();
    await loop.bound.remember(scope, { content: 'The ferry to Oslo leaves at 07:40.' });
    const { client, bodies } = clientOf(() => answered('At 07:40.'));
    const chat = contextCompletions(loop.bound, { client, scope, intent: 'follow_up' });
    const asked = { role: 'user', content: 'When does the ferry to Oslo leave?' } as const;
    const tool = { role: 'tool', tool_call_id: 'c', content: 'none' } as const;
    const called: Body['messages'][number] = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'delays', arguments: '{}' } }],
    };
    await chat.create({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
    await chat.create({ model: 'm', messages: [asked, called, tool] });
    const sent = bodies[1]?.messages ?? [];
    const shape = ['system', 'user', 'assistant', 'system', 'user', 'assistant', 'tool'];
    expect(sent.map(({ role }) => role)).toEqual(shape);
    expect(sent[0]?.content).not.toContain('07:40');
    expect(sent[3]?.content).toContain('07:40');
    expect(sent.slice(4)).toEqual([asked, called, tool]);
  });

  it('stream as they are, and are appended when the stream has ended', async () => {
    const scope = await newScope();
    const lines = ['It ', 'rains.'].map((content) =>
      JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content } }] }),
    );
    const { client } = clientOf(
      () =>
        new Response([...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    );
    const chat = contextCompletions(loop.bound, { client, scope, intent: 'follow_up' });
    const stream = await chat.create({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Weather?' }],
    });
    const deltas: string[] = [];
    for await (const { choices } of stream) deltas.push(choices[0]?.delta.content ?? '');
    expect(deltas).toEqual(['It ', 'rains.']);
    expect(await storedTurns(loop.bound, scope)).toEqual([
      'user: Weather?',
      'assistant: It rains.',
    ]);
  });
});
