/** Globs -> the code files that are linted. `**`, `*`, `?`, `[abc]`, `{a,b}` and `!negation`; Node 20 has no glob of its own. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContextEngineError } from '../../errors.ts';
import { shown } from '../../model/ids.ts';

const CODE_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const DECLARATION_FILE = /\.d\.(?:[cm]?ts|[a-z]+\.ts)$/;
const CODE_BELOW = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';

export interface FoundFiles {
  /** Absolute, with `/`, in order. */
  readonly files: readonly string[];
  /** Globs that matched no file. */
  readonly unmatched: readonly string[];
}

/**
 * All code files that a glob names and no `!glob` takes away. A folder stands for the code below it but its `dist`, `build`, `out` and
 * `coverage`; `node_modules`, hidden folders and `.d.ts` are out.
 */
export function findCodeFiles(globs: readonly string[], cwd: string): FoundFiles {
  const taken = globs.filter((glob) => glob.startsWith('!')).flatMap((glob) => patternsOf(glob.slice(1), cwd));
  const found = new Set<string>();
  const unmatched: string[] = [];
  for (const glob of globs) {
    if (glob.startsWith('!')) continue;
    const files = patternsOf(glob, cwd)
      .flatMap(filesOf)
      .filter((path) => !taken.some(({ expression }) => expression.test(path)));
    if (files.length === 0) unmatched.push(glob);
    for (const path of files) found.add(path);
  }
  return { files: [...found].sort(), unmatched };
}

interface Pattern {
  /** The folder below which the pattern can match. */
  readonly base: string;
  readonly expression: RegExp;
  /** A folder was named: what stands in its `dist` and the like was compiled from its code, and has lost its types. */
  readonly skipsOutput?: boolean;
}

const OUTPUT_FOLDERS: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'coverage']);

const slashed = (path: string): string => path.replaceAll('\\', '/');

function patternsOf(glob: string, cwd: string): readonly Pattern[] {
  return expandBraces(slashed(glob)).flatMap((plain) => {
    const parts = slashed(plain).split('/');
    const magic = parts.findIndex((part) => /[*?[]/.test(part));
    const fixed = slashed(resolve(cwd, (magic < 0 ? parts : parts.slice(0, magic)).join('/') || (plain.startsWith('/') ? '/' : '.')));
    const rest = magic < 0 ? '' : parts.slice(magic).join('/');
    if (rest === '' && isFolder(fixed))
      return patternsOf(`${fixed}/${CODE_BELOW}`, cwd).map((pattern) => ({ ...pattern, skipsOutput: true }));
    const prefix = fixed === '/' ? '' : fixed;
    return [{ base: fixed, expression: new RegExp(`^${escaped(prefix)}${rest === '' ? '' : `/${expressionOf(rest)}`}$`) }];
  });
}

const factsOf = (path: string): Stats | undefined => looked(path, () => statSync(path, { throwIfNoEntry: false }));
const isFolder = (path: string): boolean => factsOf(path)?.isDirectory() ?? false;

/** What cannot be read would be passed over as if it were sound. */
function looked<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`${shown(path)}\` cannot be read: \`${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}\`.`,
      fix: 'Name the code by narrower globs, or make it readable.',
      where: { field: 'code' },
      cause,
    });
  }
}
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `a{b,c}d` -> `abd`, `acd`; braces may be nested. A brace without a comma or an end is text. */
export function expandBraces(glob: string): readonly string[] {
  const start = glob.indexOf('{');
  if (start < 0) return [glob];
  const options: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at++) {
    if (glob[at] === '{') depth += 1;
    if ((glob[at] === ',' && depth === 1) || (glob[at] === '}' && depth === 1)) {
      options.push(glob.slice(from, at));
      from = at + 1;
    }
    if (glob[at] === '}') depth -= 1;
    if (depth > 0) continue;
    return options.flatMap((option) => expandBraces(`${glob.slice(0, start)}${option}${glob.slice(at + 1)}`));
  }
  return [glob];
}

function expressionOf(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|[^*?[]+|\[/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 2 && part.startsWith('[')) return part.replace('[!', '[^');
    return escaped(part);
  });
}

function filesOf({ base, expression, skipsOutput }: Pattern): readonly string[] {
  const facts = factsOf(base);
  if (facts?.isFile()) return expression.test(base) && CODE_FILE.test(base) ? [base] : [];
  if (!facts?.isDirectory()) return [];
  const files: string[] = [];
  const open = [base === '/' ? '' : base];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = looked(folder, () => readdirSync(folder === '' ? '/' : folder, { withFileTypes: true }));
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        const isOutput = skipsOutput === true && folder === base && OUTPUT_FOLDERS.has(entry.name);
        if (entry.name !== 'node_modules' && !entry.name.startsWith('.') && !isOutput) open.push(path);
      } else if (CODE_FILE.test(entry.name) && !DECLARATION_FILE.test(entry.name) && expression.test(path)) files.push(path);
    }
  }
  return files;
}
