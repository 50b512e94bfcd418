type Module = Readonly<Record<string, unknown>>;
/** The modules of the code that manifests/README.md says in prose, by the name of their file. */
export interface DocumentedModules {
  readonly schema: Module;
  readonly defaults: Module;
  readonly codeTable: Module;
  readonly formulaPresets: Module;
  readonly intent: Module;
  readonly layers: Module;
  readonly signal: Module;
}
/** The text of manifests/README.md. */
export function manifestDocs(modules: DocumentedModules): string;
