/**
 * `metadata.tool_calls`: ours, `{ id, name, arguments: { … } }`, or as chat completions have them,
 * `{ id, type: 'function', function: { name, arguments: '{ … }' } }`.
 */
import type { Metadata } from './block.ts';
import type { ToolCall } from './messages.ts';

/** What keeps an entry from being a call. */
export interface CallProblem {
  /** Of the entry, with a dot or brackets in front; '' = the entry itself. */
  readonly field: string;
  readonly value: unknown;
  readonly reason: string;
}

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The calls that stored metadata holds; it may be anything, and what has no form is no call. */
export function toolCallsOf({ tool_calls: stored }: Metadata): readonly ToolCall[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown): ToolCall[] => {
    if (!isObject(entry)) return [];
    const { id } = entry;
    const { name, arguments: given } = calledBy(entry);
    if (typeof id !== 'string' || typeof name !== 'string' || name === '') return [];
    return [{ id, name, arguments: argumentsOf(given) ?? {} }];
  });
}

/** Until render version 11, calls in our own form alone were read, and no arguments as a text. */
export function ownToolCallsOf({ tool_calls: stored }: Metadata): readonly ToolCall[] {
  if (!Array.isArray(stored)) return [];
  const own = stored.filter(
    (entry: unknown) => isObject(entry) && typeof entry['name'] === 'string',
  );
  const textless = own.map(({ arguments: given, ...call }: Metadata) => ({
    ...call,
    arguments: isObject(given) ? given : {},
  }));
  return toolCallsOf({ tool_calls: textless });
}

/** The calls of a turn that is to be written, in our form; or why one of them is none. */
export function readToolCalls(
  given: unknown,
): { readonly calls: readonly ToolCall[] } | { readonly problem: CallProblem } {
  if (given === undefined || given === null) return { calls: [] };
  if (!Array.isArray(given)) return { problem: { field: '', value: given, reason: 'is no list' } };
  for (const [index, entry] of given.entries()) {
    const problem = problemOf(entry);
    if (problem) return { problem: { ...problem, field: `[${index}]${problem.field}` } };
  }
  return { calls: toolCallsOf({ tool_calls: given }) };
}

const OF_CALL = ['id', 'type', 'name', 'arguments'];
const OF_WIRE = ['id', 'type', 'function'];
const OF_FUNCTION = ['name', 'arguments'];

function problemOf(entry: unknown): CallProblem | undefined {
  if (!isObject(entry)) return { field: '', value: entry, reason: 'is no object' };
  const { id, type = 'function', function: wire } = entry;
  const isWire = wire !== undefined;
  if (isWire && !isObject(wire)) return { field: '.function', value: wire, reason: 'is no object' };
  const at = isWire ? '.function' : '';
  const { name, arguments: given } = calledBy(entry);
  const unread = isWire
    ? (unreadOf(entry, OF_WIRE, '') ?? unreadOf(wire as Metadata, OF_FUNCTION, at))
    : unreadOf(entry, OF_CALL, '');
  if (unread) return unread;
  if (type !== 'function') return { field: '.type', value: type, reason: 'is not `function`' };
  if (typeof id !== 'string' || id === '') return { field: '.id', value: id, reason: 'is no text' };
  if (typeof name !== 'string' || name === '')
    return { field: `${at}.name`, value: name, reason: 'is no text' };
  return argumentsOf(given) === null
    ? { field: `${at}.arguments`, value: given, reason: 'is no JSON object' }
    : undefined;
}

function unreadOf(from: Metadata, fields: readonly string[], at: string): CallProblem | undefined {
  const field = Object.keys(from).find(
    (name) => !fields.includes(name) && from[name] !== undefined,
  );
  if (field === undefined) return undefined;
  return { field: `${at}.${field}`, value: from[field], reason: 'is a field that no call has' };
}

/** Where name and arguments of a call stand. */
const calledBy = (entry: Metadata): Metadata =>
  isObject(entry['function']) ? entry['function'] : entry;

/** A tool without parameters is called with nothing, or with an empty text. */
function argumentsOf(given: unknown): ToolCall['arguments'] | null {
  if (given === undefined) return {};
  if (typeof given !== 'string') return isObject(given) ? given : null;
  if (given.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? parsed : null;
  } catch {
    // What a model wrote need not be JSON.
    return null;
  }
}
