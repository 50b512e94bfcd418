/**
 * `contextengine/openai`: chat completions of npm `openai`, 5 and later, with the context of a
 * scope. Of `openai` it takes types alone; the client is the application's.
 */
import type OpenAI from 'openai';
import type { MessagesOf } from '../index.ts';
import {
  type ChatEngine,
  type ChatOptions,
  callArguments,
  contextOf,
  keepExchange,
  lackedTurns,
  resultOf,
  type Spoken,
  said,
} from './exchange.ts';

export type { ChatEngine, ChatOptions, ChatScope } from './exchange.ts';

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Whole = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Streaming = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Completion = OpenAI.Chat.Completions.ChatCompletion;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type ChunkStream = Awaited<ReturnType<typeof createStream>>;
const createStream = (client: OpenAI, body: Streaming, options?: OpenAI.RequestOptions) =>
  client.chat.completions.create(body, options);

/** `client.chat.completions`, as far as it has context. */
export interface ContextCompletions {
  create(body: Whole, options?: OpenAI.RequestOptions): Promise<Completion>;
  create(body: Streaming, options?: OpenAI.RequestOptions): Promise<ChunkStream>;
}

/**
 * Takes what `client.chat.completions.create` takes. What lasts of the context stands behind the
 * system messages of the call, then those recent turns that it lacks, then its messages; what the
 * query found stands before the last of a user. The exchange is appended when the model has
 * answered; tools and streams pass as they are.
 */
export function contextCompletions(
  engine: ChatEngine,
  options: ChatOptions & { readonly client: OpenAI },
): ContextCompletions {
  const { client } = options;
  const prepare = async (messages: readonly Message[]) => {
    const spoken = spokenOfMessages(messages);
    const context = (await contextOf(engine, options, spoken)).messages('openai');
    return {
      messages: withContext(messages, spoken, context),
      keep: (answer: readonly Spoken[]) =>
        keepExchange(engine, options, { messages: spoken, answer }),
    };
  };
  async function create(body: Whole, request?: OpenAI.RequestOptions): Promise<Completion>;
  async function create(body: Streaming, request?: OpenAI.RequestOptions): Promise<ChunkStream>;
  async function create(body: Whole | Streaming, request?: OpenAI.RequestOptions) {
    const { messages, keep } = await prepare(body.messages);
    if (body.stream) {
      const stream = await createStream(client, { ...body, messages }, request);
      return keeping(stream, keep);
    }
    const completion = await client.chat.completions.create({ ...body, messages }, request);
    const message = completion.choices[0]?.message;
    if (message !== undefined) await keep(spokenOfMessages([message]));
    return completion;
  }
  return { create };
}

/**
 * What lasts, the turns that the call lacks, and the call as it is; what the query found stands
 * just before it, so that a prompt cache keeps all that was said.
 */
function withContext(
  messages: readonly Message[],
  spoken: readonly Spoken[],
  context: MessagesOf['openai'],
): Message[] {
  const isSystem = ({ role }: Message): boolean => role === 'system';
  const begun = context.findIndex((message) => !isSystem(message));
  const system = context.slice(0, begun === -1 ? undefined : begun);
  const found = context.slice(system.length).filter(isSystem);
  const query = spoken.findLast(({ role }) => role === 'user')?.text ?? '';
  const turns = context
    .slice(system.length, query.trim() === '' ? undefined : -1)
    .filter((message) => !isSystem(message));
  const lacked = lackedTurns(
    turns.flatMap((turn) => spokenOfMessages([turn])),
    spoken,
  );
  const own = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const at = own === -1 ? messages.length : own;
  const asked = Math.max(
    at,
    messages.findLastIndex(({ role }) => role === 'user'),
  );
  return [
    ...messages.slice(0, at),
    ...system,
    ...turns.slice(0, lacked),
    ...messages.slice(at, asked),
    ...found,
    ...messages.slice(asked),
  ];
}

const spokenOfMessages = (messages: readonly Message[]): readonly Spoken[] =>
  messages.flatMap((message): readonly Spoken[] => {
    const text = textOf(message.content);
    if (message.role === 'user') return [said('user', text)];
    if (message.role === 'tool') return [resultOf(message.tool_call_id, text)];
    if (message.role !== 'assistant') return [];
    const calls = (message.tool_calls ?? []).map((call) =>
      call.type === 'function'
        ? { id: call.id, name: call.function.name, given: call.function.arguments }
        : { id: call.id, name: call.custom.name, given: call.custom.input },
    );
    return [
      {
        ...said('assistant', text),
        calls: calls.map(({ id, name, given }) => ({ id, name, arguments: callArguments(given) })),
      },
    ];
  });

function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** The same stream, read by who reads it, and handed over before it ends. */
function keeping(
  stream: ChunkStream,
  done: (answer: readonly Spoken[]) => Promise<void>,
): ChunkStream {
  // The class of the client's own copy of the SDK, which this module does not import.
  const Stream = stream.constructor as new (
    iterate: () => AsyncIterator<Chunk>,
    controller: AbortController,
  ) => ChunkStream;
  return new Stream(() => read(), stream.controller);

  async function* read(): AsyncGenerator<Chunk> {
    let text = '';
    const calls = new Map<number, { id: string; name: string; given: string }>();
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      text += delta?.content ?? '';
      for (const { index, id, function: part } of delta?.tool_calls ?? []) {
        const call = calls.get(index) ?? { id: '', name: '', given: '' };
        calls.set(index, {
          id: call.id || (id ?? ''),
          name: call.name || (part?.name ?? ''),
          given: call.given + (part?.arguments ?? ''),
        });
      }
      yield chunk;
    }
    const named = [...calls.values()].map(({ id, name, given }) => ({
      id,
      name,
      arguments: callArguments(given),
    }));
    await done([{ ...said('assistant', text), calls: named }]);
  }
}
