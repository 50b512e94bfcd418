/** Files -> a program of the compiler whose types can be asked for. Nothing of it is run, emitted or checked for errors. */
import { readFileSync } from 'node:fs';
import type ts from 'typescript';
import { createModulePaths, type ModulePaths } from './module-paths.ts';
import { COMPOSE_NAME, PACKAGE_NAME, PACKAGE_STUB } from './package-stub.ts';
import type { TypeScript } from './typescript-module.ts';

export interface CodeProgram {
  readonly checker: ts.TypeChecker;
  /** The files that were asked for and can hold or reach a compose call. */
  readonly linted: ReadonlySet<ts.SourceFile>;
  /** Those and all that they import, declarations and the standard library aside. */
  readonly sources: readonly ts.SourceFile[];
  /** The declarations that stand for the package. */
  readonly stub: ts.SourceFile;
}

/** No import leads to a name with a space in it by accident. */
const STUB_FILE = '/contextengine stub/index.d.ts';

/** Reads the program of these files; undefined where none of them has to do with the package. */
export function createCodeProgram(files: readonly string[], typescript: TypeScript): CodeProgram | undefined {
  const paths = createModulePaths(typescript);
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')] as const));
  const roots = relevantFiles(texts, { typescript, paths });
  if (roots.length === 0) return undefined;
  const options: ts.CompilerOptions = {
    target: typescript.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    moduleDetection: typescript.ModuleDetectionKind.Force,
    allowJs: true,
    allowImportingTsExtensions: true,
    esModuleInterop: true,
    jsx: typescript.JsxEmit.Preserve,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const host = createHost({ typescript, options, paths, texts });
  const program = typescript.createProgram({ rootNames: [...roots, STUB_FILE], options, host });
  const checker = program.getTypeChecker();
  const stub = program.getSourceFile(STUB_FILE);
  if (!stub) throw new Error('The declarations of the package are not in the program.');
  const sources = program.getSourceFiles().filter((source) => !source.isDeclarationFile);
  return { checker, stub, sources, linted: new Set(sources.filter((source) => texts.has(source.fileName))) };
}

interface RelevanceContext {
  readonly typescript: TypeScript;
  readonly paths: ModulePaths;
}

/**
 * The files that name the package or its call, and all that import one of them, directly or not: a wrapper is called by its own name. Most
 * files of most projects are neither, and reading their imports costs a tenth of binding them.
 */
function relevantFiles(texts: ReadonlyMap<string, string>, { typescript, paths }: RelevanceContext): readonly string[] {
  const relevant = new Set<string>();
  for (const [file, text] of texts) if (text.includes(COMPOSE_NAME) || text.includes(PACKAGE_NAME)) relevant.add(file);
  if (relevant.size === 0) return [];
  const importers = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const { fileName } of typescript.preProcessFile(text, true, true).importedFiles) {
      const target = paths.fileOf(fileName, file);
      if (target === undefined) continue;
      const known = importers.get(target);
      if (known) known.push(file);
      else importers.set(target, [file]);
    }
  }
  for (const file of relevant) for (const importer of importers.get(file) ?? []) relevant.add(importer);
  return [...texts.keys()].filter((file) => relevant.has(file));
}

interface HostContext {
  readonly typescript: TypeScript;
  readonly options: ts.CompilerOptions;
  readonly paths: ModulePaths;
  readonly texts: ReadonlyMap<string, string>;
}

function createHost({ typescript, options, paths, texts }: HostContext): ts.CompilerHost {
  const host = typescript.createCompilerHost(options, true);
  const read = (file: string): string | undefined => (file === STUB_FILE ? PACKAGE_STUB : (texts.get(file) ?? host.readFile(file)));
  return {
    ...host,
    fileExists: (file) => file === STUB_FILE || texts.has(file) || host.fileExists(file),
    readFile: read,
    getSourceFile(file, languageVersion) {
      const text = read(file);
      return text === undefined ? undefined : typescript.createSourceFile(file, text, languageVersion, true);
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        if (text === PACKAGE_NAME)
          return { resolvedModule: { resolvedFileName: STUB_FILE, extension: '.d.ts', isExternalLibraryImport: true } };
        const file = paths.fileOf(text, from);
        const extension = file === undefined ? undefined : extensionOf(file);
        return { resolvedModule: file === undefined || extension === undefined ? undefined : { resolvedFileName: file, extension } };
      }),
    resolveTypeReferenceDirectiveReferences: (references) => references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };
}

const extensionOf = (file: string): string | undefined => /(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/.exec(file)?.[0];
