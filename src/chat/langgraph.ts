/**
 * `contextengine/langgraph`: a node that asks a chat model with the context of a scope. The store
 * is in `langgraph-store.ts`.
 */
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
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
export { contextStore, type StoreEngine, type StoreOptions } from './langgraph-store.ts';

/** A chat model, with tools bound or without. */
export interface ChatModel {
  invoke(messages: BaseMessage[], config?: RunnableConfig): Promise<BaseMessage>;
}
type RunScope = ChatOptions['scope'];
export interface NodeOptions extends Omit<ChatOptions, 'scope'> {
  readonly model: ChatModel;
  /** The scope of every run, or that of a run: of `config.configurable.thread_id`, say. */
  readonly scope: RunScope | ((config: RunnableConfig) => RunScope | Promise<RunScope>);
}
interface MessagesState {
  readonly messages: readonly BaseMessage[];
}

/**
 * For `addNode`, over a state that holds `messages`. The model gets one system message, which is
 * the one of the state with the context behind it; then those recent turns that the state lacks;
 * then the messages of the state. Its answer is what the node adds. The exchange is appended when
 * the model has answered without calling a tool.
 */
export function contextNode(
  engine: ChatEngine,
  { model, scope, ...rest }: NodeOptions,
): (state: MessagesState, config?: RunnableConfig) => Promise<{ messages: BaseMessage[] }> {
  return async (state, config = {}) => {
    const own = typeof scope === 'function' ? await scope(config) : scope;
    const options: ChatOptions = { ...rest, scope: own };
    const messages = spokenOfMessages(state.messages);
    const composition = await contextOf(engine, options, messages);
    // Models of several providers take one system message, and it stands first.
    const context = composition.messages('openai', { changing: 'system' });
    const answer = await model.invoke(withContext(state.messages, messages, context), config);
    await keepExchange(engine, options, { messages, answer: spokenOfMessages([answer]) });
    return { messages: [answer] };
  };
}

function withContext(
  state: readonly BaseMessage[],
  messages: readonly Spoken[],
  context: MessagesOf['openai'],
): BaseMessage[] {
  const first = context.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const query = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const turns = spokenOfContext(context.slice(first.length, query.trim() === '' ? undefined : -1));
  const isSystem = (message: BaseMessage): boolean => message.getType() === 'system';
  const system = [...state.filter(isSystem).map(({ text }) => text), ...first].join('\n\n');
  return [
    ...(system === '' ? [] : [new SystemMessage(system)]),
    ...turns.slice(0, lackedTurns(turns, messages)).map(toMessage),
    ...state.filter((message) => !isSystem(message)),
  ];
}

const spokenOfContext = (context: MessagesOf['openai']): readonly Spoken[] =>
  context.map((message): Spoken => {
    if (message.role === 'tool') return resultOf(message.tool_call_id, message.content);
    if (message.role !== 'assistant') return said('user', message.content);
    const calls = 'tool_calls' in message ? (message.tool_calls ?? []) : [];
    return {
      ...said('assistant', message.content ?? ''),
      calls: calls.map(({ id, function: { name, arguments: given } }) => ({
        id,
        name,
        arguments: callArguments(given),
      })),
    };
  });

function toMessage({ role, text, calls, callId }: Spoken): BaseMessage {
  if (role === 'user') return new HumanMessage(text);
  if (role === 'tool') return new ToolMessage({ content: text, tool_call_id: callId ?? '' });
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({ id, name, args }));
  return new AIMessage({ content: text, tool_calls });
}

const spokenOfMessages = (messages: readonly BaseMessage[]): readonly Spoken[] =>
  messages.flatMap((message): readonly Spoken[] => {
    const type = message.getType();
    if (type === 'human') return [said('user', message.text)];
    if (isAIMessage(message)) return [assistantTurn(message)];
    if (type !== 'tool') return [];
    const callId = 'tool_call_id' in message ? String(message.tool_call_id) : '';
    return [resultOf(callId, message.text)];
  });

const assistantTurn = ({ text, tool_calls: calls = [] }: AIMessage): Spoken => ({
  ...said('assistant', text),
  calls: calls.map(({ id = '', name, args }) => ({ id, name, arguments: { ...args } })),
});
