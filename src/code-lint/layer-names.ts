/** Texts that the name of a layer is held against. */
import type ts from 'typescript';
import type { CallNode, FunctionNode } from './environment.ts';
import { isTransparent } from './evaluation.ts';
import { type CodeBase, declarationAt } from './references.ts';

export interface Compared {
  readonly text: string;
  readonly place: ts.Node;
  /** `===`: nothing is as true where the layer does not fire. */
  readonly isSame: boolean;
}

type SitesOf = (fn: FunctionNode) => readonly CallNode[];

/**
 * `item.layer === 'x'`, the cases of a `switch (item.layer)`, and the elements of `['x',
 * 'y'].includes(item.layer)`.
 */
export function comparedWith(
  base: CodeBase,
  node: ts.Expression,
  sitesOf: SitesOf,
): readonly Compared[] {
  const { ts: typescript } = base;
  const { parent } = node;
  const { SyntaxKind } = typescript;
  if (typescript.isSwitchStatement(parent)) {
    const cases = parent.caseBlock.clauses.flatMap((clause) =>
      typescript.isCaseClause(clause) ? [clause.expression] : [],
    );
    return cases.flatMap((value) => literals([value], { base, isSame: false }));
  }
  if (typescript.isCallExpression(parent))
    return literals(listAsked(base, parent, node), { base, isSame: false });
  if (!typescript.isBinaryExpression(parent)) return [];
  const { kind } = parent.operatorToken;
  const isSame =
    kind === SyntaxKind.EqualsEqualsEqualsToken || kind === SyntaxKind.EqualsEqualsToken;
  const isOther =
    kind === SyntaxKind.ExclamationEqualsEqualsToken || kind === SyntaxKind.ExclamationEqualsToken;
  const other = parent.left === node ? parent.right : parent.left;
  if (!isSame && !isOther) return [];
  return literals([other, ...argumentsFor(base, other, sitesOf)], { base, isSame });
}

/** `'x' in layers`. */
export function askedIn(base: CodeBase, node: ts.Expression): readonly Compared[] {
  const { parent } = node;
  const isIn =
    base.ts.isBinaryExpression(parent) &&
    parent.right === node &&
    parent.operatorToken.kind === base.ts.SyntaxKind.InKeyword;
  return isIn ? literals([parent.left], { base, isSame: false }) : [];
}

const literals = (
  nodes: readonly ts.Expression[],
  { base, isSame }: { base: CodeBase; isSame: boolean },
): readonly Compared[] =>
  nodes.flatMap((node) =>
    base.ts.isStringLiteralLike(node) ? [{ text: node.text, place: node, isSame }] : [],
  );

/** What calls give for a parameter. */
function argumentsFor(
  base: CodeBase,
  node: ts.Expression,
  sitesOf: SitesOf,
): readonly ts.Expression[] {
  const parameter = base.ts.isIdentifier(node) ? declarationAt(base, node) : undefined;
  if (!parameter || !base.ts.isParameter(parameter)) return [];
  const index = parameter.parent.parameters.indexOf(parameter);
  return sitesOf(parameter.parent).flatMap((site) => site.arguments?.[index] ?? []);
}

/** The elements of a list, or a set, that is asked whether it has a value. */
function listAsked(
  base: CodeBase,
  { expression: callee, arguments: given }: ts.CallExpression,
  node: ts.Expression,
): readonly ts.Expression[] {
  const { ts: typescript } = base;
  if (
    given[0] !== node ||
    !typescript.isPropertyAccessExpression(callee) ||
    !/^(?:includes|has)$/.test(callee.name.text)
  )
    return [];
  let list: ts.Expression | undefined = callee.expression;
  for (let steps = 0; list && steps < 6; steps++) {
    if (typescript.isArrayLiteralExpression(list)) return list.elements;
    if (isTransparent(base, list)) list = list.expression;
    else if (typescript.isNewExpression(list)) list = list.arguments?.[0];
    else {
      const declaration = typescript.isIdentifier(list) ? declarationAt(base, list) : undefined;
      list =
        declaration && typescript.isVariableDeclaration(declaration)
          ? declaration.initializer
          : undefined;
    }
  }
  return [];
}
