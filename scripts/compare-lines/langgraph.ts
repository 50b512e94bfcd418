import { randomUUID } from 'node:crypto';
import {
  InMemoryStore,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';

const model = new ChatOpenAI({ model: 'gpt-5-mini' });
const embeddings = new OpenAIEmbeddings({ model: 'text-embedding-3-small' });
const extractor = model.withStructuredOutput(z.object({ facts: z.array(z.string()) }));

async function callModel(
  { messages }: typeof MessagesAnnotation.State,
  { store, configurable }: LangGraphRunnableConfig,
) {
  const namespace = ['memories', configurable?.['user_id']];
  const query = messages.at(-1)?.text ?? '';
  const known = await store?.search(namespace, { query, limit: 5 });
  const system = `User memories:\n${known?.map((item) => `- ${item.value['data']}`).join('\n')}`;
  const answer = await model.invoke([{ role: 'system', content: system }, ...messages]);
  const { facts } = await extractor.invoke(`List what the user says of themselves: ${query}`);
  for (const data of facts) await store?.put(namespace, randomUUID(), { data });
  return { messages: [answer] };
}

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', callModel)
  .addEdge(START, 'model')
  .compile({
    checkpointer: new MemorySaver(),
    store: new InMemoryStore({ index: { embeddings, dims: 1536 } }),
  });

export async function reply(user: string, thread: string, prompt: string): Promise<string> {
  const { messages } = await graph.invoke(
    { messages: [{ role: 'user', content: prompt }] },
    { configurable: { thread_id: thread, user_id: user } },
  );
  return messages.at(-1)?.text ?? '';
}
