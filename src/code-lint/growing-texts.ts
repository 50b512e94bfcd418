/**
 * Text types that grow: forty short lines of template literals, each naming the one before twice,
 * make a text of a terabyte, and the compiler would try to write it down. Lengths are estimated
 * from syntax, by name over all files, before the compiler sees them.
 */
import type ts from 'typescript';
import type { TypeScript } from './typescript-module.ts';

/** Characters of one text type. Chosen: far beyond what code names, and nothing to the compiler. */
const MAX_TEXT_CHARS = 1_000_000;

/** A template literal: its own characters, and every name in it, as often as it stands there. */
interface Template {
  readonly chars: number;
  readonly names: readonly string[];
}
interface Named {
  readonly name: string;
  readonly templates: readonly Template[];
  /** Names itself: a type that calls itself until a condition holds. */
  readonly isRecursive: boolean;
}

/**
 * Tells of each file, in turn, whether a text in it grows past all use. A file that does counts for
 * no later one.
 */
export function createGrowthCheck(typescript: TypeScript): (source: ts.SourceFile) => boolean {
  const known = new Map<string, readonly Template[]>();
  /**
   * By a name, the names whose texts it stands in: a file that is read later may give it a text.
   */
  const users = new Map<string, Set<string>>();
  return (source) => {
    if (!source.text.includes('${')) return false;
    const declared = namedTemplates(source, typescript);
    const before = declared.map(({ name }) => [name, known.get(name)] as const);
    for (const { name, templates } of declared) {
      known.set(name, [...(known.get(name) ?? []), ...templates]);
      for (const part of templates.flatMap(({ names }) => names))
        users.set(part, (users.get(part) ?? new Set()).add(name));
    }
    const affected = new Set(declared.map(({ name }) => name));
    // The set grows while it is gone through.
    for (const name of affected) for (const user of users.get(name) ?? []) affected.add(user);
    const lengths = new Map<string, number>();
    const grows =
      declared.some(doublesItself) ||
      [...affected].some((name) => lengthOf(name, known, lengths) > MAX_TEXT_CHARS);
    if (grows)
      for (const [name, templates] of before.reverse())
        if (templates) known.set(name, templates);
        else known.delete(name);
    return grows;
  };
}

const doublesItself = ({ isRecursive, templates }: Named): boolean =>
  isRecursive && templates.some(({ names }) => new Set(names).size < names.length);

/**
 * The longest text that a name can stand for; a name that no template makes counts as one
 * character.
 */
function lengthOf(
  name: string,
  known: ReadonlyMap<string, readonly Template[]>,
  lengths: Map<string, number>,
): number {
  const found = lengths.get(name);
  if (found !== undefined) return found;
  // While it is being estimated: a circle adds nothing, the compiler refuses it.
  lengths.set(name, 1);
  let longest = 1;
  for (const { chars, names } of known.get(name) ?? []) {
    let length = chars;
    for (const part of names)
      length = Math.min(MAX_TEXT_CHARS + 1, length + lengthOf(part, known, lengths));
    longest = Math.max(longest, length);
  }
  lengths.set(name, longest);
  return longest;
}

/**
 * Type aliases and variables that hold template literals. Without recursion: a file may be nested
 * as deeply as the parser allows.
 */
function namedTemplates(source: ts.SourceFile, typescript: TypeScript): readonly Named[] {
  const named: Named[] = [];
  for (const node of nodesBelow(source, typescript)) {
    const isAlias = typescript.isTypeAliasDeclaration(node);
    if (!isAlias && !typescript.isVariableDeclaration(node)) continue;
    if (!typescript.isIdentifier(node.name)) continue;
    const value = isAlias ? node.type : node.initializer;
    if (!value) continue;
    const name = node.name.text;
    const below = [value, ...nodesBelow(value, typescript)];
    const templates = below.flatMap((part) => templateOf(part, typescript) ?? []);
    if (templates.length === 0) continue;
    const isRecursive =
      isAlias && below.some((part) => typescript.isIdentifier(part) && part.text === name);
    named.push({ name, templates, isRecursive });
  }
  return named;
}

function templateOf(node: ts.Node, typescript: TypeScript): Template | undefined {
  if (!typescript.isTemplateLiteralTypeNode(node) && !typescript.isTemplateExpression(node))
    return undefined;
  const spans: readonly (ts.TemplateSpan | ts.TemplateLiteralTypeSpan)[] = node.templateSpans;
  return {
    chars: spans.reduce((sum, { literal }) => sum + literal.text.length, node.head.text.length),
    names: spans.flatMap((span) =>
      nodesBelow(span, typescript).flatMap((part) =>
        typescript.isIdentifier(part) ? [part.text] : [],
      ),
    ),
  };
}

function nodesBelow(node: ts.Node, { forEachChild }: TypeScript): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  forEachChild(node, (child) => void nodes.push(child));
  // The list grows while it is gone through.
  for (const next of nodes) forEachChild(next, (child) => void nodes.push(child));
  return nodes;
}
