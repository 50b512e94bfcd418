/** How long a chunk is. */

/**
 * Target, overlap and least length in tokens (seed 003: numbers that a team kept after weeks of
 * recall logs).
 */
export const CHUNK_TOKENS = 240;
export const OVERLAP_TOKENS = 48;
export const LEAST_TOKENS = 32;

/** Half a target each, never inside a surrogate pair. */
export function slices(text: string): readonly string[] {
  const quarters = (CHUNK_TOKENS / 2) * 4;
  const pieces: string[] = [];
  let from = 0;
  let at = 0;
  let used = 0;
  for (const character of text) {
    at += character.length;
    used += character < '\u0080' ? 1 : 4 * character.length;
    if (used < quarters) continue;
    pieces.push(text.slice(from, at));
    from = at;
    used = 0;
  }
  return from === text.length ? pieces : [...pieces, text.slice(from)];
}
