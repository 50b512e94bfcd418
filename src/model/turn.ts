/** What a stored block says about the message that it is. */
import type { AnyRow } from './block.ts';
import type { ComposedTurn } from './composition.ts';
import { toolCallsOf } from './tool-calls.ts';

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
