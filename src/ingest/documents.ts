/** Markdown and plain text: a folder of it, or one file. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { chunkText } from './chunk.ts';
import { documentClass } from './document-class.ts';
import { dateIn, isTtlUnread, readFrontMatter, ttlEnd } from './front-matter.ts';
import { gitDates } from './git-dates.ts';
import { firstTitle } from './heading.ts';
import { indexChunks, indexTtls } from './index-chunks.ts';
import { assertStorable, decodeUtf8, inputError, MAX_DOCUMENT_BYTES } from './input-error.ts';
import type { DocumentRecord, Source, SourceFile } from './record.ts';
import { scriptHeader } from './script-header.ts';

const EXTENSIONS = new Set(['.md', '.markdown', '.mdx', '.txt', '.text']);
const SCRIPTS = new Set('.sh .bash .zsh .py .rb .pl .js .mjs .cjs .ts .mts .sql .ps1'.split(' '));
/** Others in which a mark of fenced code is no Markdown. */
const PROGRAMS = new Set(
  '.cts .jsx .tsx .go .rs .java .kt .c .h .cc .cpp .cs .php .swift .scala .lua .css .json'.split(
    ' ',
  ),
);

/**
 * All documents below a folder, by path; hidden folders and `node_modules` are left out. Throws
 * `CLI.INPUT` when there is none.
 */
export async function openFolder(folder: SourceFile): Promise<readonly Source[]> {
  const isRead = (path: string): boolean => EXTENSIONS.has(extname(path).toLowerCase());
  const all = [...(await filesBelow(folder.path, ''))].sort();
  const paths = all.filter(isRead);
  if (paths.length === 0)
    throw inputError(
      'The folder holds no .md or .txt file.',
      'Name a folder of documents, or a .jsonl file for a conversation.',
      {
        file: folder.shown,
      },
    );
  const leftOut = all.filter((path) => !isRead(path));
  return [{ ...sourceOf(folder, paths, false), leftOut }];
}

/** The headers of all scripts below a folder, or of one; a script without one is left out. */
export async function openScripts(given: SourceFile): Promise<readonly Source[]> {
  const found = await stat(given.path);
  const isFile = found.isFile();
  if (!isFile && !found.isDirectory())
    throw inputError(
      'It is neither a file nor a folder.',
      'Name a script, or a folder of scripts.',
      { file: given.shown },
    );
  const folder = isFile ? { ...given, path: dirname(given.path) } : given;
  const all = isFile ? [basename(given.path)] : await filesBelow(given.path, '');
  const named = all.filter((path) => isFile || SCRIPTS.has(extname(path).toLowerCase()));
  const paths: string[] = [];
  for (const path of named.sort()) if (await hasHeader(join(folder.path, path))) paths.push(path);
  if (paths.length === 0)
    throw inputError(
      'No script there begins with a comment.',
      'Name a folder of scripts whose first comment says what they do.',
      { file: given.shown },
    );
  return [sourceOf(folder, paths, true)];
}

async function hasHeader(path: string): Promise<boolean> {
  const { size } = await stat(path);
  return size <= MAX_DOCUMENT_BYTES && scriptHeader(await readFile(path, 'utf8')) !== '';
}

function sourceOf(folder: SourceFile, paths: readonly string[], isScript: boolean): Source {
  async function* records(): AsyncGenerator<DocumentRecord> {
    const committed = await gitDates(folder.path);
    for (const path of paths) {
      const committedMs = committed.get(path) ?? null;
      const place = { shown: `${folder.shown}/${path}`, path, committedMs, isScript };
      yield readDocument(join(folder.path, path), place);
    }
  }
  const hasFile = (path: string): Promise<boolean> =>
    stat(join(folder.path, path)).then(
      () => true,
      () => false,
    );
  return { name: folder.name, title: folder.name, records, hasFile };
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

/** A document that is no file: the body of a pull request, a page that was fetched. */
export function openText(
  given: { readonly name: string; readonly content: string; readonly date?: string },
  nowMs: number,
): readonly Source[] {
  const { name, content, date } = given;
  const bytes = Buffer.from(content);
  const as = { shown: name, path: name, committedMs: dateIn(date ?? '') };
  async function* records(): AsyncGenerator<DocumentRecord> {
    yield toDocument(bytes, { ...as, modifiedMs: nowMs });
  }
  return [{ name, title: basename(name), records }];
}

interface DocumentPlace {
  readonly shown: string;
  readonly path: string;
  /** When it was committed last; null = it was not, or nobody knows. */
  readonly committedMs?: number | null;
  readonly isScript?: boolean;
}

async function readDocument(file: string, as: DocumentPlace): Promise<DocumentRecord> {
  const found = await stat(file);
  const { size, mtimeMs } = found;
  // A pipe or a device has no end.
  if (!found.isFile())
    throw inputError('It is no regular file.', 'Name a file of text.', { file: as.shown });
  if (size > MAX_DOCUMENT_BYTES)
    throw inputError(
      `The document is ${size} bytes; the limit is ${MAX_DOCUMENT_BYTES}.`,
      'Split it into several files.',
      {
        file: as.shown,
      },
    );
  return toDocument(await readFile(file), { ...as, modifiedMs: Math.floor(mtimeMs) });
}

function toDocument(
  bytes: Buffer,
  as: DocumentPlace & { readonly modifiedMs: number },
): DocumentRecord {
  const { modifiedMs } = as;
  const read = decodeUtf8(bytes, { file: as.shown, offset: 0 }).replace(/^\ufeff/, '');
  const text = as.isScript === true ? scriptHeader(read) : read;
  const { title, description, date, ttl, text: frontMatter, body } = readFrontMatter(text);
  const ofClass = as.isScript === true ? 'script-header' : documentClass(as.path, frontMatter);
  const datedMs =
    dateIn(date ?? '') ?? dateIn(as.path) ?? earlierOf(as.committedMs ?? null, modifiedMs);
  const extension = extname(as.path).toLowerCase();
  const isCode = as.isScript !== true && (SCRIPTS.has(extension) || PROGRAMS.has(extension));
  const found = ofClass === 'index' ? indexChunks(body) : chunkText(body, { isCode });
  const chunks =
    description === null || found.length === 0
      ? found
      : [{ text: description, heading: null }, ...found];
  if (chunks.length === 0)
    throw inputError('The file is empty.', 'Write something into it, or leave it out.', {
      file: as.shown,
    });
  for (const chunk of chunks) assertStorable(chunk.text, { file: as.shown });
  return {
    kind: 'document',
    path: as.path,
    title: (title ?? firstTitle(body) ?? basename(as.path, extname(as.path))).slice(0, 300),
    class: ofClass,
    description,
    chunks,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    datedMs,
    modifiedMs,
    untilMs: ttlEnd(ttl, datedMs),
    unreadTtls: [...(ttl === null ? [] : [ttl]), ...(ofClass === 'index' ? indexTtls(body) : [])]
      .filter(isTtlUnread)
      .map((said) => said.slice(0, 40)),
  };
}

/** A file that was written before it was committed was not changed since. */
const earlierOf = (committedMs: number | null, modifiedMs: number): number =>
  committedMs === null ? modifiedMs : Math.min(committedMs, modifiedMs);
