// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of code
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createGrowthCheck } from '../../src/code-lint/growing-texts.ts';
import type { TypeScript } from '../../src/code-lint/typescript-module.ts';

const grows = (...files: readonly string[]): readonly boolean[] => {
  const check = createGrowthCheck(ts as TypeScript);
  return files.map((text) => check(ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022)));
};
const doubling = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => from + at)
    .map((at) => `export type T${at + 1} = \`\${T${at}}\${T${at}}\`;`)
    .join('\n');

describe('a text type', () => {
  it('that doubles past all use is seen, over several files as well', () => {
    expect(grows(doubling(0, 40))).toEqual([true]);
    expect(grows(doubling(0, 12), doubling(12, 24), "type A = 'a';")).toEqual([false, true, false]);
    expect(grows(doubling(12, 24), doubling(0, 12))).toEqual([false, true]);
  });

  it('that names a part twice, or itself once, is fine', () => {
    expect(
      grows(
        'type Route<T extends string> = `/${T}/${T}s`;',
        'type Trim<S extends string> = S extends ` ${infer R}` ? Trim<R> : S;',
        'type Join<T extends string[]> = T extends [infer A extends string, ...infer R extends string[]] ? `${A}/${Join<R>}` : "";',
        'const a = `${b}${b}`; const b = `${a}${a}`;',
        doubling(0, 12),
      ),
    ).toEqual([false, false, false, false, false]);
  });

  it('of a file that is left out counts for no other', () => {
    expect(grows(doubling(0, 40), 'type U = `${T40}!`;')).toEqual([true, false]);
  });
});
