/**
 * The table of codes and the code that produces them: the compiler keeps one side, this file the
 * other.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { toSarif } from '../../src/cli/validate/sarif-log.ts';
import { codeRows, type FindingCode } from '../../src/codes/code-table.ts';
import { codesOf, KINDS, produced, producedCodes } from '../support/produced-codes.ts';
import { codeFiles, ROOT } from '../support/source-files.ts';

const IMPORTS = `
import { ContextEngineError } from './codes/errors.ts';
import type { ErrorCode, FindingCode, WarningCode } from './codes/code-table.ts';
`;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
};

/** What each of some modules beside the table produces. */
function producedBy(modules: readonly string[]): readonly ReadonlySet<string>[] {
  const files = new Map(
    modules.map((text, index) => [join(ROOT, `src/planted-${index}.ts`), IMPORTS + text]),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  const program = ts.createProgram({ rootNames: [...files.keys()], options: OPTIONS, host });
  return [...files.keys()].map((path) => producedCodes(program, (name) => name === path));
}

describe('the table of codes', () => {
  it('has no code that no source file produces as what the table says it is', () => {
    const files = codeFiles(['src', 'connectors', 'eval'])
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.ts') && !path.startsWith('src/codes/'));
    const wanted = new Set(files.map((path) => join(ROOT, path)));
    const program = ts.createProgram({ rootNames: [...wanted], options: OPTIONS });
    const found = producedCodes(program, (path) => wanted.has(path));
    const promised = KINDS.flatMap((kind) => codesOf(kind).map((code) => produced(kind, code)));
    expect(promised.filter((each) => !found.has(each))).toEqual([]);
  }, 600_000);

  it('says of each code what it is, and what to do where no message does', () => {
    for (const [code, { error, finding, warning, meaning, fix }] of codeRows()) {
      expect(code).toMatch(/^[A-Z]+(\.[A-Z_]+)?$|^NOTHING_RELEVANT$/);
      expect(meaning.length, code).toBeGreaterThan(15);
      expect(error ?? finding ?? warning, code).toBeDefined();
      expect(fix === undefined, code).toBe(warning === undefined);
    }
  });
});

it('gives every finding its meaning in the log for code hosts', () => {
  const place = { severity: 'error', file: 'a', line: 1, column: 1, message: '', fix: '' } as const;
  for (const [code, { meaning }] of codeRows().filter(([, { finding }]) => finding)) {
    // The filter above leaves the rows of findings.
    const log = toSarif([{ ...place, code: code as FindingCode }], '1');
    expect(JSON.stringify(log), code).toContain(JSON.stringify(meaning));
  }
});

const GIVEN = [
  [`throw new ContextEngineError('SCOPE.CYCLE', { message: '', fix: '' });`, 'error SCOPE.CYCLE'],
  [`export const a: { code: WarningCode } = { code: 'OUTAGE' };`, 'warning OUTAGE'],
  [`export const a = (): FindingCode => 'CODE.LIMIT';`, 'finding CODE.LIMIT'],
  [`export const a: ErrorCode = Math ? 'CLI.USAGE' : 'CLI.INPUT';`, 'error CLI.USAGE'],
] as const;
const NAMED = [
  `export const a = (error: ContextEngineError) => error.code === 'SCOPE.CYCLE';`,
  `export const a: readonly ErrorCode[] = ['SCOPE.CYCLE'];`,
  `export const a: Partial<Record<ErrorCode, string>> = { 'SCOPE.CYCLE': '' };`,
  `export const a = 'SCOPE.CYCLE';`,
  `export type A = 'SCOPE.CYCLE';`,
] as const;

it('counts a code as produced where it is given, not where it is only named', () => {
  const found = producedBy([...GIVEN.map(([text]) => text), ...NAMED]);
  for (const [index, [text, expected]] of GIVEN.entries())
    expect([...(found[index] ?? [])], text).toContain(expected);
  for (const [index, text] of NAMED.entries())
    expect([...(found[GIVEN.length + index] ?? [])], text).toEqual([]);
}, 300_000);
