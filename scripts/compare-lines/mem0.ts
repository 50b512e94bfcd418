import { openai } from '@ai-sdk/openai';
import { generateText, type ModelMessage } from 'ai';
import { Memory } from 'mem0ai/oss';

const memory = new Memory();
const threads = new Map<string, ModelMessage[]>();

export async function reply(user: string, thread: string, prompt: string): Promise<string> {
  const { results } = await memory.search(prompt, { filters: { user_id: user } });
  const system = `User memories:\n${results.map((result) => `- ${result.memory}`).join('\n')}`;
  const messages: ModelMessage[] = [
    ...(threads.get(thread) ?? []),
    { role: 'user', content: prompt },
  ];
  const { text } = await generateText({ model: openai('gpt-5-mini'), system, messages });
  threads.set(thread, [...messages, { role: 'assistant', content: text }]);
  const exchange = [
    { role: 'user', content: prompt },
    { role: 'assistant', content: text },
  ];
  await memory.add(exchange, { userId: user });
  return text;
}
