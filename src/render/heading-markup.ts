/**
 * Where tags and comments stand in a text, in linear time: what is sought ahead of a sign is found
 * once, from the end of the text on.
 */

/**
 * `plain` = a tag holds no other sign of one, and comments are text. `block` = so, but a tag of a
 * heading may hold such signs. `browser` = any tag may, and comments that end show nothing.
 */
export type MarkupReading = 'plain' | 'block' | 'browser';

export interface Piece {
  readonly at: number;
  /** Where the text goes on: of a line break at the break itself, for it is shown as a blank. */
  readonly end: number;
  readonly kind: 'opens' | 'closes' | 'other';
}

const PIECE = /<!--|<[!?]|(?:<|&(?:amp;)*lt;)\/?[a-z]|\n/gi;
const HEADING = /(?:<|&(?:amp;)*lt;)(\/?)h[1-6](?=[\s/>])/iy;
const SHORT_COMMENT = /<!---?>/y;
const OPENS_TAG = /(?:<|&(?:amp;)*lt;)[a-z/!?]/i;

/** In order; none within another. */
export function piecesOf(text: string, reading: MarkupReading): readonly Piece[] {
  const pieces: Piece[] = [];
  const plain = endsOfTags(text, 'plain');
  const quoting = reading === 'plain' ? plain : endsOfTags(text, 'quoting');
  const last = { comment: text.lastIndexOf('-->'), other: text.lastIndexOf('>') };
  const piece = new RegExp(PIECE);
  for (let hit = piece.exec(text); hit !== null; hit = piece.exec(text)) {
    const { 0: sign, index: at } = hit;
    const behind = at + sign.length;
    piece.lastIndex = at + 1;
    if (sign === '\n') pieces.push({ at, end: at, kind: 'other' });
    if (sign === '\n') continue;
    const slash = headingAt(text, at);
    const isTag = /[a-z]$/i.test(sign);
    const isWord = slash === null && sign.startsWith('&');
    if (isWord || (reading !== 'browser' && !isTag)) continue;
    const isQuoting = reading === 'browser' || slash !== null;
    const ends = isQuoting ? quoting : plain;
    const end = isTag ? (ends[behind] ?? -1) : endOfComment(text, at, last);
    if (end < 0) continue;
    pieces.push({ at, end, kind: slash === null ? 'other' : slash === '' ? 'opens' : 'closes' });
    piece.lastIndex = end;
  }
  return pieces;
}

/** The slash or '' of a tag of a heading; else null. */
function headingAt(text: string, at: number): string | null {
  HEADING.lastIndex = at;
  return HEADING.exec(text)?.[1] ?? null;
}

/** One that does not end hides nothing. `last` = what is nowhere is not sought from each sign. */
function endOfComment(
  text: string,
  at: number,
  last: { readonly comment: number; readonly other: number },
): number {
  SHORT_COMMENT.lastIndex = at;
  const short = SHORT_COMMENT.exec(text);
  if (short !== null) return at + short[0].length;
  if (!text.startsWith('<!--', at)) return last.other < at ? -1 : text.indexOf('>', at) + 1;
  return last.comment < at + 4 ? -1 : text.indexOf('-->', at + 4) + 3;
}

/**
 * Of each place in a tag, where the tag ends, or -1. `plain` = at the next sign of a tag;
 * `quoting` = as HTML says, where quotes behind `=` hold any sign.
 */
function endsOfTags(text: string, how: 'plain' | 'quoting'): Int32Array {
  const ends = new Int32Array(text.length + 1).fill(-1);
  if (!OPENS_TAG.test(text)) return ends;
  let [bare, value, double, single] = [-1, -1, -1, -1];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text[at] ?? '';
    const closed = sign === '>' ? at + 1 : bare;
    if (how === 'plain') bare = sign === '<' ? -1 : closed;
    else
      [bare, value, double, single] = [
        sign === '=' ? value : closed,
        sign === '"' ? double : sign === "'" ? single : /\s/.test(sign) ? value : closed,
        sign === '"' ? bare : double,
        sign === "'" ? bare : single,
      ];
    ends[at] = bare;
  }
  return ends;
}

/** The text without tags and comments, as a browser shows it. */
export function withoutMarkup(text: string): string {
  if (!OPENS_TAG.test(text)) return text;
  let shown = '';
  let from = 0;
  for (const { at, end } of piecesOf(text, 'browser')) {
    shown += text.slice(from, at);
    from = end;
  }
  return shown + text.slice(from);
}

const COMMENT_OR_TAG = /<!--|(?:<|&(?:amp;)*lt;)\/?[a-z]/gi;

/** So in version 13: tags that hold no sign of another, and comments to their end or the text's. */
export function withoutPlainMarkup(text: string): string {
  if (!OPENS_TAG.test(text)) return text;
  const ends = endsOfTags(text, 'plain');
  const opening = new RegExp(COMMENT_OR_TAG);
  let shown = '';
  let from = 0;
  for (let hit = opening.exec(text); hit !== null; hit = opening.exec(text)) {
    const { 0: sign, index: at } = hit;
    const closing = sign === '<!--' ? text.indexOf('-->', at + 4) : -1;
    const ofComment = closing < 0 ? text.length : closing + 3;
    const end = sign === '<!--' ? ofComment : (ends[at + sign.length] ?? -1);
    opening.lastIndex = end < 0 ? at + 1 : end;
    if (end < 0) continue;
    shown += text.slice(from, at);
    from = end;
  }
  return shown + text.slice(from);
}
