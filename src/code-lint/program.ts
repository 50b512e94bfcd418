/**
 * Files -> a program of the compiler whose types can be asked for. Nothing of it is run, emitted or
 * checked for errors.
 */
import type ts from 'typescript';
import type { Finding } from '../codes/finding.ts';
import { createGrowthCheck } from './growing-texts.ts';
import { fileLimit, isOutOfStack, MAX_NESTING } from './limits.ts';
import { createModulePaths, type ModulePaths } from './module-paths.ts';
import { neededFiles } from './needed-files.ts';
import { PACKAGE_NAME, PACKAGE_STUB } from './package-stub.ts';
import { boundedSystem, readCode } from './read-code.ts';
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
  /**
   * The same code with a checker that knows nothing yet: one that ran out of stack is of no more
   * use.
   */
  readonly renewed: () => CodeProgram;
}

export interface ReadProgram {
  /** Undefined where none of the files has to do with the package. */
  readonly program: CodeProgram | undefined;
  /** Files that are not judged. */
  readonly findings: readonly Finding[];
}

/** No import leads to a name with a space in it by accident. */
const STUB_FILE = '/contextengine stub/index.d.ts';

/** Reads the program of these files. */
export function createCodeProgram(files: readonly string[], compiler: TypeScript): ReadProgram {
  const typescript = { ...compiler, sys: boundedSystem(compiler) };
  const paths = createModulePaths(typescript);
  const { texts, findings: unread } = readCode(files);
  const findings: Finding[] = [...unread];
  const parse = createParser({ texts, findings, typescript });
  const context = { typescript, paths, parse, slices: new Map() };
  const relevant = relevantFiles(texts, context);
  if (relevant.size === 0) return { program: undefined, findings };
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
  const read = (): CodeProgram => {
    const program = typescript.createProgram({ rootNames: [...needed, STUB_FILE], options, host });
    const checker = program.getTypeChecker();
    const stub = program.getSourceFile(STUB_FILE);
    if (!stub) throw new Error('The declarations of the package are not in the program.');
    const sources = program.getSourceFiles().filter((source) => !source.isDeclarationFile);
    const linted = new Set(sources.filter((source) => texts.has(source.fileName)));
    return { checker, stub, sources, linted, renewed: read };
  };
  return { program: read(), findings };
}

type Parser = (file: string) => ts.SourceFile;

interface ParserContext {
  readonly texts: ReadonlyMap<string, string>;
  /** Takes the files that are too deep. */
  readonly findings: Finding[];
  readonly typescript: TypeScript;
}

/** Parses each file once. A file of too deep a nesting counts as an empty one. */
function createParser({ texts, findings, typescript }: ParserContext): Parser {
  const parsed = new Map<string, ts.SourceFile>();
  const grows = createGrowthCheck(typescript);
  // The standard library and the package's own declarations are not what is judged.
  const isDeclared = (file: string): boolean => file === STUB_FILE || /\.d\.[cm]?ts$/.test(file);
  // Comments have types in JavaScript alone; elsewhere reading them is work for nothing. Parents
  // are set when the file is bound.
  const { ParseAll, ParseNone } = typescript.JSDocParsingMode;
  const parse = (file: string, text: string): ts.SourceFile =>
    typescript.createSourceFile(
      file,
      text,
      {
        languageVersion: typescript.ScriptTarget.ES2022,
        jsDocParsingMode: /\.[cm]?jsx?$/.test(file) ? ParseAll : ParseNone,
      },
      false,
    );
  const parseWithin = (file: string, text: string): ts.SourceFile => {
    let why = 'is nested too deeply to follow';
    try {
      const source = parse(file, text);
      const isDeep = isTooDeep(source, typescript);
      if (!isDeep && (isDeclared(file) || !grows(source))) return source;
      if (!isDeep) why = 'has a text type that grows past all use';
    } catch (error) {
      if (!isOutOfStack(error)) throw error;
    }
    findings.push(fileLimit(file, why));
    return parse(file, '');
  };
  return (file) => {
    const hit = parsed.get(file);
    if (hit) return hit;
    const text =
      file === STUB_FILE ? PACKAGE_STUB : (texts.get(file) ?? typescript.sys.readFile(file) ?? '');
    const source = parseWithin(file, text);
    parsed.set(file, source);
    return source;
  };
}

/**
 * Whether syntax stands in syntax at more levels than every later pass can follow. Without
 * recursion of its own.
 */
function isTooDeep(source: ts.SourceFile, { forEachChild }: TypeScript): boolean {
  let level: readonly ts.Node[] = [source];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    const below: ts.Node[] = [];
    for (const node of level) forEachChild(node, (child) => void below.push(child));
    level = below;
  }
  return false;
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
    readFile: (file) => (file === STUB_FILE ? PACKAGE_STUB : typescript.sys.readFile(file)),
    getSourceFile: (file) =>
      file === STUB_FILE || needed.has(file) || host.fileExists(file) ? parse(file) : undefined,
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        if (text === PACKAGE_NAME)
          return {
            resolvedModule: {
              resolvedFileName: STUB_FILE,
              extension: '.d.ts',
              isExternalLibraryImport: true,
            },
          };
        const file = paths.fileOf(text, from);
        const extension = file !== undefined && needed.has(file) ? extensionOf(file) : undefined;
        return {
          resolvedModule:
            file === undefined || extension === undefined
              ? undefined
              : { resolvedFileName: file, extension },
        };
      }),
    resolveTypeReferenceDirectiveReferences: (references) =>
      references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };
}

const extensionOf = (file: string): string | undefined =>
  /(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/.exec(file)?.[0];
