/** `messages()` against the SDK that is installed here; the pack step takes all of them. */
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import type { Composition } from '../../src/index.ts';

export const chat = (context: Composition): ChatCompletionMessageParam[] =>
  context.messages('openai');
export const responses = (context: Composition): ResponseCreateParamsNonStreaming => ({
  model: 'gpt-4o',
  ...context.messages('openai-responses'),
});
