/**
 * What a lint rule sees, and how it reports. A rule is one file here and one line in `rules.ts`.
 */

import type { FindingCode } from '../../codes/code-table.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { Path } from '../reporter.ts';
import type { RawSpec } from '../wire-manifest.ts';

export interface LintSubject {
  /** A sound manifest: everything that the check refuses is not in it. */
  readonly manifest: Manifest;
  /** What its file says, before defaults. */
  readonly spec: RawSpec;
  /** All sound manifests that were loaded with it, itself among them. */
  readonly all: readonly Manifest[];
  /** By the tokenizer of the manifest's model. */
  readonly countTokens: (text: string) => number;
}

export interface LintReport {
  readonly code: FindingCode<'lint'>;
  readonly at: Path;
  /** Default `value`. */
  readonly on?: 'key' | 'value';
  /** UTF-16 units into a text value. */
  readonly offset?: number;
  readonly message: string;
  readonly fix: string;
}

export type LintRule = (subject: LintSubject, report: (entry: LintReport) => void) => void;
