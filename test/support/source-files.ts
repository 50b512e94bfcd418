/** The repository's own files, as the laws of test/tidy.test.ts see them. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface RepositoryFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Every file that is tracked or would be (new, and not ignored). Files that were deleted but not
 * committed are left out.
 */
export function repositoryPaths(): readonly string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return [...new Set(listed.split('\0'))]
    .filter(
      (path) => path !== '' && statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile(),
    )
    .sort();
}

export const readRepositoryFile = (path: string): RepositoryFile => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
});

const GENERATED = /(^|\/)generated\//;
const CODE = /\.(ts|mts|mjs|js)$/;

/** Code that people write, below the given folders. */
export function codeFiles(folders: readonly string[]): readonly RepositoryFile[] {
  const isWanted = (path: string) =>
    CODE.test(path) && !GENERATED.test(path) && !path.includes('/fixtures/');
  return repositoryPaths()
    .filter((path) => isWanted(path) && folders.some((folder) => path.startsWith(`${folder}/`)))
    .map(readRepositoryFile);
}

export const parseCode = ({ path, text }: RepositoryFile): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('js') ? ts.ScriptKind.JS : ts.ScriptKind.TS,
  );

/** `path:line`, as an editor opens it. */
export function positionOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** All nodes of a file, parents first. */
export function* nodesOf(root: ts.Node): Generator<ts.Node> {
  yield root;
  const children: ts.Node[] = [];
  ts.forEachChild(root, (child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesOf(child);
}

/** What users read beside help: paths of the pages. */
export const PAGES: readonly string[] = [
  'README.md',
  'SKILL.md',
  'llms.txt',
  'CONTRIBUTING.md',
  'manifests/README.md',
  'eval/README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
