/** What the compiler says of modules that import `contextengine` as an application does. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-files.ts';

export type Resolution = 'nodenext' | 'bundler';

const RESOLUTIONS: Readonly<Record<Resolution, ts.CompilerOptions>> = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

/**
 * Compiles modules given by file name (`a.mts`, `b.d.mts`) together; what is wrong by file name.
 */
export function compileModules(
  modules: Readonly<Record<string, string>>,
  resolution: Resolution,
): Readonly<Record<string, readonly string[]>> {
  const options: ts.CompilerOptions = {
    ...RESOLUTIONS[resolution],
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts', 'lib.esnext.disposable.d.ts'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    paths: {
      contextengine: [join(ROOT, 'src/index.ts')],
      'contextengine/define': [join(ROOT, 'src/define/index.ts')],
    },
  };
  const folder = join(ROOT, 'virtual');
  const files = new Map(Object.entries(modules).map(([name, text]) => [join(folder, name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  const faults: Record<string, string[]> = Object.fromEntries(
    Object.keys(modules).map((name) => [name, []]),
  );
  for (const path of files.keys()) {
    const source = program.getSourceFile(path);
    const diagnostics = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    faults[path.slice(folder.length + 1)]?.push(
      ...diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    );
  }
  return faults;
}
