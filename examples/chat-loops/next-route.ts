/**
 * A route of Next.js (`app/api/chat/route.ts`) for `useChat`: POST answers, GET gives the
 * conversation back after a reload. The ledger knows each message by its id.
 *
 *     export const { GET, POST } = createRoute(engine.as(profile), openai('gpt-5-mini'));
 *
 * with `serverExternalPackages: ['contextengine']` in next.config.
 */
import { convertToModelMessages, streamText, type UIMessage, wrapLanguageModel } from 'ai';
import type { BoundEngine, ScopeUuid } from 'contextengine';
import { appendUiMessages, contextMiddleware, readUiMessages } from 'contextengine/ai-sdk';

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

export function createRoute(engine: BoundEngine, model: Model) {
  const scopeOf = async (thread: string): Promise<ScopeUuid> => {
    const type = 'chat_session';
    return (await engine.scopes.getOrCreate({ type, key: thread })).scope_block_uuid;
  };

  async function POST(request: Request): Promise<Response> {
    const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] };
    const scope = await scopeOf(id);
    // The messages are kept by their ids, below.
    const middleware = contextMiddleware(engine, { scope, intent: 'follow_up', keep: false });
    const result = streamText({
      model: wrapLanguageModel({ model, middleware }),
      messages: await convertToModelMessages(messages),
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      generateMessageId: () => crypto.randomUUID(),
      onFinish: async ({ messages: all }) => {
        await appendUiMessages(engine, scope, all);
      },
    });
  }

  async function GET(request: Request): Promise<Response> {
    const thread = new URL(request.url).searchParams.get('id') ?? '';
    return Response.json(await readUiMessages(engine, await scopeOf(thread)));
  }

  return { GET, POST };
}
