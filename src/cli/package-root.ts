/** The folder of the installed package: where its manifests and sample data lie. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InternalError } from '../index.ts';

/**
 * The nearest folder above this file with a `package.json`: the sources and `dist/` lie at
 * different depths.
 */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new InternalError('No package.json above the command line.');
    folder = parent;
  }
  return folder;
}

export function packageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed
      ? parsed.version
      : undefined;
  if (typeof version !== 'string') throw new InternalError('package.json has no version.');
  return version;
}
