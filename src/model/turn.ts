/** What a stored block says about the message that it is. */
import type { AnyRow, Metadata } from './block.ts';
import type { ComposedTurn } from './composition.ts';
import type { ToolCall } from './messages.ts';

/** The block types that are messages; other blocks have text and no speaker. */
export const TURN_TYPE = 'turn';

export function turnOf(source: AnyRow | null): ComposedTurn | null {
  if (source?.table !== 'blocks' || source.row.block_type !== TURN_TYPE) return null;
  const { role, author, metadata } = source.row;
  const { tool_call_id: answered } = metadata;
  return {
    role,
    author,
    tool_calls: toolCallsOf(metadata),
    tool_call_id: typeof answered === 'string' ? answered : null,
  };
}

/** `metadata.tool_calls`, as far as it has the form; stored metadata may be anything. */
export function toolCallsOf({ tool_calls: stored }: Metadata): readonly ToolCall[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown): ToolCall[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, name, arguments: given } = entry as Metadata;
    if (typeof id !== 'string' || typeof name !== 'string' || name === '') return [];
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    return [{ id, name, arguments: isObject ? (given as Metadata) : {} }];
  });
}
