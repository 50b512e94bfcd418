/** A composition in the shape of a provider's API. */
import { ContextEngineError } from '../errors.ts';
import type { AnthropicMessages, MessagesOf, OpenAiMessage } from '../model/composition.ts';
import { shown } from '../model/ids.ts';

export interface MessageParts {
  readonly text: string;
  /** UTF-16 units of `text` that do not change between calls. */
  readonly staticLength: number;
  readonly query: string;
}

/**
 * `openai` and `ai-sdk`: a system message with the context, a user message with the query. `anthropic`: system blocks with `cache_control` on the
 * static one. What is blank is left out, because providers refuse blank blocks: an empty query leaves the user message to the caller.
 */
export function toMessages<F extends keyof MessagesOf>(parts: MessageParts, format: F): MessagesOf[F] {
  const all: { readonly [K in keyof MessagesOf]: (parts: MessageParts) => MessagesOf[K] } = {
    openai: chatMessages,
    anthropic: anthropicMessages,
    'ai-sdk': chatMessages,
  };
  if (typeof format !== 'string' || !Object.hasOwn(all, format))
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `The format of messages is \`${shown(format)}\`.`,
      fix: `Use ${Object.keys(all).join(', ')}.`,
      where: { field: 'format' },
    });
  return all[format](parts);
}

const isBlank = (text: string): boolean => text.trim() === '';

function chatMessages({ text, query }: MessageParts): readonly OpenAiMessage[] {
  const messages: readonly OpenAiMessage[] = [
    { role: 'system', content: text },
    { role: 'user', content: query },
  ];
  return messages.filter((message) => !isBlank(message.content));
}

function anthropicMessages({ text, staticLength, query }: MessageParts): AnthropicMessages {
  const [fixed, changing] = [text.slice(0, staticLength), text.slice(staticLength)];
  return {
    system: [
      ...(isBlank(fixed) ? [] : [{ type: 'text', text: fixed, cache_control: { type: 'ephemeral' } } as const]),
      ...(isBlank(changing) ? [] : [{ type: 'text', text: changing } as const]),
    ],
    messages: isBlank(query) ? [] : [{ role: 'user', content: query }],
  };
}
