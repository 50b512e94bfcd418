/**
 * A diff as a whole: its heads and every line of its hunks, old and new. A line of a hunk reads
 * like talk as soon as the file is prose: `-I live in Rome.`, `+I live in Oslo.`
 */
import { findFrom, isBlank, type Line, textAt } from './lines.ts';

/** A diff begins with one of these. */
const OPENS: readonly RegExp[] = [
  /^diff --git "?[^\s/.]{0,200}[/.]/,
  /^diff (?:--cc|--combined|-[a-zA-Z]{1,8}) \S/,
  /^--- [ab]\//,
  /^\+\+\+ [ab]\//,
  /^@@@? -\d/,
  /^\*\*\* Begin Patch$/,
];
/** They stand in one that has begun; alone they may be talk. */
const HEADS: readonly RegExp[] = [
  ...OPENS,
  /^index [0-9a-f]{7,40}\.\./,
  /^(?:new file|deleted file|old|new) mode \d/,
  /^(?:dis)?similarity index \d/,
  /^(?:rename|copy) (?:from|to) \S/,
  /^\+\+\+ \S/,
  /^@@(?: |$)/,
  /^Binary files \S+ and \S+ differ$/,
  /^\*\*\* (?:End Patch$|(?:Update|Add|Delete) File: )/,
];
const opens = (text: string): boolean => OPENS.some((head) => head.test(text));
const isHead = (text: string): boolean => HEADS.some((head) => head.test(text));

const HUNK = /^@@@? -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;
/** `--- notes.md` is a head where `+++ notes.md` stands below it. */
const isPairOfHeads = (lines: readonly Line[], at: number): boolean =>
  /^--- \S/.test(textAt(lines, at)) && /^\+\+\+ \S/.test(textAt(lines, at + 1));

/** Lines that a hunk has still to come, by its head; null = its head does not say. */
interface Left {
  readonly old: number;
  readonly new: number;
}

const MARKS = new Set(['+', '-', ' ', '\t', '\\']);
const isMarked = (text: string): boolean => MARKS.has(text.charAt(0));
/** A list has a blank behind the mark. */
const isMarkedTightly = (text: string): boolean => /^[+-](?:\S|\s{2})/.test(text);
const isSigned = (text: string): boolean => /^[+-][\p{L}"'“]/u.test(text);

/** Lines of a diff that begins there, or 0. Each is looked at a bounded number of times. */
export function diffAt(lines: readonly Line[], at: number): number {
  const plain = plainDiff(lines, at);
  if (plain > 0) return plain;
  if (!opens(textAt(lines, at)) && !isPairOfHeads(lines, at)) return signedLines(lines, at);
  let left: Left | null = null;
  let next = at;
  while (next < lines.length) {
    const text = textAt(lines, next);
    if (isHead(text) || isPairOfHeads(lines, next)) {
      left = leftBy(text);
      next += 1;
    } else if (isMarked(text) && !isBlank(text)) {
      left = lessBy(text, left);
      next += 1;
    } else {
      const after: number = isBlank(text)
        ? overBlanks(lines, next, left)
        : overUnmarked(lines, next, left);
      if (after === next) break;
      if (left !== null) left = { old: left.old - (after - next), new: left.new - (after - next) };
      next = after;
    }
  }
  return next - at;
}

function leftBy(head: string): Left | null {
  const counts = HUNK.exec(head);
  return counts && { old: Number(counts[1] ?? 1), new: Number(counts[2] ?? 1) };
}

function lessBy(text: string, left: Left | null): Left | null {
  if (left === null || text.startsWith('\\')) return left;
  return {
    old: left.old - (text.startsWith('+') ? 0 : 1),
    new: left.new - (text.startsWith('-') ? 0 : 1),
  };
}

const isOpen = (left: Left | null): left is Left => left !== null && (left.old > 0 || left.new > 0);

/** A blank line is of the hunk where more of it follows. */
function overBlanks(lines: readonly Line[], at: number, left: Left | null): number {
  const after = findFrom(lines, at, (line) => !isBlank(line));
  const text = textAt(lines, after);
  if (after >= lines.length) return at;
  if (isHead(text) || isPairOfHeads(lines, after)) return after;
  const isMore = isOpen(left) ? isMarked(text) : left === null && isMarkedTightly(text);
  return isMore ? after : at;
}

/** Lines between that lost the blank in front of them, as a chat trims them. */
function overUnmarked(lines: readonly Line[], at: number, left: Left | null): number {
  if (left === null || left.old <= 0 || left.new <= 0) return at;
  const most = at + Math.min(left.old, left.new) + 1;
  let after = at;
  while (after < Math.min(most, lines.length)) {
    const text = textAt(lines, after);
    if (isMarkedTightly(text) || isHead(text)) return after;
    after += 1;
  }
  return at;
}

/** `-I live in Rome.` above `+I live in Oslo.`, without any head: lines of a diff were copied. */
function signedLines(lines: readonly Line[], at: number): number {
  if (!isSigned(textAt(lines, at))) return 0;
  const length = findFrom(lines, at, (line) => !isSigned(line)) - at;
  return length > 1 ? length : 0;
}

/** `2c2`, and below it the lines behind `<` and `>`. */
function plainDiff(lines: readonly Line[], at: number): number {
  if (!/^\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$/.test(textAt(lines, at))) return 0;
  const length = findFrom(lines, at + 1, (line) => !/^(?:[<>] |[<>]$|---$|\\ )/.test(line)) - at;
  return length > 1 ? length : 0;
}

/** A line that shows by itself that it is of a diff. */
export const isDiffLine = (text: string): boolean =>
  isHead(text) ||
  /^[+-](?:\s{2,}|\t|[a-z]+ ?[({=]|(?:import|const|let|var|return|function|class|def|if|for|export|from|type|interface) |[}\])]|<)/.test(
    text,
  );
