/**
 * The same feature in lines of an application's own code: here, with mem0ai, Mastra's memory and
 * LangGraph. A chat that knows what was said in its thread, and in every thread what its person said
 * of themselves, and nothing of other persons. Each is written as the peer's own documentation does
 * it, formatted alike, and run against an endpoint that stands in for OpenAI.
 *
 *     node scripts/compare-lines.mjs [--folder FOLDER]          after a build
 *
 * Installs each into a project of its own, below a folder that goes afterwards, or below FOLDER, where
 * a second run finds them: mem0ai compiles SQLite, which takes minutes.
 * Fails where one of the four does not do it, or ours is not the shortest.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import ts from 'typescript';
import { mockOpenai } from './compare-lines/mock-openai.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const execute = promisify(execFile);
/** Versions of November 2026. */
const AI = ['ai@7.0.173', '@ai-sdk/openai@4.0.118', 'zod@4.6.7'];
const PEERS = [
  { name: 'contextengine', file: 'ours.ts', packages: AI, keeps: 'on disk' },
  {
    name: 'Mastra',
    file: 'mastra.ts',
    packages: ['@mastra/core@1.71.0', '@mastra/memory@1.31.0', '@mastra/libsql@1.23.1'],
    keeps: 'on disk',
  },
  {
    name: 'mem0ai',
    file: 'mem0.ts',
    packages: ['mem0ai@3.3.1', 'better-sqlite3@12.11.1', ...AI],
    keeps: 'in the process',
    address: 'node_modules/mem0ai/dist/oss/index.mjs',
  },
  {
    name: 'LangGraph',
    file: 'langgraph.ts',
    packages: [
      '@langchain/langgraph@1.7.3',
      '@langchain/core@1.4.0',
      '@langchain/openai@1.6.0',
      'zod@4.6.7',
    ],
    keeps: 'in the process',
  },
];

/** What the thread and the person were told, and who may know it. */
const DRIVER = `
import { reply } from './feature.mjs';
await reply('dana', 'thread-1', 'I prefer short answers. I work at Northwind in Bergen.');
await reply('dana', 'thread-1', 'Which company did I name?');
await reply('dana', 'thread-2', 'Where do I work?');
await reply('bo', 'thread-3', 'At which firm am I?');
process.exit(0);
`;
const WANTED = [
  ['in its thread', 'Which company did I name?', true],
  ['in another thread', 'Where do I work?', true],
  ['by somebody else', 'At which firm am I?', false],
];

/** Lines that hold code, and its tokens: neither blanks nor comments. */
function measured(text) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const lines = new Set();
  let tokens = 0;
  const starts = ts.computeLineStarts(text);
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    tokens += 1;
    lines.add(ts.computeLineAndCharacterOfPosition(starts, scanner.getTokenStart()).line);
  }
  return { lines: lines.size, tokens };
}

/** The endpoint is in this process: what it was asked is read here. */
function driven(project, url) {
  const env = {
    ...process.env,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: url,
    MEM0_TELEMETRY: 'false',
  };
  delete env['CONTEXTENGINE_DATABASE_URL'];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', 'driver.mjs'], { cwd: project, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        said += part;
      });
    const timer = setTimeout(() => child.kill(), 120_000);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? null : said.slice(-3000) || `ended with ${code}`);
    });
  });
}

/** mem0ai has the address of OpenAI in its code, and reads no variable for it. */
async function redirect(file, url) {
  const text = await readFile(file, 'utf8');
  const address = /"https?:\/\/(?:api\.openai\.com|127\.0\.0\.1:\d+)\/v1"/g;
  await writeFile(file, text.replace(address, JSON.stringify(url)));
}

/** A call of the model that answers the message held what was told. */
function knew(asked, question) {
  const calls = asked.filter((body) => JSON.stringify(body).includes(question));
  return calls
    .filter((body) => !JSON.stringify(body.response_format ?? {}).includes('json'))
    .some((body) => JSON.stringify(body).includes('Northwind'));
}

async function tried(peer, { folder, tarball }) {
  const project = join(folder, peer.name);
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const packages = peer.file === 'ours.ts' ? [tarball, ...peer.packages] : peer.packages;
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await execute('npm', ['install', ...flags, ...packages], { cwd: project });
  const source = await readFile(join(ROOT, 'scripts/compare-lines', peer.file), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  await writeFile(join(project, 'feature.mjs'), outputText);
  await writeFile(join(project, 'driver.mjs'), DRIVER);
  const endpoint = await mockOpenai();
  if (peer.address) await redirect(join(project, peer.address), endpoint.url);
  const problem = await driven(project, endpoint.url);
  const held = WANTED.map(([, question, wanted]) => knew(endpoint.asked, question) === wanted);
  endpoint.close();
  return { ...peer, ...measured(source), problem, held };
}

async function main(folder) {
  const { stdout } = await execute(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: ROOT, maxBuffer: 2 ** 26 },
  );
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  const results = [];
  for (const peer of PEERS) results.push(await tried(peer, { folder, tarball }));
  console.log(
    `\n| | lines | tokens of code | kept | ${WANTED.map(([name]) => `known ${name}`).join(' | ')} |`,
  );
  console.log(`| --- | --: | --: | --- | ${WANTED.map(() => '---').join(' | ')} |`);
  for (const { name, lines, tokens, keeps, held, problem } of results) {
    const marks = held.map((isHeld, index) =>
      problem ? 'did not run' : WANTED[index][2] === isHeld ? 'yes' : 'no',
    );
    console.log(`| ${name} | ${lines} | ${tokens} | ${keeps} | ${marks.join(' | ')} |`);
    if (problem) console.error(`${name}: ${problem}`);
  }
  const [ours, ...others] = results;
  const isRight = results.every(({ problem, held }) => !problem && held.every(Boolean));
  const isShortest = others.every(({ lines }) => lines > ours.lines);
  if (!isRight) console.error('One of the four does not do it.');
  if (!isShortest) console.error('Ours is not the shortest.');
  return isRight && isShortest;
}

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'contextengine-lines-')));
try {
  process.exitCode = (await main(folder)) ? 0 : 1;
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}
