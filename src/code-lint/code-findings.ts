/** Findings of the lint of code, from places in it. */
import type ts from 'typescript';
import { type FindingCode, severityOf } from '../codes/code-table.ts';
import type { Finding } from '../codes/finding.ts';

interface Words {
  readonly message: string;
  readonly fix: string;
}

/** A finding at a place in the code. */
export function findingAtNode(code: FindingCode<'code'>, place: ts.Node, words: Words): Finding {
  const source = place.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(place.getStart(source));
  return {
    code,
    severity: severityOf(code),
    file: source.fileName,
    line: line + 1,
    column: character + 1,
    ...words,
  };
}

/** A finding at a position of a file. */
export const findingAt = (
  code: FindingCode<'code'>,
  where: Pick<Finding, 'file' | 'line' | 'column'>,
  words: Words,
): Finding => ({
  code,
  severity: severityOf(code),
  ...where,
  ...words,
});
