/**
 * `UIMessage[]` of npm `ai` in and out of the ledger. A message is known by its id: what is there
 * already is not appended again, however often a client sends its whole conversation.
 */
import type { UIMessage } from 'ai';
import {
  type BoundEngine,
  type CallOptions,
  ContextEngineError,
  type ScopeUuid,
  type ToolCall,
  type TurnInput,
  type WriteResult,
} from '../index.ts';
import {
  callArguments,
  isBlank,
  resultOf,
  type Spoken,
  said,
  textOfJson,
  turnOf,
} from './exchange.ts';

type UiPart = UIMessage['parts'][number];
/** A tool part, whatever its tool: all versions of `ai` have these fields. */
interface ToolPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly toolName?: string;
  readonly state: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
}

const isTool = (part: UiPart): part is UiPart & ToolPart =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-');
const isSettled = ({ state }: ToolPart): boolean => state.startsWith('output-');
const toolNameOf = ({ type, toolName }: ToolPart): string => toolName ?? type.slice('tool-'.length);

/**
 * Appends the messages that are not there yet, each once, in their order. An assistant's message
 * whose tools have not all answered waits for the call that has it whole; so does all after it.
 */
export async function appendUiMessages(
  engine: Pick<BoundEngine, 'append'>,
  scope: ScopeUuid,
  messages: readonly UIMessage[],
): Promise<WriteResult | null> {
  checkMessages(messages);
  const waiting = messages.findIndex(({ parts }) =>
    parts.some((part) => isTool(part) && !isSettled(part)),
  );
  const whole = waiting === -1 ? messages : messages.slice(0, waiting);
  const turns = whole.flatMap(turnsOfMessage);
  return turns.length === 0 ? null : engine.append(scope, turns);
}

/** A system message is the application's, not a turn. */
function turnsOfMessage(message: UIMessage): readonly TurnInput[] {
  if (message.role === 'system') return [];
  const spoken = message.role === 'user' ? [userText(message)] : stepsOf(message);
  return spoken
    .filter((turn) => turn.role === 'tool' || !isBlank(turn))
    .map((turn, index) => {
      const { metadata, ...rest } = turnOf(turn);
      return {
        ...rest,
        metadata: { ...metadata, ui_message_id: message.id },
        idempotency_key: `ui-message:${message.id}:${index}`,
      };
    });
}

/** They come from a client. */
function checkMessages(messages: unknown): void {
  if (Array.isArray(messages) && messages.every(isMessage)) return;
  throw new ContextEngineError('WRITE.INVALID', {
    message: 'A message has no `id` of its own, or no `parts` as `ai` writes them.',
    fix: 'Pass the messages of `useChat` as they are; give those that you make an id.',
    where: { field: 'messages' },
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isMessage = (message: unknown): boolean =>
  isObject(message) &&
  typeof message['id'] === 'string' &&
  message['id'].trim() !== '' &&
  Array.isArray(message['parts']) &&
  message['parts'].every(isPart);

/** By the fields that are read. */
function isPart(part: unknown): boolean {
  if (!isObject(part) || typeof part['type'] !== 'string') return false;
  const { type } = part;
  if (type === 'text') return typeof part['text'] === 'string';
  if (type !== 'dynamic-tool' && !type.startsWith('tool-')) return true;
  return typeof part['state'] === 'string' && typeof part['toolCallId'] === 'string';
}

const userText = ({ parts }: UIMessage): Spoken =>
  said('user', parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'));

/** One assistant turn for each step, each followed by the results of its calls. */
function stepsOf({ parts }: UIMessage): readonly Spoken[] {
  const spoken: Spoken[] = [];
  let step = said('assistant', '');
  let results: Spoken[] = [];
  const close = (): void => {
    spoken.push(step, ...results);
    step = said('assistant', '');
    results = [];
  };
  for (const part of parts) {
    if (part.type === 'step-start' || (part.type === 'text' && results.length > 0)) close();
    if (part.type === 'text')
      step = { ...step, text: step.text === '' ? part.text : `${step.text}\n${part.text}` };
    if (!isTool(part)) continue;
    const call = {
      id: part.toolCallId,
      name: toolNameOf(part),
      arguments: callArguments(textOfJson(part.input ?? {})),
    };
    step = { ...step, calls: [...step.calls, call] };
    results.push(resultOf(part.toolCallId, textOfJson(part.output ?? part.errorText ?? '')));
  }
  close();
  return spoken;
}

/**
 * The turns of a scope as messages for `useChat`, oldest first: under their own ids where they came
 * by {@link appendUiMessages}, else under their uuids. Reads the scope from end to end.
 */
export async function readUiMessages(
  engine: Pick<BoundEngine, 'exportScope'>,
  scope: ScopeUuid,
  options?: Omit<CallOptions, 'permission_profile'>,
): Promise<UIMessage[]> {
  const turns: StoredTurn[] = [];
  for await (const line of engine.exportScope(scope, options)) {
    const turn = storedTurn(line);
    if (turn !== null) turns.push(turn);
  }
  turns.sort((a, b) => compare(a.occurred_at, b.occurred_at) || a.recorded_seq - b.recorded_seq);
  return toUiMessages(turns);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

interface StoredTurn {
  readonly uuid: string;
  readonly role: string;
  readonly content: string;
  readonly occurred_at: string;
  readonly recorded_seq: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A line of an export, where it is a turn that is believed and of a voice that a chat shows. */
function storedTurn({ table, row }: Readonly<Record<string, unknown>>): StoredTurn | null {
  if (table !== 'blocks') return null;
  // The export's rows are blocks, as `table` says; the compiler cannot follow that.
  const block = row as StoredTurn & { block_type: string; retired_seq: number | null };
  const isShown = ['user', 'assistant', 'tool'].includes(block.role);
  return block.block_type === 'turn' && block.retired_seq === null && isShown ? block : null;
}

/** Whoever appends a turn may write its metadata. */
const isCall = (value: unknown): value is ToolCall =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string';

interface Draft {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: UIMessage['parts'];
}

function toUiMessages(turns: readonly StoredTurn[]): UIMessage[] {
  const results = new Map(
    turns
      .filter(({ role }) => role === 'tool')
      .map(({ metadata, content }) => [metadata['tool_call_id'], content]),
  );
  const drafts: Draft[] = [];
  for (const turn of turns) {
    if (turn.role === 'tool') continue;
    const id = textOfJson(turn.metadata['ui_message_id'] ?? turn.uuid);
    const role = turn.role === 'user' ? 'user' : 'assistant';
    const last = drafts.at(-1);
    const parts = partsOf(turn, results);
    if (last?.id === id && role === 'assistant') last.parts.push({ type: 'step-start' }, ...parts);
    else drafts.push({ id, role, parts });
  }
  return drafts;
}

function partsOf(
  { content, metadata }: StoredTurn,
  results: ReadonlyMap<unknown, string>,
): UIMessage['parts'] {
  const text: UIMessage['parts'] = content.trim() === '' ? [] : [{ type: 'text', text: content }];
  const calls: readonly unknown[] = Array.isArray(metadata['tool_calls'])
    ? metadata['tool_calls']
    : [];
  for (const { id, name, arguments: input } of calls.filter(isCall))
    if (results.has(id))
      text.push({
        type: 'dynamic-tool',
        toolName: name,
        toolCallId: id,
        state: 'output-available',
        input,
        output: results.get(id) ?? '',
      });
  return text;
}
