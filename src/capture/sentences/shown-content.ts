/**
 * The content of a turn as a reader sees it, which is what the rules read and what is kept: a
 * character that cannot be seen hides neither a word nor the head of a mail. Places are those of
 * the content that is stored.
 */
import { visibleText } from '../../text/visible-text.ts';

export interface ShownContent {
  readonly text: string;
  /** From a place in `text` to that in the stored content. */
  readonly placeOf: (at: number) => number;
}

export function shownContent(content: string): ShownContent {
  const text = visibleText(content);
  if (text === content) return { text, placeOf: (at) => at };
  const places = placesOf(content, text);
  return { text, placeOf: (at) => places[at] ?? content.length };
}

/** Of each unit of `shown`: characters were only left out, or took the place of one. */
function placesOf(content: string, shown: string): Uint32Array {
  const places = new Uint32Array(shown.length);
  let from = 0;
  for (let at = 0; at < shown.length; at += 1) {
    while (from < content.length && !isShownAs(content, from, shown.charAt(at))) from += 1;
    places[at] = from;
    from += 1;
  }
  return places;
}

function isShownAs(content: string, at: number, shown: string): boolean {
  const character = content.charAt(at);
  if (shown === '\ufffd') return character === shown || /[\ud800-\udfff]/.test(character);
  if (shown !== '\n') return character === shown;
  // Of `\r\n` the second is the line end.
  return character === '\r'
    ? content.charAt(at + 1) !== '\n'
    : /[\n\u0085\u2028\u2029]/.test(character);
}
