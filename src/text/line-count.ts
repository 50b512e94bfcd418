/** Every character that some reader breaks a line at. */
const LINE_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/;
const BREAKS = '\n\r\u0085\u2028\u2029';

export const linesIn = (text: string): string[] => text.split(LINE_BREAK);

/**
 * Lines without the empty ones at the end. By hand: `/\n+$/` is quadratic in a run of line feeds.
 */
export function lineCount(text: string): number {
  let end = text.length;
  while (end > 0 && BREAKS.includes(text.charAt(end - 1))) end -= 1;
  return linesIn(text.slice(0, end)).length;
}
