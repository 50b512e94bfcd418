/** The texts that a value can be, each with the place where it is written. */
import type ts from 'typescript';
import { type Environment, type ExpressionValue, expression, type Value } from './environment.ts';
import { settle } from './evaluate.ts';
import { deeper, type Evaluation, isTransparent } from './evaluation.ts';
import { SCOPE_TYPE_PROPERTY } from './package-stub.ts';
import { type CodeBase, declarationAt, keyText, nameOf } from './references.ts';

export interface Text {
  readonly text: string;
  /** Where it is written: the place that has to change if it is wrong. */
  readonly place: ts.Node;
  /** Where it is used by the call: the place that has to change if it is right elsewhere. */
  readonly use?: ts.Node;
  /** One of several that a type allows: nobody wrote that it is this one. */
  readonly isOneOf?: boolean;
}

export interface Texts {
  readonly texts: readonly Text[];
  /** Whether it can be nothing but these. */
  readonly isComplete: boolean;
  /** Whether it can be missing. */
  readonly isMaybeAbsent: boolean;
}

export const NO_TEXTS: Texts = { texts: [], isComplete: true, isMaybeAbsent: true };

/** All of several. */
const joined = (parts: readonly Texts[]): Texts => ({
  texts: parts.flatMap(({ texts }) => texts),
  isComplete: parts.every(({ isComplete }) => isComplete),
  isMaybeAbsent: parts.some(({ isMaybeAbsent }) => isMaybeAbsent),
});

export const textsOf = (values: readonly Value[], run: Evaluation): Texts =>
  joined(
    values.map((value) => {
      const found = joined(settle(value, run).map((end) => settledTexts(end, run)));
      const use = usedAt(value, run);
      return use ? { ...found, texts: found.texts.map((text) => ({ ...text, use })) } : found;
    }),
  );

/** The expression that a call, or the call of a wrapper, gives as a value. */
function usedAt(value: Value, { base, root }: Evaluation): ts.Node | undefined {
  if (value.kind !== 'expression') return undefined;
  const name = nameOf(base, value.node);
  const declaration = name && declarationAt(base, name);
  const given =
    declaration && base.ts.isParameter(declaration) ? root.parameters.get(declaration) : undefined;
  return given?.kind === 'expression' ? given.node : value.node;
}

const OPEN: Texts = { texts: [], isComplete: false, isMaybeAbsent: false };

function settledTexts(value: Value, run: Evaluation): Texts {
  const { ts: typescript, checker } = run.base;
  if (value.kind === 'absent') return NO_TEXTS;
  if (value.kind === 'unknown' || value.kind === 'rest') return OPEN;
  if (value.kind === 'typed') return typeTexts(value.type, value.place, run.base);
  const { node, env } = value;
  if (typescript.isStringLiteralLike(node))
    return { texts: [{ text: node.text, place: node }], isComplete: true, isMaybeAbsent: false };
  if (node.kind === typescript.SyntaxKind.NullKeyword) return NO_TEXTS;
  const built = builtText(node, env, run);
  if (built !== undefined)
    return { texts: [{ text: built, place: node }], isComplete: true, isMaybeAbsent: false };
  return typeTexts(checker.getTypeAtLocation(node), node, run.base);
}

/** `${NAME}@${VERSION}` and `NAME + '@3'`, of constants. */
function builtText(node: ts.Expression, env: Environment, run: Evaluation): string | undefined {
  const { ts: typescript } = run.base;
  const partOf = (part: ts.Expression): string | undefined => {
    if (typescript.isNumericLiteral(part)) return part.text;
    const texts = deeper(run, () => {
      const values = settle(expression(part, env), run);
      const [only] = values;
      if (
        values.length === 1 &&
        only?.kind === 'expression' &&
        typescript.isNumericLiteral(only.node)
      )
        return [only.node.text];
      const { texts: found, isComplete } = joined(values.map((value) => settledTexts(value, run)));
      return isComplete ? found.map(({ text }) => text) : [];
    });
    return texts?.length === 1 ? texts[0] : undefined;
  };
  if (typescript.isTemplateExpression(node)) {
    const parts = node.templateSpans.map((span) => ({
      value: partOf(span.expression),
      tail: span.literal.text,
    }));
    return parts.some(({ value }) => value === undefined)
      ? undefined
      : node.head.text + parts.map(({ value, tail }) => `${value}${tail}`).join('');
  }
  if (
    !typescript.isBinaryExpression(node) ||
    node.operatorToken.kind !== typescript.SyntaxKind.PlusToken
  )
    return undefined;
  const left = partOf(node.left);
  const right = partOf(node.right);
  return left === undefined || right === undefined ? undefined : left + right;
}

/** What a type of literals says; any other type says nothing. */
function typeTexts(type: ts.Type, place: ts.Node, base: CodeBase): Texts {
  const { ts: typescript, checker } = base;
  const plain = (each: ts.Type): readonly ts.Type[] => {
    const known =
      each.flags & typescript.TypeFlags.Instantiable
        ? (checker.getBaseConstraintOfType(each) ?? each)
        : each;
    return known.isUnion() ? known.types.flatMap(plain) : [known];
  };
  const members = plain(type);
  const { TypeFlags } = typescript;
  return joined(
    members.map((member) => {
      if (member.flags & (TypeFlags.Undefined | TypeFlags.Null)) return NO_TEXTS;
      if (!member.isStringLiteral()) return OPEN;
      const text: Text = {
        text: member.value,
        place: writtenAt(place, member.value, base),
        isOneOf: members.length > 1,
      };
      return { texts: [text], isComplete: true, isMaybeAbsent: false };
    }),
  );
}

/**
 * The scope types that a scope id is known by: `T` of `ScopeUuid<T>`. Not complete where the id, or
 * one of its sources, has none.
 */
export const scopeTypesOf = (values: readonly Value[], run: Evaluation): Texts =>
  joined(values.map((value) => scopeTypes(value, run)));

function scopeTypes(value: Value, run: Evaluation): Texts {
  const { base } = run;
  if (value.kind === 'absent') return NO_TEXTS;
  if (value.kind === 'unknown' || value.kind === 'rest') return OPEN;
  if (value.kind === 'typed') return scopeTypesOfType(value.type, value.place, base);
  const { node, env } = value;
  const typed = scopeTypesOfType(base.checker.getTypeAtLocation(node), node, base);
  if (typed.isComplete && typed.texts.length > 1) return narrowed(value, typed, run);
  if (typed.isComplete && typed.texts.length > 0)
    return { ...typed, texts: typed.texts.map((text) => whereCreated(text, node, base)) };
  const annotated = annotatedScopeType(node, base);
  if (annotated) return { texts: [annotated], isComplete: true, isMaybeAbsent: false };
  const next = run.expand({ kind: 'expression', node, env }, run);
  return next === undefined
    ? typed
    : joined(next.map((step) => deeper(run, () => scopeTypes(step, run)) ?? OPEN));
}

/** An id of one of several types, where what it is given by knows better. */
function narrowed({ node, env }: ExpressionValue, typed: Texts, run: Evaluation): Texts {
  const next = run.expand({ kind: 'expression', node, env }, run) ?? [];
  const found = joined(next.map((step) => deeper(run, () => scopeTypes(step, run)) ?? OPEN));
  const isPart = found.texts.every(({ text }) => typed.texts.some((known) => known.text === text));
  return found.isComplete && found.texts.length > 0 && isPart ? found : typed;
}

/** `scopes.create({ type: 'x' })`: the type is written there, not where the id is used. */
function whereCreated(text: Text, id: ts.Expression, base: CodeBase): Text {
  const { ts: typescript } = base;
  if (text.place !== id) return text;
  let at: ts.Expression | undefined = id;
  for (let steps = 0; at && steps < 8; steps++) {
    if (typescript.isCallExpression(at)) {
      const [input] = at.arguments;
      const place =
        input && typescript.isObjectLiteralExpression(input)
          ? findText(input, text.text, { base, depth: 0 })
          : undefined;
      return place ? { ...text, place } : text;
    }
    at =
      typescript.isPropertyAccessExpression(at) || isTransparent(base, at)
        ? at.expression
        : initialOf(at, base);
  }
  return text;
}

/** What a name is declared with, or taken out of. */
function initialOf(node: ts.Expression, base: CodeBase): ts.Expression | undefined {
  const { ts: typescript } = base;
  const declaration = typescript.isIdentifier(node) ? declarationAt(base, node) : undefined;
  const owner =
    declaration && typescript.isBindingElement(declaration)
      ? declaration.parent.parent
      : declaration;
  return owner && typescript.isVariableDeclaration(owner) ? owner.initializer : undefined;
}

function scopeTypesOfType(type: ts.Type, place: ts.Node, base: CodeBase): Texts {
  const { ts: typescript, checker } = base;
  const members = type.isUnion() ? type.types : [type];
  return joined(
    members.map((member) => {
      if (member.flags & (typescript.TypeFlags.Undefined | typescript.TypeFlags.Null))
        return NO_TEXTS;
      const property = checker.getPropertyOfType(member, SCOPE_TYPE_PROPERTY);
      if (!property) return OPEN;
      const { texts, isComplete } = typeTexts(
        checker.getTypeOfSymbolAtLocation(property, place),
        place,
        base,
      );
      return { texts, isComplete: isComplete && texts.length > 0, isMaybeAbsent: false };
    }),
  );
}

/** `ScopeUuid<'x'>` as it is written, where the type itself cannot be resolved. */
function annotatedScopeType(node: ts.Expression, base: CodeBase): Text | undefined {
  const { ts: typescript } = base;
  for (const type of annotationsOf(node, base).map((each) => throughAliases(each, base))) {
    if (!typescript.isTypeReferenceNode(type)) continue;
    const [argument] = type.typeArguments ?? [];
    if (
      isScopeUuid(type) &&
      argument &&
      typescript.isLiteralTypeNode(argument) &&
      typescript.isStringLiteral(argument.literal)
    )
      return { text: argument.literal.text, place: argument.literal };
  }
  return undefined;
}

const isScopeUuid = ({ typeName }: ts.TypeReferenceNode): boolean =>
  /(^|\.)ScopeUuid$/.test(typeName.getText());

/** What a name of a type stands for, where that is another name. */
function throughAliases(type: ts.TypeNode, base: CodeBase): ts.TypeNode {
  const { ts: typescript } = base;
  let found = type;
  for (
    let steps = 0;
    steps < 4 && typescript.isTypeReferenceNode(found) && !isScopeUuid(found);
    steps++
  ) {
    const declaration = declarationAt(base, found.typeName);
    if (
      !declaration ||
      !typescript.isTypeAliasDeclaration(declaration) ||
      declaration.getSourceFile() === base.stub
    )
      break;
    found = declaration.type;
  }
  return found;
}

/** The type annotations that an expression has its type from. */
function annotationsOf(node: ts.Node, base: CodeBase): readonly ts.TypeNode[] {
  const { ts: typescript, checker } = base;
  if (typescript.isAsExpression(node) || typescript.isSatisfiesExpression(node)) return [node.type];
  const inner =
    typescript.isCallExpression(node) || typescript.isAwaitExpression(node)
      ? node.expression
      : node;
  if (
    inner !== node &&
    !typescript.isIdentifier(inner) &&
    !typescript.isPropertyAccessExpression(inner)
  )
    return annotationsOf(inner, base);
  const name = typescript.isExpression(inner) ? nameOf(base, inner) : undefined;
  const declaration = name && declarationAt(base, name);
  if (!declaration) return [];
  if (typescript.isBindingElement(declaration)) {
    const key = keyText(base, declaration.propertyName ?? declaration.name);
    const property =
      key === undefined
        ? undefined
        : checker.getTypeAtLocation(declaration.parent).getProperty(key);
    return (property?.declarations ?? []).flatMap((known) => typeOf(known));
  }
  return typeOf(declaration);
}

/** The `type` of a declaration is its annotation. */
const typeOf = (declaration: ts.Declaration): readonly ts.TypeNode[] =>
  'type' in declaration && declaration.type ? [declaration.type as ts.TypeNode] : [];

/**
 * Where the text of a literal type is written, as far as it can be found; else where the value is
 * used.
 */
function writtenAt(place: ts.Node, text: string, base: CodeBase): ts.Node {
  for (const type of annotationsOf(place, base)) {
    const found = findText(type, text, { base, depth: 0 });
    if (found) return found;
  }
  return place;
}

/** Through type aliases, and constants whose type is taken. */
function findText(
  node: ts.Node,
  text: string,
  { base, depth }: { base: CodeBase; depth: number },
): ts.Node | undefined {
  const { ts: typescript } = base;
  if (typescript.isStringLiteral(node) && node.text === text) return node;
  if (depth < 4 && typescript.isIdentifier(node)) {
    const declaration = declarationAt(base, node);
    const isOurs =
      declaration && !declaration.getSourceFile().isDeclarationFile && declaration !== node.parent;
    if (
      isOurs &&
      (typescript.isTypeAliasDeclaration(declaration) ||
        typescript.isVariableDeclaration(declaration))
    )
      return typescript.forEachChild(declaration, (child) =>
        child === declaration.name ? undefined : findText(child, text, { base, depth: depth + 1 }),
      );
  }
  return typescript.forEachChild(node, (child) => findText(child, text, { base, depth }));
}
