/**
 * README.md says what is true: its tables are generated, its examples compile and validate, its
 * commands and files exist.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { errorTable, withTable } from '../scripts/generate-code-docs.mjs';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { codeRows } from '../src/codes/code-table.ts';
import { parseManifest } from '../src/manifest/parse.ts';
import { ROOT, readRepositoryFile } from './support/source-files.ts';

const readme = () => readRepositoryFile('README.md').text;

interface Example {
  readonly name: string;
  readonly text: string;
}

/** Fenced blocks of a language, named by their line. */
function examples(language: string): readonly Example[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...readme().matchAll(fence)].map((match) => ({
    name: `README.md:${readme().slice(0, match.index).split('\n').length}`,
    text: match[1] ?? '',
  }));
}

/** What the compiler says of modules that import `contextengine` as a user would. */
function compile(modules: readonly Example[]): readonly string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    paths: {
      contextengine: [join(ROOT, 'src/index.ts')],
      'contextengine/drizzle': [join(ROOT, 'connectors/pgvector/drizzle/index.ts')],
      'contextengine/conformance': [join(ROOT, 'src/conformance/index.ts')],
    },
  };
  const files = new Map(
    modules.map(({ name, text }) => [join(ROOT, `${name.replace(':', '-line-')}.mts`), text]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  const ours = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file && files.has(file.fileName));
  return ours.map(
    ({ file, messageText }) =>
      `${file?.fileName.slice(ROOT.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}

describe('README.md', () => {
  it('lists every error code, and no other', () => {
    expect(readme()).toBe(withTable(readme(), 'error-codes', errorTable(codeRows())));
  });

  it('has an example of the one-line call, and all its TypeScript compiles', () => {
    const modules = examples('(?:ts|typescript)');
    expect(modules.some(({ text }) => text.includes('composeBlockContext'))).toBe(true);
    expect(compile(modules)).toEqual([]);
  }, 600_000);

  it('has an example of a manifest, and all of them validate', () => {
    const manifests = examples('yaml').filter(({ text }) => text.includes('apiVersion:'));
    expect(manifests.length).toBeGreaterThan(0);
    const found = manifests.flatMap(
      ({ name, text }) => parseManifest(text, { path: name }).findings,
    );
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('names commands of the bin that exist', () => {
    const known = new Set(COMMANDS.map(({ name }) => name));
    const used = [...readme().matchAll(/^(?:\$ )?(?:npx )?contextengine ([a-z-]+)/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it('names scripts and files that exist', () => {
    const { scripts } = JSON.parse(readRepositoryFile('package.json').text);
    const missingScripts = [...readme().matchAll(/\bnpm run ([a-z:]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !(name in scripts));
    const paths = [
      ...readme().matchAll(
        /`((?:src|connectors|manifests|migrations|scripts|test|examples|eval)\/[A-Za-z0-9_./-]*)`/g,
      ),
    ].map((match) => match[1] ?? '');
    const links = [...readme().matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect([
      ...missingScripts,
      ...[...paths, ...links].filter((path) => !existsSync(join(ROOT, path))),
    ]).toEqual([]);
  });
});
