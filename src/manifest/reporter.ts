/** Collects findings: turns a path inside a document into `file:line:column`. */

import { type FindingCode, severityOf } from '../codes/code-table.ts';
import type { Finding } from '../codes/finding.ts';

/** Keys and indices from the document's root to a value. */
export type Path = readonly (string | number)[];

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** What a reporter needs to know of a document. */
export interface Locator {
  /**
   * Where the key or the value at `path` stands; `offset` counts UTF-16 units into a text. An
   * absent path is its nearest present parent.
   */
  position(path: Path, on: 'key' | 'value', offset?: number): Position;
}

export interface Report {
  readonly code: FindingCode<'load'>;
  readonly at: Path;
  /** Default `value`. */
  readonly on?: 'key' | 'value';
  /** UTF-16 units into a text value. */
  readonly offset?: number;
  readonly message: string;
  readonly fix: string;
}

export interface Reporter {
  readonly findings: readonly Finding[];
  /** Whether further reports are dropped. */
  isFull(): boolean;
  report(entry: Report): void;
}

/** More findings than a person reads at once; what is over is counted in the last one. */
const MAX_FINDINGS = 100;

export function createReporter(file: string, locator: Locator): Reporter {
  const findings: Finding[] = [];
  return {
    findings,
    isFull: () => findings.length >= MAX_FINDINGS,
    report({ code, at, on = 'value', offset, message, fix }) {
      if (findings.length >= MAX_FINDINGS) return;
      const isLast = findings.length === MAX_FINDINGS - 1;
      const position = locator.position(at, on, offset);
      const severity = severityOf(code);
      findings.push({
        code,
        severity,
        file,
        ...position,
        message,
        fix: isLast ? `${fix} More findings are not shown.` : fix,
      });
    },
  };
}

/** A finding about a file as a whole, or at a given position of it. */
export const findingAt = (
  code: FindingCode<'load'>,
  where: { file: string; line?: number; column?: number },
  text: { message: string; fix: string },
): Finding => ({
  code,
  severity: severityOf(code),
  file: where.file,
  line: where.line ?? 1,
  column: where.column ?? 1,
  ...text,
});

export const byPosition = (a: Finding, b: Finding): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1;
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'error');
