import { Agent } from '@mastra/core/agent';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';

const memory = new Memory({
  storage: new LibSQLStore({ id: 'memory', url: 'file:memory.db' }),
  options: { lastMessages: 20, workingMemory: { enabled: true, scope: 'resource' } },
});
const agent = new Agent({
  id: 'chat',
  name: 'Chat',
  instructions: 'You are a helpful assistant.',
  model: 'openai/gpt-5-mini',
  memory,
});

export async function reply(user: string, thread: string, prompt: string): Promise<string> {
  return (await agent.generate(prompt, { memory: { resource: user, thread } })).text;
}
