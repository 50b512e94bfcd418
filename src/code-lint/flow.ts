/**
 * Where a value goes: through variables, properties, calls, promises and lists, to the places that
 * use it. The same walk finds the calls of a function (the compose call under another name, a
 * wrapper) and the reads of a composition.
 */
import type ts from 'typescript';
import type { CallNode, FunctionNode } from './environment.ts';
import { functionGiven, functionOf, isTransparent } from './evaluation.ts';
import { followMember, membersLike } from './flow-members.ts';
import type { Flow, FlowVisitor, Held } from './flow-visitor.ts';
import { bindingsOf, type CodeBase, declarationAt, keyText, nameOf, usesOf } from './references.ts';

/** Longer paths are not code that a person writes. */
const MAX_PATH = 6;

/** Walks every way from the given places. */
export function follow<S extends string>(
  base: CodeBase,
  starts: readonly Held<S>[],
  visitor: FlowVisitor<S>,
): void {
  const visited = new Map<ts.Node, Set<string>>();
  const queue: Held<S>[] = [];
  const push: Flow<S>['push'] = (node, path, state) => {
    const key = `${state} ${path.join(' ')}`;
    const known = visited.get(node);
    if (known?.has(key) || path.length > MAX_PATH) return;
    if (known) known.add(key);
    else visited.set(node, new Set([key]));
    queue.push({ node, path, state });
  };
  const flow: Flow<S> = {
    base,
    visitor,
    push,
    bind: (name, path, state) => bindName({ name, path, state }, flow),
  };
  for (const { node, path, state } of starts) push(node, path, state);
  for (let held = queue.pop(); held !== undefined; held = queue.pop()) {
    base.steps.spend(1);
    if (held.path.length === 0) visitor.seen?.(held.node, held.state);
    step(held, flow);
  }
}

function step<S extends string>(held: Held<S>, flow: Flow<S>): void {
  const { ts: typescript } = flow.base;
  const { node, path, state } = held;
  const { parent } = node;
  if (isTransparent(flow.base, parent) || isBranch(flow.base, parent, node))
    flow.push(parent, path, state);
  else if (typescript.isVariableDeclaration(parent) || typescript.isBindingElement(parent))
    flow.bind(parent.name, path, state);
  else if (typescript.isBinaryExpression(parent)) assign(held, parent, flow);
  else if (typescript.isPropertyAssignment(parent)) {
    const key = keyText(flow.base, parent.name);
    if (parent.initializer === node && key !== undefined)
      member(parent, { ...held, path: [key, ...path] }, flow);
  } else if (typescript.isShorthandPropertyAssignment(parent))
    member(parent, { ...held, path: [parent.name.text, ...path] }, flow);
  else if (typescript.isSpreadAssignment(parent)) flow.push(parent.parent, path, state);
  else if (typescript.isPropertyDeclaration(parent)) followDeclaration(parent, held, flow);
  else if (typescript.isArrayLiteralExpression(parent))
    flow.push(parent, [`#${parent.elements.indexOf(node)}`, ...path], state);
  else if (typescript.isReturnStatement(parent)) returned(held, flow);
  else if (typescript.isArrowFunction(parent)) result(parent, held, flow);
  else if (typescript.isExportAssignment(parent)) followDeclaration(parent, held, flow);
  else if (typescript.isForOfStatement(parent)) forOf(held, parent, flow);
  else if (
    typescript.isPropertyAccessExpression(parent) ||
    typescript.isElementAccessExpression(parent)
  ) {
    if (parent.expression === node) followMember(held, parent, flow);
  } else if (typescript.isCallExpression(parent) || typescript.isNewExpression(parent))
    call(held, parent, flow);
  else if (typescript.isJsxExpression(parent)) attribute(held, parent, flow);
}

/** Whether an expression is one of the values of the condition around it. */
function isBranch(
  { ts: typescript }: CodeBase,
  parent: ts.Node,
  node: ts.Node,
): parent is ts.Expression {
  if (typescript.isConditionalExpression(parent)) return parent.condition !== node;
  if (!typescript.isBinaryExpression(parent)) return false;
  const { SyntaxKind } = typescript;
  const { kind } = parent.operatorToken;
  if (kind === SyntaxKind.QuestionQuestionToken || kind === SyntaxKind.BarBarToken) return true;
  return (
    (kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.CommaToken) &&
    parent.right === node
  );
}

function assign<S extends string>(held: Held<S>, parent: ts.BinaryExpression, flow: Flow<S>): void {
  const { ts: typescript } = flow.base;
  const { SyntaxKind } = typescript;
  const isAssignment = [
    SyntaxKind.EqualsToken,
    SyntaxKind.QuestionQuestionEqualsToken,
    SyntaxKind.BarBarEqualsToken,
  ].some((kind) => kind === parent.operatorToken.kind);
  if (!isAssignment || parent.right !== held.node) return;
  flow.push(parent, held.path, held.state);
  const name = nameOf(flow.base, parent.left);
  const declaration = name && declarationAt(flow.base, name);
  if (declaration) followDeclaration(declaration, held, flow);
}

/**
 * A property of an object literal: found again by its declaration, and by where the object goes.
 */
function member<S extends string>(
  property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
  held: Held<S>,
  flow: Flow<S>,
): void {
  flow.push(property.parent, held.path, held.state);
  followDeclaration(property, { ...held, path: held.path.slice(1) }, flow);
}

/** Everywhere a variable, a property or a function is used. */
export function followDeclaration<S extends string>(
  declaration: ts.Node,
  held: Omit<Held<S>, 'node'>,
  flow: Flow<S>,
): void {
  for (const known of [declaration, ...membersLike(flow.base, declaration)]) {
    for (const use of usesOf(flow.base, known)) flow.push(use, held.path, held.state);
    if (!flow.base.ts.isVariableDeclaration(known))
      for (const binding of bindingsOf(flow.base, known))
        flow.bind(binding.name, held.path, held.state);
  }
}

function bindName<S extends string>(
  { name, path, state }: Omit<Held<S>, 'node'> & { name: ts.BindingName },
  flow: Flow<S>,
): void {
  const { ts: typescript } = flow.base;
  if (typescript.isIdentifier(name)) {
    for (const use of usesOf(flow.base, name.parent)) flow.push(use, path, state);
    return;
  }
  const [head, ...rest] = path;
  for (const [index, element] of name.elements.entries()) {
    if (typescript.isOmittedExpression(element)) continue;
    if (element.dotDotDotToken) flow.bind(element.name, path, state);
    else if (typescript.isArrayBindingPattern(name)) {
      if (head === `#${index}` || head === '#*') flow.bind(element.name, rest, state);
    } else bindProperty({ element, path, state }, flow);
  }
}

function bindProperty<S extends string>(
  { element, path, state }: Omit<Held<S>, 'node'> & { element: ts.BindingElement },
  flow: Flow<S>,
): void {
  const key = keyText(flow.base, element.propertyName ?? element.name);
  if (key === undefined) return;
  const [head, ...rest] = path;
  if (head === key) flow.bind(element.name, rest, state);
  if (head !== undefined) return;
  const next = flow.visitor.read?.(state, key, element.propertyName ?? element.name);
  if (next) flow.bind(element.name, next.path, next.state);
}

function returned<S extends string>(held: Held<S>, flow: Flow<S>): void {
  const fn = flow.base.ts.findAncestor(held.node, (node) => flow.base.ts.isFunctionLike(node));
  // isFunctionLike proves it, findAncestor does not carry it
  if (fn) result(fn as FunctionNode, held, flow);
}

/** The value is what a function gives. */
function result<S extends string>(fn: FunctionNode, { path, state }: Held<S>, flow: Flow<S>): void {
  const { ts: typescript } = flow.base;
  if (typescript.isGetAccessorDeclaration(fn)) followDeclaration(fn, { path, state }, flow);
  for (const site of flow.visitor.callsOf(fn)) flow.push(site, path, state);
  const { parent } = fn;
  if (!typescript.isCallExpression(parent) || parent.expression === fn) return;
  const method = typescript.isPropertyAccessExpression(parent.expression)
    ? parent.expression.name.text
    : undefined;
  if (method === 'map') flow.push(parent, ['#*', ...path], state);
  else if (
    method === 'then' ||
    method === 'catch' ||
    method === 'flatMap' ||
    flow.visitor.isPassedOn(parent, state)
  )
    flow.push(parent, path, state);
}

function forOf<S extends string>(
  held: Held<S>,
  { initializer, expression }: ts.ForOfStatement,
  flow: Flow<S>,
): void {
  const [head, ...rest] = held.path;
  if (
    expression !== held.node ||
    !head?.startsWith('#') ||
    !flow.base.ts.isVariableDeclarationList(initializer)
  )
    return;
  for (const { name } of initializer.declarations) flow.bind(name, rest, held.state);
}

function call<S extends string>(held: Held<S>, parent: CallNode, flow: Flow<S>): void {
  const { ts: typescript } = flow.base;
  const { node, path, state } = held;
  if (parent.expression === node) {
    if (path.length === 0) flow.visitor.called?.(parent);
    return;
  }
  const index = parent.arguments?.indexOf(node) ?? -1;
  const callee = parent.expression.getText();
  const promise = parent as ts.CallExpression; // what is called below, `new` never makes
  if (callee === 'Promise.all' || callee === 'Promise.resolve' || callee === 'Object.freeze')
    flow.push(promise, path, state);
  if (callee === 'Promise.race' || callee === 'Promise.any')
    flow.push(promise, path.slice(1), state);
  if (callee === 'Promise.allSettled' && path.length > 0)
    flow.push(promise, [path[0] ?? '#*', 'value', ...path.slice(1)], state);
  const parameter = functionOf(flow.base, parent)?.parameters[index];
  if (parameter) {
    flow.bind(parameter.name, path, state);
    if (typescript.isParameterPropertyDeclaration(parameter, parameter.parent))
      followDeclaration(parameter, held, flow);
  }
  if (!parameter)
    for (const fn of handedOver(parent, flow))
      if (fn.parameters[index]) flow.bind(fn.parameters[index].name, path, state);
  // A function of the code that is given a function may give it back in another one: a tracer, a
  // cache.
  if (
    typescript.isCallExpression(parent) &&
    (!parameter || typescript.isFunctionLike(node) || flow.visitor.isSame?.(parent)) &&
    path.length === 0 &&
    flow.visitor.isPassedOn(parent, state)
  )
    flow.push(parent, path, state);
}

/** `handler(value)` where the function around it was called with the handler. */
function handedOver<S extends string>(
  { expression: callee }: CallNode,
  { base, visitor }: Flow<S>,
): readonly FunctionNode[] {
  const { ts: typescript } = base;
  const parameter = typescript.isIdentifier(callee) ? declarationAt(base, callee) : undefined;
  if (!parameter || !typescript.isParameter(parameter)) return [];
  const index = parameter.parent.parameters.indexOf(parameter);
  return visitor.callsOf(parameter.parent).flatMap((site) => {
    const given = site.arguments?.[index];
    return (given && functionGiven(base, given)) ?? [];
  });
}

/** `<Panel context={…} />`: a property of what the component is given. */
function attribute<S extends string>(
  { path, state }: Held<S>,
  { parent }: ts.JsxExpression,
  flow: Flow<S>,
): void {
  const { ts: typescript } = flow.base;
  if (!typescript.isJsxAttribute(parent)) return;
  const tag = parent.parent.parent.tagName;
  const key = keyText(flow.base, parent.name);
  const declaration = typescript.isIdentifier(tag) ? declarationAt(flow.base, tag) : undefined;
  if (!declaration || key === undefined) return;
  const held = typescript.isVariableDeclaration(declaration)
    ? declaration.initializer
    : declaration;
  const isFunction =
    held &&
    (typescript.isFunctionDeclaration(held) ||
      typescript.isArrowFunction(held) ||
      typescript.isFunctionExpression(held));
  const first = isFunction ? held.parameters[0] : undefined;
  if (first) flow.bind(first.name, [key, ...path], state);
}
