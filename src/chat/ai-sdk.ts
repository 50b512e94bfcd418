/**
 * `contextengine/ai-sdk`: a middleware for language models of npm `ai`, 5 and later, and
 * `UIMessage[]` in and out of the ledger. Of `ai` it takes types alone.
 */
import type { LanguageModelMiddleware } from 'ai';
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
  textOfJson,
} from './exchange.ts';

export type { ChatEngine, ChatOptions, ChatScope } from './exchange.ts';
export { appendUiMessages, readUiMessages } from './ui-messages.ts';

type AiSdkMessage = MessagesOf['ai-sdk'][number];
type Transform = NonNullable<LanguageModelMiddleware['transformParams']>;
type Params = Parameters<Transform>[0]['params'];
type Prompt = Params['prompt'];
type Streamed = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;

/**
 * For `wrapLanguageModel({ model, middleware })`. Each call of the model gets the context of the
 * scope behind its own system messages, and before its messages those recent turns that it lacks:
 * so a client may send all of a conversation or its last message alone. The exchange is appended
 * when the model has answered; messages, tools, files and streams pass as they are.
 */
export function contextMiddleware(
  engine: ChatEngine,
  options: ChatOptions,
): LanguageModelMiddleware {
  const given = new WeakMap<Params, readonly Spoken[]>();
  const keep = (params: Params, answer: readonly Spoken[]): Promise<void> =>
    keepExchange(engine, options, { messages: given.get(params) ?? [], answer });
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => {
      const messages = spokenOfPrompt(params.prompt);
      const context = (await contextOf(engine, options, messages)).messages('ai-sdk');
      const transformed = { ...params, prompt: withContext(params.prompt, messages, context) };
      given.set(transformed, messages);
      return transformed;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      await keep(params, spokenOfParts(result.content));
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(keeping((answer) => keep(params, answer))) };
    },
  };
}

/** The context, the turns that the call lacks, and the call as it is. */
function withContext(
  prompt: Prompt,
  messages: readonly Spoken[],
  context: readonly AiSdkMessage[],
): Prompt {
  const system = context.flatMap((message) => (message.role === 'system' ? [message] : []));
  const query = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const turns = context.slice(system.length, query.trim() === '' ? undefined : -1);
  const lacked = lackedTurns(turns.map(spokenOfTurn), messages);
  const own = prompt.findIndex(({ role }) => role !== 'system');
  const head = own === -1 ? prompt : prompt.slice(0, own);
  const tail = own === -1 ? [] : prompt.slice(own);
  return [...head, ...system, ...turns.slice(0, lacked).map(promptMessage), ...tail];
}

function promptMessage(message: AiSdkMessage): Prompt[number] {
  if (message.role === 'system' || message.role === 'tool') return message;
  const { role, content } = message;
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  return { role: 'assistant', content };
}

/** A turn of a composition; a message of it holds one. */
function spokenOfTurn({ role, content }: AiSdkMessage): Spoken {
  if (typeof content === 'string') return said(role === 'assistant' ? role : 'user', content);
  const [turn] = spokenOfParts(content);
  return turn ?? said('assistant', '');
}

const spokenOfPrompt = (prompt: Prompt): readonly Spoken[] =>
  prompt.flatMap((message) => {
    if (message.role === 'system') return [];
    if (message.role === 'user') return [said('user', textOfParts(message.content))];
    return spokenOfParts(message.content);
  });

const textOfParts = (parts: readonly { readonly type: string }[]): string =>
  parts.flatMap((part) => ('text' in part ? [textOfJson(part.text)] : [])).join('\n');

/** A part of a message or of an answer, as far as it is read; all versions of `ai` have these. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** Of a call: an object in a prompt, JSON in an answer. */
  readonly input?: unknown;
  /** Of a result in a prompt. */
  readonly output?: unknown;
  /** Of a result of a tool that the provider ran. */
  readonly result?: unknown;
}

/** A result ends the turn before it; text and calls of one turn stay together. */
function spokenOfParts(parts: readonly Part[]): readonly Spoken[] {
  const spoken: Spoken[] = [];
  let open: Spoken | null = null;
  for (const part of parts) {
    if (part.type === 'text') open = addText(open, part.text ?? '');
    else if (part.type === 'tool-call') open = addCall(open, part);
    else if (part.type === 'tool-result') {
      if (open !== null) spoken.push(open);
      open = null;
      spoken.push(resultOf(part.toolCallId ?? '', resultText(part)));
    }
  }
  return open === null ? spoken : [...spoken, open];
}

function addText(open: Spoken | null, text: string): Spoken {
  if (open === null) return said('assistant', text);
  return { ...open, text: open.text === '' ? text : `${open.text}\n${text}` };
}

function addCall(open: Spoken | null, { toolCallId = '', toolName = '', input }: Part): Spoken {
  const turn = open ?? said('assistant', '');
  const call = { id: toolCallId, name: toolName, arguments: callArguments(textOfJson(input)) };
  return { ...turn, calls: [...turn.calls, call] };
}

function resultText({ output, result }: Part): string {
  const value = output ?? result;
  if (typeof value !== 'object' || value === null) return textOfJson(value);
  return textOfJson('value' in value ? value.value : 'reason' in value ? value.reason : value);
}

/** Passes a stream on as it is, and hands over what was said before it ends. */
function keeping(
  done: (answer: readonly Spoken[]) => Promise<void>,
): TransformStream<StreamPart, StreamPart> {
  const parts: Part[] = [];
  const textAt = new Map<string, number>();
  let hasFailed = false;
  return new TransformStream({
    transform(part, controller) {
      controller.enqueue(part);
      if (part.type === 'error') hasFailed = true;
      if (part.type === 'text-delta') addDelta(part.id, part.delta);
      if (part.type === 'tool-call' || part.type === 'tool-result') parts.push(part);
    },
    flush: async () => {
      if (!hasFailed) await done(spokenOfParts(parts));
    },
  });

  function addDelta(id: string, delta: string): void {
    const at = textAt.get(id) ?? parts.length;
    textAt.set(id, at);
    parts[at] = { type: 'text', text: (parts[at]?.text ?? '') + delta };
  }
}
