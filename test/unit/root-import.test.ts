/**
 * What a process loads, by the list of its modules and not by a clock: the import of the package,
 * and commands that open no engine.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/source-files.ts';

/** Prints the address of each module on stderr, before it is loaded. */
const HOOKS = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    writeSync(2, 'loaded ' + url + '\\n');
    return next(url, context);
  }`)}`;
const REGISTER = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module';
  register(${JSON.stringify(HOOKS)});`)}`;
const BUILT = pathToFileURL(join(ROOT, 'dist/')).href;

/** Modules of the package by their path below `dist/`; of others by their address. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const { stderr: printed } = spawnSync(process.execPath, ['--import', REGISTER, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const loaded = [...printed.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => url);
  expect(loaded.length).toBeGreaterThan(0);
  return loaded.map((url) => url.replace(BUILT, '')).sort();
}

describe('what is loaded', () => {
  it('by an import of the root: names, codes and doors, and no dependency', () => {
    const root = new URL('src/index.js', BUILT).href;
    expect(loadedBy('--input-type=module', '-e', `await import(${JSON.stringify(root)})`)).toEqual([
      'src/codes/code-facts.js',
      'src/codes/code-table.js',
      'src/codes/errors.js',
      'src/engine/bundled-error.js',
      'src/engine/local-profile.js',
      'src/engine/root-functions.js',
      'src/engine/version.js',
      'src/index.js',
      'src/model/ids.js',
    ]);
  });

  it('by a command that asks no ledger: itself, and neither the engine nor a dependency', () => {
    const loaded = loadedBy(join(ROOT, 'dist/src/cli/main.js'), 'init', '--help');
    expect(loaded.filter((path) => path.startsWith('src/cli/commands/'))).toEqual([
      'src/cli/commands/index.js',
      'src/cli/commands/init.js',
    ]);
    expect(loaded.filter((path) => /^file:|engine\/create-engine|connectors\//.test(path))).toEqual(
      [],
    );
  });

  it('by an engine that composes, captures, imports and is linted nothing: none of what does', () => {
    const root = new URL('src/index.js', BUILT).href;
    const code = `const { createContextEngine } = await import(${JSON.stringify(root)});
      await (await createContextEngine({ database: { inMemory: true }, manifests: [], embedder: 'off' })).close();`;
    const loaded = loadedBy('--input-type=module', '-e', code);
    expect(loaded).toContain('src/engine/create-engine.js');
    const foreign = loaded.filter((path) =>
      /^src\/(capture\/(?!extractors|times\/time-zone)|code-lint|ingest|cli|chat|define|conformance|compose\/\d|look-back)/.test(
        path,
      ),
    );
    expect(foreign).toEqual([]);
  });
});
