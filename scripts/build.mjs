/**
 * Builds dist/: compiled code, the generated validator, the word vectors, the vocabularies of
 * tokenizers, the pre-migrated seed, the bin.
 *
 *     node scripts/build.mjs [--force]
 *
 * Does nothing when no input changed since the last build, so that `npm test`, `npm run demo` and
 * the rest can call it every time. Files of dist/ are overwritten and the stale ones swept, rather
 * than all removed first: a process that runs from dist/ meanwhile keeps working.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
const BUILD_INFO = join(DIST, '.tsbuildinfo');
const GENERATED = ['src/manifest/generated', 'src/inputs/generated', 'src/inference/generated'];
/** Files that dist/ holds as they are. */
const AS_THEY_ARE = [
  ...GENERATED,
  'src/inference/word-vectors',
  'src/capture/classifier/weights',
  'src/capture/secrets/published',
  'src/capture/succession/weights',
];
const CODE_FOLDERS = ['src', 'connectors', 'eval'];
const INPUT_FOLDERS = [...CODE_FOLDERS, 'migrations', 'manifests/schema'];
const INPUT_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/generate-schema.mjs',
  'scripts/generate-manifest-docs.mjs',
  'scripts/generate-code-docs.mjs',
  'scripts/manifest-examples.mjs',
  'scripts/build-seed.mjs',
  'scripts/build-vocabularies.mjs',
];
const LOCK = join(ROOT, 'node_modules', '.contextengine-build-lock');

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) =>
    error.code === 'ENOENT' ? [] : Promise.reject(error),
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A digest of the names and bytes of everything the build reads. */
async function fingerprint() {
  const inputs = [
    ...INPUT_FILES.map((name) => join(ROOT, name)),
    ...(await Promise.all(INPUT_FOLDERS.map((name) => filesBelow(join(ROOT, name))))).flat(),
  ];
  const hash = createHash('sha256');
  for (const file of inputs.sort())
    hash.update(`\0${relative(ROOT, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`${relative(ROOT, args[0])} failed (${signal ?? code}).`)),
    );
  });
}

async function step(name, body) {
  const start = performance.now();
  await body();
  console.error(`build: ${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** What dist/ holds of a source that is gone. */
async function sweep() {
  const sources = new Set(
    (await Promise.all(CODE_FOLDERS.map((name) => filesBelow(join(ROOT, name)))))
      .flat()
      .map((file) => relative(ROOT, file)),
  );
  for (const folder of CODE_FOLDERS) {
    for (const file of await filesBelow(join(DIST, folder))) {
      const name = relative(DIST, file);
      const source = name.replace(/(\.d\.ts|\.js)$/, '.ts');
      if (!sources.has(source) && !sources.has(name)) await rm(file);
    }
  }
}

async function copyAsTheyAre() {
  for (const folder of AS_THEY_ARE) {
    await mkdir(join(DIST, folder), { recursive: true });
    for (const file of await filesBelow(join(ROOT, folder))) {
      const target = join(DIST, relative(ROOT, file));
      const present = await readFile(target).catch(() => null);
      // A process may be reading the file that is already right.
      if (!present?.equals(await readFile(file))) await copyFile(file, target);
    }
  }
}

/** What the harness reads beside its code: manifests, gold sets, baselines. */
async function copyEvalData() {
  for (const file of await filesBelow(join(ROOT, 'eval'))) {
    if (!/\.(yaml|json|md|tsv)$/.test(file)) continue;
    const target = join(DIST, relative(ROOT, file));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
}

async function finishBin() {
  const { bin } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const file of Object.values(bin).map((name) => join(ROOT, name))) {
    if (!(await readFile(file, 'utf8')).startsWith('#!/usr/bin/env node\n'))
      throw new Error(`${relative(ROOT, file)} has no shebang: its source must begin with one.`);
    await chmod(file, 0o755);
  }
}

async function build() {
  const isCurrent = (await readFile(STAMP, 'utf8').catch(() => '')) === (await fingerprint());
  if (isCurrent && !process.argv.includes('--force')) return;
  await rm(STAMP, { force: true });
  if (process.argv.includes('--force')) await rm(BUILD_INFO, { force: true });
  await step('tsc', () =>
    run(
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--incremental',
      '--tsBuildInfoFile',
      BUILD_INFO,
    ),
  );
  await step('sweep', sweep);
  await copyAsTheyAre();
  await step('schema', () => run('scripts/generate-schema.mjs'));
  await step('manifest docs', () => run('scripts/generate-manifest-docs.mjs'));
  await step('code docs', () => run('scripts/generate-code-docs.mjs'));
  await copyAsTheyAre();
  await copyEvalData();
  await step('vocabularies', () => run('scripts/build-vocabularies.mjs'));
  await step('seed', () => run('scripts/build-seed.mjs'));
  await finishBin();
  await writeFile(STAMP, await fingerprint());
}

const isAlive = (pid) => {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** One build at a time: a second one waits, and then mostly finds nothing left to do. */
async function withLock(body) {
  const deadline = Date.now() + 10 * 60_000;
  for (;;) {
    const error = await writeFile(LOCK, String(process.pid), { flag: 'wx' }).catch(
      (cause) => cause,
    );
    if (error === undefined) break;
    if (error.code !== 'EEXIST') throw error;
    const holder = Number(await readFile(LOCK, 'utf8').catch(() => '0'));
    if (holder > 0 && !isAlive(holder)) await rm(LOCK, { force: true });
    if (Date.now() > deadline)
      throw new Error(
        `Process ${holder} holds ${relative(ROOT, LOCK)} for ten minutes: remove it if no build runs.`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    await body();
  } finally {
    await rm(LOCK, { force: true });
  }
}

await withLock(build);
