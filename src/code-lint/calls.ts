/**
 * Every call of `composeBlockContext` in the linted code, whatever it is called there, and the
 * calls of any other function.
 */
import type ts from 'typescript';
import type { CallNode, FunctionNode } from './environment.ts';
import { follow } from './flow.ts';
import { membersLike } from './flow-members.ts';
import type { FlowVisitor, Held } from './flow-visitor.ts';
import { COMPOSE_NAME, PACKAGE_NAME } from './package-stub.ts';
import {
  bindingsOf,
  type CodeBase,
  declarationAt,
  nameOf,
  namesWritten,
  symbolAt,
  usesOf,
} from './references.ts';

/** A call of the compose function. */
export interface ComposeCall {
  readonly node: CallNode;
  /**
   * What it is given; undefined for a call that cannot be read, such as one with spread arguments.
   */
  readonly request: ts.Expression | undefined;
  /** Where a finding about the call stands. */
  readonly place: ts.Node;
}

/** In the order of files and positions. */
export function findComposeCalls(base: CodeBase): readonly ComposeCall[] {
  const calls = new Set<CallNode>();
  follow(
    base,
    functionStarts(base),
    functionVisitor(base, (call) => void calls.add(call)),
  );
  return [...calls]
    .filter((call) => base.linted.has(call.getSourceFile()))
    .sort(
      (a, b) =>
        compare(a.getSourceFile().fileName, b.getSourceFile().fileName) ||
        a.getStart() - b.getStart(),
    )
    .map((node) => ({ node, request: requestOf(base, node), place: placeOf(base, node) }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function requestOf({ ts: typescript }: CodeBase, call: CallNode): ts.Expression | undefined {
  const given = call.arguments ?? [];
  const method = typescript.isPropertyAccessExpression(call.expression)
    ? call.expression.name.text
    : undefined;
  const request = method === 'call' || method === 'apply' ? given[1] : given[0];
  if (method === 'apply')
    return request && typescript.isArrayLiteralExpression(request)
      ? request.elements[0]
      : undefined;
  return request && typescript.isSpreadElement(request) ? undefined : request;
}

function placeOf(base: CodeBase, call: CallNode): ts.Node {
  let callee: ts.Expression = call.expression;
  while (base.ts.isParenthesizedExpression(callee)) callee = callee.expression;
  return nameOf(base, callee) ?? callee;
}

type FunctionState = 'function';

function functionVisitor(
  base: CodeBase,
  called: (call: CallNode) => void,
): FlowVisitor<FunctionState> {
  return {
    called,
    callsOf: (fn) => callsOf(base, fn),
    isPassedOn: (call) => givesFunction(base, call),
    isSame: (call) => givesCompose(base, call),
  };
}

/**
 * `cache(compose)`: what an unknown function gives for a function is that function; a known type
 * must be one that can be called.
 */
function givesFunction({ ts: typescript, checker }: CodeBase, call: ts.CallExpression): boolean {
  const type = checker.getTypeAtLocation(call);
  const isDeclared =
    typescript.isVariableDeclaration(call.parent) || typescript.isPropertyDeclaration(call.parent);
  return (
    isDeclared &&
    ((type.flags & typescript.TypeFlags.Any) !== 0 || type.getCallSignatures().length > 0)
  );
}

/** `retry(compose)`: by its type, the result is called as the compose function is. */
function givesCompose({ checker, stub }: CodeBase, call: ts.CallExpression): boolean {
  const [signature] = checker.getTypeAtLocation(call).getCallSignatures();
  const parameter = signature?.parameters[0];
  const type = parameter && checker.getTypeOfSymbolAtLocation(parameter, call);
  const first = type && checker.isTupleType(type) ? elementOf(type, checker) : type;
  const { symbol } = first ?? {};
  return (
    symbol?.name === 'ComposeRequest' &&
    (symbol.declarations?.some((known) => known.getSourceFile() === stub) ?? false)
  );
}

const elementOf = (tuple: ts.Type, checker: ts.TypeChecker): ts.Type | undefined =>
  checker.getTypeArguments(tuple as ts.TypeReference)[0]; // what isTupleType says

/** Every expression that is the compose function itself. */
function functionStarts(base: CodeBase): readonly Held<FunctionState>[] {
  const nodes: ts.Expression[] = [];
  for (const declaration of composeDeclarations(base)) {
    nodes.push(...usesOf(base, declaration));
    for (const binding of bindingsOf(base, declaration)) nodes.push(...usesOf(base, binding));
  }
  for (const holder of typedHolders(base)) {
    nodes.push(...usesOf(base, holder));
    for (const binding of bindingsOf(base, holder)) nodes.push(...usesOf(base, binding));
  }
  nodes.push(...untypedUses(base));
  return nodes.map((node) => ({ node, path: [], state: 'function' }));
}

/** The function and the method, as the package declares them. */
function composeDeclarations({ ts: typescript, stub }: CodeBase): readonly ts.Declaration[] {
  const found: ts.Declaration[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed =
      typescript.isFunctionDeclaration(node) ||
      typescript.isMethodSignature(node) ||
      typescript.isPropertySignature(node);
    if (isNamed && node.name?.getText(stub) === COMPOSE_NAME) found.push(node);
    typescript.forEachChild(node, visit);
  };
  visit(stub);
  return found;
}

/** Parameters, properties and variables whose written type is that of the compose function. */
function typedHolders(base: CodeBase): readonly ts.Declaration[] {
  const { ts: typescript, checker, stub } = base;
  const mentions = [COMPOSE_NAME, 'ComposeBlockContext', 'ComposeRequest'].flatMap((name) =>
    namesWritten(base, name),
  );
  const literals = base.sources.flatMap((source) => indexedTypes(base, source));
  const holders = new Set<ts.Declaration>();
  for (const mention of [...mentions, ...literals]) {
    const holder = typescript.findAncestor(
      mention.parent,
      (node) => typescript.isTypeAliasDeclaration(node) || isHolder(base, node),
    );
    if (
      !holder ||
      !isHolder(base, holder) ||
      ('initializer' in holder && holder.initializer) ||
      ('body' in holder && holder.body)
    )
      continue;
    const [signature] = checker.getTypeAtLocation(holder).getCallSignatures();
    const parameter = signature?.parameters[0];
    const type = parameter && checker.getTypeOfSymbolAtLocation(parameter, holder);
    const isOurs =
      type?.symbol?.name === 'ComposeRequest' &&
      type.symbol.declarations?.some((known) => known.getSourceFile() === stub);
    if (isOurs && signature?.parameters.length === 1) holders.add(holder);
  }
  return [...holders];
}

/** `ContextEngine['composeBlockContext']`. */
function indexedTypes({ ts: typescript }: CodeBase, source: ts.SourceFile): readonly ts.Node[] {
  if (!new RegExp(`['"]${COMPOSE_NAME}['"]`).test(source.text)) return [];
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (
      typescript.isLiteralTypeNode(node) &&
      typescript.isStringLiteral(node.literal) &&
      node.literal.text === COMPOSE_NAME
    )
      found.push(node.literal);
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isHolder = ({ ts: typescript }: CodeBase, node: ts.Node): node is ts.Declaration =>
  (typescript.isParameter(node) &&
    !typescript.isFunctionTypeNode(node.parent) &&
    !typescript.isMethodSignature(node.parent)) ||
  typescript.isPropertySignature(node) ||
  typescript.isMethodSignature(node) ||
  typescript.isPropertyDeclaration(node) ||
  typescript.isVariableDeclaration(node);

/**
 * Uses of the name where the compiler knows no type: an engine of type `any`, a package that is not
 * resolved.
 */
function untypedUses(base: CodeBase): readonly ts.Expression[] {
  const { ts: typescript, checker } = base;
  return namesWritten(base, COMPOSE_NAME).flatMap((name): readonly ts.Expression[] => {
    const { parent } = name;
    const isAny = (node: ts.Node): boolean =>
      (checker.getTypeAtLocation(node).flags & typescript.TypeFlags.Any) !== 0;
    if (
      typescript.isPropertyAccessExpression(parent) ||
      typescript.isElementAccessExpression(parent)
    )
      return parent.expression !== name &&
        !symbolAt(base, name)?.declarations &&
        isAny(parent.expression) &&
        !isOfOthers(base, parent.expression)
        ? [parent]
        : [];
    if (typescript.isBindingElement(parent) && parent.initializer !== name)
      return isAny(parent.parent) && comesFromUs(base, parent) ? usesOf(base, parent) : [];
    const isCallee =
      typescript.isIdentifier(name) &&
      typescript.isCallExpression(parent) &&
      parent.expression === name;
    if (!isCallee || declarationAt(base, name) || isOfOthers(base, name)) return [];
    return looksLikeRequest(base, parent) ? [name] : [];
  });
}

/**
 * A name of a package as it stands in an import; `./x`, `#x`, `@/x` and `~/x` are files of the
 * project.
 */
const PACKAGE_PATH = /^(?:node:)?(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/|$)/i;

/** Whether a name is imported from another package: a function of our name there is another one. */
function isOfOthers({ ts: typescript, checker }: CodeBase, node: ts.Expression): boolean {
  const [declaration] = checker.getSymbolAtLocation(node)?.declarations ?? [];
  const statement =
    declaration && typescript.findAncestor(declaration, typescript.isImportDeclaration);
  if (!statement || !typescript.isStringLiteral(statement.moduleSpecifier)) return false;
  // A default import may be an object of the package, such as an engine.
  const isNamed = declaration !== statement.importClause;
  const { text } = statement.moduleSpecifier;
  const isName = typescript.isIdentifier(node) && node.text === COMPOSE_NAME;
  const isWhole = declaration !== undefined && typescript.isNamespaceImport(declaration);
  return PACKAGE_PATH.test(text) && text !== PACKAGE_NAME && isNamed && (isName || isWhole);
}

/**
 * Whether a call inside of a wrapper runs whatever the wrapper was given: its callee is a parameter
 * whose type does not name us. It is the wrapper's call, not one of ours, unless it says what it
 * asks for.
 */
export function isGenericCall(base: CodeBase, { node }: ComposeCall): boolean {
  const { ts: typescript, checker, stub } = base;
  const declaration = typescript.isIdentifier(node.expression)
    ? declarationAt(base, node.expression)
    : undefined;
  if (!declaration || !typescript.isParameter(declaration)) return false;
  const [signature] = checker.getTypeAtLocation(node.expression).getCallSignatures();
  const parameter = signature?.parameters[0];
  const type = parameter && checker.getTypeOfSymbolAtLocation(parameter, node);
  return !type?.symbol?.declarations?.some((known) => known.getSourceFile() === stub);
}

/**
 * `const { composeBlockContext } = require('contextengine')` or `= engine` where the engine has no
 * type.
 */
function comesFromUs(
  { ts: typescript }: CodeBase,
  { parent: { parent } }: ts.BindingElement,
): boolean {
  if (!typescript.isVariableDeclaration(parent)) return true;
  const source = parent.initializer;
  const isRequire =
    source !== undefined &&
    typescript.isCallExpression(source) &&
    source.expression.getText() === 'require';
  const [specifier] = isRequire ? source.arguments : [];
  return (
    !isRequire ||
    (specifier !== undefined &&
      typescript.isStringLiteral(specifier) &&
      specifier.text === PACKAGE_NAME)
  );
}

/** A function of our name from nowhere: its argument decides. */
function looksLikeRequest({ ts: typescript }: CodeBase, call: ts.CallExpression): boolean {
  const [request] = call.arguments;
  if (!request || !typescript.isObjectLiteralExpression(request)) return false;
  return request.properties.some(
    (property) =>
      property.name !== undefined && /^(scope_block_uuid|intent)$/.test(property.name.getText()),
  );
}

/** All calls of a function of the code, under any name. */
export function callsOf(base: CodeBase, fn: FunctionNode): readonly CallNode[] {
  const { calls: cache } = base;
  const hit = cache.get(fn);
  if (hit) return hit;
  cache.set(fn, []); // a function that gives itself back ends here
  const found = new Set<CallNode>();
  try {
    follow(
      base,
      startsOf(base, fn),
      functionVisitor(base, (call) => void found.add(call)),
    );
  } catch (error) {
    cache.delete(fn); // what was found so far is not all of it
    throw error;
  }
  // `fn(...args)` inside of a tracer says nothing where the traced function's own calls are known.
  const known = [...found].filter(
    (call) => !call.arguments?.some((argument) => base.ts.isSpreadElement(argument)),
  );
  const calls = known.length > 0 ? known : [...found];
  cache.set(fn, calls);
  return calls;
}

function startsOf(base: CodeBase, fn: FunctionNode): readonly Held<FunctionState>[] {
  const { ts: typescript } = base;
  if (typescript.isArrowFunction(fn) || typescript.isFunctionExpression(fn))
    return [{ node: fn, path: [], state: 'function' }];
  const declaration = typescript.isConstructorDeclaration(fn) ? fn.parent : fn;
  const declarations = [declaration, ...membersLike(base, declaration)];
  const nodes = declarations.flatMap((each) => [
    ...usesOf(base, each),
    ...bindingsOf(base, each).flatMap((binding) => usesOf(base, binding)),
  ]);
  return nodes.map((node) => ({ node, path: [], state: 'function' }));
}
