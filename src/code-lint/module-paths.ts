/**
 * Where an import leads: to a file of the project, by the `tsconfig.json` nearest to the importing
 * file, or nowhere.
 */
import { dirname } from 'node:path';
import type ts from 'typescript';
import type { TypeScript } from './typescript-module.ts';

export interface ModulePaths {
  /**
   * The file of a relative, aliased or workspace import; undefined for an installed package, whose
   * code and types are never read.
   */
  fileOf(specifier: string, from: string): string | undefined;
}

/** Invariant: what it answers depends on the file system alone, so each question is asked once. */
export function createModulePaths(typescript: TypeScript): ModulePaths {
  const options = new Map<string, ts.CompilerOptions>();
  const answers = new Map<string, string | undefined>();
  const answer = (specifier: string, folder: string): string | undefined => {
    const own = optionsOf(folder, { typescript, known: options });
    const name = `${folder}/import.ts`;
    const { resolvedModule } = typescript.resolveModuleName(specifier, name, own, typescript.sys);
    const found = resolvedModule ?? fromBase(specifier, { typescript, options: own, name });
    if (found === undefined || !/\.(?:[cm]?[jt]s|[jt]sx)$/.test(found.resolvedFileName))
      return undefined;
    // A package of the same workspace is linked into node_modules and resolved to its real place;
    // all else below node_modules stays closed.
    return found.resolvedFileName.includes('/node_modules/') ? undefined : found.resolvedFileName;
  };
  return {
    fileOf(specifier, from) {
      const folder = dirname(from);
      const key = `${folder}\0${specifier}`;
      if (!answers.has(key)) answers.set(key, answer(specifier, folder));
      return answers.get(key);
    },
  };
}

interface BaseContext {
  readonly typescript: TypeScript;
  readonly options: ts.CompilerOptions;
  readonly name: string;
}

/** `baseUrl` as a root of imports: later compilers no longer look there by themselves. */
function fromBase(
  specifier: string,
  { typescript, options, name }: BaseContext,
): ts.ResolvedModuleFull | undefined {
  if (options.baseUrl === undefined || specifier.startsWith('.') || specifier.startsWith('/'))
    return undefined;
  return typescript.resolveModuleName(
    `${options.baseUrl}/${specifier}`,
    name,
    options,
    typescript.sys,
  ).resolvedModule;
}

interface OptionsContext {
  readonly typescript: TypeScript;
  readonly known: Map<string, ts.CompilerOptions>;
}

function optionsOf(folder: string, context: OptionsContext): ts.CompilerOptions {
  const { typescript, known } = context;
  const hit = known.get(folder);
  if (hit) return hit;
  const file = ['tsconfig.json', 'jsconfig.json']
    .map((name) => `${folder}/${name}`)
    .find((path) => typescript.sys.fileExists(path));
  const parent = dirname(folder);
  const found = file
    ? readOptions(file, typescript)
    : parent === folder
      ? resolutionOptions(typescript, {})
      : optionsOf(parent, context);
  known.set(folder, found);
  return found;
}

/** Only what concerns imports; a broken `tsconfig.json` is the compiler's to report. */
function readOptions(file: string, typescript: TypeScript): ts.CompilerOptions {
  const { config } = typescript.readConfigFile(file, typescript.sys.readFile);
  // The files that the configuration includes are not wanted: reading all folders for them would be
  // most of the work.
  const host = { ...typescript.sys, readDirectory: () => [] };
  const { options } = typescript.parseJsonConfigFileContent(
    config ?? {},
    host,
    dirname(file),
    undefined,
    file,
  );
  return resolutionOptions(typescript, options);
}

function resolutionOptions(typescript: TypeScript, own: ts.CompilerOptions): ts.CompilerOptions {
  const { baseUrl, paths, pathsBasePath, rootDirs, customConditions } = own;
  const picked = { baseUrl, paths, pathsBasePath, rootDirs, customConditions };
  return {
    ...Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined)),
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    allowJs: true,
    allowImportingTsExtensions: true,
    jsx: typescript.JsxEmit.Preserve,
  };
}
