/** What every store can keep as it is. */

/** A text that every store can hold and compare: well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * NUL or half a surrogate pair as `JSON.stringify` writes them; a backslash before it would make it
 * plain text.
 */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
/** A database parses JSON by recursion: deeper than this nobody means it. */
const MAX_JSON_DEPTH = 64;
/**
 * Whether every store can keep the value as JSON; what JSON cannot say (cycles, big integers,
 * endless nesting) is not.
 */
export function isStorableJson(value: unknown, maxChars: number): boolean {
  try {
    if (!isShallow(value, MAX_JSON_DEPTH)) return false;
    const serialised = JSON.stringify(value);
    return (
      serialised !== undefined && serialised.length <= maxChars && !UNSTORABLE.test(serialised)
    );
  } catch {
    return false;
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}
