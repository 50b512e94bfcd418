/**
 * What looks like talk between two lines of code or of a trace, with no blank line to part it, is
 * theirs: a comment, a message, a string of several lines.
 */
import { isCodeLine, isComment } from './code.ts';
import { isBlank, type Line, type Taken, textAt } from './lines.ts';

/** More lines than these are no message. */
const MOST_BETWEEN = 4;

/** The pieces again, with what stands between as their kind. Pieces of prose are single lines. */
export function withBetween(pieces: readonly Taken[], lines: readonly Line[]): readonly Taken[] {
  const kinds = pieces.map(({ kind }) => kind);
  let line = 0;
  /** The last piece that was no prose. */
  let before: Side | null = null;
  let isParted = false;
  /** The piece from which on there was prose alone, without a blank line. */
  let from = 0;
  for (const [index, { kind, length }] of pieces.entries()) {
    const first = textAt(lines, line);
    if (kind === 'prose') {
      if (isBlank(first)) [from, isParted] = [index + 1, true];
      line += length;
      continue;
    }
    const here: Side = { kind, text: first };
    const isNear = !isParted && index - from <= MOST_BETWEEN;
    const theirs = isNear && before ? kindBetween(before, here) : null;
    const above = lines.slice(line - (index - from), line);
    if (theirs !== null) kinds.fill(theirs, from, index);
    else if (isCode(here) && above.every(({ text }) => HASHED.test(text)))
      kinds.fill(kind, from, index);
    line += length;
    before = { kind, text: textAt(lines, line - 1) };
    [from, isParted] = [index + 1, false];
  }
  return pieces.map(({ length }, index) => ({ kind: kinds[index] ?? 'prose', length }));
}
/** A heading may stand above code as well, with a blank line between. */
const HASHED = /^\s*#/;

interface Side {
  readonly kind: Taken['kind'];
  /** The line next to what stands between. */
  readonly text: string;
}

/** Markup around talk is how an application hands it over; a table or an indent is no code. */
const isCode = ({ kind, text }: Side): boolean =>
  kind === 'code' && !/^\s*</.test(text) && (isCodeLine(text) || isComment(text));

function kindBetween(before: Side, after: Side): Taken['kind'] | null {
  if (before.kind === 'trace' && after.kind === 'trace') return after.kind;
  if (before.kind === 'trace' && isCode(after)) return before.kind;
  if (isCode(before) && after.kind === 'trace') return after.kind;
  const isShown = isCode(before) && isCode(after);
  return isShown && /\p{L}/u.test(before.text + after.text) ? after.kind : null;
}
