/**
 * The packed package beside the SDKs and compilers of a user, the newest and the oldest supported:
 * npm installs them together, a route for each SDK compiles without a cast, and one composition
 * runs. Part of scripts/pack-test.mjs.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const CONFLICT = /ERESOLVE/;

const NEWEST = {
  name: 'newest',
  versions: {
    typescript: 'latest',
    openai: 'latest',
    ai: 'latest',
    '@anthropic-ai/sdk': 'latest',
    '@langchain/langgraph': 'latest',
    '@langchain/core': 'latest',
    'drizzle-orm': 'latest',
    '@huggingface/transformers': 'latest',
  },
};
const OLDEST = {
  name: 'oldest',
  versions: {
    typescript: '5.5',
    openai: '5',
    ai: '5',
    '@anthropic-ai/sdk': '0.39',
    '@langchain/langgraph': '0.3',
    '@langchain/core': '0.3',
    'drizzle-orm': '0.45.0',
    '@huggingface/transformers': '4.0.0',
  },
};

const ROUTES = {
  openai: `
import OpenAI from 'openai';
import type { Composition } from 'contextengine';
export async function chat(client: OpenAI, context: Composition) {
  await client.chat.completions.create({ model: 'm', messages: context.messages('openai') });
}
export async function respond(client: OpenAI, context: Composition) {
  await client.responses.create({ model: 'm', ...context.messages('openai-responses') });
}
`,
  anthropic: `
import Anthropic from '@anthropic-ai/sdk';
import type { Composition } from 'contextengine';
export const chat = (client: Anthropic, context: Composition) =>
  client.messages.create({ model: 'm', max_tokens: 9, ...context.messages('anthropic') });
`,
  ai: `
import { generateText, type LanguageModel, type ModelMessage } from 'ai';
import type { Composition } from 'contextengine';
export const chat = (model: LanguageModel, context: Composition) =>
  generateText({ model, messages: context.messages('ai-sdk') });
export const messages = (context: Composition): ModelMessage[] => context.messages('ai-sdk');
`,
  'loop-ai': `
import { streamText, wrapLanguageModel, type UIMessage } from 'ai';
import type { BoundEngine } from 'contextengine';
import { appendUiMessages, contextMiddleware, readUiMessages } from 'contextengine/ai-sdk';
type Model = Parameters<typeof wrapLanguageModel>[0]['model'];
export function chat(engine: BoundEngine, scope: string, model: Model, prompt: string) {
  const middleware = contextMiddleware(engine, { scope, intent: 'follow_up' });
  return streamText({ model: wrapLanguageModel({ model, middleware }), prompt });
}
export async function reopened(engine: BoundEngine, scope: string, messages: UIMessage[]): Promise<UIMessage[]> {
  await appendUiMessages(engine, scope, messages);
  return readUiMessages(engine, scope);
}
`,
  'loop-openai': `
import OpenAI from 'openai';
import type { BoundEngine } from 'contextengine';
import { contextCompletions } from 'contextengine/openai';
export async function chat(engine: BoundEngine, client: OpenAI, scope: string, content: string) {
  const { create } = contextCompletions(engine, { client, scope, intent: 'follow_up' });
  const { choices } = await create({ model: 'm', messages: [{ role: 'user', content }] });
  const stream = await create({ model: 'm', messages: [{ role: 'user', content }], stream: true });
  for await (const chunk of stream) chunk.choices.map(({ delta }) => delta.content);
  return choices[0]?.message.content;
}
`,
  'loop-langgraph': `
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BoundEngine } from 'contextengine';
import { contextNode, contextStore } from 'contextengine/langgraph';
export const graph = (engine: BoundEngine, model: BaseChatModel, scope: string) =>
  new StateGraph(MessagesAnnotation)
    .addNode('model', contextNode(engine, { model, scope, intent: 'follow_up' }))
    .addEdge(START, 'model')
    .compile({ store: contextStore(engine) });
`,
  drizzle: `
import { memoryOpenSet, visible, withTenant } from 'contextengine/drizzle';
import { drizzle } from 'drizzle-orm/pg-proxy';
const db = drizzle(async () => ({ rows: [] }));
export const facts = () =>
  db.transaction((tx) =>
    withTenant(tx, 'acme', () => tx.select().from(memoryOpenSet).where(visible(memoryOpenSet))),
  );
`,
  // The types of the SDKs hold something: a compiler that takes this one looked at nothing.
  refused: `
import OpenAI from 'openai';
import type { Composition } from 'contextengine';
export const chat = (client: OpenAI, context: Composition) =>
  // @ts-expect-error messages of another SDK
  client.chat.completions.create({ model: 'm', messages: context.messages('anthropic') });
`,
};

const COMPILER_OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2022',
  types: [],
};

/** A composition whose embedder is the installed `openai`, against an endpoint of its own. */
const USE = `
import { createServer } from 'node:http';
import { createContextEngine } from 'contextengine';
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const data = JSON.parse(body).input.map((_, index) => ({ index, embedding: [1, index + 1] }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseUrl = 'http://127.0.0.1:' + server.address().port + '/v1';
const engine = await createContextEngine({
  database: { inMemory: true },
  embedder: { provider: 'openai', model: 'm', dimensions: 2, baseUrl },
});
const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
await engine.append(scope_block_uuid, [{ role: 'user', content: 'The launch is on Friday.' }]);
const permission_profile = { principal: 'me', tenant: 'local', kind: 'human', scopes: '*' };
const { text, degraded } = await engine.composeBlockContext({
  scope_block_uuid, intent: 'follow_up', query: 'When is the launch?', permission_profile,
});
await engine.close();
// Its model is no part of it: that the package loads is what the one beside it may break.
const { pipeline } = await import('@huggingface/transformers').catch(() => ({}));
server.closeAllConnections();
server.close();
console.log(JSON.stringify({ isComposed: text.includes('Friday'), degraded, pipeline: typeof pipeline }));
`;

/** Installs, compiles and composes in a folder of its own for each set of versions. */
export async function besideSdks(pack) {
  for (const set of [NEWEST, OLDEST]) {
    const project = join(pack.folder, `beside-${set.name}`);
    await mkdir(project);
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ name: 'beside', version: '1.0.0', private: true, type: 'module' }),
    );
    const unmet = await installs({ ...pack, set, project });
    if (unmet === null) continue;
    await routesCompile({ ...pack, set, project });
    await composes({ ...pack, set, project, unmet });
  }
}

/** Packages whose `engines` this Node does not meet, of which npm warns; null where npm refused. */
async function installs({ tarball, set, project, run, check }) {
  const specs = Object.entries(set.versions).map(([name, version]) => `${name}@${version}`);
  // `npm run --silent` hands its own level down, and the warnings are read here.
  // An SDK that asks for a later Node is a warning, whatever settings are handed down; what the
  // scripts of one would fetch for graphics cards is not used.
  const strictness = ['--no-legacy-peer-deps', '--no-engine-strict', '--ignore-scripts'];
  const flags = [...strictness, '--no-audit', '--no-fund', '--loglevel=warn'];
  const outcome = await run('npm', ['install', ...flags, tarball, ...specs], project).catch(
    (error) => ({ refusal: error.message }),
  );
  const isConflict = CONFLICT.test(outcome.stderr ?? '');
  const problem = outcome.refusal ?? (isConflict ? outcome.stderr : null);
  const found = problem === null ? await installedVersions(project, set) : null;
  check(`installs beside the ${set.name}`, problem ?? found.join(', '), problem === null);
  if (problem !== null) return null;
  const unmet = [...outcome.stderr.matchAll(/package: '([^']+)'/g)].map(([, name]) => name);
  const own = unmet.filter((name) => name.startsWith('contextengine@'));
  const warned = unmet.length === 0 ? 'all met' : `not met by ${process.version}: ${unmet}`;
  check(`engines of the ${set.name}`, warned, own.length === 0);
  return unmet;
}

const installedVersions = (project, { versions }) =>
  Promise.all(
    Object.keys(versions).map(async (name) => {
      const manifest = join(project, 'node_modules', name, 'package.json');
      return `${name} ${JSON.parse(await readFile(manifest, 'utf8')).version}`;
    }),
  );

/** By the compiler that stands beside the package, and for the newest SDKs by ours as well. */
async function routesCompile({ set, project, run, check }) {
  const files = Object.keys(ROUTES).map((name) => `${name}.ts`);
  for (const [name, route] of Object.entries(ROUTES))
    await writeFile(join(project, `${name}.ts`), route);
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }),
  );
  const folders = set === NEWEST ? [project, ROOT] : [project];
  for (const folder of folders) {
    const compiler = join(folder, 'node_modules/typescript');
    const { version, bin } = JSON.parse(await readFile(join(compiler, 'package.json'), 'utf8'));
    const problem = await run(process.execPath, [join(compiler, bin.tsc), '-p', '.'], project).then(
      () => null,
      (error) => error.message,
    );
    const name = `routes of the ${set.name} under typescript ${version}`;
    check(name, problem ?? `${files.join(', ')} compile`, problem === null);
  }
}

/** Without the vectors of `openai` only where its own `engines` exclude this Node. */
async function composes({ set, project, unmet, run, check }) {
  await writeFile(join(project, 'use.mjs'), USE);
  const output = await run(process.execPath, ['--no-warnings', 'use.mjs'], project).then(
    ({ stdout }) => stdout.trim(),
    (error) => error.message,
  );
  const mayDegrade = unmet.some((name) => name.startsWith('openai@'));
  const isWhole = output.includes('"degraded":[]') || mayDegrade;
  const isFine = output.startsWith('{"isComposed":true') && isWhole;
  check(`composition beside the ${set.name}`, output, isFine);
}
