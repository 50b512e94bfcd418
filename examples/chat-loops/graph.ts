/** A graph of LangGraph: a node that asks with context, tools, and a store that lasts. */
import { type AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import type { BoundEngine } from 'contextengine';
import { type ChatModel, contextNode, contextStore } from 'contextengine/langgraph';

type Tools = Readonly<Record<string, (args: Record<string, unknown>) => Promise<string>>>;
const callsOf = (messages: readonly BaseMessage[]) =>
  (messages.at(-1) as AIMessage | undefined)?.tool_calls ?? [];

/** Run with `{ configurable: { thread_id } }`: a thread is a scope. */
export function createGraph(engine: BoundEngine, model: ChatModel, tools: Tools) {
  const agent = contextNode(engine, {
    model,
    intent: 'follow_up',
    scope: async ({ configurable }) => {
      const key = `thread:${configurable?.['thread_id']}`;
      return (await engine.scopes.getOrCreate({ type: 'chat_session', key })).scope_block_uuid;
    },
  });
  const run = async ({ messages }: { messages: readonly BaseMessage[] }) => ({
    messages: await Promise.all(
      callsOf(messages).map(async ({ id = '', name, args }) => {
        const content = (await tools[name]?.(args)) ?? `There is no tool ${name}.`;
        return new ToolMessage({ content, tool_call_id: id });
      }),
    ),
  });
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', agent)
    .addNode('tools', run)
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => (callsOf(messages).length > 0 ? 'tools' : END))
    .addEdge('tools', 'agent')
    .compile({ store: contextStore(engine) });
}
