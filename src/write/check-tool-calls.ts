/** Calls of tools are kept in one form, so that what reads them knows no form of an SDK. */
import type { Metadata } from '../model/block.ts';
import { shown } from '../model/ids.ts';
import { readToolCalls, toolCallsOf } from '../model/tool-calls.ts';
import { TURN_TYPE } from '../model/turn.ts';
import { invalidWrite } from './check-content.ts';

/**
 * The metadata of a block, its calls in our form. Of a turn, throws `WRITE.INVALID` for what is no
 * call: the history would lose it without a word.
 */
export function withToolCalls(
  blockType: string,
  metadata: Metadata,
): { readonly metadata: Metadata; readonly hasCalls: boolean } {
  const { tool_calls: given } = metadata;
  if (blockType !== TURN_TYPE) return { metadata, hasCalls: toolCallsOf(metadata).length > 0 };
  const read = readToolCalls(given);
  if ('problem' in read) {
    const { field, value, reason } = read.problem;
    const place = `metadata.tool_calls${field}`;
    throw invalidWrite(
      `\`${place}\` ${reason}: \`${shown(value)}\`.`,
      "Write a call as `{ id, name, arguments: { … } }` or as OpenAI's `{ id, type: 'function', " +
        "function: { name, arguments: '{ … }' } }`, and leave out other fields.",
      place,
    );
  }
  const hasCalls = read.calls.length > 0;
  return { metadata: hasCalls ? { ...metadata, tool_calls: read.calls } : metadata, hasCalls };
}
