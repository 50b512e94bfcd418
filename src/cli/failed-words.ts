/** The words of a candidate that failed, for whoever is to read them themselves. */
import type { ContextEngine } from '../index.ts';

interface Place {
  /** The turn. */
  readonly source_uuid: string;
  readonly start: number;
  readonly end: number;
}

/** Empty where the turn was forgotten. */
export async function failedWords(
  { source_uuid: turn, start, end }: Place,
  engine: Pick<ContextEngine, 'history'>,
): Promise<string> {
  const versions = await engine.history(turn);
  const [said = ''] = versions.flatMap(({ row }) =>
    row.uuid === turn && 'content' in row ? [row.content] : [],
  );
  return said.slice(start, end);
}
