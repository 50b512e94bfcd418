/** Markdown and plain text: a folder of it, or one file. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { chunkText } from './chunk.ts';
import { documentClass } from './document-class.ts';
import { firstTitle } from './heading.ts';
import { assertStorable, decodeUtf8, inputError, MAX_DOCUMENT_BYTES } from './input-error.ts';
import type { DocumentRecord, Source, SourceFile } from './record.ts';

const EXTENSIONS = new Set(['.md', '.markdown', '.mdx', '.txt', '.text']);

/**
 * All documents below a folder, by path; hidden folders and `node_modules` are left out. Throws
 * `CLI.INPUT` when there is none.
 */
export async function openFolder(folder: SourceFile): Promise<readonly Source[]> {
  const paths = (await filesBelow(folder.path, ''))
    .filter((path) => EXTENSIONS.has(extname(path).toLowerCase()))
    .sort();
  if (paths.length === 0)
    throw inputError(
      'The folder holds no .md or .txt file.',
      'Name a folder of documents, or a .jsonl file for a conversation.',
      {
        file: folder.shown,
      },
    );
  async function* records(): AsyncGenerator<DocumentRecord> {
    for (const path of paths)
      yield readDocument(join(folder.path, path), { shown: `${folder.shown}/${path}`, path });
  }
  return [{ name: folder.name, title: folder.name, records }];
}

/**
 * By path below the folder. Links are not followed: `readdir` with `recursive` does on Node 24, and
 * never ends in a circle of them.
 */
async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) paths.push(path);
    else if (entry.isDirectory()) paths.push(...(await filesBelow(root, path)));
  }
  return paths;
}

/** One document as a source of its own. */
export async function openDocument(file: SourceFile): Promise<readonly Source[]> {
  async function* records(): AsyncGenerator<DocumentRecord> {
    yield await readDocument(file.path, { shown: file.shown, path: basename(file.name) });
  }
  return [{ name: file.name, title: basename(file.name), records }];
}

async function readDocument(
  file: string,
  as: { readonly shown: string; readonly path: string },
): Promise<DocumentRecord> {
  const { size, mtimeMs } = await stat(file);
  if (size > MAX_DOCUMENT_BYTES)
    throw inputError(
      `The document is ${size} bytes; the limit is ${MAX_DOCUMENT_BYTES}.`,
      'Split it into several files.',
      {
        file: as.shown,
      },
    );
  const bytes = await readFile(file);
  const text = decodeUtf8(bytes, { file: as.shown, offset: 0 }).replace(/^\ufeff/, '');
  const { title, frontMatter, body } = withoutFrontMatter(text);
  const chunks = chunkText(body);
  if (chunks.length === 0)
    throw inputError('The file is empty.', 'Write something into it, or leave it out.', {
      file: as.shown,
    });
  for (const chunk of chunks) assertStorable(chunk.text, { file: as.shown });
  return {
    kind: 'document',
    path: as.path,
    title: (title ?? firstTitle(body) ?? basename(as.path, extname(as.path))).slice(0, 300),
    class: documentClass(as.path, frontMatter),
    chunks,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    modifiedMs: Math.floor(mtimeMs),
  };
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Front matter is settings of other programs: only its title and its class are taken. */
function withoutFrontMatter(text: string): {
  readonly title: string | null;
  readonly frontMatter: string;
  readonly body: string;
} {
  const hit = FRONT_MATTER.exec(text);
  if (!hit) return { title: null, frontMatter: '', body: text };
  const frontMatter = hit[1] ?? '';
  const title = /^title:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\n#]*))/m.exec(frontMatter);
  const found = (title?.[1] ?? title?.[2] ?? title?.[3] ?? '').trim();
  return { title: found === '' ? null : found, frontMatter, body: text.slice(hit[0].length) };
}
