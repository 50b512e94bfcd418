/**
 * Manifests, and the files that they name, as somebody writes them who wants the process to hang,
 * to die or to talk.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { domain, type HostileCase, put, SECRET_FILE } from './hostile-case.ts';

const VALIDATE = ['validate', 'manifests'];
const MANIFEST = 'manifests/notes.yaml';

/** What `manifests/core.md` may be, by its name. */
const THINGS: Readonly<Record<string, (path: string, folder: string) => void>> = {
  'a FIFO': (path) => void execFileSync('mkfifo', [path]),
  'a folder': (path) => void mkdirSync(path),
  'a link to the secret': (path, folder) => symlinkSync(join(folder, '..', SECRET_FILE), path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to nothing': (path) => symlinkSync('/nowhere/at/all', path),
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to /dev/random': (path) => symlinkSync('/dev/random', path),
  'a link to /dev/stdin': (path) => symlinkSync('/dev/stdin', path),
  'a link to /proc/self/environ': (path) => symlinkSync('/proc/self/environ', path),
  'a link to /proc/self/mem': (path) => symlinkSync('/proc/self/mem', path),
  '64 MB': (path) => put('/', path, Buffer.alloc(67_108_864, 'a')),
};

const files: readonly HostileCase[] = [
  ...Object.entries(THINGS).flatMap(([name, make]): HostileCase[] => [
    {
      name: `file: ${name}`,
      make: (folder) => {
        put(folder, MANIFEST, domain('{ layers: { core: { file: core.md } } }'));
        make(join(folder, 'manifests/core.md'), folder);
      },
      words: VALIDATE,
      says: 'MANIFEST.MISSING',
    },
    {
      name: `manifest: ${name}`,
      make: (folder) => {
        put(folder, 'manifests/sound.yaml', domain('{}', 'sound'));
        make(join(folder, MANIFEST), folder);
      },
      words: VALIDATE,
      ...(name.startsWith('a link to /') && { says: 'MANIFEST.MISSING' }),
    },
    {
      name: `lock: ${name}`,
      make: (folder) => {
        put(folder, MANIFEST, domain('{}'));
        make(join(folder, 'manifests/manifests.lock.json'), folder);
      },
      words: VALIDATE,
    },
    {
      name: `configuration: ${name}`,
      make: (folder) => {
        put(folder, MANIFEST, domain('{}'));
        make(join(folder, 'contextengine.config.json'), folder);
      },
      words: ['validate'],
    },
  ]),
  ...[
    '../secret.md',
    '../../secret.md',
    '../../../../../../../../../../etc/passwd',
    'sub/../../../secret.md',
    '/etc/passwd',
    '/proc/self/environ',
    '~/.bashrc',
    'file:///etc/passwd',
    'C:\\\\secret.md',
    '..\\\\..\\\\secret.md',
    'a\\0b',
    '.',
    '..',
    '',
    ' ',
    'notes.yaml/x',
    'x\\n::error::forged',
    '\\e[2J',
    'x'.repeat(5000),
    'a/'.repeat(3000),
  ].map(
    (path): HostileCase => ({
      name: `file: path ${path.slice(0, 40)}`,
      make: (folder) => put(folder, MANIFEST, domain(`{ layers: { core: { file: "${path}" } } }`)),
      words: VALIDATE,
    }),
  ),
  ...(
    [
      ['200 KB of line feeds', '\n'.repeat(204_800), undefined],
      ['200 KB of spaces', ' '.repeat(204_800), undefined],
      ['100,000 opened placeholders', '{{'.repeat(100_000), undefined],
      ['one line of 1 MB', 'a'.repeat(1_048_576), undefined],
      ['UTF-16', Buffer.from('\ufeffBe kind.\n', 'utf16le'), 'MANIFEST.MISSING'],
      ['broken UTF-8', Buffer.from([0x61, 0xc3, 0x28, 0xff]), 'MANIFEST.MISSING'],
      ['NUL', 'a\0b\n', undefined],
      ['escapes', '\u001b]0;owned\u0007\n::error::forged\n', undefined],
    ] as const
  ).map(
    ([name, text, says]): HostileCase => ({
      name: `file: ${name}`,
      make: (folder) => {
        put(folder, MANIFEST, domain('{ layers: { core: { file: core.md } } }'));
        put(folder, 'manifests/core.md', text);
      },
      words: VALIDATE,
      ...(says && { says }),
    }),
  ),
];

const bomb = (levels: number, width: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level === 0
      ? `a0: &a0 [${'x, '.repeat(width)}x]`
      : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(width)}*a${level - 1}]`,
  ).join('\n');
const chain = (length: number): string =>
  Array.from({ length }, (_, at) => `k${at}: &k${at} [${at === 0 ? 'x' : `*k${at - 1}`}]`).join(
    '\n',
  );
const keys = (count: number): string =>
  Array.from({ length: count }, (_, at) => `k${at}: 1`).join('\n');

/** Whole texts of a manifest. */
const TEXTS: Readonly<Record<string, string | Buffer>> = {
  empty: '',
  'a list of aliases that grows to 10^9': bomb(9, 9),
  'a list of aliases that grows to 2^30': bomb(30, 1),
  '3,000 aliases of aliases': chain(3000),
  'an alias of itself': 'a: &a [*a]\n',
  'an alias as a key': '? &a [x]\n: 1\n? *a\n: 2\n',
  'merge keys': 'a: &a { b: 1 }\n<<: [*a, *a]\nkind: ContextDomain\n',
  'nesting of 5,000 lists': `a: ${'['.repeat(5000)}${']'.repeat(5000)}`,
  'nesting of 5,000 maps': `${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`,
  '5,000 opened lists': '['.repeat(5000),
  '60,000 opened lists with commas': '[,'.repeat(60_000),
  '5,000 levels of `- `': `${'- '.repeat(5000)}x`,
  '5,000 levels of `? `': `${'? '.repeat(5000)}x`,
  '300 levels of indent': Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  'a key of 100 KB': `${'k'.repeat(100_000)}: 1\n`,
  'a key of 100 KB in quotes': `"${'k'.repeat(100_000)}": 1\n`,
  'an unknown key of 20 KB': `${domain('{}')}${'k'.repeat(20_000)}: 1\n`,
  '12,000 keys': keys(12_000),
  '12,000 keys twice': `${keys(6000)}\n${keys(6000)}`,
  '10,000 documents': '---\na\n'.repeat(10_000),
  '20,000 directives': '%A b\n'.repeat(20_000),
  '100 KB of comments': '#\n'.repeat(50_000),
  '120 KB of line feeds': '\n'.repeat(120_000),
  '120 KB of tabs': '\t'.repeat(120_000),
  '120 KB of quotes': '"'.repeat(120_000),
  '120 KB of exclamation marks': '!'.repeat(120_000),
  'a byte order mark': `\ufeff${domain('{}')}`,
  'a byte order mark in the middle': `${domain('{}')}\ufeffx: 1\n`,
  NUL: `${domain('{}')}x: "a\0b"\n`,
  '100 KB of NUL': '\0'.repeat(100_000),
  'UTF-16': Buffer.from(`\ufeff${domain('{}')}`, 'utf16le'),
  'broken UTF-8': Buffer.concat([Buffer.from(domain('{}')), Buffer.from([0xff, 0xfe, 0xc0])]),
  'half a surrogate pair': `${domain('{}')}x: "\\ud800"\n`,
  'tags of JavaScript': 'a: !!js/function "() => process.exit(9)"\nb: !<!x> y\n',
  'a binary tag': `a: !!binary ${'A'.repeat(90_000)}\n`,
  'a number of 100 KB': `a: ${'9'.repeat(100_000)}\n`,
  'a date in every form': 'a: 2026-02-30\nb: 9999-99-99T99:99:99Z\nc: .inf\nd: .nan\n',
  'a block text of 100 KB': `a: |\n${'  x\n'.repeat(25_000)}`,
  '64 KB of a formula': domain(`{ scoring: { formula: "${'('.repeat(65_000)}" } }`),
  'a formula of 20,000 terms': domain(`{ scoring: { formula: "${'1+'.repeat(20_000)}1" } }`),
  '20,000 layers': domain(
    `{ layers: { ${Array.from({ length: 9000 }, (_, at) => `l${at}: {}`).join(', ')} } }`,
  ),
  '64 KB of placeholders': domain(`{ layers: { system: { text: "${'{{a}}'.repeat(13_000)}" } } }`),
};

/** Names that every object of JavaScript has. */
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const named = (name: string): string => `${domain(
  `{ inputs: { ${name}: { type: string } },
      layers: { ${name}: { kind: recent }, schema_typed: { collection: ${name} }, recent: {} },
      intents: { ${name}: { layers: [${name}, recent] } } }`,
  'own',
)}---
${domain('{}', name)}---
apiVersion: contextengine.test/v1
kind: Collection
metadata: { name: ${name}, version: 1 }
spec: { properties: { ${name}: { type: text } } }
`;

const texts: readonly HostileCase[] = [
  ...Object.entries(TEXTS),
  ...NAMES.map((name) => [`the name ${name} everywhere`, named(name)] as const),
].map(([name, text]) => ({
  name: `text: ${name}`,
  make: (folder) => put(folder, MANIFEST, text),
  words: VALIDATE,
}));

const collections: readonly HostileCase[] = [
  '../people',
  '/etc/passwd',
  '__proto__',
  'constructor',
  'x\\n::error::forged',
  'x'.repeat(5000),
].map((name) => ({
  name: `collection: ${name.slice(0, 40)}`,
  make: (folder) =>
    put(folder, MANIFEST, domain(`{ layers: { schema_typed: { collection: "${name}" } } }`)),
  words: VALIDATE,
}));

const BAD_NAMES = [
  'a\nb.yaml',
  '\n::error::forged.yaml',
  '\u001b[2Jgone.yaml',
  '\u202eslay.yaml',
  '--json.yaml',
  `${'x'.repeat(240)}.yaml`,
  Buffer.from([0x61, 0xff, 0x2e, 0x79, 0x6d, 0x6c]).toString('latin1'),
];

const trees: readonly HostileCase[] = [
  {
    name: 'tree: 100 folders deep',
    make: (folder) => put(folder, `manifests/${'d/'.repeat(100)}a.yaml`, domain('{}')),
    words: VALIDATE,
    says: 'MANIFEST.LIMIT',
  },
  {
    name: 'tree: 10,000 entries',
    make: (folder) => {
      for (let at = 0; at < 10_000; at++) put(folder, `manifests/${at}.yaml`, '');
    },
    words: VALIDATE,
  },
  {
    name: 'tree: 300 manifests',
    make: (folder) => {
      for (let at = 0; at < 300; at++) put(folder, `manifests/${at}.yaml`, domain('{}', `n${at}`));
    },
    words: VALIDATE,
  },
  {
    name: 'tree: 100 manifests of the largest size',
    make: (folder) => {
      const text = `${domain('{}')}# ${'x'.repeat(120_000)}\n`;
      for (let at = 0; at < 100; at++) put(folder, `manifests/${at}.yaml`, text);
    },
    words: VALIDATE,
    says: 'MANIFEST.LIMIT',
  },
  {
    name: 'tree: 60 files of 1 MB that layers name',
    make: (folder) => {
      for (let at = 0; at < 60; at++) {
        const spec = `{ layers: { core: { file: ${at}.md } } }`;
        put(folder, `manifests/${at}.yaml`, domain(spec, `n${at}`));
        put(folder, `manifests/${at}.md`, 'x'.repeat(1_000_000));
      }
    },
    words: VALIDATE,
  },
  {
    name: 'tree: a folder that leads to itself',
    make: (folder) => {
      put(folder, MANIFEST, domain('{}'));
      symlinkSync(join(folder, 'manifests'), join(folder, 'manifests/again'));
      symlinkSync(join(folder, 'manifests'), join(folder, 'manifests/again.yaml'));
    },
    words: VALIDATE,
  },
  {
    name: 'tree: a folder that is named as a manifest',
    make: (folder) => put(folder, 'manifests/notes.yaml/notes.yaml', domain('{}')),
    words: VALIDATE,
  },
  {
    name: 'tree: nobody may read it',
    make: (folder) => {
      put(folder, MANIFEST, domain('{}'));
      chmodSync(join(folder, MANIFEST), 0);
      chmodSync(join(folder, 'manifests'), 0o300);
    },
    words: VALIDATE,
  },
  ...BAD_NAMES.flatMap((name): HostileCase[] => [
    {
      name: `tree: the name ${JSON.stringify(name).slice(0, 40)}`,
      make: (folder) => put(folder, `manifests/${name}`, `kind: [${name}`),
      words: VALIDATE,
    },
    {
      name: `tree: the name ${JSON.stringify(name).slice(0, 40)} to GitHub`,
      make: (folder) => put(folder, `manifests/${name}`, 'a: ['),
      words: [...VALIDATE, '--format', 'github'],
    },
  ]),
];

/** The other commands that read manifests, over the worst of the texts and things. */
const otherCommands: readonly HostileCase[] = [...texts.slice(1, 14), ...files.slice(0, 8)].flatMap(
  (each): HostileCase[] =>
    [['fmt', 'manifests', '--check'], ['plan']].map((words) => ({
      name: `${words[0]}: ${each.name}`,
      make: each.make,
      words,
    })),
);

export const hostileManifests: readonly HostileCase[] = [
  ...files,
  ...texts,
  ...collections,
  ...trees,
  ...otherCommands,
];
