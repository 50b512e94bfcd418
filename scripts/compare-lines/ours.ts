import { openai } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { createContextEngine, LOCAL_PROFILE } from 'contextengine';
import { contextMiddleware } from 'contextengine/ai-sdk';

const engine = (await createContextEngine()).as(LOCAL_PROFILE);

export async function reply(user: string, thread: string, prompt: string): Promise<string> {
  const scope = { type: 'chat_session', key: thread, inherits: [{ type: 'user', key: user }] };
  const middleware = contextMiddleware(engine, { scope, intent: 'follow_up', capture: true });
  const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware });
  return (await generateText({ model, prompt })).text;
}
