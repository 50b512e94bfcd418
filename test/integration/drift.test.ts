/** The drift corpus: every planted fault is found at its line, and nothing else is. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCodeFiles } from '../../src/code-lint/code-files.ts';
import { lintCode } from '../../src/code-lint/lint-code.ts';
import { loadTypeScript } from '../../src/code-lint/typescript-module.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { foundBy } from '../support/codes.ts';
import { type DriftCase, driftCases } from '../support/drift-cases.ts';

const typescript = await loadTypeScript();
const CASES = driftCases();

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'drift-'));
});
afterAll(() => rmSync(root, { recursive: true }));

function found({ files }: DriftCase, name: string): readonly string[] {
  const folder = join(root, name.replace(/\W+/g, '-'));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const set = loadManifests({ paths: [join(folder, 'manifests')] });
  const { files: code } = findCodeFiles(['src'], folder);
  const { findings } = lintCode({ files: code, set, typescript });
  return findings
    .map(({ code: finding, file, line }) => `${relative(folder, file)}:${line} ${finding}`)
    .sort();
}

describe('drift', () => {
  it.each(CASES.map((each) => [`${each.file}: ${each.title}`, each] as const))(
    '%s',
    (name, each) => {
      expect(found(each, name)).toEqual([...each.expected].sort());
    },
  );

  it('has 60 sections and a plant of every code', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    const planted = new Set(
      CASES.flatMap(({ expected }) => expected.map((line) => line.split(' ')[1])),
    );
    expect([...planted].sort()).toEqual([...foundBy('code')].sort());
  });

  it('leaves no file of the corpus unread', () => {
    const pages = readdirSync(join(import.meta.dirname, '../drift')).filter(
      (name) => name !== 'README.md',
    );
    expect([...new Set(CASES.map(({ file }) => file))].sort()).toEqual(pages.sort());
    const sections = pages.flatMap(
      (page) =>
        readFileSync(join(import.meta.dirname, '../drift', page), 'utf8').match(/^## /gm) ?? [],
    );
    expect(CASES.length).toBe(sections.length);
  });
});
