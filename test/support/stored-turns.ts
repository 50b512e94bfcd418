/** What a scope holds of a conversation, in short. */
import type { BoundEngine } from '../../src/index.ts';

/** Role and text of the stored turns, oldest first. */
export async function storedTurns(
  engine: Pick<BoundEngine, 'exportScope'>,
  scope: string,
): Promise<readonly string[]> {
  const rows: { role: string; content: string; recorded_seq: number; calls: number }[] = [];
  for await (const { table, row } of engine.exportScope(scope)) {
    if (table !== 'blocks') continue;
    const block = row as {
      block_type: string;
      role: string;
      content: string;
      recorded_seq: number;
    };
    const metadata = (row as { metadata: { tool_calls?: unknown[] } }).metadata;
    if (block.block_type === 'turn')
      rows.push({ ...block, calls: metadata.tool_calls?.length ?? 0 });
  }
  rows.sort((a, b) => a.recorded_seq - b.recorded_seq);
  return rows.map(
    ({ role, content, calls }) => `${role}: ${content}${calls > 0 ? ` [${calls} calls]` : ''}`,
  );
}
