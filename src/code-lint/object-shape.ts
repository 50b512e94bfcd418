/** What is known of an object: its properties, and whether it can have others. */
import type ts from 'typescript';
import { type Environment, expression, type Value } from './environment.ts';
import { deeper, type Evaluation, functionOf } from './evaluation.ts';
import { type CodeBase, declarationAt, keyText, usesOf } from './references.ts';

export interface Field {
  readonly values: readonly Value[];
  /** It may be missing. */
  readonly isOptional: boolean;
  /** Where it is written. */
  readonly key: ts.Node;
}

export interface Shape {
  readonly fields: ReadonlyMap<string, Field>;
  /** It can have properties that are not known. */
  readonly isOpen: boolean;
  /** Known by its type, not by what is written. */
  readonly isTyped: boolean;
  readonly node: ts.Node | undefined;
}

const UNKNOWN: Shape = { fields: new Map(), isOpen: true, isTyped: false, node: undefined };

/**
 * One shape for each object that a value can be; none for what is no object, such as `undefined`.
 */
export function shapesOf(value: Value, run: Evaluation): readonly Shape[] {
  if (value.kind === 'absent') return [];
  if (value.kind === 'unknown') return [UNKNOWN];
  if (value.kind === 'rest')
    return value.of
      .flatMap((each) => shapesOf(each, run))
      .map((shape) => ({
        ...shape,
        fields: new Map([...shape.fields].filter(([name]) => !value.without.includes(name))),
      }));
  if (value.kind === 'typed') return typedShapes(value.type, value.place, run.base);
  const { node, env } = value;
  const { ts: typescript, checker } = run.base;
  if (typescript.isObjectLiteralExpression(node)) return [literalShape(node, env, run)];
  const next = run.expand(value, run);
  if (next === undefined) return typedShapes(checker.getTypeAtLocation(node), node, run.base);
  const shapes = next.flatMap((step) => deeper(run, () => shapesOf(step, run)) ?? [UNKNOWN]);
  return typescript.isIdentifier(node)
    ? shapes.map((shape) => withChanges(shape, node, { env, run }))
    : shapes;
}

function literalShape(node: ts.ObjectLiteralExpression, env: Environment, run: Evaluation): Shape {
  const { ts: typescript } = run.base;
  const fields = new Map<string, Field>();
  let isOpen = false;
  for (const property of node.properties) {
    if (typescript.isSpreadAssignment(property)) {
      const spread = spreadShape(property.expression, env, run);
      isOpen ||= spread.isOpen;
      for (const [name, field] of spread.fields)
        fields.set(name, field.isOptional ? over(field, fields.get(name)) : field);
      continue;
    }
    const name = keyText(run.base, property.name) ?? constantKey(property.name, run);
    if (name === undefined) isOpen = true;
    else if (typescript.isPropertyAssignment(property))
      fields.set(name, fieldOf(property, [expression(property.initializer, env)]));
    else if (typescript.isShorthandPropertyAssignment(property))
      fields.set(name, fieldOf(property, [expression(property.name, env)]));
    else fields.set(name, fieldOf(property, [{ kind: 'unknown' }]));
  }
  return { fields, isOpen, isTyped: false, node };
}

const fieldOf = (property: ts.ObjectLiteralElementLike, values: readonly Value[]): Field => ({
  values,
  isOptional: false,
  key: property.name ?? property,
});

/** `[KEY]: …` with a constant. */
function constantKey(name: ts.PropertyName, run: Evaluation): string | undefined {
  const { ts: typescript, checker } = run.base;
  if (!typescript.isComputedPropertyName(name)) return undefined;
  const type = checker.getTypeAtLocation(name.expression);
  return type.isStringLiteral() ? type.value : undefined;
}

/** A field that may be missing, over one that may be there. */
const over = (field: Field, below: Field | undefined): Field =>
  below
    ? { values: [...below.values, ...field.values], isOptional: below.isOptional, key: field.key }
    : field;

/** All that a spread can bring: `...x`, `...(a ? x : y)`, `...(a && x)`. */
function spreadShape(node: ts.Expression, env: Environment, run: Evaluation): Shape {
  const { ts: typescript } = run.base;
  let inner = node;
  while (typescript.isParenthesizedExpression(inner)) inner = inner.expression;
  const isMaybe =
    typescript.isBinaryExpression(inner) &&
    inner.operatorToken.kind === typescript.SyntaxKind.AmpersandAmpersandToken;
  const shapes = deeper(run, () => shapesOf(expression(inner, env), run)) ?? [UNKNOWN];
  const names = new Set(shapes.flatMap(({ fields }) => [...fields.keys()]));
  const fields = new Map<string, Field>();
  for (const name of names) {
    const found = shapes.flatMap((shape) => shape.fields.get(name) ?? []);
    const [first] = found;
    if (!first) continue;
    const isOptional =
      isMaybe || found.length < shapes.length || found.some((field) => field.isOptional);
    fields.set(name, { values: found.flatMap(({ values }) => values), isOptional, key: first.key });
  }
  return {
    fields,
    isOpen: shapes.some(({ isOpen }) => isOpen),
    isTyped: shapes.some(({ isTyped }) => isTyped),
    node,
  };
}

/** What the type of an object says. A type that says nothing leaves it open. */
function typedShapes(type: ts.Type, place: ts.Node, base: CodeBase): readonly Shape[] {
  const { ts: typescript, checker } = base;
  if (type.isUnion()) return type.types.flatMap((member) => typedShapes(member, place, base));
  const { TypeFlags } = typescript;
  if (type.flags & (TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void)) return [];
  const known = promised(type, base);
  if (!(known.flags & (TypeFlags.Object | TypeFlags.Intersection)))
    return [{ ...UNKNOWN, node: place }];
  const properties = checker.getPropertiesOfType(known);
  const isOpen = properties.length === 0 || checker.getIndexInfosOfType(known).length > 0;
  const fields = new Map<string, Field>();
  for (const property of properties) {
    const declared = property.declarations?.[0];
    const isWritten = declared !== undefined && !declared.getSourceFile().isDeclarationFile;
    const value: Value = {
      kind: 'typed',
      type: checker.getTypeOfSymbolAtLocation(property, place),
      place,
    };
    const isOptional = (property.flags & typescript.SymbolFlags.Optional) !== 0;
    fields.set(property.name, { values: [value], isOptional, key: isWritten ? declared : place });
  }
  return [{ fields, isOpen, isTyped: true, node: place }];
}

const promised = (type: ts.Type, { checker }: CodeBase): ts.Type =>
  checker.getAwaitedType(type) ?? type;

/**
 * What later lines do to the object of a variable: `x.a = …`, `x['a'] = …`, `Object.assign(x, …)`.
 */
function withChanges(
  shape: Shape,
  name: ts.Identifier,
  { env, run }: { env: Environment; run: Evaluation },
): Shape {
  const { ts: typescript } = run.base;
  const declaration = declarationAt(run.base, name);
  if (!declaration || !typescript.isVariableDeclaration(declaration)) return shape;
  const fields = new Map(shape.fields);
  let { isOpen } = shape;
  for (const use of usesOf(run.base, declaration)) {
    const change = changeBy(use, { env, run });
    if (change === undefined) continue;
    isOpen ||= change.isOpen;
    for (const [key, field] of change.fields)
      fields.set(key, over({ ...field, isOptional: false }, fields.get(key)));
  }
  return { ...shape, fields, isOpen };
}

/** The properties that one use of an object gives to it. */
function changeBy(
  use: ts.Expression,
  { env, run }: { env: Environment; run: Evaluation },
): Pick<Shape, 'fields' | 'isOpen'> | undefined {
  const { ts: typescript } = run.base;
  const access = use.parent;
  const isAccess =
    (typescript.isPropertyAccessExpression(access) ||
      typescript.isElementAccessExpression(access)) &&
    access.expression === use;
  if (isAccess) {
    const { parent } = access;
    const isSet =
      typescript.isBinaryExpression(parent) &&
      parent.left === access &&
      parent.operatorToken.kind === typescript.SyntaxKind.EqualsToken;
    if (!isSet) return undefined;
    const key = typescript.isPropertyAccessExpression(access)
      ? access.name
      : access.argumentExpression;
    const text = keyText(run.base, key);
    if (text === undefined) return { fields: new Map(), isOpen: true };
    return {
      fields: new Map([
        [text, { values: [expression(parent.right, env)], isOptional: false, key }],
      ]),
      isOpen: false,
    };
  }
  if (
    !typescript.isCallExpression(access) ||
    !access.arguments.some((argument) => argument === use)
  )
    return undefined;
  if (access.expression.getText() === 'Object.assign' && access.arguments[0] === use) {
    const given = access.arguments.slice(1).map((argument) => spreadShape(argument, env, run));
    return {
      fields: new Map(given.flatMap(({ fields }) => [...fields])),
      isOpen: given.some(({ isOpen }) => isOpen),
    };
  }
  const parameter = functionOf(run.base, access)?.parameters[access.arguments.indexOf(use)];
  return parameter && isChanged(parameter, run.base)
    ? { fields: new Map(), isOpen: true }
    : undefined;
}

/** Whether a function sets properties of what it is given. */
const isChanged = (parameter: ts.ParameterDeclaration, base: CodeBase): boolean =>
  usesOf(base, parameter).some(({ parent }) => {
    const isTarget =
      base.ts.isPropertyAccessExpression(parent) || base.ts.isElementAccessExpression(parent);
    return (
      isTarget &&
      base.ts.isBinaryExpression(parent.parent) &&
      parent.parent.left === parent &&
      parent.parent.operatorToken.kind === base.ts.SyntaxKind.EqualsToken
    );
  });
