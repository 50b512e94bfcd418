/**
 * What goes wrong in manifests that people write, merge and generate: on the text, and on the
 * values behind it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');

/** Sound manifests to start from. */
export const SOUND_TEXTS: readonly string[] = [
  'manifests/chat-session.yaml',
  'manifests/book-gen.yaml',
  'manifests/agent-run.yaml',
  'manifests/collections/chat-user-profile.yaml',
  'manifests/collections/book-outline.yaml',
  'test/support/fixtures/seed-chat-session.yaml',
].map((path) => readFileSync(join(ROOT, path), 'utf8'));

interface Step {
  readonly at: number;
  readonly words: string;
}
type Mutation = (text: string, step: Step) => string;

const onLine =
  (change: (line: string, words: string) => string): Mutation =>
  (text, { at, words }) => {
    const lines = text.split('\n');
    const index = at % lines.length;
    return lines.with(index, change(lines[index] ?? '', words)).join('\n');
  };
const onLines =
  (change: (lines: readonly string[], at: number, words: string) => readonly string[]): Mutation =>
  (text, { at, words }) => {
    const lines = text.split('\n');
    return change(lines, at % lines.length, words).join('\n');
  };

type Container = Record<string, unknown> | unknown[];
const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

/** All maps and lists of a document. */
function containersOf(value: unknown): Container[] {
  return isContainer(value) ? [value, ...Object.values(value).flatMap(containersOf)] : [];
}

/** Changes one map or list of the values behind a text; a text without any stays. */
const onValues =
  (change: (container: Container, step: Step) => void): Mutation =>
  (text, step) => {
    try {
      const value: unknown = parse(text, { logLevel: 'silent' });
      const containers = containersOf(value).filter(
        (container) => Object.keys(container).length > 0,
      );
      const chosen = containers[step.at % Math.max(1, containers.length)];
      if (chosen === undefined) return text;
      change(chosen, step);
      return stringify(value, { aliasDuplicateObjects: false });
    } catch {
      return text; // a step before this one left no YAML
    }
  };

const keyAt = (container: Container, { at }: Step): string => {
  const keys = Object.keys(container);
  return keys[Math.floor(at / 7) % keys.length] ?? '';
};
const put = (container: Container, key: string, value: unknown): void => {
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
};

const TYPED: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e300,
  '',
  'text',
  [],
  ['a'],
  {},
  { a: 1 },
  [[]],
  { x: null },
  '{{now}}',
  'sim',
];

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'drop a line': onLines((lines, at) => lines.toSpliced(at, 1)),
  'repeat a line': onLines((lines, at) => lines.toSpliced(at, 0, lines[at] ?? '')),
  'swap lines': onLines((lines, at) =>
    lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
  ),
  'misspell a word': onLine((line) => line.replace(/(\w)(\w)/, '$2$1')),
  'replace a value': onLine((line, words) => line.replace(/:.*/, `: ${words}`)),
  'replace an inner value': onLine((line, words) => line.replace(/: [^,{}[\]]+/, `: ${words}`)),
  'insert words': onLines((lines, at, words) => lines.toSpliced(at, 0, words)),
  'indent with a tab': onLine((line) => line.replace(/^ +/, '\t')),
  'indent by one': onLine((line) => ` ${line}`),
  'end with a tab': onLine((line) => `${line}\t`),
  'carriage returns': (text) => text.replace(/\r?\n/g, '\r\n'),
  'old carriage returns': (text) => text.replace(/\n/g, '\r'),
  'byte order mark': (text) => `\uFEFF${text}`,
  'cut off': (text, { at }) => text.slice(0, at % (text.length + 1)),
  'a second document': onLines((lines, at) => [...lines, '---', ...lines.slice(at)]),
  'a document end': onLines((lines, at) => lines.toSpliced(at, 0, '...')),
  'a comment': onLines((lines, at, words) =>
    lines.toSpliced(at, 0, `   # ${words.replace(/\s/g, ' ')}`),
  ),
  'a comment behind': onLine((line, words) => `${line} # ${words.replace(/\s/g, ' ')}`),
  'blank lines': onLines((lines, at) => lines.toSpliced(at, 0, '', '', '   ')),
  'an anchor': onLine((line) => line.replace(/: (?=\S)/, ': &a ')),
  'an alias': onLine((line) => line.replace(/: .*/, ': *a')),
  'a merge key': onLine((line) => line.replace(/^( *).*/, '$1<<: *a')),
  'a tag': onLine((line, words) => line.replace(/: /, `: !${words.replace(/\W/g, '')} `)),
  'a quote': onLine((line) => line.replace(/: /, ': "')),
  'an anchor repeated': (text) =>
    `x-a: &a [1, 2]\nx-b: &b [*a, *a, *a, *a]\nx-c: &c [*b, *b, *b, *b]\nx-d: [*c, *c, *c, *c]\n${text}`,
  'drop a key': onValues((container, step) => {
    if (Array.isArray(container)) container.splice(step.at % container.length, 1);
    else delete container[keyAt(container, step)];
  }),
  'retype a key': onValues((container, step) =>
    put(container, keyAt(container, step), TYPED[step.at % TYPED.length]),
  ),
  'misspell a key': onValues((container, step) => {
    if (Array.isArray(container)) return;
    const key = keyAt(container, step);
    const value = container[key];
    delete container[key];
    container[`${key.slice(1)}${key.slice(0, 1)}`] = value;
  }),
  'reorder keys': onValues((container, step) => {
    if (Array.isArray(container)) {
      container.reverse();
      return;
    }
    const key = keyAt(container, step);
    const value = container[key];
    delete container[key];
    container[key] = value;
  }),
  'a strange key': onValues((container, { words }) =>
    put(container, Array.isArray(container) ? '0' : words, words),
  ),
};

const words = fc.oneof(
  fc.constantFrom(
    ...[
      'null',
      'true',
      '-1',
      '1e999',
      '.nan',
      '0x1F',
      '1.10',
      '~',
      '[]',
      '{}',
      '[a, b]',
      '{a: b}',
      '"{{x}}"',
      '*a',
      '&a b',
      '!x y',
    ],
    ...[
      '? - :',
      '|',
      '>',
      '|+',
      '>-',
      '"',
      "'",
      '%',
      '@',
      '`',
      '🎉',
      '\u0000',
      '\u0085',
      '\u2028',
      '\uFEFF',
      '__proto__: 1',
      'constructor: {}',
    ],
    ...[
      '<<: *a',
      '- a',
      '...',
      '---',
      '%YAML 1.1',
      'a: b: c',
      'x'.repeat(2000),
      '['.repeat(50),
      'T1',
      'sim * (',
      '{{now}}',
      '# c',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** A sound manifest after one to four steps. */
export const mutatedManifest: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...SOUND_TEXTS),
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(MUTATIONS)), fc.nat(), words), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, steps]) =>
    steps.reduce(
      (current, [name, at, said]) => MUTATIONS[name]?.(current, { at, words: said }) ?? current,
      text,
    ),
  );
