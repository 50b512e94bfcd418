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
 * Appends the messages that are not there yet, each once, in their order: one is there where its
 * id and its words are. An assistant's message
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
  return turns.length === 0 ? null : appendOnce(engine, scope, turns);
}

/** How many different messages of one id a scope takes. */
const MAX_OF_ONE_ID = 8;

interface KeyedTurn extends TurnInput {
  readonly idempotency_key: string;
}

/**
 * Ids are the clients' choice: where one of them was used for other words, by somebody else in a
 * shared scope or before an edit, the turn takes the next key of that id. The words of a key never
 * change, so the same words meet the same key again, whoever sends them.
 */
async function appendOnce(
  engine: Pick<BoundEngine, 'append'>,
  scope: ScopeUuid,
  turns: readonly KeyedTurn[],
): Promise<WriteResult> {
  const places = turns.map(() => 1);
  for (;;) {
    const keyed = turns.map((turn, index) => ({
      ...turn,
      idempotency_key: keyAt(turn.idempotency_key, places[index] ?? 1),
    }));
    try {
      return await engine.append(scope, keyed);
    } catch (error) {
      const used = usedKey(error);
      // Of several with one key the first may be the one that it stands for.
      const index = keyed.findLastIndex(({ idempotency_key: key }) => key === used);
      const place = places[index] ?? MAX_OF_ONE_ID;
      if (place >= MAX_OF_ONE_ID) throw error;
      places[index] = place + 1;
    }
  }
}

const keyAt = (key: string, place: number): string => (place === 1 ? key : `${key}:${place}`);

const usedKey = (error: unknown): unknown =>
  error instanceof ContextEngineError && error.code === 'WRITE.IDEMPOTENCY_CONFLICT'
    ? error.meta?.['idempotency_key']
    : null;

/** A system message is the application's, not a turn. */
function turnsOfMessage(message: UIMessage): readonly KeyedTurn[] {
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
    message:
      'A message has no `id` of its own, a `role` that is none of `system`, `user`, `assistant`, ' +
      'or no `parts` as `ai` writes them.',
    fix: 'Pass the messages of `useChat` as they are; give those that you make an id.',
    where: { field: 'messages' },
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const UI_ROLES: ReadonlySet<unknown> = new Set<UIMessage['role']>(['system', 'user', 'assistant']);
const isMessage = (message: unknown): boolean =>
  isObject(message) &&
  typeof message['id'] === 'string' &&
  message['id'].trim() !== '' &&
  UI_ROLES.has(message['role']) &&
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
