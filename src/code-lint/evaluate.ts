/**
 * What an expression can stand for, followed through constants, properties, conditions, parameters
 * and local functions.
 */
import type ts from 'typescript';
import {
  type Environment,
  type ExpressionValue,
  enter,
  expression,
  type Value,
} from './environment.ts';
import { deeper, type Evaluation, functionOf, isTransparent, returnsOf } from './evaluation.ts';
import { membersLike } from './flow-members.ts';
import { shapesOf } from './object-shape.ts';
import {
  type CodeBase,
  declarationAt,
  declarationOfSymbol,
  keyText,
  nameOf,
  namesWritten,
  usesOf,
} from './references.ts';

/** Alternatives of one value. */
const MAX_VALUES = 64;

export const startEvaluation = (base: CodeBase, root: Environment): Evaluation => ({
  base,
  root,
  touched: new Set(),
  depth: 0,
  expand,
});

/** The ends of the paths from a value: literals, functions, and what is known by type alone. */
export function settle(value: Value, run: Evaluation): readonly Value[] {
  if (value.kind !== 'expression') return [value];
  const next = expand(value, run);
  if (next === undefined) return [value];
  return next.flatMap((step) => settleDeeper(step, run)).slice(0, MAX_VALUES);
}

function settleDeeper(value: Value, run: Evaluation): readonly Value[] {
  return deeper(run, () => settle(value, run)) ?? [{ kind: 'unknown' }];
}

/** One step towards what a value stands for; undefined where there is none. */
function expand({ node, env }: ExpressionValue, run: Evaluation): readonly Value[] | undefined {
  const { ts: typescript } = run.base;
  run.base.steps.spend(1);
  const to = (...nodes: readonly ts.Expression[]): readonly Value[] =>
    nodes.map((next) => expression(next, env));
  if (typescript.isAsExpression(node) && typescript.isConstTypeReference(node.type))
    return to(node.expression);
  if (isTransparent(run.base, node))
    return isAssertedText(run.base, node) ? undefined : to(node.expression);
  if (typescript.isConditionalExpression(node)) return to(node.whenTrue, node.whenFalse);
  if (typescript.isBinaryExpression(node))
    return expandBinary(run.base, node)?.map((next) => expression(next, env));
  if (typescript.isIdentifier(node)) return expandName(node, env, run);
  if (typescript.isPropertyAccessExpression(node))
    return propertyOf(expression(node.expression, env), node.name.text, {
      declared: declaredBy(node, run),
      run,
    });
  if (typescript.isElementAccessExpression(node)) return expandElement(node, env, run);
  if (typescript.isCallExpression(node)) return expandCall(node, env, run);
  return undefined;
}

/**
 * `value as 'a' | 'b'`: the type says more than the value, unless what it is asserted of is known
 * by as few texts.
 */
function isAssertedText({ ts: typescript, checker }: CodeBase, node: ts.Expression): boolean {
  if (!typescript.isAsExpression(node) || typescript.isStringLiteralLike(node.expression))
    return false;
  const textsIn = (type: ts.Type): number => {
    const members = type.isUnion() ? type.types : [type];
    return members.every((member) => member.isStringLiteral())
      ? members.length
      : Number.POSITIVE_INFINITY;
  };
  const asserted = textsIn(checker.getTypeFromTypeNode(node.type));
  const before = textsIn(checker.getTypeAtLocation(node.expression));
  return asserted !== Number.POSITIVE_INFINITY && asserted < before;
}

function expandBinary(
  { ts: typescript }: CodeBase,
  { left, right, operatorToken }: ts.BinaryExpression,
): readonly ts.Expression[] | undefined {
  switch (operatorToken.kind) {
    case typescript.SyntaxKind.QuestionQuestionToken:
    case typescript.SyntaxKind.BarBarToken:
      return [left, right];
    case typescript.SyntaxKind.AmpersandAmpersandToken:
    case typescript.SyntaxKind.CommaToken:
    case typescript.SyntaxKind.EqualsToken:
      return [right];
    default:
      return undefined;
  }
}

function expandName(
  node: ts.Identifier,
  env: Environment,
  run: Evaluation,
): readonly Value[] | undefined {
  if (node.text === 'undefined') return [{ kind: 'absent' }];
  const declaration = declarationAt(run.base, node);
  return declaration && valuesOf(declaration, { env, run });
}

export interface Place {
  readonly env: Environment;
  readonly run: Evaluation;
}

/** What a declaration can stand for. */
function valuesOf(declaration: ts.Declaration, place: Place): readonly Value[] | undefined {
  const { ts: typescript } = place.run.base;
  if (typescript.isVariableDeclaration(declaration)) return variableValues(declaration, place);
  if (typescript.isBindingElement(declaration)) return bindingValues(declaration, place);
  if (typescript.isParameter(declaration)) return parameterValues(declaration, place);
  if (typescript.isPropertyAssignment(declaration))
    return [expression(declaration.initializer, place.env)];
  if (typescript.isShorthandPropertyAssignment(declaration))
    return expandName(declaration.name, place.env, place.run);
  if (typescript.isPropertyDeclaration(declaration))
    return orNone([
      ...initializerOf(declaration, place),
      ...assignedTo(declaration, place),
      ...overriddenBy(declaration, place),
    ]);
  if (typescript.isEnumMember(declaration)) return orNone(initializerOf(declaration, place));
  if (typescript.isExportAssignment(declaration))
    return [expression(declaration.expression, place.env)];
  if (typescript.isGetAccessorDeclaration(declaration))
    return returnsOf(place.run.base, declaration)?.map((node) => expression(node, place.env));
  return undefined;
}

const orNone = (values: readonly Value[]): readonly Value[] | undefined =>
  values.length === 0 ? undefined : values;
const initializerOf = (
  { initializer }: { readonly initializer?: ts.Expression | undefined },
  { env }: Place,
): readonly Value[] => (initializer ? [expression(initializer, env)] : []);

function variableValues(
  declaration: ts.VariableDeclaration,
  place: Place,
): readonly Value[] | undefined {
  const { ts: typescript } = place.run.base;
  const list = declaration.parent;
  if (typescript.isVariableDeclarationList(list) && typescript.isForOfStatement(list.parent))
    return elementsOf(expression(list.parent.expression, place.env), place.run);
  const isConstant = (list.flags & typescript.NodeFlags.Const) !== 0;
  const assigned = isConstant ? [] : assignedTo(declaration, place);
  // `let intent = ''` that is set later: the first value only fills the gap.
  const isFiller =
    declaration.initializer &&
    typescript.isStringLiteralLike(declaration.initializer) &&
    declaration.initializer.text === '';
  return orNone(
    isFiller && assigned.length > 0
      ? assigned
      : [...initializerOf(declaration, place), ...assigned],
  );
}

/** What is assigned to a variable or a property anywhere. */
function assignedTo(declaration: ts.Declaration, { env, run }: Place): readonly Value[] {
  const { ts: typescript } = run.base;
  return usesOf(run.base, declaration).flatMap((use) => {
    const { parent } = use;
    const isTarget =
      typescript.isBinaryExpression(parent) &&
      parent.left === use &&
      isAssignment(run.base, parent);
    return isTarget ? [expression(parent.right, env)] : [];
  });
}

const isAssignment = (
  { ts: typescript }: CodeBase,
  { operatorToken }: ts.BinaryExpression,
): boolean =>
  operatorToken.kind === typescript.SyntaxKind.EqualsToken ||
  operatorToken.kind === typescript.SyntaxKind.QuestionQuestionEqualsToken ||
  operatorToken.kind === typescript.SyntaxKind.BarBarEqualsToken;

/** An abstract property is what the classes that extend its own say. */
function overriddenBy(declaration: ts.PropertyDeclaration, { env, run }: Place): readonly Value[] {
  const { ts: typescript } = run.base;
  const isAbstract = declaration.modifiers?.some(
    ({ kind }) => kind === typescript.SyntaxKind.AbstractKeyword,
  );
  const text = isAbstract ? keyText(run.base, declaration.name) : undefined;
  if (text === undefined) return [];
  return namesWritten(run.base, text).flatMap(({ parent }) => {
    if (parent === declaration || !typescript.isPropertyDeclaration(parent) || !parent.initializer)
      return [];
    return membersLike(run.base, parent).includes(declaration)
      ? [expression(parent.initializer, env)]
      : [];
  });
}

function bindingValues(element: ts.BindingElement, place: Place): readonly Value[] | undefined {
  const { base } = place.run;
  const { ts: typescript } = base;
  const pattern = element.parent;
  const sources = sourcesOf(pattern, place);
  if (sources === undefined) return undefined;
  if (element.dotDotDotToken) {
    const without = pattern.elements.flatMap((each) =>
      typescript.isBindingElement(each) ? (keyOf(each, base) ?? []) : [],
    );
    return typescript.isArrayBindingPattern(pattern)
      ? undefined
      : [{ kind: 'rest', of: sources, without }];
  }
  const fallback = initializerOf(element, place);
  if (typescript.isArrayBindingPattern(pattern)) {
    const index = pattern.elements.indexOf(element);
    return sources
      .flatMap((source) => elementsOf(source, place.run, index) ?? [{ kind: 'unknown' as const }])
      .concat(fallback);
  }
  const key = keyOf(element, base);
  if (key === undefined) return undefined;
  const declared = (): ts.Declaration | undefined =>
    declarationOfSymbol(base.checker.getTypeAtLocation(pattern).getProperty(key));
  const found = sources.flatMap(
    (source) => propertyOf(source, key, { declared, run: place.run }) ?? [],
  );
  if (found.length === 0) return orNone(fallback);
  if (fallback.length === 0) return found;
  return [...found.filter(({ kind }) => kind !== 'absent'), ...fallback];
}

const keyOf = (element: ts.BindingElement, base: CodeBase): string | undefined =>
  keyText(base, element.propertyName ?? element.name);

/** What a pattern takes apart. */
function sourcesOf(pattern: ts.BindingPattern, place: Place): readonly Value[] | undefined {
  const { ts: typescript } = place.run.base;
  const owner = pattern.parent;
  if (typescript.isVariableDeclaration(owner)) return variableValues(owner, place);
  if (typescript.isParameter(owner)) return parameterValues(owner, place);
  return bindingValues(owner, place);
}

function parameterValues(
  parameter: ts.ParameterDeclaration,
  { env, run }: Place,
): readonly Value[] | undefined {
  const { ts: typescript } = run.base;
  const fallback = initializerOf(parameter, { env, run });
  const bound = env.parameters.get(parameter) ?? run.root.parameters.get(parameter);
  if (bound) return bound.kind === 'absent' && fallback.length > 0 ? fallback : [bound];
  const fn = parameter.parent;
  const elements = callbackElements(fn, parameter, { env, run });
  if (elements) return elements;
  if (!run.root.free.has(fn) && !typescript.isFunctionTypeNode(fn)) run.touched.add(fn);
  return orNone(fallback);
}

const ELEMENT_CALLBACKS = new Set(['map', 'forEach', 'flatMap', 'filter', 'some', 'every', 'find']);

/** The first parameter of the callback of `[…].map(…)` stands for each element. */
function callbackElements(
  fn: ts.Node,
  parameter: ts.ParameterDeclaration,
  { env, run }: Place,
): readonly Value[] | undefined {
  const { ts: typescript } = run.base;
  const call = fn.parent;
  if (
    !typescript.isCallExpression(call) ||
    call.arguments[0] !== fn ||
    !typescript.isPropertyAccessExpression(call.expression)
  )
    return undefined;
  if (!ELEMENT_CALLBACKS.has(call.expression.name.text)) return undefined;
  if (!typescript.isArrowFunction(fn) && !typescript.isFunctionExpression(fn)) return undefined;
  return fn.parameters[0] === parameter
    ? elementsOf(expression(call.expression.expression, env), run)
    : undefined;
}

/** The elements of a list, or the one at an index; undefined where they are not written down. */
function elementsOf(list: Value, run: Evaluation, index?: number): readonly Value[] | undefined {
  const { ts: typescript } = run.base;
  const values = deeper(run, () => settle(list, run)) ?? [];
  const found: Value[] = [];
  for (const value of values) {
    if (value.kind !== 'expression') return undefined;
    if (!typescript.isArrayLiteralExpression(value.node)) return undefined;
    const { elements } = value.node;
    if (elements.some((element) => typescript.isSpreadElement(element))) return undefined;
    const wanted = index === undefined ? elements : elements.slice(index, index + 1);
    found.push(...wanted.map((element) => expression(element, value.env)));
  }
  return values.length === 0 ? undefined : found;
}

function expandElement(
  node: ts.ElementAccessExpression,
  env: Environment,
  run: Evaluation,
): readonly Value[] | undefined {
  const { ts: typescript } = run.base;
  const object = expression(node.expression, env);
  if (typescript.isNumericLiteral(node.argumentExpression))
    return elementsOf(object, run, Number(node.argumentExpression.text));
  const keys = deeper(run, () => settle(expression(node.argumentExpression, env), run)) ?? [];
  const texts = keys.flatMap((key) =>
    key.kind === 'expression' && typescript.isStringLiteralLike(key.node) ? [key.node.text] : [],
  );
  if (texts.length > 0 && texts.length === keys.length)
    return texts.flatMap(
      (text) =>
        propertyOf(object, text, { declared: declaredBy(node, run), run }) ?? [
          { kind: 'unknown' as const },
        ],
    );
  // A key that is not known may be any of those that are written down.
  const shapes = deeper(run, () => shapesOf(object, run)) ?? [];
  const any = shapes.flatMap((shape) =>
    shape.isOpen ? [] : [...shape.fields.values()].flatMap(({ values }) => values),
  );
  return any.length === 0 || any.some(({ kind }) => kind === 'typed') ? undefined : any;
}

interface PropertyContext {
  /** Where the type of the object declares the property. */
  readonly declared: () => ts.Declaration | undefined;
  readonly run: Evaluation;
}

const declaredBy =
  (access: ts.Expression, { base }: Evaluation): PropertyContext['declared'] =>
  () => {
    const name = nameOf(base, access);
    return name && declarationAt(base, name);
  };

/** The values of a property; `[absent]` where the object is known not to have it. */
function propertyOf(
  object: Value,
  name: string,
  { declared, run }: PropertyContext,
): readonly Value[] | undefined {
  const env = object.kind === 'expression' ? object.env : undefined;
  const shapes = deeper(run, () => shapesOf(object, run)) ?? [];
  const isWritten =
    shapes.length > 0 &&
    shapes.every((shape) => !shape.isTyped && (shape.fields.has(name) || !shape.isOpen));
  if (isWritten)
    return shapes.flatMap((shape): readonly Value[] => {
      const field = shape.fields.get(name);
      return field
        ? [...field.values, ...(field.isOptional ? [{ kind: 'absent' as const }] : [])]
        : [{ kind: 'absent' }];
    });
  const declaration = env && declared();
  const values = declaration && deeper(run, () => valuesOf(declaration, { env, run }));
  if (values) return values;
  const typed = shapes.flatMap((shape) => shape.fields.get(name)?.values ?? []);
  return typed.length > 0 && typed.length === shapes.length ? typed : undefined;
}

function expandCall(
  node: ts.CallExpression,
  env: Environment,
  run: Evaluation,
): readonly Value[] | undefined {
  const { ts: typescript } = run.base;
  const [first] = node.arguments;
  if (
    typescript.isPropertyAccessExpression(node.expression) &&
    node.expression.getText() === 'Object.freeze' &&
    first
  )
    return [expression(first, env)];
  const fn = functionOf(run.base, node);
  if (!fn || env.frames.has(fn) || run.root.frames.has(fn)) return undefined;
  const inside = enter({ fn, call: node }, env, typescript);
  return returnsOf(run.base, fn)?.map((returned) => expression(returned, inside));
}
