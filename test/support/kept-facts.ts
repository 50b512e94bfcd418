/** What is kept of a turn by rules, in the words of its facts. */
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from './capture-turns.ts';

export async function keptOf(said: string): Promise<readonly string[]> {
  const { gated } = await gateTurns([turnOf(said)], gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.kind === 'fact' ? [each.content] : [],
  );
}
