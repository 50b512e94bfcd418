/**
 * Which other files the relevant statements need: those that declare the constants, types and
 * functions that they name, at any distance.
 */
import {
  bindingsOf,
  type Slice,
  type SliceContext,
  slicesOf,
  targetOf,
} from './statement-slices.ts';

interface State extends SliceContext {
  /** Statements of files that are needed. */
  readonly needed: Map<string, Set<Slice>>;
  readonly queue: Wanted[];
}

interface Wanted {
  readonly file: string;
  /** A name that the file declares or exports; `*` is all of it. */
  readonly name: string;
}

/** The relevant files and all that their relevant statements lead to. */
export function neededFiles(
  relevant: ReadonlyMap<string, ReadonlySet<Slice>>,
  context: SliceContext,
): ReadonlySet<string> {
  const state: State = { ...context, needed: new Map(), queue: [] };
  const asked = new Set<string>();
  for (const [file, slices] of relevant) need(file, [...slices], state);
  for (let wanted = state.queue.pop(); wanted !== undefined; wanted = state.queue.pop()) {
    const key = `${wanted.file}\0${wanted.name}`;
    if (asked.has(key)) continue;
    asked.add(key);
    lookUp(wanted, state);
  }
  return new Set(state.needed.keys());
}

function lookUp({ file, name }: Wanted, state: State): void {
  if (!state.needed.has(file)) state.needed.set(file, new Set());
  const slices = slicesOf(file, state);
  need(
    file,
    slices.filter(({ declares }) => name === '*' || declares.includes(name)),
    state,
  );
  for (const { statement } of slices) {
    const target = state.typescript.isExportDeclaration(statement)
      ? targetOf(statement, file, state)
      : undefined;
    if (target === undefined) continue;
    for (const [own, local] of bindingsOf(statement, state)) {
      if (local === '*') state.queue.push({ file: target, name });
      else if (local === name || name === '*') state.queue.push({ file: target, name: own });
    }
  }
}

/**
 * Statements that are needed need what their words name: other statements of the file, and imports.
 */
function need(file: string, wanted: readonly Slice[], state: State): void {
  const known = state.needed.get(file) ?? new Set<Slice>();
  state.needed.set(file, known);
  const open = wanted.filter((slice) => !known.has(slice));
  const slices = slicesOf(file, state);
  for (let slice = open.pop(); slice !== undefined; slice = open.pop()) {
    if (known.has(slice)) continue;
    known.add(slice);
    lazily(file, slice, state);
    const { words } = slice;
    for (const other of slices) {
      const target = targetOf(other.statement, file, state);
      if (target === undefined) {
        if (!known.has(other) && other.declares.some((name) => words.has(name))) open.push(other);
      } else
        for (const [own, local] of bindingsOf(other.statement, state))
          if (words.has(local)) state.queue.push({ file: target, name: own });
    }
  }
}

/** `import('./x')`, `require('./x')` and `import('./x').Type` inside of a statement. */
function lazily(file: string, { statement }: Slice, { parse, paths, queue }: State): void {
  const text = parse(file).text.slice(statement.pos, statement.end);
  for (const [, specifier = ''] of text.matchAll(
    /\b(?:import|require)\s*\(\s*['"`]([^'"`]+)['"`]/g,
  )) {
    const target = paths.fileOf(specifier, file);
    if (target !== undefined) queue.push({ file: target, name: '*' });
  }
}
