/** The state of one evaluation, and what it asks of syntax alone. */
import type ts from 'typescript';
import type { CallNode, Environment, ExpressionValue, FunctionNode, Value } from './environment.ts';
import { type CodeBase, declarationAt, nameOf } from './references.ts';

/** One evaluation: it remembers which functions it would have to be called through to know more. */
export interface Evaluation {
  readonly base: CodeBase;
  /**
   * What holds wherever a value does not know better: an argument was written before it was known
   * who calls its own function.
   */
  readonly root: Environment;
  readonly touched: Set<FunctionNode>;
  depth: number;
  /** One step towards what an expression stands for; undefined where there is none. */
  readonly expand: (value: ExpressionValue, run: Evaluation) => readonly Value[] | undefined;
}

/** Deeper than any code that a person writes; a circle ends here. */
const MAX_DEPTH = 24;

/** Runs one level deeper; undefined where it is too deep. */
export function deeper<T>(run: Evaluation, work: () => T): T | undefined {
  if (run.depth >= MAX_DEPTH) return undefined;
  run.depth += 1;
  try {
    return work();
  } finally {
    run.depth -= 1;
  }
}

interface Wrapping extends ts.Expression {
  readonly expression: ts.Expression;
}
/**
 * Syntax that passes its operand on. A promise counts as its value: nobody composes by a promise.
 */
export function isTransparent({ ts: typescript }: CodeBase, node: ts.Node): node is Wrapping {
  return (
    typescript.isParenthesizedExpression(node) ||
    typescript.isAsExpression(node) ||
    typescript.isSatisfiesExpression(node) ||
    typescript.isNonNullExpression(node) ||
    typescript.isTypeAssertionExpression(node) ||
    typescript.isAwaitExpression(node)
  );
}

/** The function of the code that a call runs, if it is known. */
export function functionOf(base: CodeBase, call: CallNode): FunctionNode | undefined {
  const { ts: typescript } = base;
  let callee: ts.Expression = call.expression;
  while (isTransparent(base, callee)) callee = callee.expression;
  const name = nameOf(base, callee);
  const declaration = name ? declarationAt(base, name) : callee;
  return declaration && functionIn(base, declaration, typescript.isNewExpression(call));
}

/** The function of the code that an expression is. */
export function functionGiven(base: CodeBase, given: ts.Expression): FunctionNode | undefined {
  if (base.ts.isArrowFunction(given) || base.ts.isFunctionExpression(given)) return given;
  const name = nameOf(base, given);
  const declaration = name && declarationAt(base, name);
  return declaration && functionIn(base, declaration, false);
}

function functionIn(
  base: CodeBase,
  declaration: ts.Node,
  isNew: boolean,
): FunctionNode | undefined {
  const { ts: typescript } = base;
  if (isNew && typescript.isClassLike(declaration))
    return declaration.members.find(typescript.isConstructorDeclaration);
  if (typescript.isFunctionLike(declaration))
    return 'body' in declaration && declaration.body ? declaration : undefined;
  const isHolder =
    typescript.isVariableDeclaration(declaration) ||
    typescript.isPropertyAssignment(declaration) ||
    typescript.isPropertyDeclaration(declaration);
  let held = isHolder
    ? declaration.initializer
    : typescript.isExportAssignment(declaration)
      ? declaration.expression
      : undefined;
  while (held && isTransparent(base, held)) held = held.expression;
  return held && (typescript.isArrowFunction(held) || typescript.isFunctionExpression(held))
    ? held
    : undefined;
}

/** What a function returns; undefined where it has no body. */
export function returnsOf(
  { ts: typescript }: CodeBase,
  { body }: FunctionNode,
): readonly ts.Expression[] | undefined {
  if (body === undefined) return undefined;
  if (typescript.isExpression(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (typescript.isFunctionLike(node) || typescript.isClassLike(node)) return;
    if (typescript.isReturnStatement(node) && node.expression) found.push(node.expression);
    typescript.forEachChild(node, visit);
  };
  visit(body);
  return found.length === 0 ? undefined : found;
}
