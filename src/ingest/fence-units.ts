/**
 * The units of fenced code: all of it where it fits into a chunk, else parts at lines, each with
 * marks of its own.
 */
import { closingLine, type Fence } from '../text/fences.ts';
import { roughTokens, tokenWeight } from '../text/rough-tokens.ts';
import { CHUNK_TOKENS, LEAST_TOKENS, slices } from './chunk-size.ts';
import { gapBefore, type Unit } from './prose-units.ts';

/** A longer mark is not repeated as it is, and a longer info string not at all. */
const MAX_MARK_UNITS = 16;
const MAX_INFO_TOKENS = 30;
const LINE_END = 1 / 4;

/** Of a fence of these lines. */
export function fenceUnits(lines: readonly string[], fence: Fence): readonly Unit[] {
  const { from, to, end, outer, base } = fence;
  const own = lines.slice(from, to);
  const closing = closingLine(fence);
  const text = [...own, ...(end === 'text' ? [closing] : [])].join('\n');
  const tokens = roughTokens(text);
  const gap = gapBefore(lines, to);
  if (tokens > CHUNK_TOKENS) return fenceParts(own, fence, gap);
  const alone = [...own, ...(end === 'mark' ? [] : [closing])].map((line) => dedent(line, outer));
  return [{ text, tokens, gap, from, alone: { text: alone.join('\n'), base } }];
}

/** Without as many columns of blanks at its beginning, or all of them if it has fewer. */
function dedent(line: string, columns: number): string {
  let column = 0;
  let at = 0;
  while (column < columns && (line[at] === ' ' || line[at] === '\t')) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1;
    at += 1;
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at);
}

/** A line of code, or a slice of one. */
interface Piece {
  readonly text: string;
  readonly weight: number;
  /** It begins within a line. */
  readonly isSlice: boolean;
  /** How well a part begins with it; more is better. */
  readonly rank: number;
}

function fenceParts(own: readonly string[], fence: Fence, gap: string): readonly Unit[] {
  const { mark, before, outer, inner, end } = fence;
  const isInfoLong = roughTokens(fence.info) > MAX_INFO_TOKENS;
  const info = isInfoLong ? '' : fence.info.trimEnd();
  const [first = '', ...code] = end === 'mark' ? own.slice(0, -1) : own;
  const opening = dedent(first, outer);
  /** What stands before the first mark: of a list item, its sign. */
  const head = opening.slice(0, opening.indexOf(mark));
  const body = code.map((line) => dedent(line, inner));
  const room = roomIn({ ...fence, info });
  const pieces = piecesOf(isInfoLong ? [before + fence.info.trim(), ...body] : body, room);
  const units: Unit[] = [];
  for (const { start, next } of cuts(pieces, room, inner - outer)) {
    const isFirst = start === 0;
    const pad = isFirst ? ' '.repeat(inner - outer) : '';
    const shown = joinPieces(pieces.slice(start, next), before).map((line) =>
      line === '' ? line : pad + line,
    );
    if (shown.length === 0 && (!isFirst || next < pieces.length)) continue;
    const own = markOver(shown, mark);
    const text = [
      `${isFirst ? head : before}${own}${info}`,
      ...shown,
      `${pad}${before}${own}`,
    ].join('\n');
    const from = fence.from + (isFirst ? 0 : 0.5);
    units.push({ text, tokens: roughTokens(text), gap: '\n\n', from, isPart: true });
  }
  return units.map((unit, index) => (index === units.length - 1 ? { ...unit, gap } : unit));
}

/** What a part holds beside its marks. */
function roomIn({ info, mark, before, inner, outer }: Omit<Fence, 'from' | 'to' | 'end'>): number {
  const marks = tokenWeight(info) + Math.min(mark.length, MAX_MARK_UNITS) / 2;
  return CHUNK_TOKENS - Math.ceil(marks + (before.length + inner - outer) / 2) - 1;
}

/** Lines, and slices of those that have no room, with the rank of each. */
function piecesOf(body: readonly string[], room: number): readonly Piece[] {
  const margins = body.filter((line) => line.trim() !== '').map(marginOf);
  const margin = margins.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return body.flatMap((line, index) => {
    const isTop = marginOf(line) === margin && /^\s*[^\s)\]}]/.test(line);
    const isAfterBlank = index > 0 && body[index - 1]?.trim() === '';
    const rank = (isAfterBlank ? 2 : 0) + (isTop ? 1 : 0);
    const shown = tokenWeight(line) + LINE_END > room ? slices(line) : [line];
    return shown.map((text, place): Piece => {
      const weight = tokenWeight(text) + LINE_END;
      return { text, weight, isSlice: place > 0, rank: place === 0 ? rank : -1 };
    });
  });
}

const marginOf = (line: string): number => line.length - line.trimStart().length;

/** As lines, without the empty ones at both ends. */
function joinPieces(pieces: readonly Piece[], before: string): readonly string[] {
  const lines: string[] = [];
  for (const { text, isSlice } of pieces) {
    const last = lines.pop();
    if (isSlice && last !== undefined) lines.push(last + text);
    else lines.push(...(last === undefined ? [] : [last]), isSlice ? before + text : text);
  }
  const isFull = (line: string): boolean => line.trim() !== '';
  const start = lines.findIndex(isFull);
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(isFull) + 1);
}

/** The mark, made longer or shorter so that none of the lines closes it. */
function markOver(lines: readonly string[], mark: string): string {
  const sign = mark[0] ?? '`';
  let length = mark.length > MAX_MARK_UNITS ? 3 : mark.length;
  for (const line of lines) {
    const run = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? '';
    if (run.startsWith(sign)) length = Math.max(length, run.length + 1);
  }
  return sign.repeat(length);
}

interface Cut {
  readonly start: number;
  readonly next: number;
}

/** Where the parts begin and end. `indent` = the blanks before each line of the first. */
function cuts(pieces: readonly Piece[], room: number, indent: number): readonly Cut[] {
  const parts: Cut[] = [];
  let left = pieces.reduce((sum, { weight }) => sum + weight, 0);
  let start = 0;
  do {
    const next = partEnd(pieces, start, { room, left, pad: start === 0 ? indent / 4 : 0 });
    for (const { weight } of pieces.slice(start, next)) left -= weight;
    parts.push({ start, next });
    start = next;
  } while (start < pieces.length);
  return parts;
}

interface Room {
  readonly room: number;
  /** Weight of the pieces from here on. */
  readonly left: number;
  /** What each costs beside its own weight. */
  readonly pad: number;
}

/**
 * The best line in the second half of what fits; none that would leave so little to the last part
 * that it joined something else.
 */
function partEnd(pieces: readonly Piece[], start: number, { room, left, pad }: Room): number {
  const weightAt = (index: number): number => pieces[index]?.weight ?? 0;
  let end = start;
  let used = 0;
  let rest = left;
  while (end < pieces.length && (end === start || used + weightAt(end) + pad <= room)) {
    used += weightAt(end) + pad;
    rest -= weightAt(end);
    end += 1;
  }
  if (end === pieces.length) return end;
  let best: number | null = null;
  for (let at = end; at > start && used >= room / 2; at--) {
    const isBetter = best === null || (pieces[at]?.rank ?? 0) > (pieces[best]?.rank ?? 0);
    if (rest >= LEAST_TOKENS && isBetter) best = at;
    used -= weightAt(at - 1) + pad;
    rest += weightAt(at - 1);
  }
  return best ?? end;
}
