/**
 * The schema for the YAML extension of an editor, so that manifests without the first line of
 * `init` complete as well.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type InitFile, writeNew } from './new-file.ts';

const PATH = '.vscode/settings.json';
const SCHEMA = './node_modules/contextengine/manifests/schema/v1.json';
const ASSOCIATION = { [SCHEMA]: ['manifests/**/*.yaml', 'manifests/**/*.yml'] };

/**
 * Settings that are there are somebody's, with comments perhaps: they are kept, and the line to add
 * is reported.
 */
export async function writeEditorSettings(cwd: string): Promise<InitFile> {
  const file = join(cwd, PATH);
  if (!existsSync(file))
    return writeNew(cwd, PATH, `${JSON.stringify({ 'yaml.schemas': ASSOCIATION }, null, 2)}\n`);
  const isThere = (await readFile(file, 'utf8')).includes('contextengine/manifests/schema/v1.json');
  return {
    path: PATH,
    isNew: false,
    note: isThere ? '' : `  (add "yaml.schemas": ${JSON.stringify(ASSOCIATION)})`,
  };
}
