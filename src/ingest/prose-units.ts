/** The units of prose: paragraphs where they fit, else lines, else sentences, else slices. */
import { opensFence } from '../text/fences.ts';
import { roughTokens } from '../text/rough-tokens.ts';
import { CHUNK_TOKENS, slices } from './chunk-size.ts';

/** What a chunk is made of: it is in a chunk whole. */
export interface Unit {
  readonly text: string;
  readonly tokens: number;
  /** What stands between it and the next one. */
  readonly gap: string;
  /** Index of the line that it begins on; a half more where it begins within that line. */
  readonly from: number;
  /** Of fenced code: how it stands in a chunk without the list that begins on line `base`. */
  readonly alone?: { readonly text: string; readonly base: number };
  /** A part of fenced code: it is not repeated. */
  readonly isPart?: true;
}

/** Those of the lines from `from` to before `to`. */
export function proseUnits(lines: readonly string[], from: number, to: number): readonly Unit[] {
  const units: Unit[] = [];
  for (let start = from; start < to; start++) {
    if (isBlank(lines[start])) continue;
    let end = start;
    while (end < to && !isBlank(lines[end])) end += 1;
    const gap = gapBefore(lines, end);
    units.push(...paragraphUnits(lines.slice(start, end), { from: start, gap }));
    start = end;
  }
  return units;
}

/** What parts a unit that ends before the line from that line. */
export const gapBefore = (lines: readonly string[], line: number): '\n' | '\n\n' =>
  isBlank(lines[line]) ? '\n\n' : '\n';

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/**
 * A paragraph is a unit, so that the overlap has something small to repeat; finer cuts only where a
 * piece is too long.
 */
function paragraphUnits(
  lines: readonly string[],
  { from, gap }: Pick<Unit, 'from' | 'gap'>,
): readonly Unit[] {
  const text = lines.join('\n');
  const tokens = roughTokens(text);
  if (tokens <= CHUNK_TOKENS / 2) return [{ text, tokens, gap, from }];
  return lines.flatMap((line, index) =>
    piecesOf(line).map((piece, place, all): Unit => {
      const isLast = place === all.length - 1;
      return {
        text: piece,
        tokens: roughTokens(piece),
        gap: !isLast ? '' : index === lines.length - 1 ? gap : '\n',
        from: from + index + (place === 0 ? 0 : 0.5),
      };
    }),
  );
}

const isLong = (text: string): boolean => roughTokens(text) > CHUNK_TOKENS / 2;

const piecesOf = (line: string): readonly string[] =>
  isLong(line)
    ? sentences(line).flatMap((sentence) => (isLong(sentence) ? slices(sentence) : [sentence]))
    : [line];

/** With the space after each, so that joining gives the text back. None reads as opened code. */
function sentences(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [sentence] of text.matchAll(SENTENCE)) {
    if (piece !== '' && !opensFence(sentence)) {
      pieces.push(piece);
      piece = '';
    }
    piece += sentence;
  }
  return [...pieces, piece].filter((each) => each.trim() !== '');
}

const SENTENCE = /[^.!?。！？]+[.!?。！？]*[\s]*|[.!?。！？]+\s*/g;
