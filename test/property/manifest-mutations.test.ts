/**
 * 5,000 manifests as they should not be: each is sound after all, or is refused with findings that
 * have a place.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/codes/finding.ts';
import { createTokenCounter } from '../../src/index.ts';
import { formatManifest } from '../../src/manifest/format.ts';
import { lintManifests } from '../../src/manifest/lint/index.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { parseCollection, parseManifest } from '../../src/manifest/parse.ts';
import { foundBy } from '../support/codes.ts';
import { mutatedManifest, SOUND_TEXTS } from '../support/lint/manifest-mutations.ts';

const CODES: readonly string[] = foundBy('load', 'lint');
const countTokens = await createTokenCounter(['gpt-4o']);

/**
 * A finding that a person can act on: a known code, a place inside the text, what happened, what to
 * do.
 */
function expectInFull(findings: readonly Finding[], text: string): void {
  const lines = text.split('\n').length;
  const isInFull = ({ code, severity, line, column, message, fix }: Finding): boolean =>
    CODES.includes(code) &&
    ['error', 'warning'].includes(severity) &&
    [line, column].every((place) => Number.isInteger(place) && place >= 1) &&
    line <= lines + 1 &&
    [message, fix].every((words) => /\S{3}/.test(words));
  // One comparison for all: a mutated manifest can have a hundred of them.
  expect(findings.filter((finding) => !isInFull(finding))).toEqual([]);
}

describe('a mutated manifest', () => {
  it('is sound and can be linted, or is refused with findings in their places: 5,000 of them', () => {
    const seen = { sound: 0, refused: 0 };
    fc.assert(
      fc.property(mutatedManifest, (text) => {
        const { manifest, findings } = parseManifest(text, {
          path: 'm.yaml',
          readFile: () => 'Rules.\n',
        });
        const errors = findings.filter(({ severity }) => severity === 'error');
        expect(manifest === null).toBe(errors.length > 0);
        expectInFull(findings, text);
        const { collection, findings: ofCollection } = parseCollection(text, { path: 'm.yaml' });
        expect(collection === null).toBe(ofCollection.some(({ severity }) => severity === 'error'));
        expectInFull(ofCollection, text);
        if (manifest === null) {
          seen.refused += 1;
          return;
        }
        expectInFull(lintManifests({ manifests: [manifest] }, { countTokens }), text);
        seen.sound += 1;
      }),
      { numRuns: 5000 },
    );
    // The mutations are neither all harmless nor all fatal.
    expect(Math.min(seen.sound, seen.refused)).toBeGreaterThan(500);
  }, 600_000);

  it('keeps its meaning and its comments when it is formatted, and is formatted once and for all', () => {
    let formatted = 0;
    fc.assert(
      fc.property(mutatedManifest, (text) => {
        const result = formatManifest(text, 'm.yaml');
        if ('findings' in result) {
          expect(result.findings.length).toBeGreaterThan(0);
          expectInFull(result.findings, text);
          return;
        }
        formatted += 1;
        expect(formatManifest(result.text, 'm.yaml')).toEqual(result);
        expect(result.text).not.toMatch(/\r\n|^\uFEFF/);
        expect(meaning(result.text)).toEqual(meaning(text));
      }),
      { numRuns: 600 },
    );
    expect(formatted).toBeGreaterThan(200);
  }, 600_000);
});

/** What a manifest comes to, its bytes and the places in it aside. */
function meaning(text: string): unknown {
  const { manifest, findings } = parseManifest(text, {
    path: 'm.yaml',
    readFile: () => 'Rules.\n',
  });
  const said = findings.map(({ code, message }) => `${code} ${message}`).sort();
  if (manifest === null) return { said };
  const { digest: _, source: __, warnings: ___, line: ____, ...rest } = manifest;
  return { said, rest: JSON.stringify(rest) };
}

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-mutations-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const load = (bytes: Uint8Array | string) => {
    const path = join(folder, 'm.yaml');
    writeFileSync(path, bytes);
    return loadManifests({ paths: [path] });
  };

  const MEGABYTES = 5 * 1024 * 1024;
  const HUGE: Readonly<Record<string, (sound: string) => string>> = {
    comments: (sound) => `${sound}\n${'# a comment\n'.repeat(MEGABYTES / 12)}`,
    'one key': (sound) => `${sound}\nx-${'k'.repeat(MEGABYTES)}: 1\n`,
    'one text': (sound) =>
      sound.replace(/description: .*/, `description: ${'word '.repeat(MEGABYTES / 5)}`),
    brackets: () => '['.repeat(MEGABYTES),
    documents: (sound) => `${sound}\n---\n`.repeat(Math.ceil(MEGABYTES / sound.length)),
    spaces: () => ' '.repeat(MEGABYTES),
  };
  it.each(Object.entries(HUGE))('of 5 MB of %s is refused in a word', (_name, grow) => {
    const { manifests, findings } = load(grow(SOUND_TEXTS[0] ?? ''));
    expect(manifests).toEqual([]);
    expect(findings).toMatchObject([
      { code: 'MANIFEST.LIMIT', severity: 'error', line: 1, column: 1 },
    ]);
  });

  it('that is no text is refused where its bytes go wrong', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0xff, 0xc0, 0x80, 0xed), (at, byte) => {
        const bytes = Buffer.from(SOUND_TEXTS[0] ?? '', 'utf8');
        bytes[at % bytes.length] = byte;
        const { manifests, findings } = load(bytes);
        expect(manifests).toEqual([]);
        expect(findings[0]).toMatchObject({ code: 'MANIFEST.SYNTAX', severity: 'error' });
        expectInFull(findings, bytes.toString('latin1'));
      }),
      { numRuns: 200 },
    );
  });
});
