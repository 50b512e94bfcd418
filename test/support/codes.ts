/** The codes of the table that a part of the tools reports. */
import type { Finder } from '../../src/codes/code-facts.ts';
import { type Code, codeRows } from '../../src/codes/code-table.ts';

export const foundBy = (...finders: readonly Finder[]): readonly Code[] =>
  codeRows().flatMap(([code, { finding }]) =>
    finding && finders.includes(finding.by) ? [code] : [],
  );
