/** Trees of code as somebody writes them who wants `validate --code` to hang, to die or to talk. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { domain, type HostileCase, put, SECRET_FILE } from './hostile-case.ts';

const WORDS = ['validate', 'manifests', '--code', 'src'];
const IMPORT = "import { composeBlockContext } from 'contextengine';\n";
const CALL = `${IMPORT}export const one = (id: string, permission_profile: any) =>
  composeBlockContext({ scope_block_uuid: id, manifest: 'notes', intent: 'ask', permission_profile });
`;
/** A call whose intent is what `value` says, behind some code. */
const callOf = (before: string, value: string): string =>
  `${IMPORT}${before}
export const one = (id: string, permission_profile: any, c: boolean) =>
  composeBlockContext({ scope_block_uuid: id, manifest: 'notes', intent: ${value}, permission_profile });
`;
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** One file of code, by what is wrong with it. */
const SOURCES: Readonly<Record<string, string | Buffer>> = {
  '40 lines of a choice that doubles': callOf(
    `declare const c: boolean;\nconst y0 = 'a';\n${lines(40, (at) => `const y${at + 1} = c ? y${at} : y${at} + 'b';`)}`,
    'y40',
  ),
  'a variable that is written 40 times': `${IMPORT}export function one(id: string, permission_profile: any, c: boolean) {
  let x = 'a';
${lines(40, () => "  x = c ? x : x + 'b';")}
  return composeBlockContext({ scope_block_uuid: id, manifest: 'notes', intent: x, permission_profile });
}`,
  'a chain of 3,000 constants': callOf(
    `const a0 = 'ask';\n${lines(3000, (at) => `const a${at + 1} = a${at};`)}`,
    'a3000',
  ),
  'a chain of 3,000 constants, from its end': callOf(
    `${lines(3000, (at) => `const a${3000 - at} = a${2999 - at};`)}\nconst a0 = 'ask';`,
    'a3000',
  ),
  'constants that are each other': callOf('const a = b;\nconst b = a;', 'a'),
  'functions that call each other': callOf(
    'const f = (n: string): string => g(n);\nconst g = (n: string): string => f(n);',
    "f('x')",
  ),
  'a wrapper that calls itself': `${IMPORT}export const w = (i: string): any => { w(i + i); return composeBlockContext({ manifest: 'notes', intent: i } as any); };\nw('a');`,
  '2,000 wrappers of wrappers': `${CALL}const w0 = (i: string) => composeBlockContext({ manifest: 'notes', intent: i } as any);
${lines(2000, (at) => `const w${at + 1} = (i: string) => w${at}(i);`)}\nw2000('ask');`,
  '5,000 parentheses': callOf('', `${'('.repeat(5000)}'ask'${')'.repeat(5000)}`),
  '5,000 opened parentheses': callOf('', '('.repeat(5000)),
  '5,000 lists in lists': callOf(
    `const deep = ${'['.repeat(5000)}${']'.repeat(5000)};`,
    'deep as any',
  ),
  '900 lists in lists': callOf(`const deep = ${'['.repeat(900)}${']'.repeat(900)};`, 'deep as any'),
  '3,000 objects in objects': callOf(
    `const deep = ${'{a:'.repeat(3000)}1${'}'.repeat(3000)};`,
    'deep as any',
  ),
  '3,000 functions in functions': callOf(`const f = ${'() => '.repeat(3000)}1;`, 'f as any'),
  '3,000 blocks in blocks': `${CALL}${'{'.repeat(3000)}${'}'.repeat(3000)}`,
  '5,000 terms of a sum': callOf('', `'a'${" + 'b'".repeat(5000)}`),
  '3,000 choices in a row': callOf('', `${"c ? 'a' : ".repeat(3000)}'ask'`),
  '3,000 members of members': callOf('const o: any = {};', `o${'.a'.repeat(3000)}`),
  '3,000 calls of calls': callOf('const f: any = () => f;', `f${'()'.repeat(3000)}`),
  '3,000 templates in templates': callOf(
    '',
    `${['`', '$', '{'].join('').repeat(3000)}1${'}`'.repeat(3000)}`,
  ),
  '3,000 types in types': callOf(
    `type T = ${'Array<'.repeat(3000)}string${'>'.repeat(3000)};`,
    "'ask'",
  ),
  'a text type that doubles 40 times': callOf(
    `type T0 = 'aa';\n${lines(40, (at) => `type T${at + 1} = \`\${T${at}}\${T${at}}\`;`)}\ndeclare const t: T40;`,
    't',
  ),
  'a constant text that doubles 40 times': callOf(
    `const t0 = 'aa' as const;\n${lines(40, (at) => `const t${at + 1} = \`\${t${at}}\${t${at}}\` as const;`)}`,
    't40',
  ),
  'a text type that doubles itself': callOf(
    `type D<S extends string, N extends 1[]> = N['length'] extends 40 ? S : D<\`\${S}\${S}\`, [...N, 1]>;\ndeclare const t: D<'a', []>;`,
    't',
  ),
  'a type that never ends': callOf(
    `type F<T extends string> = T extends \`\${infer A}x\` ? F<\`\${A}xx\`> : F<\`\${T}x\`>;\ndeclare const t: F<'x'>;`,
    't as any',
  ),
  '20 MB of code': `${CALL}${'const a = 1;\n'.repeat(1_600_000)}`,
  '3 MB in a line': `${CALL}const a = '${'x'.repeat(3_000_000)}';`,
  '3 MB of line feeds': `${CALL}${'\n'.repeat(3_000_000)}`,
  '2 MB of opened comments': `${CALL}${'/*'.repeat(1_000_000)}`,
  '1 MB of backticks': `${CALL}${'`'.repeat(1_000_000)}`,
  '1,000 calls': `${CALL}${lines(1000, (at) => `composeBlockContext({ manifest: 'm${at}', intent: 'i' } as any);`)}`,
  'broken code': `${IMPORT}export const = composeBlockContext({{{ manifest: 'notes' ((((`,
  'names of every object': callOf('', "'constructor'").replaceAll("'notes'", "'__proto__'"),
  'names with escapes': callOf('', "'\\u001b[2J\\n::error::forged'"),
  NUL: `${CALL}\0\0\0`,
  'UTF-16': Buffer.from(`\ufeff${CALL}`, 'utf16le'),
  'broken UTF-8': Buffer.concat([Buffer.from(CALL), Buffer.from([0xff, 0xc3, 0x28])]),
  'an import of the secret': `${CALL}import x from '../../${SECRET_FILE}';\nimport y from '/proc/self/environ';`,
};

/** What `src/hostile.ts` may be, by its name. */
const THINGS: Readonly<Record<string, (path: string, folder: string) => void>> = {
  'a FIFO': (path) => void execFileSync('mkfifo', [path]),
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to /proc/self/environ': (path) => symlinkSync('/proc/self/environ', path),
  'a link to the secret': (path, folder) => symlinkSync(join(folder, '..', SECRET_FILE), path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to nothing': (path) => symlinkSync('/nowhere/at/all', path),
  'a folder': (path) => void mkdirSync(path),
  'a file that nobody may read': (path) => {
    put('/', path, CALL);
    chmodSync(path, 0);
  },
};

const withManifest = (make: (folder: string) => void) => (folder: string) => {
  put(
    folder,
    'manifests/notes.yaml',
    domain('{ layers: { recent: {} }, intents: { ask: { layers: [recent] } } }'),
  );
  make(folder);
};
const code = (name: string, make: (folder: string) => void, says?: string): HostileCase => ({
  name: `code: ${name}`,
  make: withManifest(make),
  words: WORDS,
  ...(says && { says }),
});

/**
 * Where the bound that answers is known. What is no regular file is no code, and is passed over.
 */
const LIMITED = new Set([
  '40 lines of a choice that doubles',
  '20 MB of code',
  '5,000 parentheses',
  '5,000 lists in lists',
]);
const limit = (name: string): string | undefined => (LIMITED.has(name) ? 'CODE.LIMIT' : undefined);

export const hostileCode: readonly HostileCase[] = [
  ...Object.entries(SOURCES).map(([name, text]) =>
    code(name, (folder) => put(folder, 'src/a.ts', text), limit(name)),
  ),
  ...Object.entries(THINGS).flatMap(([name, make]) => [
    code(
      `a tree with ${name}`,
      (folder) => {
        put(folder, 'src/a.ts', `${CALL}import './hostile.ts';\n`);
        make(join(folder, 'src/hostile.ts'), folder);
      },
      limit(name),
    ),
    code(`tsconfig.json is ${name}`, (folder) => {
      put(folder, 'src/a.ts', `${CALL}import './b.ts';\n`);
      make(join(folder, 'src/tsconfig.json'), folder);
    }),
  ]),
  code('a tree of cycles', (folder) => {
    put(folder, 'src/a.ts', CALL);
    put(folder, 'src/one/b.ts', CALL);
    symlinkSync(join(folder, 'src'), join(folder, 'src/one/again'));
    symlinkSync(join(folder, 'src/one'), join(folder, 'src/two'));
  }),
  code('a folder that nobody may read', (folder) => {
    put(folder, 'src/a.ts', CALL);
    put(folder, 'src/closed/b.ts', CALL);
    chmodSync(join(folder, 'src/closed'), 0);
  }),
  code('500 folders deep', (folder) => put(folder, `src/${'d/'.repeat(500)}a.ts`, CALL)),
  code('3,000 files', (folder) => {
    for (let at = 0; at < 3000; at++) put(folder, `src/${at}.ts`, `export const a${at} = ${at};\n`);
    put(folder, 'src/a.ts', CALL);
  }),
  code('300 files that import each other', (folder) => {
    for (let at = 0; at < 300; at++)
      put(folder, `src/f${at}.ts`, `export * from './f${(at + 1) % 300}.ts';\n${CALL}`);
  }),
  code('a name with a line feed and an escape', (folder) =>
    put(folder, 'src/\n::error::forged\u001b[2J.ts', callOf('', "'nothing'")),
  ),
  code('a configuration that extends itself', (folder) => {
    put(folder, 'src/a.ts', `${CALL}import './b';\n`);
    put(folder, 'src/tsconfig.json', '{ "extends": "./tsconfig.json" }');
  }),
  code('a configuration of 5,000 lists', (folder) => {
    put(folder, 'src/a.ts', `${CALL}import './b';\n`);
    put(folder, 'src/tsconfig.json', '['.repeat(5000));
  }),
];
