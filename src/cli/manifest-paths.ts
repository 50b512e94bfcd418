/** Where a call's manifests lie: the paths that it names, or else those of the settings. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContextEngineError } from '../index.ts';
import type { Call } from './command.ts';
import { readSettings } from './settings.ts';
import { shownPath } from './shown-path.ts';

/** Absolute paths that are there. Throws `CLI.INPUT` for one that is not. */
export function manifestPaths(call: Call): readonly string[] {
  const paths =
    call.positionals.length > 0
      ? call.positionals.map((path) => resolve(call.terminal.cwd, path))
      : readSettings(call.flags, call.terminal).manifests.value;
  const missing = paths.find((path) => !existsSync(path));
  if (missing === undefined) return paths;
  const shown = shownPath(missing, call.terminal.cwd);
  throw new ContextEngineError('CLI.INPUT', {
    message: `There is no file or folder \`${shown}\`.`,
    fix: 'Check the path, or make a first manifest with `contextengine init`.',
    where: { file: shown },
  });
}
