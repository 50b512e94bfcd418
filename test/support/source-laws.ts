/** The laws of the code itself: each takes a parsed file and says where it is broken. */
import { analyse } from 'scslre';
import ts from 'typescript';
import { nodesOf, positionOf } from './source-files.ts';

export const MAX_FILE_LINES = 400;
export const MAX_FUNCTION_LINES = 70;
export const MAX_PARAMETERS = 3;
export const MAX_COLUMNS = 100;

export type Law = (source: ts.SourceFile) => readonly string[];

const lawOf =
  (judge: (node: ts.Node) => string | null): Law =>
  (source) =>
    [...nodesOf(source)].flatMap((node) => {
      const fault = judge(node);
      return fault === null ? [] : [`${positionOf(node)} ${fault}`];
    });

const lineOf = (source: ts.SourceFile, position: number): number =>
  source.getLineAndCharacterOfPosition(position).line;

/**
 * The callback of `describe` is a table of contents, not a function anyone follows from top to
 * bottom.
 */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe/.test(node.parent.expression.getText());
}

export const shortFile: Law = (source) => {
  const lines = lineOf(source, source.text.replace(/\n$/, '').length) + 1;
  return lines > MAX_FILE_LINES ? [`${source.fileName} has ${lines} lines`] : [];
};

/** Whether the character stands in a text or a regular expression, or in what a text is made of. */
function isInLiteral(source: ts.SourceFile, position: number): boolean {
  const around = [...nodesOf(source)].filter(
    (node) => node.getStart(source) <= position && position < node.getEnd(),
  );
  return around.some(
    (node) =>
      ts.isStringLiteralLike(node) ||
      ts.isTemplateExpression(node) ||
      ts.isRegularExpressionLiteral(node),
  );
}

/** A line goes over only in a literal of one piece: a list of words, an expression, a template. */
export const narrowLines: Law = (source) =>
  source.text.split('\n').flatMap((line, index) => {
    if (line.length <= MAX_COLUMNS) return [];
    const start = source.getPositionOfLineAndCharacter(index, 0);
    // The comma behind a literal goes with it.
    return isInLiteral(source, start + MAX_COLUMNS - 2)
      ? []
      : [`${source.fileName}:${index + 1} ${line.length} columns`];
  });

export const shortFunctions = lawOf((node) => {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body || isSuite(node)) return null;
  const source = node.getSourceFile();
  const lines = lineOf(source, node.getEnd()) - lineOf(source, node.getStart()) + 1;
  return lines > MAX_FUNCTION_LINES ? `a function of ${lines} lines` : null;
});

export const fewParameters = lawOf((node) => {
  if (!ts.isFunctionLike(node)) return null;
  const count = node.parameters.filter((parameter) => parameter.name.getText() !== 'this').length;
  return count > MAX_PARAMETERS ? `${count} parameters` : null;
});

const isCastTo = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.isAsExpression(node) && node.type.kind === kind;

/** The members of the interface of a port, which its file exports as `…Port`. */
export const portMembers = (source: ts.SourceFile): readonly ts.TypeElement[] =>
  source.statements.flatMap((node) =>
    ts.isInterfaceDeclaration(node) && node.name.text.endsWith('Port') ? [...node.members] : [],
  );

/**
 * `any`, `!`, and a cast through `unknown` (or two casts in a row): what the type checker is told
 * rather than shown.
 */
export const honestTypes = lawOf((node) => {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return '`any`';
  if (ts.isNonNullExpression(node)) return 'non-null `!`';
  if (node.kind === ts.SyntaxKind.ExclamationToken && ts.isVariableDeclaration(node.parent))
    return 'definite assignment `!`';
  if (!ts.isAsExpression(node))
    return ts.isTypeAssertionExpression(node) ? 'angle-bracket cast' : null;
  const inner = ts.isParenthesizedExpression(node.expression)
    ? node.expression.expression
    : node.expression;
  return ts.isAsExpression(inner) || isCastTo(inner, ts.SyntaxKind.UnknownKeyword)
    ? 'a cast of a cast'
    : null;
});

/**
 * What must be erased to run: enums, namespaces, parameter properties; and default exports, which
 * have no name to search for.
 */
export const erasable = lawOf((node) => {
  if (ts.isEnumDeclaration(node)) return 'an enum';
  if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name)) return 'a namespace';
  if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent))
    return 'a parameter property';
  if (ts.isExportAssignment(node)) return 'a default export';
  return node.kind === ts.SyntaxKind.DefaultKeyword && ts.isFunctionLike(node.parent)
    ? 'a default export'
    : null;
});

const AMBIENT_READS = [
  'process.env',
  'process.argv',
  'process.cwd',
  'process.hrtime',
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
];
const AMBIENT_IMPORTS = ['randomUUID', 'randomBytes', 'randomInt', 'env', 'argv', 'hrtime'];

/** The clock, randomness and the environment: results would differ between two runs. */
export const injectedWorld = lawOf((node) => {
  if (ts.isPropertyAccessExpression(node) && AMBIENT_READS.includes(node.getText()))
    return `\`${node.getText()}\``;
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
    return '`new Date()`';
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return '`Date()`';
  if (ts.isImportSpecifier(node) && AMBIENT_IMPORTS.includes((node.propertyName ?? node.name).text))
    return `\`${node.getText()}\` imported`;
  return null;
});

const acts = (node: ts.Statement): boolean =>
  ts.isExpressionStatement(node) ||
  ts.isForOfStatement(node) ||
  ts.isIfStatement(node) ||
  ts.isTryStatement(node);

/** A statement at the top of a module that does something when it is imported. */
export const quietImport: Law = (source) => [
  ...source.statements.filter(acts).map((node) => `${positionOf(node)} runs on import`),
  ...source.statements.flatMap((node) =>
    ts.isImportDeclaration(node) && !node.importClause
      ? [`${positionOf(node)} an import for its effect`]
      : [],
  ),
];

/**
 * Every package named by an import, static or lazy, of a value or a type. `node:` ones are left
 * out.
 */
export function importedPackages(source: ts.SourceFile): readonly string[] {
  const names: string[] = [];
  for (const node of nodesOf(source)) {
    const isLazy =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const specifier = isLazy
      ? node.arguments[0]
      : ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : undefined;
    if (specifier && ts.isStringLiteral(specifier) && !/^(\.|node:)/.test(specifier.text))
      names.push(packageOf(specifier.text));
  }
  return names;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * No regular expression takes more than linear time on any text: 200 KB of line feeds and `/\n+$/`
 * are a minute. Only literals are seen.
 */
export const linearExpressions = lawOf((node) => {
  if (!ts.isRegularExpressionLiteral(node)) return null;
  const end = node.text.lastIndexOf('/');
  const literal = { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  const { reports } = analyse(literal, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.length === 0 ? null : `an expression that is not linear: ${node.text}`;
});
