/**
 * An application of Next.js that uses the package as it is packed: it builds and composes where the
 * package is named in `serverExternalPackages`; where it is not, it builds without the optional
 * packages too, and the first call says what is to be done.
 *
 *     node scripts/next-test.mjs          after a build; installs 400 MB, takes a minute or two
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const NEXT = ['next@latest', 'react@latest', 'react-dom@latest'];
const START_TRIES = 120;
const TRY_EVERY_MS = 500;
const execute = promisify(execFile);
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };

const FILES = {
  'app/layout.js': `
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  'app/page.js': 'export default function Page() { return <p>app</p>; }\n',
  'app/api/context/route.js': `
import { createContextEngine, LOCAL_PROFILE } from 'contextengine';
export const dynamic = 'force-dynamic';
export async function GET() {
  try {
    const engine = (await createContextEngine({ database: { inMemory: true } })).as(LOCAL_PROFILE);
    const { scope_block_uuid } = await engine.scopes.getOrCreate({ type: 'chat_session', key: 'a' });
    await engine.append(scope_block_uuid, [{ role: 'user', content: 'The launch is on Friday.' }]);
    const { text } = await engine.composeBlockContext({
      scope_block_uuid, intent: 'follow_up', query: 'When is the launch?',
    });
    return new Response(text.includes('Friday') ? 'composed' : text);
  } catch (error) {
    return new Response(error.code ?? String(error));
  }
}
`,
};

/** Settings of Next.js, and what the route then answers. */
const SETTINGS = [
  ["{ serverExternalPackages: ['contextengine'] }", 'composed'],
  ['{}', 'CONFIG.BUNDLED'],
];

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function answerOf(port) {
  for (let turn = 0; turn < START_TRIES; turn += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/context`).catch(() => null);
    if (answer) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  return 'no answer';
}

async function served(project, settings) {
  await writeFile(join(project, 'next.config.mjs'), `export default ${settings};\n`);
  const next = join(project, 'node_modules/next/dist/bin/next');
  await rm(join(project, '.next'), { recursive: true, force: true });
  await execute(process.execPath, [next, 'build'], { cwd: project, env, maxBuffer: 2 ** 26 });
  const port = await freePort();
  const server = spawn(process.execPath, [next, 'start', '-p', String(port)], {
    cwd: project,
    env,
    stdio: 'ignore',
  });
  try {
    return await answerOf(port);
  } finally {
    server.kill();
  }
}

async function main(folder) {
  const project = join(folder, 'app');
  await mkdir(join(project, 'app/api/context'), { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(project, name), text);
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await execute('npm', packing, { cwd: ROOT, maxBuffer: 2 ** 26 });
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await execute('npm', ['install', ...flags, tarball, ...NEXT], { cwd: project });
  let isFine = true;
  for (const [settings, wanted] of SETTINGS) {
    const answer = await served(project, settings).catch(
      (error) => `${error.stdout ?? ''}${error.stderr ?? error.message}`,
    );
    console.log(`${answer === wanted ? 'ok  ' : 'FAIL'} next.config ${settings}: ${answer}`);
    isFine &&= answer === wanted;
  }
  return isFine;
}

const folder = await mkdtemp(join(tmpdir(), 'contextengine-next-'));
try {
  process.exitCode = (await main(folder)) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
