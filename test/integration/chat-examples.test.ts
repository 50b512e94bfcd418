/** The examples of chat loops run, and are as short as the page about them says. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { UIMessage } from 'ai';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer } from '../../examples/chat-loops/agent.ts';
import { createChat } from '../../examples/chat-loops/chat.ts';
import { ask, readDocs } from '../../examples/chat-loops/docs-bot.ts';
import { createGraph } from '../../examples/chat-loops/graph.ts';
import { createRoute } from '../../examples/chat-loops/next-route.ts';
import type { BoundEngine, ContextEngine } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { ROOT, readRepositoryFile } from '../support/source-files.ts';

let engine: ContextEngine;
let bound: BoundEngine;
beforeAll(async () => {
  engine = await createContextEngine({ database: { inMemory: true } });
  bound = engine.as(LOCAL_PROFILE);
});
afterAll(() => engine.close());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: 'stop' } as const;

/** A model that streams these answers, one a call. */
function streaming(...answers: readonly string[]) {
  const streams = answers.map((text) => ({
    stream: simulateReadableStream({
      initialDelayInMs: null,
      chunkDelayInMs: null,
      chunks: [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: text },
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason: stop, usage },
      ] as never[],
    }),
  }));
  return new MockLanguageModelV3({ doStream: streams });
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

describe('the examples of chat loops', () => {
  it('have at most 60 lines each', () => {
    const folder = 'examples/chat-loops';
    const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
    const lengths = files.map((name) => {
      const lines = readRepositoryFile(`${folder}/${name}`).text.trimEnd().split('\n').length;
      return [name, lines <= 60 ? 'short' : `${lines} lines`];
    });
    expect(files.length).toBeGreaterThanOrEqual(4);
    expect(lengths.filter(([, length]) => length !== 'short')).toEqual([]);
  });

  it('a chat with the AI SDK knows what was said before', async () => {
    const { scope_block_uuid: scope } = await bound.scopes.create({ type: 'chat_session' });
    const model = streaming('Noted.', 'On Friday.');
    const chat = createChat(bound, scope, model);
    await textOf(chat('The launch is on Friday.'));
    expect(await textOf(chat('When is the launch?'))).toBe('On Friday.');
    expect(JSON.stringify(model.doStreamCalls[1]?.prompt)).toContain('The launch is on Friday.');
  });

  it('an agent looks an order up and writes down what it learns', async () => {
    const { scope_block_uuid: customer } = await bound.scopes.create({ type: 'user' });
    const { scope_block_uuid: scope } = await bound.scopes.create({
      type: 'chat_session',
      inherits: [customer],
    });
    const call = (toolName: string, input: object) => ({
      content: [
        {
          type: 'tool-call',
          toolCallId: toolName,
          toolName,
          input: JSON.stringify(input),
        } as const,
      ],
      finishReason: { unified: 'tool-calls', raw: undefined } as const,
      usage,
      warnings: [],
    });
    const model = new MockLanguageModelV3({
      doGenerate: [
        call('order_status', { order: '4711' }),
        call('remember', { fact: 'Prefers evening delivery.' }),
        {
          content: [{ type: 'text', text: 'On its way.' }],
          finishReason: stop,
          usage,
          warnings: [],
        },
      ],
    });
    const statusOf = async (order: string): Promise<string> => `${order} is on its way`;
    const agent = { engine: bound, scope, customer, model, statusOf };
    expect(await answer(agent, 'Where is 4711? Evenings suit me.')).toBe('On its way.');
    const { facts } = await bound.facts.list({ scope: customer });
    expect(facts.map(({ row }) => ('content' in row ? row.content : ''))).toEqual([
      'Prefers evening delivery.',
    ]);
  });

  it('a route answers, and gives the conversation back after a reload', async () => {
    const { GET, POST } = createRoute(bound, streaming('Hello Dana.', 'Bergen.'));
    const url = 'https://app.example/api/chat?id=thread-1';
    const post = async (messages: UIMessage[]): Promise<string> => {
      const body = JSON.stringify({ id: 'thread-1', messages });
      return (await POST(new Request(url, { method: 'POST', body }))).text();
    };
    const read = async (): Promise<UIMessage[]> =>
      (await (await GET(new Request(url))).json()) as UIMessage[];
    const asked = (id: string, text: string): UIMessage => ({
      id,
      role: 'user',
      parts: [{ type: 'text', text }],
    });
    expect(await post([asked('m1', 'I am Dana of Bergen.')])).toContain('Hello Dana.');
    const after = await read();
    expect(after.map(({ role }) => role)).toEqual(['user', 'assistant']);
    await post([...after, asked('m3', 'Where am I from?')]);
    expect((await read()).map(({ parts }) => parts)).toMatchObject([
      [{ text: 'I am Dana of Bergen.' }],
      [{ text: 'Hello Dana.' }],
      [{ text: 'Where am I from?' }],
      [{ text: 'Bergen.' }],
    ]);
  });

  it('a graph runs its tools and remembers its thread', async () => {
    const seen: BaseMessage[][] = [];
    const answers = [
      new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'weather', args: {} }] }),
      new AIMessage('It rains.'),
      new AIMessage('As I said: rain.'),
    ];
    const model = {
      invoke: async (messages: BaseMessage[]) =>
        answers[seen.push(messages) - 1] ?? new AIMessage('none'),
    };
    const graph = createGraph(bound, model, { weather: async () => 'rain' });
    const config = { configurable: { thread_id: 'graph-1' } };
    await graph.invoke({ messages: [new HumanMessage('Weather?')] }, config);
    const { messages } = await graph.invoke({ messages: [new HumanMessage('Again?')] }, config);
    expect(messages.at(-1)?.text).toBe('As I said: rain.');
    expect(seen.at(-1)?.map(({ text }) => text)).toContain('It rains.');
  });

  it('a bot answers out of the docs of this repository', async () => {
    const manifests = join(ROOT, 'examples/chat-loops/docs-bot.yaml');
    const own = await createContextEngine({ database: { inMemory: true }, manifests });
    try {
      const reader = own.as(LOCAL_PROFILE);
      const docs = await readDocs(reader, join(ROOT, 'docs'));
      const model = new MockLanguageModelV3({
        doGenerate: [
          {
            content: [{ type: 'text', text: 'With a certificate.' }],
            finishReason: stop,
            usage,
            warnings: [],
          },
        ],
      });
      const question = 'How is an erasure certified?';
      const { text, sources } = await ask(reader, docs, model, question);
      expect(text).toBe('With a certificate.');
      expect(sources).toContain('memory://docs/forgetting.md');
      expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('certificate');
    } finally {
      await own.close();
    }
  });
});
