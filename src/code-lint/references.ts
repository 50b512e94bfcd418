/** What a name means, and where a declaration is used. */
import type ts from 'typescript';
import type { CallNode } from './environment.ts';
import type { Steps } from './limits.ts';
import type { CodeProgram } from './program.ts';
import type { TypeScript } from './typescript-module.ts';

/** The linted code as everything after it sees it. */
export interface CodeBase extends CodeProgram {
  readonly ts: TypeScript;
  readonly steps: Steps;
  /** Names under which something is imported or exported anew, by the name it had. */
  readonly renames: ReadonlyMap<string, ReadonlySet<string>>;
  /** What has been looked up: names of files, uses of declarations, calls of functions. */
  readonly names: Map<ts.SourceFile, ReadonlyMap<string, readonly NameNode[]>>;
  readonly used: Map<ts.Node, readonly ts.Expression[]>;
  readonly calls: Map<ts.Node, readonly CallNode[]>;
}

type NameNode = ts.Identifier | ts.PrivateIdentifier | ts.StringLiteralLike;

interface CodeContext {
  readonly typescript: TypeScript;
  readonly steps: Steps;
}

export function createCodeBase(program: CodeProgram, { typescript, steps }: CodeContext): CodeBase {
  const renames = new Map<string, Set<string>>();
  const rename = (from: string, to: string): void => {
    const known = renames.get(from);
    if (known) known.add(to);
    else renames.set(from, new Set([to]));
  };
  for (const statement of program.sources.flatMap(({ statements }) => statements)) {
    const isImport = typescript.isImportDeclaration(statement);
    if (isImport && statement.importClause?.name)
      rename('default', statement.importClause.name.text);
    const list = isImport
      ? statement.importClause?.namedBindings
      : typescript.isExportDeclaration(statement)
        ? statement.exportClause
        : undefined;
    if (!list || !(typescript.isNamedImports(list) || typescript.isNamedExports(list))) continue;
    for (const { propertyName, name } of list.elements)
      if (propertyName) rename(propertyName.text, name.text);
  }
  return {
    ...program,
    ts: typescript,
    steps,
    renames,
    names: new Map(),
    used: new Map(),
    calls: new Map(),
  };
}

/**
 * Every identifier of a text, and every key in brackets, in all sources or the given one. Only
 * files that hold the text are searched.
 */
export function namesWritten(
  base: CodeBase,
  text: string,
  only?: ts.SourceFile,
): readonly NameNode[] {
  const sources = only ? [only] : base.sources;
  const names = sources.flatMap((source) =>
    source.text.includes(text) ? (namesOfSource(base, source).get(text) ?? []) : [],
  );
  base.steps.spend(names.length);
  return names;
}

function namesOfSource(
  base: CodeBase,
  source: ts.SourceFile,
): ReadonlyMap<string, readonly NameNode[]> {
  const { ts: typescript } = base;
  const hit = base.names.get(source);
  if (hit) return hit;
  const names = new Map<string, NameNode[]>();
  const visit = (node: ts.Node): void => {
    if (
      typescript.isIdentifier(node) ||
      typescript.isPrivateIdentifier(node) ||
      isKey(node, typescript)
    ) {
      const known = names.get(node.text);
      if (known) known.push(node);
      else names.set(node.text, [node]);
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  base.names.set(source, names);
  return names;
}

/** `x['name']`: a text that names a property. */
const isKey = (node: ts.Node, typescript: TypeScript): node is ts.StringLiteralLike =>
  typescript.isStringLiteralLike(node) && typescript.isElementAccessExpression(node.parent);

/** The symbol that a name stands for, through imports and re-exports. */
export function symbolAt(base: CodeBase, node: ts.Node): ts.Symbol | undefined {
  const { ts: typescript, checker } = base;
  const isShorthand =
    typescript.isShorthandPropertyAssignment(node.parent) && node.parent.name === node;
  const symbol = isShorthand
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return symbol && symbol.flags & typescript.SymbolFlags.Alias
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

export const declarationOfSymbol = (symbol: ts.Symbol | undefined): ts.Declaration | undefined =>
  symbol?.declarations?.find((known) => 'body' in known && known.body) ??
  symbol?.valueDeclaration ??
  symbol?.declarations?.[0];

/** Where a name is declared; undefined for what cannot be resolved. */
export const declarationAt = (base: CodeBase, node: ts.Node): ts.Declaration | undefined =>
  declarationOfSymbol(symbolAt(base, node));

/** The name that an expression looks up: `x` of `x`, `b` of `a.b` and `a['b']`. */
export function nameOf(base: CodeBase, node: ts.Expression): NameNode | undefined {
  const { ts: typescript } = base;
  if (typescript.isIdentifier(node)) return node;
  if (typescript.isPropertyAccessExpression(node)) return node.name;
  if (
    typescript.isElementAccessExpression(node) &&
    typescript.isStringLiteralLike(node.argumentExpression)
  )
    return node.argumentExpression;
  return undefined;
}

/** The expression whose looked-up part a name is: the reverse of {@link nameOf}. */
function expressionOf(base: CodeBase, name: NameNode): ts.Expression | undefined {
  const { ts: typescript } = base;
  const { parent } = name;
  if (typescript.isPropertyAccessExpression(parent) && parent.name === name) return parent;
  if (typescript.isElementAccessExpression(parent) && parent.argumentExpression === name)
    return parent;
  if (typescript.isShorthandPropertyAssignment(parent))
    return typescript.isIdentifier(name) ? name : undefined;
  if (
    typescript.isImportSpecifier(parent) ||
    typescript.isExportSpecifier(parent) ||
    typescript.isImportClause(parent)
  )
    return undefined;
  return typescript.isIdentifier(name) && isValue(base, name) ? name : undefined;
}

/** Whether an identifier is read as a value, rather than declared, or part of a type. */
function isValue({ ts: typescript }: CodeBase, node: ts.Identifier): boolean {
  const { parent } = node;
  if (typescript.isExpressionStatement(parent) || typescript.isExportAssignment(parent))
    return true;
  if (typescript.isQualifiedName(parent) || typescript.isTypeNode(parent))
    return typescript.isExpressionWithTypeArguments(parent);
  if ('name' in parent && parent.name === node) return false;
  if (typescript.isBindingElement(parent)) return parent.initializer === node;
  return !typescript.isLabeledStatement(parent);
}

/** All expressions that read a declaration, in every source that can see it. */
export function usesOf(base: CodeBase, declaration: ts.Node): readonly ts.Expression[] {
  const hit = base.used.get(declaration);
  if (hit) return hit;
  const owner = ownerOf(base, declaration);
  const uses = [...namesOf(base, declaration)].flatMap((text) =>
    namesWritten(base, text, owner?.getSourceFile()).flatMap((name) => {
      if (owner && (name.pos < owner.pos || name.end > owner.end)) return [];
      const expression = expressionOf(base, name);
      return expression && resolvesTo(base, name, declaration) ? [expression] : [];
    }),
  );
  base.used.set(declaration, uses);
  return uses;
}

/** Binding elements that take a property out of an object: `const { name } = object`. */
export function bindingsOf(base: CodeBase, declaration: ts.Node): readonly ts.BindingElement[] {
  const { ts: typescript, checker } = base;
  return [...namesOf(base, declaration)].flatMap((text) =>
    namesWritten(base, text).flatMap(({ parent, text: written }) => {
      if (!typescript.isBindingElement(parent) || !typescript.isObjectBindingPattern(parent.parent))
        return [];
      if (keyText(base, parent.propertyName ?? parent.name) !== written) return [];
      const property = checker.getTypeAtLocation(parent.parent).getProperty(written);
      return property?.declarations?.some((known) => known === declaration) ? [parent] : [];
    }),
  );
}

function resolvesTo(base: CodeBase, name: NameNode, declaration: ts.Node): boolean {
  return symbolAt(base, name)?.declarations?.some((known) => known === declaration) ?? false;
}

/** The names that a declaration can be called by anywhere. */
function namesOf(base: CodeBase, declaration: ts.Node): ReadonlySet<string> {
  const { ts: typescript } = base;
  // every kind of declaration types its name otherwise
  const own = 'name' in declaration ? (declaration.name as ts.Node | undefined) : undefined;
  const names = new Set<string>(own ? [keyText(base, own) ?? ''] : []);
  const isDefault =
    typescript.isExportAssignment(declaration) ||
    (typescript.canHaveModifiers(declaration) &&
      (typescript.getModifiers(declaration) ?? []).some(
        ({ kind }) => kind === typescript.SyntaxKind.DefaultKeyword,
      ));
  if (isDefault) names.add('default');
  // A set that grows while it is walked: a name may be given anew several times.
  for (const name of names) for (const other of base.renames.get(name) ?? []) names.add(other);
  names.delete('');
  return names;
}

/** The text of a property name or a plain name. */
export function keyText({ ts: typescript }: CodeBase, name: ts.Node): string | undefined {
  if (
    typescript.isIdentifier(name) ||
    typescript.isPrivateIdentifier(name) ||
    typescript.isStringLiteralLike(name)
  )
    return name.text;
  if (typescript.isNumericLiteral(name)) return name.text;
  if (typescript.isComputedPropertyName(name) && typescript.isStringLiteralLike(name.expression))
    return name.expression.text;
  return undefined;
}

/**
 * The function or file outside which a variable or parameter cannot be seen; undefined for what can
 * be seen anywhere.
 */
function ownerOf({ ts: typescript }: CodeBase, declaration: ts.Node): ts.Node | undefined {
  const isLocalKind =
    typescript.isVariableDeclaration(declaration) ||
    typescript.isParameter(declaration) ||
    typescript.isBindingElement(declaration);
  if (
    !isLocalKind ||
    (typescript.isParameter(declaration) &&
      typescript.isParameterPropertyDeclaration(declaration, declaration.parent))
  )
    return undefined;
  return typescript.findAncestor(declaration.parent, (node) => typescript.isFunctionLike(node));
}
