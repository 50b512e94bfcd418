/** A chat loop with the AI SDK: the context comes in, the answer streams, the exchange is kept. */
import { streamText, wrapLanguageModel } from 'ai';
import type { BoundEngine, ScopeUuid } from 'contextengine';
import { contextMiddleware } from 'contextengine/ai-sdk';

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A chat of one scope; each message is answered in the knowledge of those before it. */
export function createChat(engine: BoundEngine, scope: ScopeUuid, plain: Model) {
  const middleware = contextMiddleware(engine, { scope, intent: 'follow_up' });
  const model = wrapLanguageModel({ model: plain, middleware });
  return (message: string): AsyncIterable<string> =>
    streamText({ model, prompt: message }).textStream;
}
