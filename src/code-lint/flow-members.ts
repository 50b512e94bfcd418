/** A value that is asked for a member: a property, a method of lists or promises, a key. */
import type ts from 'typescript';
import type { Flow, Held } from './flow-visitor.ts';
import { type CodeBase, declarationAt } from './references.ts';

const LIST_CALLBACKS = new Set([
  'map',
  'forEach',
  'filter',
  'find',
  'findLast',
  'some',
  'every',
  'flatMap',
  'findIndex',
]);
const SAME_LIST = new Set([
  'filter',
  'slice',
  'toSorted',
  'sort',
  'reverse',
  'toReversed',
  'concat',
  'flat',
]);
const ONE_OF_LIST = new Set(['find', 'findLast', 'at', 'pop', 'shift']);
const PROMISE_METHODS = new Set(['then', 'catch', 'finally']);

type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

export function followMember<S extends string>(held: Held<S>, access: Access, flow: Flow<S>): void {
  const { ts: typescript } = flow.base;
  const [head, ...rest] = held.path;
  const names = namesOf(access, flow);
  const { parent } = access;
  const method =
    typescript.isCallExpression(parent) && parent.expression === access
      ? names[0]?.name
      : undefined;
  if (
    method !== undefined &&
    typescript.isCallExpression(parent) &&
    followMethod({ held, call: parent, method }, flow)
  )
    return;
  for (const { name, place } of names) {
    if (head === undefined) {
      const next = flow.visitor.read?.(held.state, name, place);
      if (next) flow.push(access, next.path, next.state);
    } else if (head === name || head === `#${name}`) flow.push(access, rest, held.state);
  }
  if (head === '#*' && typescript.isElementAccessExpression(access))
    flow.push(access, rest, held.state);
}

interface Key {
  readonly name: string;
  readonly place: ts.Node;
}

/**
 * The keys that an access can name: one, those of a constant's type, or those with which the
 * function around it is called.
 */
function namesOf<S extends string>(access: Access, flow: Flow<S>): readonly Key[] {
  const { ts: typescript, checker } = flow.base;
  if (typescript.isPropertyAccessExpression(access))
    return [{ name: access.name.text, place: access.name }];
  const key = access.argumentExpression;
  if (typescript.isStringLiteralLike(key) || typescript.isNumericLiteral(key))
    return [{ name: key.text, place: key }];
  const type = checker.getTypeAtLocation(key);
  const members = type.isUnion() ? type.types : [type];
  if (members.every((member) => member.isStringLiteral()))
    return members.map(({ value }) => ({ name: value, place: key }));
  const parameter = typescript.isIdentifier(key) ? declarationAt(flow.base, key) : undefined;
  if (!parameter || !typescript.isParameter(parameter)) return [];
  const index = parameter.parent.parameters.indexOf(parameter);
  return flow.visitor.callsOf(parameter.parent).flatMap((call) => {
    const given = call.arguments?.[index];
    return given && typescript.isStringLiteralLike(given)
      ? [{ name: given.text, place: given }]
      : [];
  });
}

interface MethodCall<S extends string> {
  readonly held: Held<S>;
  readonly call: ts.CallExpression;
  readonly method: string;
}

/** Methods of promises, lists and functions; whether it was one. */
function followMethod<S extends string>(
  { held, call, method }: MethodCall<S>,
  flow: Flow<S>,
): boolean {
  const { path, state } = held;
  const [head, ...rest] = path;
  if (PROMISE_METHODS.has(method)) {
    if (method === 'then') intoCallback(call, { path, state }, flow);
    else flow.push(call, path, state);
    return true;
  }
  if (head === undefined && (method === 'bind' || method === 'call' || method === 'apply')) {
    if (method === 'bind') flow.push(call, path, state);
    else flow.visitor.called?.(call);
    return true;
  }
  if (!head?.startsWith('#')) return false;
  if (LIST_CALLBACKS.has(method)) intoCallback(call, { path: rest, state }, flow);
  if (SAME_LIST.has(method)) flow.push(call, path, state);
  if (ONE_OF_LIST.has(method)) flow.push(call, rest, state);
  return true;
}

/** The first parameter of the callback of `then`, `map` and the like. */
function intoCallback<S extends string>(
  call: ts.CallExpression,
  { path, state }: Omit<Held<S>, 'node'>,
  flow: Flow<S>,
): void {
  const { ts: typescript, checker } = flow.base;
  const [callback] = call.arguments;
  if (!callback) return;
  const isInline =
    typescript.isArrowFunction(callback) || typescript.isFunctionExpression(callback);
  const symbol = isInline ? undefined : checker.getTypeAtLocation(callback).symbol;
  const declared = isInline ? callback : symbol?.valueDeclaration;
  const parameter =
    declared && typescript.isFunctionLike(declared) ? declared.parameters[0] : undefined;
  if (parameter && !parameter.getSourceFile().isDeclarationFile)
    flow.bind(parameter.name, path, state);
}

/**
 * Members that stand for the same thing: of an interface that a class implements, or of the type
 * that an object literal is written for.
 */
export function membersLike(base: CodeBase, declaration: ts.Node): readonly ts.Declaration[] {
  const { ts: typescript, checker } = base;
  const { parent } = declaration;
  if (!('name' in declaration) || parent === undefined) return [];
  const name =
    typescript.isMethodDeclaration(declaration) ||
    typescript.isPropertyDeclaration(declaration) ||
    isOfLiteral(base, declaration);
  if (!name) return [];
  // every member of a class or an object has a name node
  const own = checker.getSymbolAtLocation(declaration.name as ts.Node);
  if (!own) return [];
  const types = typescript.isClassLike(parent)
    ? (parent.heritageClauses ?? []).flatMap(({ types: heirs }) =>
        heirs.map((heir) => checker.getTypeAtLocation(heir)),
      )
    : typescript.isObjectLiteralExpression(parent)
      ? [checker.getContextualType(parent)]
      : [];
  return types.flatMap((type) => {
    const property = type && checker.getPropertyOfType(type, own.name);
    return (
      property?.declarations?.filter(
        (known) => known !== declaration && !known.getSourceFile().isDeclarationFile,
      ) ?? []
    );
  });
}

const isOfLiteral = ({ ts: typescript }: CodeBase, node: ts.Node): boolean =>
  typescript.isPropertyAssignment(node) || typescript.isShorthandPropertyAssignment(node);
