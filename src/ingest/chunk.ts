/** A document cut into chunks by headings, fenced code, paragraphs and sentences. */

import { closeFence, type Fence, fencesOf, opensFence } from '../text/fences.ts';
import { roughTokens } from '../text/rough-tokens.ts';
import { CHUNK_TOKENS, LEAST_TOKENS, OVERLAP_TOKENS } from './chunk-size.ts';
import { fenceUnits } from './fence-units.ts';
import { headingOf } from './heading.ts';
import { proseUnits, type Unit } from './prose-units.ts';

export interface Chunk {
  readonly text: string;
  /** The headings above it, `A > B`; null at the top and in small documents. */
  readonly heading: string | null;
}

/**
 * Cuts a text. A text within the target is one chunk, whole. Every character of it but space at the
 * cuts is in some chunk. No chunk leaves fenced code open: what is too long is cut at lines, and
 * each part has marks of its own. In a program (`isCode`) marks of fences are text.
 *
 * Invariant: fenced code that fits the target is in one chunk, whole, and no overlap begins within
 * it (test/property/chunk-fences.test.ts).
 */
export function chunkText(text: string, { isCode = false } = {}): readonly Chunk[] {
  const whole = trimmed(text);
  if (whole === '') return [];
  const closed = (chunk: Chunk): Chunk =>
    isCode ? chunk : { ...chunk, text: closeFence(chunk.text) };
  if (roughTokens(whole) <= CHUNK_TOKENS) return [closed({ text: whole, heading: null })];
  const lines = whole.split(/\r?\n/);
  const blocks = blocksOf(lines, isCode ? [] : fencesOf(lines));
  return mergeSmall(sectionsOf(lines, blocks).flatMap(chunkSection)).map(closed);
}

/** Without space around it. A first line that would begin to open a fence keeps its blanks. */
function trimmed(text: string): string {
  const bare = text.trim();
  const first = /^[^\n]*/.exec(bare)?.[0] ?? '';
  if (!opensFence(first)) return bare;
  const before = text.slice(0, text.length - text.trimStart().length);
  const blanks = before.slice(before.lastIndexOf('\n') + 1);
  return opensFence(blanks + first) ? bare : blanks + bare;
}

/** Lines of prose, or a fence. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly fence: Fence | null;
}

/** All lines, in order. A fence whose list ends before it has a line is prose: nothing is in it. */
function blocksOf(lines: readonly string[], fences: readonly Fence[]): readonly Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const fence of fences) {
    if (fence.end === 'container' && fence.to - fence.from === 1) continue;
    blocks.push({ from, to: fence.from, fence: null }, { from: fence.from, to: fence.to, fence });
    from = fence.to;
  }
  return [...blocks, { from, to: lines.length, fence: null }];
}

interface Section {
  readonly heading: string | null;
  /** The heading line included. */
  readonly units: readonly Unit[];
}

/** Splits at headings outside fenced code. */
function sectionsOf(lines: readonly string[], blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = [];
  const path: { level: number; title: string }[] = [];
  let units: Unit[] = [];
  let heading: string | null = null;
  for (const { from, to, fence } of blocks) {
    let start = from;
    for (let line = from; fence === null && line < to; line++) {
      const hit = headingOf(lines[line] ?? '');
      if (hit === null) continue;
      units = units.concat(proseUnits(lines, start, line));
      if (units.length > 0) sections.push({ heading, units });
      units = [];
      start = line;
      while ((path.at(-1)?.level ?? 0) >= hit.level) path.pop();
      path.push(hit);
      heading = path.map(({ title }) => title).join(' > ');
    }
    for (const unit of fence === null ? proseUnits(lines, start, to) : fenceUnits(lines, fence))
      units.push(unit);
  }
  return units.length > 0 ? [...sections, { heading, units }] : sections;
}

/**
 * Greedy: units until the target is reached; the next chunk begins with the last units of this one,
 * up to the overlap.
 */
function chunkSection({ heading, units }: Section): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let open: Unit[] = [];
  let openTokens = 0;
  for (const unit of units) {
    if (open.length > 0 && openTokens + unit.tokens > CHUNK_TOKENS) {
      chunks.push({ text: joined(open), heading });
      open = overlapOf(open, CHUNK_TOKENS - unit.tokens);
      openTokens = open.reduce((sum, kept) => sum + kept.tokens, 0);
    }
    open.push(unit);
    openTokens += unit.tokens;
  }
  if (open.length > 0) chunks.push({ text: joined(open), heading });
  return chunks;
}

function joined(units: readonly Unit[]): string {
  const first = units[0]?.from ?? 0;
  const texts = units.map(({ text, gap, alone }, index) => {
    const isAlone = alone !== undefined && (index === 0 || alone.base < first);
    return `${isAlone ? alone.text : text}${index < units.length - 1 ? gap : ''}`;
  });
  return trimmed(texts.join(''));
}

function overlapOf(units: readonly Unit[], room: number): Unit[] {
  const kept: Unit[] = [];
  let tokens = 0;
  for (const unit of [...units].reverse()) {
    tokens += unit.tokens;
    if (unit.isPart === true || tokens > Math.min(OVERLAP_TOKENS, room)) break;
    kept.unshift(unit);
  }
  return kept.length === units.length ? kept.slice(1) : kept;
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
    if (roughTokens(next.text) >= LEAST_TOKENS) merged.push(next);
    else small = next;
  }
  const last = merged.at(-1);
  if (small !== null && last !== undefined)
    merged[merged.length - 1] = { text: `${last.text}\n\n${small.text}`, heading: last.heading };
  else if (small !== null) merged.push(small);
  return merged;
}
