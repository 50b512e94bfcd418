/**
 * Fenced code that a chunk or a cut left open is closed, so that what follows is not read as code.
 */

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** The text, with a closing fence on a line of its own where one is open. */
export function closeFence(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text;
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === null) open = mark;
    else if (mark.startsWith(open) && line.trim() === mark) open = null;
  }
  return open === null ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${open}`;
}
