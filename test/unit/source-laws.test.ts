/**
 * The laws of test/tidy.test.ts can fail: each finds what is planted for it, and leaves the
 * innocent alone.
 */
import { describe, expect, it } from 'vitest';
import { parseCode } from '../support/source-files.ts';
import * as laws from '../support/source-laws.ts';

const parse = (text: string) => parseCode({ path: 'src/planted.ts', text });
const linesOf = (count: number, line: string) =>
  Array.from({ length: count }, () => line).join('\n');

const CASES: Readonly<
  Record<string, readonly [law: laws.Law, guilty: readonly string[], innocent: readonly string[]]>
> = {
  shortFile: [laws.shortFile, [linesOf(401, 'x;')], [`${linesOf(400, 'x;')}\n`]],
  shortFunctions: [
    laws.shortFunctions,
    [
      `function f() {\n${linesOf(69, 'x;')}\n}`,
      `const f = () => {\n${linesOf(69, 'x;')}\n};`,
      `class A { f() {\n${linesOf(69, 'x;')}\n} }`,
    ],
    [
      `function f() {\n${linesOf(68, 'x;')}\n}`,
      `describe('a', () => {\n${linesOf(200, 'x;')}\n});`,
    ],
  ],
  fewParameters: [
    laws.fewParameters,
    ['function f(a, b, c, d) {}', 'interface A { f(a: 1, b: 1, c: 1, d: 1): void }'],
    ['function f(this: A, a, b, c) {}'],
  ],
  linearExpressions: [
    laws.linearExpressions,
    ['/\\n+$/', '/^(#{1,6})[ \\t]+(.*?)[ \\t]*#*$/', '/^(a+)+$/', '/\\s*;?\\s*$/'],
    ['/^\\n+/', '/(?<!\\n)\\n+$/', '/[a-z]+/g'],
  ],
  honestTypes: [
    laws.honestTypes,
    ['let a: any;', 'a!.b;', 'let a!: string;', 'a as unknown as B;', '(a as C) as B;', '<B>a;'],
    ['let a: unknown;', 'a !== b;', 'a as const;', 'a as B;', "const any = 'any';"],
  ],
  erasable: [
    laws.erasable,
    [
      'enum A { B }',
      'namespace A { export const b = 1; }',
      'class A { constructor(private readonly b: string) {} }',
      'export default 1;',
      'export default function f() {}',
    ],
    [
      "type A = 'b' | 'c';",
      "declare module 'vitest' { interface A { b: 1 } }",
      'class A { constructor(b: string) {} }',
      'export const a = 1;',
      'switch (a) { default: b; }',
    ],
  ],
  injectedWorld: [
    laws.injectedWorld,
    [
      "process.env['A'];",
      'Date.now();',
      'const now = Date.now;',
      'new Date();',
      'Math.random();',
      "import { randomUUID } from 'node:crypto';",
    ],
    [
      'new Date(0);',
      'Date.parse(a);',
      'Math.max(a, b);',
      "import { createHash } from 'node:crypto';",
    ],
  ],
  quietImport: [
    laws.quietImport,
    ['start();', "import './effects.ts';", 'await start();', 'if (a) b();'],
    ['export const a = start;', 'function f() { start(); }', "import type { A } from './a.ts';"],
  ],
};

describe.each(Object.entries(CASES))('%s', (_name, [law, guilty, innocent]) => {
  it.each(guilty.map((text) => [text]))('finds %j', (text) => {
    expect(law(parse(text))).not.toEqual([]);
  });

  it.each(innocent.map((text) => [text]))('leaves %j alone', (text) => {
    expect(law(parse(text))).toEqual([]);
  });
});

it('importedPackages finds static, lazy and type imports by package name', () => {
  const source = parse(
    "import a from 'pg';\nimport type { B } from '@scope/name/deep';\nexport * from 'yaml';\nconst c = () => import('openai/x');\nimport './own.ts';\nimport 'node:fs';",
  );
  expect(laws.importedPackages(source)).toEqual(['pg', '@scope/name', 'yaml', 'openai']);
});
