/**
 * Which files have to do with the package. Those that name it do; so does what imports a name that
 * was declared by means of it, at any distance: a wrapper is called by its own name. Importing
 * something else of the same file does not count, or one file that everything imports would make
 * every file count.
 */
import { within } from './limits.ts';
import { COMPOSE_NAME, PACKAGE_NAME } from './package-stub.ts';
import {
  bindingsOf,
  type Slice,
  type SliceContext,
  slicesOf,
  targetOf,
} from './statement-slices.ts';
import type { TypeScript } from './typescript-module.ts';

interface State extends SliceContext {
  /** Files that import a file, by any syntax. */
  readonly importers: ReadonlyMap<string, readonly string[]>;
  /**
   * Names of a file that stand for something of the package, and where they have been looked at.
   */
  readonly names: Map<string, Set<string>>;
  readonly touched: Map<string, Set<Slice>>;
  readonly queue: string[];
}

/** Each with the statements that have to do with the package. */
export function relevantFiles(
  texts: ReadonlyMap<string, string>,
  context: SliceContext,
): ReadonlyMap<string, ReadonlySet<Slice>> {
  const seeds = [...texts]
    .filter(([, text]) => text.includes(COMPOSE_NAME) || text.includes(PACKAGE_NAME))
    .map(([file]) => file);
  if (seeds.length === 0) return new Map();
  const state: State = {
    ...context,
    importers: importersOf(texts, context),
    names: new Map(),
    touched: new Map(),
    queue: [],
  };
  for (const file of seeds) mark(file, [COMPOSE_NAME, PACKAGE_NAME], state);
  for (let file = state.queue.pop(); file !== undefined; file = state.queue.pop())
    spread(file, state);
  return state.touched;
}

function importersOf(
  texts: ReadonlyMap<string, string>,
  { typescript, paths }: SliceContext,
): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const fileName of importsOf(text, typescript)) {
      const target = paths.fileOf(fileName, file);
      if (target === undefined) continue;
      const known = importers.get(target);
      if (known) known.push(file);
      else importers.set(target, [file]);
    }
  }
  return importers;
}

/**
 * What a text imports. One that is nested too deeply to be scanned imports nothing: parsing it is a
 * finding.
 */
function importsOf(text: string, typescript: TypeScript): readonly string[] {
  const read = (): readonly string[] =>
    typescript.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return within(read, () => undefined) ?? [];
}

function mark(file: string, names: readonly string[], state: State): void {
  const known = state.names.get(file) ?? new Set<string>();
  const size = known.size;
  for (const name of names) known.add(name);
  state.names.set(file, known);
  if (known.size > size) state.queue.push(file);
}

/**
 * From the names of a file to what is declared by means of them, and on to the files that import
 * that.
 */
function spread(file: string, state: State): void {
  const slices = slicesOf(file, state);
  const names = state.names.get(file) ?? new Set();
  const touched = state.touched.get(file) ?? new Set<Slice>();
  state.touched.set(file, touched);
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const slice of slices) {
      if (touched.has(slice) || ![...names].some((name) => slice.words.has(name))) continue;
      touched.add(slice);
      for (const name of [...slice.declares, ...slice.seenAs]) names.add(name);
    }
  }
  intoTypes(file, touched, state);
  const importers = new Set(state.importers.get(file) ?? []);
  for (const importer of importers)
    mark(importer, importedNames(importer, { from: file, names }, state), state);
  // Nothing of it came over: the importer has to do with something else of this file.
  for (const importer of importers)
    if (state.names.get(importer)?.size === 0) state.names.delete(importer);
}

/**
 * A class is called through the interface that it implements: that one counts in its own file too.
 */
function intoTypes(file: string, touched: ReadonlySet<Slice>, state: State): void {
  const wanted = new Set([...touched].flatMap(({ seenAs }) => seenAs));
  if (wanted.size === 0) return;
  for (const { statement } of slicesOf(file, state)) {
    const target = targetOf(statement, file, state);
    if (target === undefined || !state.importers.has(target)) continue;
    for (const [own, local] of bindingsOf(statement, state))
      if (wanted.has(local)) mark(target, [own], state);
  }
}

/** The local names under which a file imports, or exports anew, names of another. */
function importedNames(
  file: string,
  { from, names }: { from: string; names: ReadonlySet<string> },
  state: State,
): readonly string[] {
  const statements = slicesOf(file, state).filter(
    ({ statement }) => targetOf(statement, file, state) === from,
  );
  // A lazy import stands inside of something: its names are found as words.
  if (statements.length === 0) return [...names];
  return statements.flatMap(({ statement }) => {
    const bindings = bindingsOf(statement, state);
    return bindings.flatMap(([own, local]) => {
      if (own === '*') return local === '*' ? [...names] : [local];
      return names.has(own) ? [local] : [];
    });
  });
}
