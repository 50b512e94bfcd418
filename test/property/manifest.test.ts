import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCollection, parseManifest } from '../../src/manifest/parse.ts';
import { foundBy } from '../support/codes.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEXTS = [
  'manifests/chat-session.yaml',
  'manifests/book-gen.yaml',
  'manifests/agent-run.yaml',
  'manifests/collections/chat-user-profile.yaml',
  'test/support/fixtures/seed-chat-session.yaml',
].map((path) => readFileSync(join(ROOT, path), 'utf8'));

/** What goes wrong in files that people write: on one line, or on all of them. */
const MUTATIONS: Readonly<Record<string, (lines: string[], at: number, words: string) => string>> =
  {
    drop: (lines, at) => lines.toSpliced(at, 1).join('\n'),
    twice: (lines, at) => lines.toSpliced(at, 0, lines[at] ?? '').join('\n'),
    misspell: (lines, at) =>
      lines.with(at, (lines[at] ?? '').replace(/(\w)(\w)/, '$2$1')).join('\n'),
    retype: (lines, at, words) =>
      lines.with(at, (lines[at] ?? '').replace(/:.*/, `: ${words}`)).join('\n'),
    'retype a value': (lines, at, words) =>
      lines.with(at, (lines[at] ?? '').replace(/: [^,{}[\]]+/, `: ${words}`)).join('\n'),
    insert: (lines, at, words) => lines.toSpliced(at, 0, words).join('\n'),
    tab: (lines, at) => lines.with(at, (lines[at] ?? '').replace(/^ +/, '\t')).join('\n'),
    indent: (lines, at) => lines.with(at, ` ${lines[at]}`).join('\n'),
    'carriage returns': (lines) => lines.join('\r\n'),
    'byte order mark': (lines) => `\uFEFF${lines.join('\n')}`,
    cut: (lines, at) => lines.slice(0, at).join('\n'),
    glue: (lines, at) => `${lines.join('\n')}\n---\n${lines.slice(at).join('\n')}`,
  };

const words = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '-1',
    '1e999',
    '.nan',
    '[]',
    '{}',
    '[a, b]',
    '{a: b}',
    '"{{x}}"',
    '*a',
    '&a b',
    '!x y',
    '? - :',
    '|',
    '>',
    '"',
    "'",
    '%',
    '@',
    '`',
    '🎉',
    '\u0000',
    '\u2028',
    '__proto__: 1',
    'constructor: {}',
    '<<: *a',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const mutated = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(MUTATIONS)), fc.nat(), words), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, steps]) =>
    steps.reduce((current, [name, place, inserted]) => {
      const lines = current.split('\n');
      return MUTATIONS[name]?.(lines, place % lines.length, inserted) ?? current;
    }, text),
  );

describe('a manifest, whatever was done to it', () => {
  it('is checked without a throw: it has a manifest or errors, every finding in full', () => {
    let refused = 0;
    fc.assert(
      fc.property(mutated, (text) => {
        const lines = text.split('\n').length;
        for (const { checked, findings } of [
          parseManifest(text, { path: 'm.yaml' }),
          parseCollection(text, { path: 'm.yaml' }),
        ].map((one) => ({
          checked: 'manifest' in one ? one.manifest : one.collection,
          findings: one.findings,
        }))) {
          const errors = findings.filter((finding) => finding.severity === 'error');
          expect(checked === null).toBe(errors.length > 0);
          refused += errors.length > 0 ? 1 : 0;
          for (const finding of findings) {
            expect(foundBy('load')).toContain(finding.code);
            expect(finding.line).toBeGreaterThanOrEqual(1);
            expect(finding.line).toBeLessThanOrEqual(lines + 1);
            expect(finding.column).toBeGreaterThanOrEqual(1);
            expect(finding.message.length).toBeGreaterThan(5);
            expect(finding.fix.length).toBeGreaterThan(5);
          }
        }
      }),
      { numRuns: 1500 },
    );
    expect(refused).toBeGreaterThan(1500);
  });

  it('any text at all is refused in full', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { manifest, findings } = parseManifest(text, { path: 'm.yaml' });
        expect(manifest).toBeNull();
        expect(findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 1500 },
    );
  });
});
