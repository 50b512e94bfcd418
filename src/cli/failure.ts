/** How an error leaves the command line: what happened, what to do, where, the code. */
import { ContextEngineError } from '../index.ts';
import type { ExitCode } from './command.ts';
import { jsonText, oneLine } from './printable.ts';
import { wrap } from './table.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints an error on stderr and says with which code to leave: 2 what the user can fix, 1 a bug of
 * ours.
 */
export function reportFailure(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  if (error instanceof ContextEngineError) {
    terminal.err(isJson ? `${jsonText(error)}\n` : formatFailure(error, terminal));
    return 2;
  }
  const bug = error instanceof Error ? error : new Error(String(error));
  if (isJson)
    terminal.err(
      `${jsonText({ code: 'INTERNAL', message: bug.message, fix: REPORT_BUG, stack: bug.stack ?? '' })}\n`,
    );
  else
    terminal.err(
      `${terminal.paintErr('red', 'bug')} ${oneLine(bug.message)}\n  fix    ${REPORT_BUG}\n  ` +
        `code   INTERNAL\n${bug.stack ?? ''}\n`,
    );
  return 1;
}

const REPORT_BUG = 'This is a fault of contextengine: report it with the lines below.';

function formatFailure(error: ContextEngineError, terminal: Terminal): string {
  const lines = [
    `${terminal.paintErr('red', 'error')}  ${hang(oneLine(error.message), terminal.columns)}`,
    `  fix    ${hang(oneLine(error.fix), terminal.columns)}`,
  ];
  const where = formatWhere(error);
  if (where !== '') lines.push(`  where  ${oneLine(where)}`);
  lines.push(
    '  code   ' +
      `${error.code}${error.retryable ? terminal.paintErr('dim', ' (trying again may help)') : ''}`,
  );
  return `${lines.join('\n')}\n${formatFindings(error, terminal)}`;
}

const HANGING = '         ';
const hang = (text: string, columns: number): string => wrap(text, columns, HANGING).trimStart();

/** `file:line:column`, a field, the item of a batch: what is known of it. */
function formatWhere(error: ContextEngineError): string {
  const { file, line, column, field, index } = error.where ?? {};
  const place =
    file === undefined ? [] : [[file, line, column].filter((part) => part !== undefined).join(':')];
  const named = [
    field === undefined ? [] : [field],
    index === undefined ? [] : [`item ${index}`],
  ].flat();
  return [...place, ...named].join(', ');
}

/** Findings that came with an error, one a line. A single one was printed as the error itself. */
function formatFindings(error: ContextEngineError, terminal: Terminal): string {
  const findings = error.meta['findings'];
  if (!Array.isArray(findings) || findings.length < 2) return '';
  return findings.map((finding) => `  ${formatFinding(finding, terminal.paintErr)}\n`).join('');
}

interface FindingLike {
  readonly code: string;
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly fix: string;
}

/** `file:line:col  severity  message` and the fix under it. */
export function formatFinding(finding: FindingLike, paint: Terminal['paintErr']): string {
  const severity = paint(finding.severity === 'error' ? 'red' : 'yellow', finding.severity);
  const place = paint('bold', `${oneLine(finding.file)}:${finding.line}:${finding.column}`);
  const message = oneLine(finding.message);
  return (
    `${place}  ${severity}  ${message}  ${paint('dim', finding.code)}\n    ` +
    `${oneLine(finding.fix)}`
  );
}
