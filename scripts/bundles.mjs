/**
 * The packed package in the bundle of an application, and required from CommonJS. Part of
 * scripts/pack-test.mjs: the package is left out of a bundle, because it has files beside its code;
 * an optional package that is not installed does not break the bundle.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const APP = `
import { createContextEngine, LOCAL_PROFILE } from 'contextengine';
async function main() {
  const engine = await createContextEngine({ database: { inMemory: true } });
  const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
  await engine.append(scope_block_uuid, [{ role: 'user', content: 'The launch is on Friday.' }]);
  const { text } = await engine.composeBlockContext({ scope_block_uuid, intent: 'follow_up', query: 'When is the launch?', permission_profile: LOCAL_PROFILE });
  await engine.close();
  console.log(text.includes('Friday') ? 'composed' : text);
}
main().catch((error) => console.log(error.code ?? String(error)));
`;

const COMMON_JS = `
const { createContextEngine, ContextEngineError } = require('contextengine');
createContextEngine({ manifests: 'nowhere' }).catch((error) =>
  console.log(error instanceof ContextEngineError ? 'required' : String(error)),
);
`;

/** Bundles are named by how they are made and what they must print. */
const BUNDLES = [
  ['left out, ESM', ['--format=esm', '--external:contextengine'], 'composed'],
  ['left out, CommonJS', ['--format=cjs', '--external:contextengine'], 'composed'],
  ['taken in, CommonJS', ['--format=cjs', '--log-level=error'], 'CONFIG.BUNDLED'],
];

export async function bundled({ folder, tarball, run, check }) {
  const project = join(folder, 'bundled');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "name": "bundled", "private": true }');
  const packages = [tarball, 'esbuild@0.28.1'];
  await run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages],
    project,
  );
  await writeFile(join(project, 'app.ts'), APP);
  await writeFile(join(project, 'required.cjs'), COMMON_JS);
  const said = (words) => run(words[0], words.slice(1), project).catch((error) => error.message);
  for (const [name, flags, wanted] of BUNDLES) {
    const out = flags.includes('--format=esm') ? 'out.mjs' : 'out.cjs';
    const built = await said([
      'node_modules/.bin/esbuild',
      'app.ts',
      '--bundle',
      '--platform=node',
      `--outfile=${out}`,
      ...flags,
    ]);
    const printed = (await said([process.execPath, '--no-warnings', out])).trim();
    check(`bundle: ${name}`, printed.slice(0, 300), printed === wanted);
    if (printed !== wanted) console.log(built.slice(0, 2000));
  }
  const required = (await said([process.execPath, '--no-warnings', 'required.cjs'])).trim();
  check('required from CommonJS', required.slice(0, 300), required === 'required');
}
