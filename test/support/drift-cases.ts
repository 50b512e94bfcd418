/**
 * The corpus of test/drift as cases: sections of its pages, their files, and the findings that
 * their marks ask for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DriftCase {
  /** The page that holds it. */
  readonly file: string;
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** `path:line CODE`. */
  readonly expected: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../drift');
const FENCE = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm;

type CodeFile = DriftCase['files'][number];

export function driftCases(): readonly DriftCase[] {
  const [notes] = filesOf(readFileSync(join(FOLDER, 'README.md'), 'utf8'));
  const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md');
  return pages.flatMap((file) => {
    const [, ...sections] = readFileSync(join(FOLDER, file), 'utf8').split(/^## /m);
    return sections.map((section) => {
      const own = filesOf(section);
      const files =
        own.some(({ path }) => path.startsWith('manifests/')) || !notes ? own : [...own, notes];
      return {
        file,
        title: section.slice(0, section.indexOf('\n')),
        files,
        expected: files.flatMap(marksOf),
      };
    });
  });
}

const filesOf = (text: string): readonly CodeFile[] =>
  [...text.matchAll(FENCE)].map(([, path = '', body = '']) => ({ path, text: body }));

const marksOf = ({ path, text }: CodeFile): readonly string[] =>
  text.split('\n').flatMap((line, index) => {
    const marks = /(?:\/\/|#)! (.*)$/.exec(line)?.[1]?.trim().split(' ') ?? [];
    return marks.map((code) => `${path}:${index + 1} ${code}`);
  });
