/** The lines of a turn, as the readers of blocks go over them. */
import type { DeclineReason } from '../../model/capture.ts';

export type BlockReason = Extract<
  DeclineReason,
  'code' | 'diff' | 'trace' | 'output' | 'quoted' | 'composed' | 'too_many' | 'too_long'
>;

/** Lines of one kind; a piece of prose is a single line. */
export interface Taken {
  readonly kind: BlockReason | 'steps' | 'prose';
  readonly length: number;
}

export interface Line {
  readonly text: string;
  /** UTF-16 units in the content of the turn. */
  readonly start: number;
}

/** Whether a line is of a kind that is told from all lines together. */
export type ReadsMarked = (at: number) => boolean;

/** Up to here a line is read by patterns that are more than a beginning. */
export const MOST_OF_LINE = 400;

export function linesOf(content: string): readonly Line[] {
  let start = 0;
  return content.split('\n').map((text) => {
    const line = { text, start };
    start += text.length + 1;
    return line;
  });
}

export const textAt = (lines: readonly Line[], at: number): string => lines[at]?.text ?? '';

export const isBlank = (text: string): boolean => text.trim() === '';

/** The first line from there on that fits, or the number of lines. */
export function findFrom(
  lines: readonly Line[],
  from: number,
  fits: (text: string) => boolean,
): number {
  let at = from;
  while (at < lines.length && !fits(textAt(lines, at))) at += 1;
  return at;
}

/** The first of the next `most` lines that fits, or -1: a block that is looked ahead for. */
export function findWithin(
  lines: readonly Line[],
  { from, most }: { readonly from: number; readonly most: number },
  fits: (text: string) => boolean,
): number {
  const at = findFrom(lines.slice(from, from + most), 0, fits);
  return at < Math.min(most, lines.length - from) ? from + at : -1;
}
