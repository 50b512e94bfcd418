/**
 * Files as lists of their statements: what each declares, and which words stand in it. Enough to
 * show which files belong together.
 */
import type ts from 'typescript';
import type { ModulePaths } from './module-paths.ts';
import { PACKAGE_NAME } from './package-stub.ts';
import type { TypeScript } from './typescript-module.ts';

export interface SliceContext {
  readonly typescript: TypeScript;
  readonly paths: ModulePaths;
  readonly parse: (file: string) => ts.SourceFile;
  /** What has been cut up already. */
  readonly slices: Map<string, readonly Slice[]>;
}

/** A statement of a file: what it declares, and every word in it. */
export interface Slice {
  readonly statement: ts.Statement;
  readonly declares: readonly string[];
  readonly words: ReadonlySet<string>;
  /** Names of types that what is declared here is seen through. */
  readonly seenAs: readonly string[];
}

export function slicesOf(file: string, state: SliceContext): readonly Slice[] {
  const hit = state.slices.get(file);
  if (hit) return hit;
  const source = state.parse(file);
  const slices = source.statements.map((statement): Slice => {
    // The path of a module is no word: files are often called what they export.
    const end = specifierOf(statement, state)?.pos ?? statement.end;
    const words = new Set(source.text.slice(statement.pos, end).match(/[\w$]+/g));
    if (isOfPackage(statement, state)) words.add(PACKAGE_NAME);
    return {
      statement,
      declares: declaredBy(statement, state),
      words,
      seenAs: typesOf(statement, state),
    };
  });
  state.slices.set(file, slices);
  return slices;
}

/** What a class implements or extends, and the written types of variables. */
function typesOf(statement: ts.Statement, { typescript }: SliceContext): readonly string[] {
  if (typescript.isClassDeclaration(statement))
    return (statement.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap(({ expression }) =>
        typescript.isIdentifier(expression) ? [expression.text] : [],
      ),
    );
  if (!typescript.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ type }) =>
    type && typescript.isTypeReferenceNode(type) && typescript.isIdentifier(type.typeName)
      ? [type.typeName.text]
      : [],
  );
}

/** What an import or a re-export names. */
function specifierOf(
  statement: ts.Statement,
  { typescript }: Pick<SliceContext, 'typescript'>,
): ts.StringLiteral | undefined {
  const isModule =
    typescript.isImportDeclaration(statement) || typescript.isExportDeclaration(statement);
  const specifier = isModule ? statement.moduleSpecifier : undefined;
  return specifier && typescript.isStringLiteral(specifier) ? specifier : undefined;
}

const isOfPackage = (statement: ts.Statement, state: SliceContext): boolean =>
  specifierOf(statement, state)?.text === PACKAGE_NAME;

/** The file that an import or a re-export names. */
export function targetOf(
  statement: ts.Statement,
  file: string,
  { typescript, paths }: SliceContext,
): string | undefined {
  const isModule =
    typescript.isImportDeclaration(statement) || typescript.isExportDeclaration(statement);
  const specifier = isModule ? statement.moduleSpecifier : undefined;
  return specifier && typescript.isStringLiteral(specifier)
    ? paths.fileOf(specifier.text, file)
    : undefined;
}

/** `[own name, local name]` of an import or a re-export; `*` is all of it. */
export function bindingsOf(
  statement: ts.Statement,
  { typescript }: Pick<SliceContext, 'typescript'>,
): readonly (readonly [string, string])[] {
  if (typescript.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    if (!exportClause) return [['*', '*']];
    if (typescript.isNamespaceExport(exportClause)) return [['*', exportClause.name.text]];
    return exportClause.elements.map(({ propertyName, name }) => [
      (propertyName ?? name).text,
      name.text,
    ]);
  }
  if (!typescript.isImportDeclaration(statement) || !statement.importClause) return [];
  const { name, namedBindings } = statement.importClause;
  const whole: readonly (readonly [string, string])[] = name ? [['default', name.text]] : [];
  if (!namedBindings) return whole;
  if (typescript.isNamespaceImport(namedBindings))
    return [...whole, ['*', namedBindings.name.text]];
  return [
    ...whole,
    ...namedBindings.elements.map(
      (element) => [(element.propertyName ?? element.name).text, element.name.text] as const,
    ),
  ];
}

function declaredBy(statement: ts.Statement, state: SliceContext): readonly string[] {
  const { typescript } = state;
  if (typescript.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name, typescript));
  if (typescript.isExportAssignment(statement)) return ['default'];
  if (typescript.isImportDeclaration(statement) || typescript.isExportDeclaration(statement)) {
    // What is imported from other files counts when it is known to count there; a local export list
    // gives names anew.
    return isOfPackage(statement, state) || !statement.moduleSpecifier
      ? bindingsOf(statement, state).map(([, local]) => local)
      : [];
  }
  const isDefault =
    typescript.canHaveModifiers(statement) &&
    (typescript.getModifiers(statement) ?? []).some(
      ({ kind }) => kind === typescript.SyntaxKind.DefaultKeyword,
    );
  // The name of a declaration is a node.
  const names =
    'name' in statement && statement.name ? namesIn(statement.name as ts.Node, typescript) : [];
  return isDefault ? [...names, 'default'] : names;
}

function namesIn(name: ts.Node, typescript: TypeScript): readonly string[] {
  if (typescript.isIdentifier(name)) return [name.text];
  if (!typescript.isObjectBindingPattern(name) && !typescript.isArrayBindingPattern(name))
    return [];
  return name.elements.flatMap((element) =>
    typescript.isBindingElement(element) ? namesIn(element.name, typescript) : [],
  );
}
