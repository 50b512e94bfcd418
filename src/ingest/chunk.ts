/** A document cut into chunks by headings, paragraphs and sentences. */
import { headingOf } from './heading.ts';

export interface Chunk {
  readonly text: string;
  /** The headings above it, `A > B`; null at the top and in small documents. */
  readonly heading: string | null;
}

/**
 * Target, overlap and least length in tokens (seed 003: numbers that a team kept after weeks of
 * recall logs).
 */
export const CHUNK_TOKENS = 240;
export const OVERLAP_TOKENS = 48;
export const LEAST_TOKENS = 32;

/**
 * Tokens, roughly: four ASCII characters or one other character each. It steers the cut; budgets
 * count exactly.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 128) ascii += 1;
    else other += 1;
  }
  return Math.ceil(ascii / 4 + other);
}

/**
 * Cuts a text. A text within the target is one chunk, whole. Every character of it but space at the
 * cuts is in some chunk.
 */
export function chunkText(text: string): readonly Chunk[] {
  const whole = text.trim();
  if (whole === '') return [];
  if (estimateTokens(whole) <= CHUNK_TOKENS) return [{ text: whole, heading: null }];
  return mergeSmall(sectionsOf(whole).flatMap(chunkSection));
}

interface Section {
  readonly heading: string | null;
  /** The heading line included. */
  readonly text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Splits at headings outside fenced code. */
function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  const path: { level: number; title: string }[] = [];
  let lines: string[] = [];
  let heading: string | null = null;
  let fence: string | null = null;
  const finish = (): void => {
    const body = lines.join('\n').trim();
    if (body !== '') sections.push({ heading, text: body });
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined)
      fence = fence === null ? mark : line.trim().startsWith(fence) ? null : fence;
    const hit = fence === null && mark === undefined ? headingOf(line) : null;
    if (hit) {
      finish();
      while ((path.at(-1)?.level ?? 0) >= hit.level) path.pop();
      path.push(hit);
      heading = path.map((entry) => entry.title).join(' > ');
    }
    lines.push(line);
  }
  finish();
  return sections;
}

/**
 * Greedy: units until the target is reached; the next chunk begins with the last units of this one,
 * up to the overlap.
 */
function chunkSection(section: Section): readonly Chunk[] {
  const units = unitsOf(section.text);
  const chunks: Chunk[] = [];
  let open: Unit[] = [];
  let openTokens = 0;
  for (const unit of units) {
    if (open.length > 0 && openTokens + unit.tokens > CHUNK_TOKENS) {
      chunks.push({ text: joined(open), heading: section.heading });
      open = overlapOf(open, CHUNK_TOKENS - unit.tokens);
      openTokens = open.reduce((sum, kept) => sum + kept.tokens, 0);
    }
    open.push(unit);
    openTokens += unit.tokens;
  }
  if (open.length > 0) chunks.push({ text: joined(open), heading: section.heading });
  return chunks;
}

interface Unit {
  readonly text: string;
  readonly tokens: number;
  /** What stands between it and the next one. */
  readonly gap: string;
}

const joined = (units: readonly Unit[]): string =>
  units
    .map((unit, index) => (index < units.length - 1 ? unit.text + unit.gap : unit.text))
    .join('')
    .trim();

function overlapOf(units: readonly Unit[], room: number): Unit[] {
  const kept: Unit[] = [];
  let tokens = 0;
  for (const unit of [...units].reverse()) {
    tokens += unit.tokens;
    if (tokens > Math.min(OVERLAP_TOKENS, room)) break;
    kept.unshift(unit);
  }
  return kept.length === units.length ? kept.slice(1) : kept;
}

/** Paragraphs where they fit, else lines, else sentences, else slices. */
function unitsOf(text: string): readonly Unit[] {
  return splitTo(text, ['\n\n', '\n', 'sentence', 'slice'], '');
}

type Cut = '\n\n' | '\n' | 'sentence' | 'slice';

function splitTo(text: string, cuts: readonly Cut[], gap: string): readonly Unit[] {
  const tokens = estimateTokens(text);
  const [cut, ...finer] = cuts;
  // paragraphs are always apart, so that the overlap has something small to repeat; finer cuts only
  // where a piece is too long
  if (cut === undefined || (cut !== '\n\n' && tokens <= CHUNK_TOKENS / 2))
    return text.trim() === '' ? [] : [{ text, tokens, gap }];
  const pieces =
    cut === 'slice'
      ? slices(text)
      : cut === 'sentence'
        ? sentences(text)
        : text.split(cut === '\n\n' ? /\n[ \t]*\n+/ : '\n');
  const between = cut === '\n\n' || cut === '\n' ? cut : '';
  return pieces.flatMap((piece, index) =>
    splitTo(piece, finer, index < pieces.length - 1 ? between : gap),
  );
}

/** With the space after each, so that joining gives the text back. */
const sentences = (text: string): readonly string[] =>
  text.match(/[^.!?。！？]+[.!?。！？]*[\s]*|[.!?。！？]+\s*/g) ?? [text];

/** Half a target each, never inside a surrogate pair. */
function slices(text: string): readonly string[] {
  const quarters = (CHUNK_TOKENS / 2) * 4;
  const pieces: string[] = [];
  let from = 0;
  let at = 0;
  let used = 0;
  for (const character of text) {
    at += character.length;
    used += character < '\u0080' ? 1 : 4 * character.length;
    if (used < quarters) continue;
    pieces.push(text.slice(from, at));
    from = at;
    used = 0;
  }
  return from === text.length ? pieces : [...pieces, text.slice(from)];
}

/**
 * A chunk under the least length joins its neighbour: before it if that one is of the same section
 * or also small, else the one after.
 */
function mergeSmall(chunks: readonly Chunk[]): readonly Chunk[] {
  const merged: Chunk[] = [];
  let small: Chunk | null = null;
  for (const chunk of chunks) {
    const next: Chunk =
      small === null ? chunk : { text: `${small.text}\n\n${chunk.text}`, heading: small.heading };
    small = null;
    if (estimateTokens(next.text) >= LEAST_TOKENS) merged.push(next);
    else small = next;
  }
  const last = merged.at(-1);
  if (small !== null && last !== undefined)
    merged[merged.length - 1] = { text: `${last.text}\n\n${small.text}`, heading: last.heading };
  else if (small !== null) merged.push(small);
  return merged;
}
