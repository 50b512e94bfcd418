/**
 * What the chat loops share. An exchange is everything from the first message after the last answer
 * up to the next answer: questions, calls of tools and their results. It is appended as one write
 * when its answer is there, so a model that fails, a retry and each step of a tool loop store
 * nothing twice and nothing by halves.
 */
import {
  type BoundEngine,
  type Composition,
  ContextEngineError,
  type ScopeUuid,
  type ToolCall,
  type TurnInput,
} from '../index.ts';
import { visibleText } from '../text/visible-text.ts';

/** What a chat loop calls: `engine.as(profile)`. */
export type ChatEngine = Pick<
  BoundEngine,
  'composeBlockContext' | 'append' | 'scopes' | 'capture' | 'manifests'
>;

/** A scope by the key that the application has for it: found, or made with what it inherits. */
export interface ChatScope {
  readonly type: string;
  readonly key: string;
  readonly title?: string;
  readonly inherits?: readonly (ScopeUuid | ChatScope)[];
}

/** What a chat loop asks the context of. */
export interface ChatOptions {
  readonly scope: ScopeUuid | ChatScope;
  readonly intent: string;
  readonly manifest?: string;
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
  /** Of the turns of the user. */
  readonly author?: string;
  /** `false`: nothing is appended; another part of the application does it. Default `true`. */
  readonly keep?: boolean;
  /**
   * `true`: memory is made of the exchange once it is appended, as `engine.capture` does, before
   * the answer ends. Default `false`: by the manifest (`writing.capture`), behind the append.
   */
  readonly capture?: boolean;
  /** Sees each composition, for its trace and its items. */
  readonly onContext?: (composition: Composition) => void;
}

/** A message of any SDK, as far as the ledger keeps it. */
export interface Spoken {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Of a result: the call that it answers. */
  readonly callId: string | null;
}

export const said = (role: Spoken['role'], text: string): Spoken => ({
  role,
  text,
  calls: [],
  callId: null,
});
export const resultOf = (callId: string, text: string): Spoken => ({
  role: 'tool',
  text,
  calls: [],
  callId,
});

const isAnswer = (spoken: Spoken | undefined): boolean =>
  spoken?.role === 'assistant' && spoken.calls.length === 0 && spoken.text.trim() !== '';

/** Where the exchange begins that has no answer yet. */
export function openExchange(messages: readonly Spoken[]): number {
  return messages.findLastIndex(isAnswer) + 1;
}

/**
 * How many of the earlier turns the call lacks: they stand before its own messages. Where the call
 * begins inside of them, up to there; none where it has a past of its own that differs.
 */
export function lackedTurns(earlier: readonly Spoken[], given: readonly Spoken[]): number {
  for (let shared = Math.min(earlier.length, given.length); shared > 0; shared--) {
    const isShared = earlier
      .slice(-shared)
      .every((turn, index) => isSame(turn, given[index] ?? turn));
    if (isShared) return earlier.length - shared;
  }
  return openExchange(given) > 0 ? 0 : earlier.length;
}

/** A composition gives turns without what cannot be seen. */
const isSame = (a: Spoken, b: Spoken): boolean =>
  a.role === b.role &&
  visibleText(a.text) === visibleText(b.text) &&
  a.callId === b.callId &&
  a.calls.length === b.calls.length &&
  a.calls.every(({ id }, index) => id === b.calls[index]?.id);

/** Arguments that a model wrote; what is no JSON object is kept as text. */
export function callArguments(text: string): ToolCall['arguments'] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // what a model wrote need not be JSON; it is kept below
  }
  return text.trim() === '' ? {} : { text };
}

export const textOfJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Says nothing and calls nothing. */
export const isBlank = ({ text, calls }: Spoken): boolean =>
  text.trim() === '' && calls.length === 0;

export function turnOf({ role, text, calls, callId }: Spoken, author?: string): TurnInput {
  const metadata = {
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(callId !== null && { tool_call_id: callId }),
  };
  return {
    role,
    // A result may be empty, a turn that calls nothing may not.
    content: role === 'tool' && text.trim() === '' ? '(no output)' : text,
    ...(role === 'user' && author !== undefined && { author }),
    metadata,
  };
}

const MOST_OUTER = 16;

async function uuidOf(
  engine: ChatEngine,
  scope: ScopeUuid | ChatScope,
  depth = 0,
): Promise<ScopeUuid> {
  if (typeof scope === 'string') return scope;
  if (depth > MOST_OUTER)
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`inherits\` of a scope goes deeper than ${MOST_OUTER}, or in a circle.`,
      fix: 'Name the outer scopes, such as the user and the project.',
      where: { field: 'inherits' },
    });
  const { inherits, ...own } = scope;
  if (inherits === undefined) return (await engine.scopes.getOrCreate(own)).scope_block_uuid;
  const outer: ScopeUuid[] = [];
  for (const each of inherits) outer.push(await uuidOf(engine, each, depth + 1));
  return (await engine.scopes.getOrCreate({ ...own, inherits: outer })).scope_block_uuid;
}

/**
 * Checked before the scope is made: a key keeps the type of its first scope. What is inherited from
 * needs no manifest.
 */
function assertServed(
  { manifests: { manifests } }: Pick<ChatEngine, 'manifests'>,
  { type }: ChatScope,
  manifest: string | undefined,
): void {
  const serving = manifests.filter(
    ({ name, version }) =>
      manifest === undefined || manifest === name || manifest === `${name}@${version}`,
  );
  if (serving.some(({ scopeBlockType }) => scopeBlockType === type)) return;
  const types = [...new Set(manifests.map(({ scopeBlockType }) => scopeBlockType))];
  const asked = manifest === undefined ? 'No manifest' : `No manifest \`${manifest}\``;
  throw new ContextEngineError('MANIFEST.NOT_FOUND', {
    message: `${asked} serves scopes of type \`${type}\`. No scope was made.`,
    fix:
      types.length === 0
        ? 'Load a manifest: no manifest is loaded at all.'
        : `Use one of ${types.map((known) => `\`${known}\``).join(', ')}, or write a manifest ` +
          `whose metadata.scope_block_type is \`${type}\`.`,
    where: { field: 'scope.type' },
  });
}

/** Composes what the model is to know beside the messages of a call. */
export async function contextOf(
  engine: ChatEngine,
  options: ChatOptions,
  messages: readonly Spoken[],
): Promise<Composition> {
  const { scope, intent, manifest, inputs, onContext } = options;
  const query = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  if (typeof scope !== 'string') assertServed(engine, scope, manifest);
  const request = {
    scope_block_uuid: await uuidOf(engine, scope),
    intent,
    query,
    ...(manifest !== undefined && { manifest }),
    ...(inputs !== undefined && { inputs }),
  };
  const composition = await engine.composeBlockContext(request);
  onContext?.(composition);
  return composition;
}

/** Appends an exchange, as one write, once `answer` ends it; then captures it, where asked for. */
export async function keepExchange(
  engine: ChatEngine,
  options: ChatOptions,
  { messages, answer }: { messages: readonly Spoken[]; answer: readonly Spoken[] },
): Promise<void> {
  const heard = answer.filter((spoken) => !isBlank(spoken));
  if (options.keep === false || !isAnswer(heard.at(-1))) return;
  const exchange = [...messages.slice(openExchange(messages)), ...heard].filter(
    (spoken) => spoken.role === 'tool' || !isBlank(spoken),
  );
  const scope = await uuidOf(engine, options.scope);
  await engine.append(
    scope,
    exchange.map((spoken) => turnOf(spoken, options.author)),
  );
  if (options.capture === true) await engine.capture(scope);
}
