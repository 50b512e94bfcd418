/**
 * Lines without the empty ones at the end. By hand: `/\n+$/` is quadratic in a run of line feeds.
 */
export function lineCount(text: string): number {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end).split('\n').length;
}
