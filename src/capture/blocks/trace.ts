/**
 * A trace of a stack as a whole: the head that says what went wrong, in words that may read like
 * talk, and its frames. English runtimes.
 */
import { findFrom, findWithin, isBlank, type Line, MOST_OF_LINE, textAt } from './lines.ts';

/** Lines between a head and what proves it to be one. */
const MOST_MESSAGE = 40;

/** Lines of a trace that begins there, or 0. */
export function traceAt(lines: readonly Line[], at: number): number {
  const text = textAt(lines, at).slice(0, MOST_OF_LINE);
  if (PANIC.test(text)) return rustPanic(lines, at);
  if (GOROUTINE.test(text)) return goFrames(lines, at) - at;
  if (/^(?:panic|fatal error): /.test(text)) return goPanic(lines, at);
  if (PYTHON.test(text)) return pythonFrames(lines, at);
  return headOfFrames(lines, at, text);
}

const PANIC = /^thread '[^'\n]{0,80}'(?: \(\d{1,9}\))? panicked at\b/;
const PANIC_NOTE = /^note: (?:run with|Some details are omitted)/;
/** With its message, to the note at its end; where it has none, to the end of the paragraph. */
function rustPanic(lines: readonly Line[], at: number): number {
  const most = { from: at + 1, most: MOST_MESSAGE };
  const note = findWithin(lines, most, (line) => PANIC_NOTE.test(line) || PANIC.test(line));
  if (note !== -1 && PANIC_NOTE.test(textAt(lines, note))) return note + 1 - at;
  return findFrom(lines, at + 1, (line) => isBlank(line) || PANIC.test(line)) - at;
}

const GOROUTINE = /^goroutine \d{1,9} \[[^\]\n]{1,80}\]:?/;
const GO_FRAME =
  /^(?:\t|[\w./*()·$-]{1,200}\(.*\)$|created by |exit status \d|\[signal |\.\.\.additional frames)/;
const goFrames = (lines: readonly Line[], at: number): number =>
  findFrom(lines, at + 1, (line) => !GO_FRAME.test(line.slice(0, MOST_OF_LINE)));
function goPanic(lines: readonly Line[], at: number): number {
  const most = { from: at + 1, most: MOST_MESSAGE };
  const routine = findWithin(lines, most, (line) => /^panic: /.test(line) || GOROUTINE.test(line));
  if (routine === -1 || !GOROUTINE.test(textAt(lines, routine))) return 1;
  return goFrames(lines, routine) - at;
}

const PYTHON = /^\s{0,8}(?:\+ Exception Group )?Traceback \(most recent call last\)/;
const PYTHON_END = /^[A-Za-z_][\w.]{0,120}(?::|$)/;
/** Its frames are indented; the line below them says what was raised. */
function pythonFrames(lines: readonly Line[], at: number): number {
  const end = findFrom(lines, at + 1, (line) => !/^\s+\S/.test(line));
  const isRaised = end > at + 1 && PYTHON_END.test(textAt(lines, end).slice(0, MOST_OF_LINE));
  if (!isRaised) return end - at;
  return findFrom(lines, end + 1, (line) => !/^\s{2,}\S/.test(line)) - at;
}

const NAMED = String.raw`(?:[\w$]{1,60}[.\\:]{1,2}){0,12}[A-Z]\w{0,60}(?:Error|Exception|Throwable|Failure)`;
/** By themselves heads of a trace. */
const HEADS: readonly RegExp[] = [
  /^(?:Exception in thread |Unhandled [Ee]xception[.:]|Uncaught exception|Caused by: |Suppressed: )/,
  /^(?:PHP )?(?:Fatal|Parse|Recoverable fatal|Catchable fatal) error: /,
  /^\*\* \([A-Z][\w.]{1,80}\) /,
  new RegExp(`^(?:Uncaught )?${NAMED}(?: \\[[A-Z_\\d]{1,40}\\])?:`),
  new RegExp(`^(?:[\\w$]{1,60}[.\\\\]){1,12}${NAMED}(?::|$)`),
  /^\S{1,200}:\d{1,6}:in [`'‘]/,
];
/** Heads where frames stand below them: `Error: I live in Rome`. */
const MAY_HEAD =
  /^(?:Uncaught |Unhandled |\[?Error\]? ?)?(?:\([^)\n]{1,40}\) )?[\w$.\\]{0,80}(?:Error|Exception|Warning|Throwable|Failure|Rejection)\b[^:\n]{0,60}(?::|$)/;

function headOfFrames(lines: readonly Line[], at: number, text: string): number {
  const isHead = HEADS.some((head) => head.test(text));
  if (isHead || MAY_HEAD.test(text)) {
    const most = { from: at + 1, most: MOST_MESSAGE };
    const frame = findWithin(lines, most, (line) => isBlank(line) || isFrame(line));
    if (frame !== -1 && isFrame(textAt(lines, frame))) return frame + 1 - at;
    return isHead ? 1 : 0;
  }
  return isFrame(text) ? 1 : 0;
}

const FRAMES: readonly RegExp[] = [
  /^(?: {2}| {4}|\t)at /,
  // Java, C#, Node; those without blanks in front need a name of several parts.
  /^\s+at (?:async |new |static )?[\w$.<>/[\]`,@~#|-]{1,300}(?: \[as [^\]\n]{1,80}\])? ?\(/,
  /^at (?:async |new )?[\w$<>`]{1,100}(?:[./][\w$<>`]{1,100}){1,20}(?: \[as [^\]\n]{1,80}\])? ?\(/,
  /^\s*at (?:async )?(?:file:|node:|webpack|https?:|\/|[A-Z]:\\)\S{0,300}:\d/,
  /^\s*\.\.\. \d{1,6} (?:more|common frames omitted)/,
  /^\s*--- End of (?:inner exception )?stack trace\b/,
  /^\s*---> [A-Z][\w.]{1,120}(?:Exception|Error)\b/,
  /^\s{2,4}File "[^"]{1,300}", line \d/,
  /^\s+from \S{1,300}:\d{1,6}:in /,
  /^\s*#\d{1,3} +(?:\{main\}|0x[0-9a-f]{4}|\S{1,300}\(\d{1,6}\): |[\w.<>]{1,200} +\(\S{1,300}:\d)/,
  /^\s+thrown in \S{1,300} on line \d/,
  /^Stack trace:$/i,
  /^\s+\([a-z]\w{0,60} \d[\w.-]{0,30}\) \S{1,200}:\d{1,6}: /,
  /^(?:During handling of the above exception, another|The above exception was the direct cause)/,
];
const isFrame = (text: string): boolean =>
  FRAMES.some((frame) => frame.test(text.slice(0, MOST_OF_LINE)));
