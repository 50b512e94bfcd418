/** A composition in the shape of a provider's API. */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';
import type {
  AiSdkMessage,
  AnthropicMessage,
  AnthropicMessages,
  AnthropicPart,
  MessageOptions,
  MessagesOf,
  OpenAiMessage,
  OpenAiResponsesInput,
  OpenAiResponsesItem,
  ToolCall,
} from '../model/messages.ts';
import { askedText, type MessageTurn, type SpokenTurn, spokenTurns } from './spoken-turns.ts';

export interface MessageParts {
  /**
   * The system context in pieces; a provider may cache what stands up to the end of a marked one.
   * A changing one is what each query finds anew.
   */
  readonly context: readonly ContextPiece[];
  /** The last turns, oldest first. */
  readonly turns: readonly MessageTurn[];
  readonly query: string;
  /** Who asks, where it is known. */
  readonly askedBy?: string | null;
}
interface ContextPiece {
  readonly text: string;
  readonly isMarked: boolean;
  readonly isChanging: boolean;
}

/**
 * The context as system text, the recent turns as messages, and the query. What is blank is left
 * out, because providers refuse blank blocks: with an empty query the caller adds the last message.
 */
export function toMessages<F extends keyof MessagesOf>(
  parts: MessageParts,
  format: F,
  options: MessageOptions = {},
): MessagesOf[F] {
  const all: {
    readonly [K in keyof MessagesOf]: (context: Context, turns: Turns) => MessagesOf[K];
  } = {
    openai: openAiMessages,
    'openai-responses': openAiResponses,
    anthropic: anthropicMessages,
    'ai-sdk': aiSdkMessages,
  };
  if (typeof format !== 'string' || !Object.hasOwn(all, format))
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `The format of messages is \`${shown(format)}\`.`,
      fix: `Use ${Object.keys(all).join(', ')}.`,
      where: { field: 'format' },
    });
  const asked = { query: parts.query, askedBy: parts.askedBy ?? null };
  const turns = spokenTurns(parts.turns, asked);
  // Without turns there is nothing that it would leave to a cache.
  const isLast = isChangingLast(options, format) && turns.length > 0;
  const [context, late] = [false, true].map((isLate) =>
    parts.context.filter(
      ({ text, isChanging }) => !isBlank(text) && (isLast && isChanging) === isLate,
    ),
  );
  const query: Turns = isBlank(parts.query)
    ? []
    : [{ kind: 'user', text: askedText(parts.turns, asked) }];
  const found: Turns = (late ?? []).map(({ text }) => ({ kind: 'context', text }));
  return all[format](context ?? [], [...turns, ...found, ...query]);
}

/** Formats that take a system message behind the turns: stored text is nobody's word there. */
const TAKES_LATE_SYSTEM: ReadonlySet<keyof MessagesOf> = new Set(['openai', 'openai-responses']);

function isChangingLast(options: MessageOptions, format: keyof MessagesOf): boolean {
  const changing: unknown = options === null ? null : options.changing;
  if (changing === undefined) return TAKES_LATE_SYSTEM.has(format);
  if (changing === 'system') return false;
  if (changing === 'last') return true;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`changing\` of messages is \`${shown(changing)}\`.`,
    fix: 'Use system or last.',
    where: { field: 'changing' },
  });
}

type Context = readonly ContextPiece[];
/** `context`: the text that stands behind the turns. */
type Turns = readonly (SpokenTurn | { readonly kind: 'context'; readonly text: string })[];

const isBlank = (text: string): boolean => text.trim() === '';
const textOf = (context: Context): string => context.map(({ text }) => text).join('');

function systemOf(context: Context): { role: 'system'; content: string }[] {
  const content = textOf(context);
  return isBlank(content) ? [] : [{ role: 'system', content }];
}

const openAiMessages = (context: Context, turns: Turns): OpenAiMessage[] => [
  ...systemOf(context),
  ...turns.map((turn): OpenAiMessage => {
    if (turn.kind === 'context') return { role: 'system', content: turn.text };
    if (turn.kind === 'user') return { role: 'user', content: turn.text };
    if (turn.kind === 'tool')
      return { role: 'tool', content: turn.text, tool_call_id: turn.callId };
    if (turn.calls.length === 0) return { role: 'assistant', content: turn.text };
    const calls = turn.calls.map((call) => ({
      id: call.id,
      type: 'function' as const,
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    return { role: 'assistant', content: isBlank(turn.text) ? null : turn.text, tool_calls: calls };
  }),
];

const openAiResponses = (context: Context, turns: Turns): OpenAiResponsesInput => ({
  instructions: textOf(context),
  input: turns.flatMap((turn): OpenAiResponsesItem[] => {
    if (turn.kind === 'context') return [{ role: 'system', content: turn.text }];
    if (turn.kind === 'user') return [{ role: 'user', content: turn.text }];
    if (turn.kind === 'tool')
      return [{ type: 'function_call_output', call_id: turn.callId, output: turn.text }];
    const said: OpenAiResponsesItem = { role: 'assistant', content: turn.text };
    const calls = turn.calls.map(
      (call): OpenAiResponsesItem => ({
        type: 'function_call',
        call_id: call.id,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
      }),
    );
    return isBlank(turn.text) ? calls : [said, ...calls];
  }),
});

const aiSdkMessages = (context: Context, turns: Turns): AiSdkMessage[] => [
  ...systemOf(context),
  ...turns.map((turn): AiSdkMessage => {
    if (turn.kind === 'user' || turn.kind === 'context')
      return { role: 'user', content: turn.text };
    if (turn.kind === 'tool') {
      const { callId: toolCallId, name: toolName, text: value } = turn;
      const output = { type: 'text' as const, value };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    if (turn.calls.length === 0) return { role: 'assistant', content: turn.text };
    const said = isBlank(turn.text) ? [] : [{ type: 'text' as const, text: turn.text }];
    const calls = turn.calls.map(({ id, name, arguments: given }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: { ...given },
    }));
    return { role: 'assistant', content: [...said, ...calls] };
  }),
];

/** Anthropic's conversations begin with the user; what came before the first turn is not kept. */
const BEFORE = '(The conversation began earlier.)';

function anthropicMessages(context: Context, turns: Turns): AnthropicMessages {
  const messages: { role: 'user' | 'assistant'; content: AnthropicPart[] }[] = [];
  for (const turn of turns) {
    const role = turn.kind === 'assistant' ? 'assistant' : 'user';
    if (messages.length === 0 && role === 'assistant')
      messages.push({ role: 'user', content: [{ type: 'text', text: BEFORE }] });
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...anthropicParts(turn));
    else messages.push({ role, content: anthropicParts(turn) });
  }
  return { system: anthropicSystem(context), messages: messages.map(plain) };
}

function anthropicParts(turn: Turns[number]): AnthropicPart[] {
  if (turn.kind === 'tool')
    return [{ type: 'tool_result', tool_use_id: turn.callId, content: turn.text }];
  const said: AnthropicPart[] = isBlank(turn.text) ? [] : [{ type: 'text', text: turn.text }];
  return turn.kind !== 'assistant' ? said : [...said, ...turn.calls.map(toolUse)];
}

const toolUse = ({ id, name, arguments: given }: ToolCall): AnthropicPart => ({
  type: 'tool_use',
  id,
  name,
  input: { ...given },
});

/** One text alone is written as a string. */
function plain(message: {
  role: 'user' | 'assistant';
  content: AnthropicPart[];
}): AnthropicMessage {
  const [only, ...more] = message.content;
  return more.length === 0 && only?.type === 'text' ? { ...message, content: only.text } : message;
}

const anthropicSystem = (context: Context): AnthropicMessages['system'] =>
  context.map(({ text, isMarked }) => ({
    type: 'text',
    text,
    ...(isMarked && { cache_control: { type: 'ephemeral' } }),
  }));
