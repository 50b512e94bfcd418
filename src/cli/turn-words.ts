/** The words of a piece of a turn, for whoever is to read them themselves. */
import type { ContextEngine } from '../index.ts';

interface Place {
  /** The turn. */
  readonly source_uuid: string;
  readonly start: number;
  readonly end: number;
}

export interface TurnWords {
  readonly role: string | null;
  /** Empty where the turn was forgotten. */
  readonly words: string;
}

/** Reads each turn once. */
export function wordsOfTurns(
  engine: Pick<ContextEngine, 'history'>,
): (place: Place) => Promise<TurnWords> {
  const turns = new Map<string, Promise<{ role: string | null; content: string }>>();
  const read = async (turn: string) => {
    const versions = await engine.history(turn);
    const [said = { role: null, content: '' }] = versions.flatMap(({ row }) =>
      row.uuid === turn && 'role' in row ? [{ role: row.role, content: row.content }] : [],
    );
    return said;
  };
  return async ({ source_uuid: turn, start, end }) => {
    const reading = turns.get(turn) ?? read(turn);
    turns.set(turn, reading);
    const { role, content } = await reading;
    return { role, words: content.slice(start, end) };
  };
}
