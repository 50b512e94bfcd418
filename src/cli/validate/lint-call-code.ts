/** The `--code` half of `validate`: from globs to findings. */

import { findCodeFiles } from '../../code-lint/code-files.ts';
import { lintCode } from '../../code-lint/lint-code.ts';
import { loadTypeScript } from '../../code-lint/typescript-module.ts';
import type { Finding, ManifestSet } from '../../index.ts';
import { ContextEngineError } from '../../index.ts';

export interface CodeReport {
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly calls: number;
}

export interface LintCallCodeOptions {
  readonly globs: readonly string[];
  readonly cwd: string;
  readonly set: ManifestSet;
}

/**
 * Rejects with `CLI.INPUT` for a glob that matches nothing, with `CODE.MISSING_PACKAGE` where
 * `typescript` is not installed.
 */
export async function lintCallCode({ globs, cwd, set }: LintCallCodeOptions): Promise<CodeReport> {
  const { files, unmatched, findings: unread } = findCodeFiles(globs, cwd);
  const [glob] = globs.some((each) => !each.startsWith('!')) ? unmatched : globs;
  // A glob that matches nothing because its folder is not looked into is a finding.
  if (glob !== undefined && unread.length === 0)
    throw new ContextEngineError('CLI.INPUT', {
      message: `\`--code ${glob}\` matches no code file.`,
      fix:
        "Give a file, a folder or a glob, in quotes: `--code 'src/**/*.ts'`. Folders named " +
        '`node_modules` and `.d.ts` files are left out.',
      where: { field: 'code' },
    });
  const { findings, calls } = lintCode({
    files,
    unread,
    set,
    typescript: await loadTypeScript(),
  });
  return { findings, calls, files: files.length };
}
