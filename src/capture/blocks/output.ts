/** What a tool printed: the beginning of a line shows it. */
import { findFrom, isBlank, type Line, MOST_OF_LINE, textAt } from './lines.ts';

/** A commit, as `git log` prints it: the head, and the message, which is indented if kept so. */
export function commitAt(lines: readonly Line[], at: number): number {
  if (!/^commit [0-9a-f]{6,40}(?: \([^)\n]{1,200}\))?$/.test(textAt(lines, at))) return 0;
  const head = findFrom(lines, at, isBlank);
  const message = findFrom(lines, head, (line) => !isBlank(line));
  const isIndented = /^\s/.test(textAt(lines, message));
  const isEnd = (line: string): boolean => (isIndented ? /^\S/.test(line) : isBlank(line));
  return findFrom(lines, message, isEnd) - at;
}

/** `a1b2c3d Fix it`, `* a1b2c3d (HEAD -> main) Fix it`: a commit on one line. */
const SHORT_COMMIT =
  /^[*|\\/_ ]{0,16}(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}(?: \([^)\n]{1,200}\))? \S/;

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
  '=> ',
];
const OUTPUT_TOOLS = /^(?:npm|yarn|pnpm) (?:ERR!|WARN|warn|notice|info|error)/;

/** `Error: no such file`, `TypeError: x is not a function`, `fatal: not a repository`. */
const FAULT =
  /^(?:[A-Za-z]{0,60}(?:Error|Exception)(?:\[[^\]\n]{1,40}\])?|error(?:\[\w{1,12}\])?|fatal|panic): \S/;
/** `Lock Info: ID: 7f1c`: below a fault, what the tool says of it. */
const OF_FAULT = /^\s{0,8}\p{Lu}[\w /-]{0,40}: \S/u;

/** A fault and what is said of it, or 0. */
export function faultAt(lines: readonly Line[], at: number): number {
  if (!FAULT.test(textAt(lines, at).trimStart().slice(0, MOST_OF_LINE))) return 0;
  return findFrom(lines, at + 1, (line) => !OF_FAULT.test(line.slice(0, MOST_OF_LINE))) - at;
}

export function isOutputLine(text: string): boolean {
  const bare = text.trimStart();
  const start = OUTPUT_STARTS.find((each) => bare.startsWith(each));
  if (start !== undefined)
    return ['npm ', 'yarn ', 'pnpm '].includes(start) ? OUTPUT_TOOLS.test(bare) : true;
  return (
    SHORT_COMMIT.test(text.slice(0, MOST_OF_LINE)) ||
    /^\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(bare) ||
    /^\d{2}:\d{2}:\d{2}[ .,]/.test(bare) ||
    /^[\w./-]{1,120}:\d{1,6}:\d{1,6}:? /.test(bare.slice(0, 160)) ||
    /^[\w./-]{1,120}\(\d{1,6},\d{1,6}\): error/.test(bare.slice(0, 180))
  );
}
