/** Files -> a program of the compiler whose types can be asked for. Nothing of it is run, emitted or checked for errors. */
import { readFileSync } from 'node:fs';
import type ts from 'typescript';
import { createModulePaths, type ModulePaths } from './module-paths.ts';
import { neededFiles } from './needed-files.ts';
import { PACKAGE_NAME, PACKAGE_STUB } from './package-stub.ts';
import { relevantFiles } from './relevant-files.ts';
import type { TypeScript } from './typescript-module.ts';

export interface CodeProgram {
  readonly checker: ts.TypeChecker;
  /** The files that were asked for and can hold or reach a compose call. */
  readonly linted: ReadonlySet<ts.SourceFile>;
  /** Those and all that they need, declarations and the standard library aside. */
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
  const parse = createParser(texts, typescript);
  const context = { typescript, paths, parse, slices: new Map() };
  const relevant = relevantFiles(texts, context);
  if (relevant.size === 0) return undefined;
  const needed = neededFiles(relevant, context);
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
  const host = createHost({ typescript, options, paths, needed, parse });
  const program = typescript.createProgram({ rootNames: [...needed, STUB_FILE], options, host });
  const checker = program.getTypeChecker();
  const stub = program.getSourceFile(STUB_FILE);
  if (!stub) throw new Error('The declarations of the package are not in the program.');
  const sources = program.getSourceFiles().filter((source) => !source.isDeclarationFile);
  return { checker, stub, sources, linted: new Set(sources.filter((source) => texts.has(source.fileName))) };
}

type Parser = (file: string) => ts.SourceFile;

/** Parses each file once. */
function createParser(texts: ReadonlyMap<string, string>, typescript: TypeScript): Parser {
  const parsed = new Map<string, ts.SourceFile>();
  return (file) => {
    const hit = parsed.get(file);
    if (hit) return hit;
    const text = file === STUB_FILE ? PACKAGE_STUB : (texts.get(file) ?? typescript.sys.readFile(file) ?? '');
    // Comments have types in JavaScript alone; elsewhere reading them is work for nothing. Parents are set when the file is bound.
    const { ParseAll, ParseNone } = typescript.JSDocParsingMode;
    const jsDocParsingMode = /\.[cm]?jsx?$/.test(file) ? ParseAll : ParseNone;
    const source = typescript.createSourceFile(file, text, { languageVersion: typescript.ScriptTarget.ES2022, jsDocParsingMode }, false);
    parsed.set(file, source);
    return source;
  };
}

interface HostContext {
  readonly typescript: TypeScript;
  readonly options: ts.CompilerOptions;
  readonly paths: ModulePaths;
  readonly needed: ReadonlySet<string>;
  readonly parse: Parser;
}

function createHost({ typescript, options, paths, needed, parse }: HostContext): ts.CompilerHost {
  const host = typescript.createCompilerHost(options);
  return {
    ...host,
    fileExists: (file) => file === STUB_FILE || host.fileExists(file),
    readFile: (file) => (file === STUB_FILE ? PACKAGE_STUB : host.readFile(file)),
    getSourceFile: (file) => (file === STUB_FILE || needed.has(file) || host.fileExists(file) ? parse(file) : undefined),
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        if (text === PACKAGE_NAME)
          return { resolvedModule: { resolvedFileName: STUB_FILE, extension: '.d.ts', isExternalLibraryImport: true } };
        const file = paths.fileOf(text, from);
        const extension = file !== undefined && needed.has(file) ? extensionOf(file) : undefined;
        return { resolvedModule: file === undefined || extension === undefined ? undefined : { resolvedFileName: file, extension } };
      }),
    resolveTypeReferenceDirectiveReferences: (references) => references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };
}

const extensionOf = (file: string): string | undefined => /(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/.exec(file)?.[0];
