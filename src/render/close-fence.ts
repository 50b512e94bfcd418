/**
 * Fenced code that a cut left open is closed, so that what follows is not read as code. A text that
 * leaves none open stays as it is.
 */
import { FENCES_AT_MARGIN, type RenderVersion } from '../model/render-version.ts';
import { closeFence } from '../text/fences.ts';
import { markData } from './datamark.ts';

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Closed, then marked: indented code is seen before its blanks become markers. A marker that the
 * text brings is taken out first, for it could hide a fence.
 */
export function closedText(visible: string, marker: string | null, version: RenderVersion): string {
  if (version <= FENCES_AT_MARGIN)
    return closeAtMargin(marker === null ? visible : markData(visible, marker));
  if (marker === null) return closeFence(visible);
  return markData(closeFence(visible.replaceAll(marker, '')), marker);
}

/** A fence in a list or a quote is text here. */
function closeAtMargin(text: string): string {
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
