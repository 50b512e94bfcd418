/**
 * Which codes source files produce, and as what: by the type that the compiler expects at the
 * place.
 */
import ts from 'typescript';
import { type Code, codeRows } from '../../src/codes/code-table.ts';
import { nodesOf } from './source-files.ts';

export const KINDS = ['error', 'finding', 'warning'] as const;
export type Kind = (typeof KINDS)[number];

/** `kind code`, as both sides of the comparison are written. */
export const produced = (kind: Kind, code: string): string => `${kind} ${code}`;

const rows = codeRows();
export const codesOf = (kind: Kind): readonly Code[] =>
  rows.flatMap(([code, facts]) => (facts[kind] === undefined ? [] : [code]));
const KNOWN = new Set<string>(rows.map(([code]) => code));
const BY_KIND = KINDS.map((kind) => [kind, new Set<string>(codesOf(kind))] as const);

/** Every code that stands where one is given, of all files that `isWanted`. */
export function producedCodes(
  program: ts.Program,
  isWanted: (path: string) => boolean,
): ReadonlySet<string> {
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  for (const source of program.getSourceFiles()) {
    if (!isWanted(source.fileName)) continue;
    for (const node of nodesOf(source)) {
      if (!ts.isStringLiteral(node) || !KNOWN.has(node.text) || isOnlyNamed(node)) continue;
      const expected = literalsOf(checker.getContextualType(node));
      for (const [kind, codes] of BY_KIND)
        if (codes.has(node.text) && expected.length > 0 && expected.some((each) => codes.has(each)))
          found.add(produced(kind, node.text));
    }
  }
  return found;
}

/** Compared with, listed or a key: the code is named and not given. */
function isOnlyNamed(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent)) return isOnlyNamed(parent);
  return (
    ts.isBinaryExpression(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isCaseClause(parent) ||
    ts.isLiteralTypeNode(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

const literalsOf = (type: ts.Type | undefined): readonly string[] =>
  (type?.isUnion() ? type.types : type ? [type] : []).flatMap((each) =>
    each.isStringLiteral() ? [each.value] : [],
  );
