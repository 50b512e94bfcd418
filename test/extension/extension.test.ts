/**
 * What CONTRIBUTING.md promises: a provider, a connector, a command, a layer kind and a signal are
 * each one new file and one entry of a list. The patches are applied to a copy of the code, which
 * is compiled, checked and run.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateArtifacts } from '../../scripts/generate-schema.mjs';
import { ROOT } from '../support/source-files.ts';

const PATCHES = ['provider', 'connector', 'command', 'layer', 'signal'].map((name) => ({
  name,
  file: join(import.meta.dirname, `${name}.patch`),
}));
const COPIED = [
  'src',
  'connectors',
  'eval',
  'migrations',
  'manifests',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** What the compiler does not write to dist/. */
const AS_THEY_ARE = [
  'src/inputs/generated',
  'src/inference/generated',
  'src/manifest/generated',
  'src/inference/word-vectors',
];
/** Whose types follow from the lists: checked, where the rest is only written as JavaScript. */
const CHECKED = [
  'src/layers/',
  'src/model/',
  'src/scoring/',
  'src/manifest/',
  'src/inference/',
  'src/engine/',
  'src/cli/',
  'connectors/',
  'eval/',
];

/** Compiles the copy; what the compiler finds. */
function compiled(folder: string): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(folder, 'tsconfig.build.json'),
    { declaration: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  if (!config) return ['tsconfig.build.json cannot be read'];
  const program = ts.createProgram({ rootNames: config.fileNames, options: config.options });
  program.emit();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => CHECKED.some((place) => fileName.startsWith(join(folder, place))))
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

let copy = '';
let faults: readonly string[] = [];

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'extension-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const { file } of PATCHES) execFileSync('git', ['apply', file], { cwd: copy });
  faults = compiled(copy);
  for (const name of AS_THEY_ARE)
    cpSync(join(copy, name), join(copy, 'dist', name), { recursive: true });
  cpSync(join(ROOT, 'dist/vocabularies'), join(copy, 'dist/vocabularies'), { recursive: true });
  await generateSchema();
}, 600_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the build makes of the definitions: the JSON Schema and the validator. */
async function generateSchema(): Promise<void> {
  const module = pathToFileURL(join(copy, 'dist/src/manifest/schema.js')).href;
  for (const [path, text] of Object.entries(generateArtifacts(await import(module))))
    writeFileSync(join(copy, path.startsWith('src/') ? `dist/${path}` : path), text);
}

/** What a module prints that imports from the compiled copy. */
const ran = (script: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: copy,
      encoding: 'utf8',
    }),
  );
const cli = (...args: readonly string[]): string =>
  execFileSync(process.execPath, ['dist/src/cli/main.js', ...args], {
    cwd: copy,
    encoding: 'utf8',
  });

describe('each patch', () => {
  it.each(PATCHES)('$name: one new file, and one entry of one list', ({ file }) => {
    const files = readFileSync(file, 'utf8')
      .split(/^diff --git /m)
      .slice(1);
    const added = files.filter((text) => text.includes('\nnew file mode '));
    const changed = files.filter((text) => !text.includes('\nnew file mode '));
    expect([added.length, changed.length]).toEqual([1, 1]);
    const lines = (changed[0] ?? '').split('\n').filter((line) => /^[+-](?![+-])/.test(line));
    // The entry, and the import that a static one needs.
    expect(lines.filter((line) => !line.startsWith('+import '))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('-'))).toEqual([]);
  });
});

describe('what the patches add', () => {
  it('compiles', () => {
    expect(faults).toEqual([]);
  });

  it('keeps the directions of imports', () => {
    const checker = join(ROOT, 'scripts/directions.mjs');
    execFileSync(process.execPath, [checker, '--root', copy], { cwd: ROOT });
  }, 300_000);

  it('is a provider, which the engine, the config file and the environment know', () => {
    const answer = ran(`
      import { createEmbedder } from './dist/src/inference/create-embedder.js';
      import { parseEmbedder } from './dist/src/settings/embedder-setting.js';
      import { withEnvironmentKey } from './dist/src/engine/embedder-key.js';
      const MODEL = { model: 'm', dimensions: 3 };
      const embedder = createEmbedder({ provider: 'letters', ...MODEL, alphabet: 'abc' }, () => 0);
      const [vector] = await embedder.embed(['abba'], { kind: 'document' });
      const place = { origin: 'config', cwd: '/' };
      let fix = '';
      try { parseEmbedder({ provider: 'letters' }, place); } catch (error) { fix = error.fix; }
      console.log(JSON.stringify({
        vector: [...vector],
        setting: parseEmbedder({ provider: 'letters', ...MODEL, alphabet: 'xyz' }, place),
        fix,
        filled: withEnvironmentKey({ provider: 'letters', ...MODEL }, { LETTERS_ALPHABET: 'pq' }),
      }));`);
    expect(answer).toMatchObject({
      // Of unit length, as every vector of a space is.
      vector: [2, 2, 0],
      setting: { provider: 'letters', alphabet: 'xyz' },
      fix: expect.stringContaining(
        '"provider": "letters", "model": …, "dimensions": …, "alphabet": …',
      ),
      filled: { provider: 'letters', alphabet: 'pq' },
    });
  });

  it('is a connector that opens by its name and passes its guard', () => {
    const answer = ran(`
      import { CONNECTORS } from './dist/connectors/index.js';
      import { guard } from './dist/src/cxri/guard/connection.js';
      const { createEmptyConnector } = await CONNECTORS.empty();
      const connection = guard(await createEmptyConnector().connect());
      const { verdict } = await connection.health();
      const position = [{ scope: '00000000-0000-4000-8000-000000000001', head: 1 }];
      const part = { id: 'p', table: 'blocks', mode: 'search', limit: 3, text: 'a' };
      const { parts } = await connection.query({
        tenant: 't', position, valid_at: '2026-01-01T00:00:00.000Z', parts: [part],
      });
      const refused = await connection
        .subscribe({ tenant: 't', scopes: [] }, async () => undefined)
        .catch(({ code }) => code);
      console.log(JSON.stringify({ verdict, parts, refused }));`);
    expect(answer).toEqual({
      verdict: 'ok',
      parts: [{ id: 'p', ok: true, hits: [] }],
      refused: 'CONNECTOR.MISSING_CAPABILITY',
    });
  });

  it('is a command, in the help and on the command line', () => {
    expect(cli('--help')).toMatch(/^ +kinds +list the providers of embeddings$/m);
    expect(cli('kinds').trim().split('\n')).toEqual(['letters', 'openai', 'transformers']);
  });

  it('is a layer kind and a signal: in the schema, in findings, and in a composition', () => {
    const answer = ran(`
      import { manifestSchema } from './dist/src/manifest/schema.js';
      import { parseManifest } from './dist/src/manifest/parse.js';
      import { createContextEngine } from './dist/src/index.js';
      import { writeFileSync } from 'node:fs';
      const manifest = (titles, formula) => \`apiVersion: contextengine/v1
      kind: ContextDomain
      metadata: { name: shelf, version: 1, scope_block_type: shelf }
      spec:
        layers: { titles: \${titles}, semantic: { scoring: { formula: \${formula} } } }
      \`.replace(/^ {6}/gm, '');
      const refused = parseManifest(manifest('{ limits: 2 }', 'digit'), { path: 'a.yaml' }).findings;
      const own = manifest('{ max_tokens: 300 }', 'lexical + digits');
      const [settings] = parseManifest(own, { path: 'a.yaml' })
        .manifest.layers.filter(({ kind }) => kind === 'titles');
      writeFileSync('shelf.yaml', own);
      const engine = await createContextEngine({
        database: { inMemory: true }, manifests: 'shelf.yaml', embedder: 'off',
      });
      const { scope_block_uuid } = await engine.scopes.create({ type: 'shelf' });
      await engine.append(scope_block_uuid, [
        { content: 'Long words.', block_type: 'document', title: 'The design' },
        { content: 'The release is on 12 May.' },
      ]);
      const composition = await engine.composeBlockContext({
        scope_block_uuid, intent: 'follow_up', query: 'release',
        permission_profile: { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' },
      });
      const { items } = await engine.explain(composition.composition_id);
      await engine.close();
      console.log(JSON.stringify({
        schema: manifestSchema.definitions.layer_titles.description,
        keys: Object.keys(manifestSchema.definitions.layer_titles.properties),
        refused: refused.map(({ code, fix }) => [code, fix]),
        signals: items.at(-1).signals.digits,
        settings: [settings.limit, settings.rank],
        text: composition.text.split('<titles>')[1],
        why: items.map(({ layer, why }) => [layer, why]).slice(-2),
      }));`);
    expect(answer).toEqual({
      schema: 'Titles of the newest documents.',
      keys: ['kind', 'enabled', 'limit', 'block_types', 'rank', 'max_tokens', 'source', 'scoring'],
      refused: [
        ['MANIFEST.UNKNOWN_KEY', expect.stringContaining('`limit`')],
        ['MANIFEST.FORMULA', expect.stringContaining('`digits`')],
      ],
      signals: 1,
      settings: [7, 4],
      text: expect.stringContaining('The design\n</titles>'),
      why: [
        ['titles', 'one of the newest documents'],
        ['semantic', expect.stringContaining('digits 1')],
      ],
    });
  }, 600_000);
});
