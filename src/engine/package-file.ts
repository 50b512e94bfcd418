/** Files of the package that stand beside its code: migrations, the seed, the table of words. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledError } from './bundled-error.ts';

/** A file of the package, from `src/` and from `dist/src/` alike. */
export function packageFile(name: string): string {
  const src = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
  const root =
    path.basename(path.dirname(src)) === 'dist' ? path.join(src, '..', '..') : path.join(src, '..');
  return path.join(root, name);
}

/** @throws `CONFIG.BUNDLED` where a bundler took the code and left those files. */
export function assertUnbundled(): void {
  // A bundle in CommonJS has no URL of the module, whatever the type says.
  const url: string | undefined = import.meta.url;
  if (url !== undefined && existsSync(packageFile('migrations'))) return;
  throw bundledError('the migrations beside its code are');
}
