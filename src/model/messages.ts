/**
 * What `messages(format)` gives: the shapes that the SDKs take. Arrays are mutable, because the
 * parameter types of the SDKs are; each call makes a new value.
 */

/** A call of a tool by the assistant, as a turn keeps it in `metadata.tool_calls`. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** `ChatCompletionMessageParam` of npm `openai`. */
export type OpenAiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: OpenAiToolCall[] }
  | { role: 'assistant'; content: null; tool_calls: OpenAiToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };
export interface OpenAiToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** `instructions` and `input` of the Responses API of npm `openai`. */
export interface OpenAiResponsesInput {
  instructions: string;
  input: OpenAiResponsesItem[];
}
export type OpenAiResponsesItem =
  | { role: 'user' | 'assistant' | 'system'; content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string };

/** `system` and `messages` of npm `@anthropic-ai/sdk`. */
export interface AnthropicMessages {
  system: AnthropicText[];
  messages: AnthropicMessage[];
}
export interface AnthropicText {
  type: 'text';
  text: string;
  cache_control?: { type: 'ephemeral' };
}
export type AnthropicPart =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; tool_use_id: string; content: string };
export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: string | AnthropicPart[];
}

/** `ModelMessage` of npm `ai`, 5 and later. */
export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | AiSdkAssistantPart[] }
  | { role: 'tool'; content: AiSdkToolResult[] };
export type AiSdkAssistantPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: Record<string, unknown> };
export interface AiSdkToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text'; value: string };
}

export interface MessagesOf {
  /** Chat completions: what lasts as a system message, the turns, what was found, the query. */
  openai: OpenAiMessage[];
  /** Responses: `client.responses.create({ model, ...messages })`. */
  'openai-responses': OpenAiResponsesInput;
  /** `cache_control` stands after what does not change, where it is long enough to be cached. */
  anthropic: AnthropicMessages;
  /**
   * AI SDK. Version 7 takes a system message with `allowSystemInMessages: true` alone: take it out
   * and give it as `system`, which all versions take.
   */
  'ai-sdk': AiSdkMessage[];
}

export interface MessageOptions {
  /**
   * Where the text stands that each query finds anew, if there are turns. `last`: behind them, just
   * before the query, so that a prompt cache keeps the turns as well. `system`: in the system
   * context, behind what lasts. The default is `last` for `openai` and `openai-responses`, which
   * get it as a system message, and `system` for `anthropic` and `ai-sdk`: no system message may
   * stand there, and in a user's a query that others can write could imitate its tags.
   */
  readonly changing?: 'system' | 'last';
}
