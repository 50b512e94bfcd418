import type { FindingCode } from './code-table.ts';

/** What lint, validation and drift report: data, never thrown. */
export interface Finding {
  /** `NAMESPACE.REASON`. */
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
  readonly fix: string;
}
