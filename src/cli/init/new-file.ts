/** Writes files that are not there. What is there is never touched. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface InitFile {
  /** Relative to the working folder, with `/`. */
  readonly path: string;
  readonly isNew: boolean;
  /** What stands behind the path in the report; empty for nothing. */
  readonly note: string;
}

/** Writes a file, with its folders, unless there is one. */
export async function writeNew(cwd: string, path: string, text: string): Promise<InitFile> {
  const file = join(cwd, path);
  if (existsSync(file)) return { path, isNew: false, note: '' };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: 'wx' });
  return { path, isNew: true, note: '' };
}
