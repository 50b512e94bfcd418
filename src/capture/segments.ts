/**
 * A turn in pieces: code, diffs, traces, output, quotes and composed text as wholes, recipes with
 * all their steps, and the sentences of the rest. Lines are read once.
 */
import type { DeclineReason } from '../model/capture.ts';
import { readsAsOurs } from '../render/lines.ts';
import { givesMaterial, isPastedTalk, isTalkLine } from './not-own.ts';
import { isTooLong, type Sentence, sentenceOf, sentencesOf } from './sentence.ts';

export type Segment =
  | { readonly kind: 'sentence' | 'steps'; readonly sentence: Sentence }
  | {
      readonly kind: 'block';
      readonly sentence: Sentence;
      readonly reason: Extract<
        DeclineReason,
        'code' | 'diff' | 'trace' | 'output' | 'quoted' | 'composed' | 'too_many' | 'too_long'
      >;
    };

type BlockReason = Extract<Segment, { kind: 'block' }>['reason'];

interface Line {
  readonly text: string;
  readonly start: number;
}

interface Run {
  readonly kind: BlockReason | 'steps' | 'prose';
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
  const runs: Run[] = [];
  const add = (kind: Run['kind'], lines: readonly Line[]): void => {
    const last = runs.at(-1);
    if (last?.kind !== kind || kind === 'steps') runs.push({ kind, lines: [...lines] });
    // One by one: a call takes about 100,000 arguments, and a turn may have more lines.
    else for (const line of lines) last.lines.push(line);
  };
  const lines = linesOf(content);
  const reading: Reading = { ...options, talk: talkReader(lines) };
  let at = 0;
  while (at < lines.length) {
    const taken = blockAt(lines, at, reading);
    add(taken.kind, lines.slice(at, at + taken.length));
    at += taken.length;
  }
  const segments: Segment[] = [];
  for (const run of runs) {
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

function linesOf(content: string): readonly Line[] {
  let start = 0;
  return content.split('\n').map((text) => {
    const line = { text, start };
    start += text.length + 1;
    return line;
  });
}

interface Taken {
  readonly kind: Run['kind'];
  readonly length: number;
}

interface Reading extends SegmentOptions {
  /** Lines of a pasted talk that begins there, or 0. */
  readonly talk: (at: number) => number;
}

/**
 * Lines of talk are read once, to their end: where they are no pasted talk from the first one on,
 * they are none from a later one on.
 */
function talkReader(lines: readonly Line[]): Reading['talk'] {
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
  const fence = ['```', '~~~'].find((mark) => trimmed.startsWith(mark));
  if (fence !== undefined)
    return upTo(lines, at, { kind: fenceKind(trimmed), ends: fenceEnd(fence) });
  // A list of one's own may be numbered `#1`: what was composed has a head or a bracket above.
  if (!trimmed.startsWith('#') && readsAsOurs(trimmed)) {
    const length = findFrom(lines, at, (line) => !readsAsOurs(line)) - at;
    if (length > 1) return { kind: 'composed', length };
  }
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
  const steps = stepsAt(lines, at);
  if (steps > 0) return { kind: 'steps', length: steps };
  return { kind: lineKind(text), length: 1 };
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

/** The first line from there on that fits, or the number of lines. */
function findFrom(lines: readonly Line[], from: number, fits: (text: string) => boolean): number {
  let at = from;
  while (at < lines.length && !fits(lines[at]?.text ?? '')) at += 1;
  return at;
}

const STEP = /^\s{0,8}(?:\d{1,2}[.)]|step \d{1,2}[:.)]?)\s/i;

/** Numbered lines, two or more, with the line that leads them in. */
function stepsAt(lines: readonly Line[], at: number): number {
  const isLead = /:\s*$/.test(lines[at]?.text.trimEnd().slice(-1) === ':' ? ':' : '');
  let next = at + (isLead ? 1 : 0);
  let steps = 0;
  while (next < lines.length) {
    const text = lines[next]?.text ?? '';
    if (STEP.test(text)) steps += 1;
    else if (steps === 0 || !/^\s{2,}\S/.test(text)) break;
    next += 1;
  }
  return steps >= 2 ? next - at : 0;
}

function lineKind(text: string): Run['kind'] {
  if (/^\s{0,3}>/.test(text)) return 'quoted';
  if (isTableLine(text) || /^(?: {4}|\t)\s*\S/.test(text)) return 'code';
  if (/^\s*[-*+] \[[ x]\] /i.test(text)) return 'quoted';
  if (isDiffLine(text)) return 'diff';
  if (isTraceLine(text)) return 'trace';
  if (isOutputLine(text)) return 'output';
  return isCodeLine(text) ? 'code' : 'prose';
}

const isTableLine = (text: string): boolean => /^\s*\|.*\|\s*$/.test(text);

const DIFF_STARTS = [
  'diff --git ',
  '@@ ',
  '+++ ',
  '--- a/',
  '--- b/',
  'index ',
  'new file mode',
  'deleted file mode',
  'rename from ',
  'rename to ',
];
const isDiffLine = (text: string): boolean =>
  DIFF_STARTS.some((start) => text.startsWith(start)) &&
  (!text.startsWith('index ') || /^index [0-9a-f]{7,40}\.\./.test(text))
    ? true
    : /^[+-](?:\s{2,}|\t|[a-z]+ ?[({=]|(?:import|const|let|var|return|function|class|def|if|for|export|from|type|interface) |[}\])]|<)/.test(
        text,
      );

const TRACE_STARTS = [
  'Traceback (most recent call last)',
  'Caused by: ',
  'Exception in thread ',
  'panic: ',
  'goroutine ',
  '    at ',
  '\tat ',
  '  at ',
];
const isTraceLine = (text: string): boolean =>
  TRACE_STARTS.some((start) => text.startsWith(start)) ||
  /^\s{2,4}File "[^"]{1,300}", line \d/.test(text) ||
  /^(?:Uncaught )?[A-Z][A-Za-z]{2,40}(?:Error|Exception)(?: \[[A-Z_]+\])?:/.test(text.slice(0, 90));

const OUTPUT_STARTS = [
  'npm ',
  'yarn ',
  'pnpm ',
  '> ',
  '$ ',
  '[INFO]',
  '[WARN]',
  '[WARNING]',
  '[ERROR]',
  '[DEBUG]',
  'INFO ',
  'WARN ',
  'ERROR ',
  'DEBUG ',
  'PASS ',
  'FAIL ',
  'BUILD SUCCESS',
  'BUILD FAILED',
  'Compiling ',
  'Downloading ',
  'make: ',
  'make[',
  '==> ',
  '✓ ',
  '✔ ',
  '✗ ',
  '× ',
  'Test Suites:',
  'Tests:',
  'Snapshots:',
  'On branch ',
  'Your branch is ',
  'remote: ',
];
const OUTPUT_TOOLS = /^(?:npm|yarn|pnpm) (?:ERR!|WARN|warn|notice|info|error)/;

function isOutputLine(text: string): boolean {
  const bare = text.trimStart();
  const start = OUTPUT_STARTS.find((each) => bare.startsWith(each));
  if (start !== undefined)
    return ['npm ', 'yarn ', 'pnpm '].includes(start) ? OUTPUT_TOOLS.test(bare) : true;
  return (
    /^\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(bare) ||
    /^\d{2}:\d{2}:\d{2}[ .,]/.test(bare) ||
    /^[\w./-]{1,120}:\d{1,6}:\d{1,6}:? /.test(bare.slice(0, 160)) ||
    /^[\w./-]{1,120}\(\d{1,6},\d{1,6}\): error/.test(bare.slice(0, 180))
  );
}

const CODE_STARTS =
  /^\s*(?:(?:export |async |public |private |static )*(?:const|let|var|function|class|interface|type|enum) [A-Za-z_$][\w$]* ?[=({<:]|import [\w{*"']|from \S+ import |def \w+\(|return[ ;(]|if ?\(|for ?\(|while ?\(|else ?\{|\} ?else|try ?\{|#include |package \w+;|using \w+;|SELECT .+ FROM |INSERT INTO |UPDATE \w+ SET |<\/?[a-z][\w-]*(?: [\w-]+=|>))/;
const CODE_MARKS = new Set([...'{}();=<>[]|&$\\']);

function isCodeLine(text: string): boolean {
  const bare = text.trim().slice(0, 400);
  if (bare.length < 2) return bare === '}' || bare === '{';
  if (CODE_STARTS.test(bare)) return true;
  const marks = [...bare].filter((character) => CODE_MARKS.has(character)).length;
  const ends = /[;{}]$/.test(bare) || bare.endsWith('=>') || bare.endsWith('(');
  return (ends && marks >= 3) || (marks >= 4 && marks / bare.length > 0.12);
}

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
  if (kind === 'prose')
    return sentencesOf(text, first.start, limits).map(
      (sentence): Segment =>
        isTooLong(sentence)
          ? { kind: 'block', sentence, reason: 'too_long' }
          : { kind: 'sentence', sentence },
    );
  const sentence = sentenceOf(text, first.start);
  if (kind === 'steps' && isTooLong(sentence))
    return [{ kind: 'block', sentence, reason: 'too_long' }];
  return kind === 'steps' ? [{ kind, sentence }] : [{ kind: 'block', sentence, reason: kind }];
}
