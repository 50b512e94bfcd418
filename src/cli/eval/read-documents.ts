/**
 * The files of the suite `documents`, read and cut as `ingest` does it: what is evaluated is what
 * would be stored.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ChunkedFile, GoldDocument, PreparedSuite } from '../../../eval/index.ts';
import { ContextEngineError } from '../../index.ts';
import { openDocument, openFolder } from '../../ingest/documents.ts';

/** Of packages that package.json pins exactly, so that every clone has the same bytes. */
const FILES = [
  'lru-cache/README.md',
  'lru-cache/dist/commonjs/index.d.ts',
  'yaml/README.md',
] as const;
const SOURCES = 'yaml/dist';

/** Throws `EVAL.DATA` where the packages are not installed beside the repository. */
export async function readDocuments(
  harness: Pick<
    typeof import('../../../eval/index.ts'),
    'repositoryRoot' | 'documentsSuite' | 'evalFile'
  >,
): Promise<PreparedSuite> {
  const modules = join(harness.repositoryRoot(), 'node_modules');
  const sources = join(modules, SOURCES);
  if (!existsSync(sources))
    throw new ContextEngineError('EVAL.DATA', {
      message: `The suite \`documents\` reads \`${SOURCES}\`, which is not installed.`,
      fix: 'Run it in a clone of the repository after `npm ci`.',
    });
  const paths = [
    ...FILES,
    ...readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .map((path) => `${SOURCES}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.js'))
      .sort(),
  ];
  const files: ChunkedFile[] = [];
  for (const path of paths) files.push(...(await cutDocuments(join(modules, path), path)));
  return {
    suite: harness.documentsSuite(files, {
      scopeType: 'eval_library',
      questions: readFileSync(harness.evalFile('data/documents/questions.tsv'), 'utf8'),
    }),
    manifest: harness.evalFile('manifests/documents.yaml'),
    collections: [],
  };
}

/** Documents that a gold file points at, by their path as it writes them. */
export async function readGoldDocuments(
  documents: readonly GoldDocument[],
): Promise<ReadonlyMap<string, readonly ChunkedFile[]>> {
  const found = new Map<string, readonly ChunkedFile[]>();
  for (const { path, shown } of documents) found.set(shown, await cutDocuments(path, shown));
  return found;
}

/** A file, or those below a folder, under the path that is shown. */
async function cutDocuments(path: string, shown: string): Promise<readonly ChunkedFile[]> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = { name: shown, path, shown, isNamed: true };
  const chunked: ChunkedFile[] = [];
  for (const source of await (isFolder ? openFolder(file) : openDocument(file)))
    for await (const record of source.records())
      if (record.kind === 'document')
        chunked.push({
          path: isFolder ? posix.join(shown, record.path) : shown,
          title: record.title,
          chunks: record.chunks,
        });
  return chunked;
}
