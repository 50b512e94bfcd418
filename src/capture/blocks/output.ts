/** What a tool printed: the beginning of a line shows it. */
import { findFrom, isBlank, type Line, textAt } from './lines.ts';

/** The head of a commit, as `git log` prints it: its message is indented. */
export function commitAt(lines: readonly Line[], at: number): number {
  if (!/^commit [0-9a-f]{6,40}(?: \([^)\n]{1,200}\))?$/.test(textAt(lines, at))) return 0;
  if (!/^(?:Author|Merge): /.test(textAt(lines, at + 1))) return 0;
  return findFrom(lines, at, isBlank) - at;
}

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

export function isOutputLine(text: string): boolean {
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
