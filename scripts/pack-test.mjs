/**
 * The package as a user gets it: packed, installed into an empty project, imported, type-checked,
 * and used once; with a connector of one's own; then beside the SDKs and compilers of a user.
 *
 *     node scripts/pack-test.mjs
 *
 * Prints the numbers; exits 1 if one is over its bar.
 */
import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundled } from './bundles.mjs';
import { ownConnector } from './own-connector.mjs';
import { besideSdks } from './sdk-types.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_PACKAGES = 25;
const MAX_MEGABYTES = 80;
/** Of CPU; what is loaded is held by test/unit/root-import.test.ts. */
const MAX_IMPORT_MS = 150;
const IMPORTS = 5;
const execute = promisify(execFile);
const failures = [];

function check(name, value, isFine) {
  console.log(`${isFine ? 'ok  ' : 'FAIL'} ${name}: ${value}`);
  if (!isFine) failures.push(name);
}

/** What a command printed, and its warnings; rejects with its whole output when it fails. */
async function runBoth(command, args, cwd) {
  const env = { ...process.env, CONTEXTENGINE_DATABASE_URL: '', DATABASE_URL: '', NODE_ENV: '' };
  try {
    const limits = { timeout: 5 * 60_000, maxBuffer: 64 * 1024 * 1024 };
    return await execute(command, args, { cwd, env, ...limits });
  } catch (error) {
    throw new Error(
      `\`${command} ${args.join(' ')}\` failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
    );
  }
}

const run = async (...command) => (await runBoth(...command)).stdout;

/** Bytes that a folder takes on disk, links not followed. */
async function bytesBelow(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? await bytesBelow(path) : (await lstat(path)).blocks * 512;
  }
  return bytes;
}

/** Folders that hold an installed package: `name` or `@scope/name`, nested ones too. */
async function installedPackages(nodeModules) {
  const found = [];
  for (const name of await readdir(nodeModules).catch(() => [])) {
    if (name.startsWith('.')) continue;
    const path = join(nodeModules, name);
    if (name.startsWith('@'))
      found.push(...(await readdir(path)).map((inner) => join(path, inner)));
    else found.push(path);
  }
  const nested = await Promise.all(
    found.map((path) => installedPackages(join(path, 'node_modules'))),
  );
  return [...found, ...nested.flat()];
}

async function scriptsOnInstall(packages) {
  const manifests = await Promise.all(
    packages.map(async (path) => JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))),
  );
  return manifests
    .filter(({ scripts = {} }) =>
      ['preinstall', 'install', 'postinstall'].some((name) => name in scripts),
    )
    .map(({ name }) => name);
}

const CONSUMER = `
import { composeBlockContext, createContextEngine, type Composition } from 'contextengine';
import { conformanceSuite } from 'contextengine/conformance';
import * as pgvector from 'contextengine/connectors/pgvector';
import * as reference from 'contextengine/connectors/reference';

export async function context(scope_block_uuid: string, query: string): Promise<Composition> {
  const permission_profile = { principal: 'me', tenant: 'local', kind: 'human', scopes: '*' } as const;
  return composeBlockContext({ scope_block_uuid, intent: 'follow_up', query, permission_profile, trace: false });
}
export const everything = [createContextEngine, conformanceSuite, pgvector, reference];
// @ts-expect-error the four required fields are required
export const wrong = composeBlockContext({ intent: 'follow_up' });
`;

/** A CommonJS file: `node16` knows no `require` of an ES module, `nodenext` does. */
const REQUIRED = {
  node16: `
async function main(): Promise<void> {
  const { createContextEngine } = await import('contextengine');
  await (await createContextEngine({ database: { inMemory: true } })).close();
}
void main();
`,
  nodenext: `
import contextengine = require('contextengine');
async function main(): Promise<void> {
  await (await contextengine.createContextEngine({ database: { inMemory: true } })).close();
}
void main();
`,
};

const compileIn = (project, config) =>
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], project);

async function typesCompile(project) {
  await writeFile(join(project, 'consumer.ts'), CONSUMER);
  // The compiler and Node's types are the user's own; they come from here, so that they do not
  // count as ours.
  await mkdir(join(project, 'types'), { recursive: true });
  await symlink(join(ROOT, 'node_modules/@types/node'), join(project, 'types/node'));
  for (const [name, text] of Object.entries(REQUIRED))
    await writeFile(join(project, `${name}.cts`), text);
  for (const [module, moduleResolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const options = {
      target: 'es2022',
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: ['./types'],
      types: ['node'],
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: options,
        files: ['consumer.ts', ...(module in REQUIRED ? [`${module}.cts`] : [])],
      }),
    );
    const problem = await compileIn(project, 'tsconfig.json').then(
      () => null,
      (error) => error.message,
    );
    check(`types under ${moduleResolution}`, problem ?? 'compile', problem === null);
  }
}

const USE = `
import { createContextEngine } from 'contextengine';
import schema from 'contextengine/schema/v1.json' with { type: 'json' };
const start = performance.now();
const engine = await createContextEngine({ database: { dataDir: process.argv[2] } });
const opened = performance.now();
const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
await engine.append(scope_block_uuid, [{ role: 'user', content: 'The launch is on Friday.' }]);
const permission_profile = { principal: 'me', tenant: 'local', kind: 'human', scopes: '*' };
const composition = await engine.composeBlockContext({ scope_block_uuid, intent: 'follow_up', query: 'When is the launch?', permission_profile });
await engine.close();
if (!composition.text.includes('Friday')) throw new Error('The turn is not in the context: ' + composition.text);
if (!schema.$schema.includes('draft-07')) throw new Error('The schema is not draft-07.');
console.log(JSON.stringify({ openMs: Math.round(opened - start), tokens: composition.tokens.used, budget: composition.tokens.budget }));
`;

async function composesOnce(project) {
  await writeFile(join(project, 'use.mjs'), USE);
  const output = await run(
    process.execPath,
    ['--no-warnings', 'use.mjs', join(project, 'data')],
    project,
  ).catch((error) => error.message);
  check('import and one composition', output.trim(), output.startsWith('{'));
  const help = await run(
    process.execPath,
    [join(project, 'node_modules/.bin/contextengine'), '--help'],
    project,
  ).catch((error) => error.message);
  check('bin', help.split('\n')[0], help.includes('compose'));
}

/** The median of what processes of their own take to import the root, in CPU. */
async function importsFast(project) {
  const code = `const before = process.cpuUsage();
    await import('contextengine');
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);`;
  const times = [];
  for (let turn = 0; turn < IMPORTS; turn += 1)
    times.push(Number(await run(process.execPath, ['--input-type=module', '-e', code], project)));
  const median = times.sort((a, b) => a - b)[IMPORTS >> 1] ?? Number.NaN;
  check(
    'import of the root',
    `${median.toFixed(0)} of ${MAX_IMPORT_MS} ms of CPU, the least ${times[0]?.toFixed(0)}`,
    median <= MAX_IMPORT_MS,
  );
}

async function main(folder) {
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT),
  );
  console.log(
    `     tarball: ${packed.filename}, ${(packed.size / 1e6).toFixed(1)} MB, ${packed.entryCount} files`,
  );
  const stray = packed.files
    .map(({ path }) => path)
    .filter((path) => /(^|\/)\.|\.tsbuildinfo$|\.test\.|\.map$/.test(path));
  check('stray files', stray.length === 0 ? 'none' : stray.join(', '), stray.length === 0);

  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name: 'empty-project', version: '1.0.0', private: true, type: 'module' }),
  );
  await run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed.filename)],
    project,
  );
  const packages = await installedPackages(join(project, 'node_modules'));
  const megabytes = (await bytesBelow(join(project, 'node_modules'))) / 1e6;
  check('packages', `${packages.length} of ${MAX_PACKAGES}`, packages.length <= MAX_PACKAGES);
  check(
    'size on disk',
    `${megabytes.toFixed(1)} of ${MAX_MEGABYTES} MB`,
    megabytes <= MAX_MEGABYTES,
  );
  const scripted = await scriptsOnInstall(packages);
  check(
    'install scripts',
    scripted.length === 0 ? 'none' : scripted.join(', '),
    scripted.length === 0,
  );
  await importsFast(project);
  await typesCompile(project);
  await composesOnce(project);
  const compile = (config) => compileIn(project, config);
  await ownConnector({ project, compile, run, check });
  await bundled({ folder, tarball: join(folder, packed.filename), run, check });
  await besideSdks({ folder, tarball: join(folder, packed.filename), run: runBoth, check });
}

const folder = await mkdtemp(join(tmpdir(), 'contextengine-pack-'));
try {
  await main(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? 'pack: fine' : `pack: ${failures.join(', ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
