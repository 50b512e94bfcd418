/**
 * A turn in pieces: code, diffs, traces, output, quotes and composed text as wholes, recipes with
 * all their steps, and the sentences of the rest. Lines are read once.
 */

import { readsAsOurs } from '../../render/lines.ts';
import { withBetween } from '../blocks/between.ts';
import { commentReader, isCodeLine, jsonReader, type ReadsLines } from '../blocks/code.ts';
import { composedReader, isItemAlone } from '../blocks/composed.ts';
import { delimitedReader, type ReadsTaken } from '../blocks/delimited.ts';
import { diffAt, isDiffLine } from '../blocks/diff.ts';
import { inlineSteps, OF_SELF } from '../blocks/inline-steps.ts';
import {
  type BlockReason,
  findFrom,
  type Line,
  linesOf,
  type ReadsMarked,
  type Taken,
} from '../blocks/lines.ts';
import { commitAt, faultAt, isOutputLine } from '../blocks/output.ts';
import { sessionAt } from '../blocks/prompts.ts';
import { systemTextIn } from '../blocks/system-words.ts';
import { traceAt } from '../blocks/trace.ts';
import { yamlAt } from '../blocks/yaml.ts';
import { headsNoProcedure, ITEM } from '../gate/no-procedure.ts';
import { givesMaterial, isPastedTalk, isTalkLine } from '../voices/not-own.ts';
import { isTooLong, type Sentence, sentenceOf, sentencesOf } from './sentence.ts';

export type Segment =
  | { readonly kind: 'sentence' | 'steps'; readonly sentence: Sentence }
  | { readonly kind: 'block'; readonly sentence: Sentence; readonly reason: BlockReason };

interface Run {
  readonly kind: Taken['kind'];
  readonly lines: Line[];
}

/** Pieces of a turn; what has more is a list, a log or an attack, not talk. */
const MOST_SEGMENTS = 500;

export interface SegmentOptions {
  /** Names of layers: their tags and headings are the engine's. */
  readonly layerNames: ReadonlySet<string>;
  /** Of `neverPhrases`: they keep a sentence out of memory, with all its clauses. */
  readonly never: readonly string[];
}

export function segmentsOf(content: string, options: SegmentOptions): readonly Segment[] {
  const segments: Segment[] = [];
  for (const run of runsOf(linesOf(content), options)) {
    segments.push(
      ...toSegments(run, content, {
        most: MOST_SEGMENTS - segments.length,
        never: options.never,
      }),
    );
    const last = segments.at(-1);
    if (segments.length < MOST_SEGMENTS || !last) continue;
    const rest = sentenceOf(content.slice(last.sentence.end), last.sentence.end);
    if (rest.text === '') return segments;
    return [...segments, { kind: 'block', sentence: rest, reason: 'too_many' }];
  }
  return segments;
}

function runsOf(lines: readonly Line[], options: SegmentOptions): readonly Run[] {
  const runs: Run[] = [];
  const add = (kind: Run['kind'], more: readonly Line[]): void => {
    const last = runs.at(-1);
    if (last?.kind !== kind || kind === 'steps') runs.push({ kind, lines: [...more] });
    // One by one: a call takes about 100,000 arguments, and a turn may have more lines.
    else for (const line of more) last.lines.push(line);
  };
  let at = 0;
  for (const { kind, length } of withBetween(takenOf(lines, options), lines)) {
    const taken = lines.slice(at, at + length);
    at += length;
    const [only] = taken;
    const steps = kind === 'prose' && only ? inlineSteps(only.text) : null;
    if (!steps || !only) {
      add(kind, taken);
      continue;
    }
    const part = (from: number, to?: number): readonly Line[] => [
      { text: only.text.slice(from, to), start: only.start + from },
    ];
    if (steps.start > 0) add('prose', part(0, steps.start));
    add('steps', part(steps.start, steps.end));
    if (steps.end < only.text.length) add('prose', part(steps.end));
  }
  return runs;
}

function takenOf(lines: readonly Line[], options: SegmentOptions): readonly Taken[] {
  const reading: Reading = {
    ...options,
    talk: talkReader(lines),
    json: jsonReader(lines),
    comment: commentReader(lines),
    delimited: delimitedReader(lines),
    composed: composedReader(lines, options.layerNames),
  };
  const pieces: Taken[] = [];
  for (let at = 0; at < lines.length; at += pieces.at(-1)?.length ?? 1)
    pieces.push(blockAt(lines, at, reading));
  return pieces;
}

interface Reading extends SegmentOptions {
  /** Lines of a pasted talk that begins there, or 0; so of the others. */
  readonly talk: ReadsLines;
  readonly json: ReadsLines;
  readonly comment: ReadsLines;
  readonly delimited: ReadsTaken;
  readonly composed: ReadsMarked;
}

/**
 * Lines of talk are read once, to their end: where they are no pasted talk from the first one on,
 * they are none from a later one on.
 */
function talkReader(lines: readonly Line[]): ReadsLines {
  let noneBefore = 0;
  return (at) => {
    if (at < noneBefore || !isTalkLine(lines[at]?.text ?? '')) return 0;
    const end = findFrom(lines, at, (line) => line.trim() !== '' && !isTalkLine(line));
    if (isPastedTalk(lines.slice(at, end).map((line) => line.text))) return end - at;
    noneBefore = end;
    return 0;
  };
}

function blockAt(lines: readonly Line[], at: number, options: Reading): Taken {
  const text = lines[at]?.text ?? '';
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'prose', length: 1 };
  const fence = ['```', '~~~'].find((mark) => trimmed.startsWith(mark));
  if (fence !== undefined)
    return upTo(lines, at, { kind: fenceKind(trimmed), ends: fenceEnd(fence) });
  // A list of one's own may be numbered `#1`: what was composed has a head or a bracket above.
  if (!trimmed.startsWith('#') && readsAsOurs(trimmed)) {
    const length = findFrom(lines, at, (line) => !readsAsOurs(line)) - at;
    if (length > 1) return { kind: 'composed', length };
  }
  const shown = shownAt(lines, at, options);
  if (shown !== null) return shown;
  // What is to be translated or rewritten, and a talk that was pasted, say nothing themselves.
  if (givesMaterial(text) && at + 1 < lines.length)
    return { kind: 'quoted', length: lines.length - at };
  if (givesMaterial(text) && /:\s*\S/.test(text)) return { kind: 'quoted', length: 1 };
  const talk = options.talk(at);
  if (talk > 0) return { kind: 'quoted', length: talk };
  const tag = layerTag(trimmed, options);
  if (tag !== null) {
    const ends = (line: string): boolean => line.startsWith(`</${tag}>`);
    return upTo(lines, at, { kind: 'composed', ends });
  }
  const heading = trimmed.startsWith('#') ? trimmed.replaceAll('#', '').trim() : '';
  if (options.layerNames.has(heading)) return section(lines, at);
  if (options.composed(at)) return { kind: 'composed', length: 1 };
  const steps = stepsAt(lines, at);
  if (steps > 0) return { kind: 'steps', length: steps };
  return { kind: lineKind(text), length: 1 };
}

/** Blocks of a machine, by what begins there. */
function shownAt(lines: readonly Line[], at: number, reading: Reading): Taken | null {
  const delimited = reading.delimited(at);
  if (delimited !== null) return delimited;
  const diff = diffAt(lines, at);
  if (diff > 0) return { kind: 'diff', length: diff };
  const trace = traceAt(lines, at);
  if (trace > 0) return { kind: 'trace', length: trace };
  const printed = commitAt(lines, at) || faultAt(lines, at) || sessionAt(lines, at);
  if (printed > 0) return { kind: 'output', length: printed };
  const code = reading.json(at) || reading.comment(at) || yamlAt(lines, at);
  return code > 0 ? { kind: 'code', length: code } : null;
}

/** With a word behind it, it opens another one. */
const fenceEnd =
  (fence: string) =>
  (line: string): boolean =>
    line.startsWith(fence) && !/[\p{L}\p{N}]/u.test(line);

const fenceKind = (line: string): BlockReason =>
  /^(```|~~~)\s?(diff|patch)/.test(line)
    ? 'diff'
    : /^(```|~~~)\s?(log|console|output|text|txt)/.test(line)
      ? 'output'
      : 'code';

/** To the line that ends it, or to the end of the turn. */
function upTo(
  lines: readonly Line[],
  at: number,
  { kind, ends }: { readonly kind: BlockReason; readonly ends: (line: string) => boolean },
): Taken {
  const last = findFrom(lines, at + 1, (line) => ends(line.trim()));
  return { kind, length: Math.min(last, lines.length - 1) - at + 1 };
}

function layerTag(line: string, { layerNames }: SegmentOptions): string | null {
  const name = /^<([a-z][a-z0-9_-]{0,62})>$/.exec(line)?.[1];
  return name !== undefined && layerNames.has(name) ? name : null;
}

/** A section under a heading of a layer: to the next heading, or to the end. */
function section(lines: readonly Line[], at: number): Taken {
  return {
    kind: 'composed',
    length: findFrom(lines, at + 1, (line) => /^#{1,6}[ \t]/.test(line)) - at,
  };
}

const STEP = /^\s{0,8}(?:\d{1,2}[.)]|step \d{1,2}[:.)]?)\s/i;

const ABOUT_SELF = /\babout (?:me|myself|us)\s*:\s*$/i;

/** Numbered lines, two or more, with the line that leads them in. */
function stepsAt(lines: readonly Line[], at: number): number {
  // `Options:`, whatever marks what stands below it.
  if (headsNoProcedure(lines[at]?.text ?? ''))
    return findFrom(lines, at + 1, (line) => !ITEM.test(line)) - at;
  const isLead = /:\s*$/.test(lines[at]?.text.trimEnd().slice(-1) === ':' ? ':' : '');
  const above = lines[isLead ? at : at - 1]?.text;
  const mayTell = above === undefined || ABOUT_SELF.test(above);
  let next = at + (isLead ? 1 : 0);
  let steps = 0;
  while (next < lines.length) {
    const text = lines[next]?.text ?? '';
    const [mark] = STEP.exec(text) ?? [];
    // A list of what one is or does is read as the sentences that it is: with another line above
    // it, it may be a sample.
    if (mark !== undefined && mayTell && OF_SELF.test(text.slice(mark.length))) return 0;
    if (mark !== undefined) steps += 1;
    else if (steps === 0 || !/^\s{2,}\S/.test(text)) break;
    next += 1;
  }
  return steps >= 2 ? next - at : 0;
}

function lineKind(text: string): Taken['kind'] {
  if (/^\s{0,3}(?:>|&(?:amp;)?(?:gt|#62|#x3e);|＞)/i.test(text)) return 'quoted';
  if (isTableLine(text) || /^(?: {4}|\t)\s*\S/.test(text)) return 'code';
  if (/^\s*[-*+] \[[ x]\] /i.test(text)) return 'quoted';
  if (isDiffLine(text)) return 'diff';
  if (isOutputLine(text)) return 'output';
  return isCodeLine(text) ? 'code' : 'prose';
}

const isTableLine = (text: string): boolean => /^\s*\|.*\|\s*$/.test(text);

function toSegments(
  { kind, lines }: Run,
  content: string,
  limits: { readonly most: number; readonly never: readonly string[] },
): readonly Segment[] {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return [];
  const text = content.slice(first.start, last.start + last.text.length);
  if (text.trim() === '') return [];
  if (kind === 'prose') {
    const sentences = sentencesOf(text, first.start, limits);
    const begins = new Set(lines.map((line) => line.start + line.text.search(/\S|$/)));
    const composed = systemTextIn(sentences.filter((sentence) => !isTooLong(sentence)));
    return sentences.map((sentence): Segment => {
      if (isTooLong(sentence)) return { kind: 'block', sentence, reason: 'too_long' };
      // At the beginning of a line, the lines around it have told whose it is.
      const isItem = !begins.has(sentence.start) && isItemAlone(sentence.text);
      return composed.has(sentence) || isItem
        ? { kind: 'block', sentence, reason: 'composed' }
        : { kind: 'sentence', sentence };
    });
  }
  const sentence = sentenceOf(text, first.start);
  if (kind === 'steps' && isTooLong(sentence))
    return [{ kind: 'block', sentence, reason: 'too_long' }];
  return kind === 'steps' ? [{ kind, sentence }] : [{ kind: 'block', sentence, reason: kind }];
}
