/** Chat loops with the AI SDK: context in, tools and streams as they are, each exchange once. */

import {
  generateText,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appendUiMessages, contextMiddleware, readUiMessages } from '../../src/chat/ai-sdk.ts';
import { chatEngine } from '../support/chat-engine.ts';
import { refusalOf } from '../support/engines.ts';
import { storedTurns } from '../support/stored-turns.ts';

const loop = chatEngine();
const { newScope } = loop;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: 'stop' } as const;
const calls = { unified: 'tool-calls', raw: 'tool_calls' } as const;
const answering = (text: string) => ({
  content: [{ type: 'text', text } as const],
  finishReason: stop,
  usage,
  warnings: [],
});
const calling = (id: string) => ({
  content: [
    { type: 'tool-call', toolCallId: id, toolName: 'weather', input: '{"city":"Bergen"}' } as const,
  ],
  finishReason: calls,
  usage,
  warnings: [],
});
const weather = tool({
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `rain in ${city}`,
});

describe('the middleware of the AI SDK', () => {
  it('takes the keys of the application, and remembers a person from one thread to the next', async () => {
    const model = new MockLanguageModelV3({
      doGenerate: [answering('Noted.'), answering('Hello.'), answering('I do not know.')],
    });
    const ask = (thread: string, person: string, prompt: string) => {
      const scope = {
        type: 'chat_session',
        key: thread,
        inherits: [{ type: 'user', key: person, title: person }],
      };
      const middleware = contextMiddleware(loop.bound, {
        scope,
        intent: 'follow_up',
        capture: true,
      });
      return generateText({ model: wrapLanguageModel({ model, middleware }), prompt });
    };
    await ask('keyed-1', 'person-1', 'I work at Northwind in Bergen.');
    await ask('keyed-2', 'person-1', 'Where do I work?');
    await ask('keyed-3', 'person-2', 'Where do I work?');
    const asked = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt));
    expect(asked.map((prompt) => prompt.includes('Northwind'))).toEqual([true, true, false]);
  });

  it('makes no scope of a type that no manifest serves', async () => {
    const model = new MockLanguageModelV3({ doGenerate: [answering('Hello.')] });
    const ask = (type: string, manifest?: string) => {
      const scope = { type, key: 'typed-1', inherits: [{ type: 'person', key: 'typed-dana' }] };
      const named = manifest === undefined ? {} : { manifest };
      const middleware = contextMiddleware(loop.bound, { scope, intent: 'follow_up', ...named });
      return generateText({ model: wrapLanguageModel({ model, middleware }), prompt: 'Hello?' });
    };
    for (const asking of [() => ask('chat_sesion'), () => ask('chat_session', 'no-such')]) {
      expect(await refusalOf(asking())).toMatchObject({
        code: 'MANIFEST.NOT_FOUND',
        fix: expect.stringContaining('`chat_session`'),
      });
      expect(await loop.bound.scopes.find('typed-1')).toBeNull();
      expect(await loop.bound.scopes.find('typed-dana')).toBeNull();
    }
    expect((await ask('chat_session')).text).toBe('Hello.');
    expect(await loop.bound.scopes.find('typed-1')).not.toBeNull();
  });

  it('gives context of earlier exchanges to a client that sends its last message alone', async () => {
    const scope = await newScope();
    const model = new MockLanguageModelV3({
      doGenerate: [answering('Noted.'), answering('On Friday.')],
    });
    const wrapped = wrapLanguageModel({
      model,
      middleware: contextMiddleware(loop.bound, { scope, intent: 'follow_up' }),
    });
    await generateText({ model: wrapped, prompt: 'The launch is on Friday.' });
    await generateText({ model: wrapped, system: 'Be brief.', prompt: 'When is the launch?' });
    const prompt = model.doGenerateCalls[1]?.prompt ?? [];
    expect(prompt[0]).toMatchObject({ role: 'system', content: 'Be brief.' });
    expect(prompt.filter(({ role }) => role !== 'system')).toMatchObject([
      { role: 'user', content: [{ text: 'The launch is on Friday.' }] },
      { role: 'assistant', content: [{ text: 'Noted.' }] },
      { role: 'user', content: [{ text: 'When is the launch?' }] },
    ]);
    expect(await storedTurns(loop.bound, scope)).toEqual([
      'user: The launch is on Friday.',
      'assistant: Noted.',
      'user: When is the launch?',
      'assistant: On Friday.',
    ]);
  });

  it('repeats nothing to a client that sends all of its conversation', async () => {
    const scope = await newScope();
    const model = new MockLanguageModelV3({ doGenerate: [answering('One.'), answering('Two.')] });
    const wrapped = wrapLanguageModel({
      model,
      middleware: contextMiddleware(loop.bound, { scope, intent: 'follow_up' }),
    });
    const first = { role: 'user', content: 'Count.' } as const;
    await generateText({ model: wrapped, messages: [first] });
    await generateText({
      model: wrapped,
      messages: [
        first,
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: 'Go on.' },
      ],
    });
    const prompt = model.doGenerateCalls[1]?.prompt ?? [];
    expect(prompt.filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    expect(await storedTurns(loop.bound, scope)).toEqual([
      'user: Count.',
      'assistant: One.',
      'user: Go on.',
      'assistant: Two.',
    ]);
  });

  it('keeps tools and streams, and appends a tool loop as one exchange', async () => {
    const scope = await newScope();
    const streamed = (chunks: readonly object[]) => ({
      stream: simulateReadableStream({
        chunks: chunks as never[],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    });
    const model = new MockLanguageModelV3({
      doStream: [
        streamed([
          { type: 'stream-start', warnings: [] },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{"city":"Bergen"}' },
          { type: 'finish', finishReason: calls, usage },
        ]),
        streamed([
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'It ' },
          { type: 'text-delta', id: 't', delta: 'rains.' },
          { type: 'text-end', id: 't' },
          { type: 'finish', finishReason: stop, usage },
        ]),
      ],
    });
    const wrapped = wrapLanguageModel({
      model,
      middleware: contextMiddleware(loop.bound, { scope, intent: 'follow_up' }),
    });
    const result = streamText({
      model: wrapped,
      prompt: 'How is the weather in Bergen?',
      tools: { weather },
      stopWhen: stepCountIs(3),
    });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas).toEqual(['It ', 'rains.']);
    expect(await storedTurns(loop.bound, scope)).toEqual([
      'user: How is the weather in Bergen?',
      'assistant:  [1 calls]',
      'tool: rain in Bergen',
      'assistant: It rains.',
    ]);
  });

  it('appends nothing for a model that fails, and once when it is tried again', async () => {
    const scope = await newScope();
    let attempts = 0;
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('The model is down.');
        return attempts === 2 ? calling('c1') : answering('Rain.');
      },
    });
    const wrapped = wrapLanguageModel({
      model,
      middleware: contextMiddleware(loop.bound, { scope, intent: 'follow_up', author: 'Dana' }),
    });
    const ask = () =>
      generateText({
        model: wrapped,
        prompt: 'Weather?',
        tools: { weather },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      });
    await expect(ask()).rejects.toThrow('down');
    expect(await storedTurns(loop.bound, scope)).toEqual([]);
    await ask();
    expect(await storedTurns(loop.bound, scope)).toHaveLength(4);
  });
});

describe('messages of a user interface', () => {
  const messages: UIMessage[] = [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather in Bergen?' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        {
          type: 'dynamic-tool',
          toolName: 'weather',
          toolCallId: 'c1',
          state: 'output-available',
          input: { city: 'Bergen' },
          output: 'rain',
        },
        { type: 'step-start' },
        { type: 'text', text: 'It rains.' },
      ],
    },
  ];

  it('are appended once, however often they are sent, and come back as they were', async () => {
    const scope = await newScope();
    await appendUiMessages(loop.bound, scope, messages.slice(0, 1));
    await appendUiMessages(loop.bound, scope, messages);
    const again = await appendUiMessages(loop.bound, scope, messages);
    expect(again?.counts).toMatchObject({ stored: 0, duplicate: 4 });
    expect(await storedTurns(loop.bound, scope)).toEqual([
      'user: Weather in Bergen?',
      'assistant:  [1 calls]',
      'tool: rain',
      'assistant: It rains.',
    ]);
    const read = await readUiMessages(loop.bound, scope);
    expect(read.map(({ id, role }) => [id, role])).toEqual([
      ['m1', 'user'],
      ['m2', 'assistant'],
    ]);
    expect(read[1]?.parts.filter(({ type }) => type !== 'step-start')).toEqual(
      messages[1]?.parts.filter(({ type }) => type !== 'step-start'),
    );
  });

  it('wait while a tool has not answered', async () => {
    const scope = await newScope();
    const open = structuredClone(messages);
    open[1] = {
      id: 'm2',
      role: 'assistant',
      parts: [
        {
          type: 'dynamic-tool',
          toolName: 'weather',
          toolCallId: 'c1',
          state: 'input-available',
          input: {},
        },
      ],
    };
    await appendUiMessages(loop.bound, scope, open);
    expect(await storedTurns(loop.bound, scope)).toEqual(['user: Weather in Bergen?']);
  });

  it('are refused whole where a client sends what is none', async () => {
    const scope = await newScope();
    const part = { type: 'text', text: 'Hello' };
    const user = { id: 'm1', role: 'user', parts: [part] };
    for (const parts of [
      undefined,
      [null],
      [{ type: 5 }],
      [{ type: 'text' }],
      [{ type: 'tool-a' }],
    ])
      for (const sent of [
        [user, { ...user, id: 'm2', parts }],
        [user, null],
        [{ ...user, id: ' ' }],
      ]) {
        const refused = await refusalOf(appendUiMessages(loop.bound, scope, sent as never));
        expect(refused.code).toBe('WRITE.INVALID');
      }
    expect(await storedTurns(loop.bound, scope)).toEqual([]);
  });

  it('go to no scope whose outer ones make a circle', async () => {
    const scope = { type: 'chat_session', key: 'round', inherits: [] as unknown[] };
    scope.inherits.push(scope);
    const model = wrapLanguageModel({
      model: new MockLanguageModelV3(),
      middleware: contextMiddleware(loop.bound, { scope: scope as never, intent: 'follow_up' }),
    });
    await expect(generateText({ model, prompt: 'Hello?', maxRetries: 0 })).rejects.toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
  });
});
