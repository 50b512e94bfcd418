/**
 * Which part of the code may import which, and through which door a package comes in, as data.
 * `node scripts/directions.mjs` checks it; test/unit/directions.test.ts plants violations and expects each to be found.
 */
import { existsSync, readdirSync } from 'node:fs';

const folder = (name) => `^src/${name}/`;

/** Level 0: codes and nouns, which know nothing above them. */
const LEVEL_0 = ['codes', 'model'].map(folder);
/** Folders of level 1: pure; each may import level 0, never each other. */
const LEVEL_1 = ['text', 'ledger', 'inputs'];
/**
 * The definitions of the layer kinds, between levels 1 and 2: a manifest reads their facts and keys,
 * a composition what they ask of the store, so they stand below both. Of what is above them they know
 * the words of a query, as types.
 */
const LAYERS = folder('layers');
const QUERY_TYPES = '^src/cxri/contract\\.ts$';
/** Folders of level 2: each may import what is below, never each other. */
const LEVEL_2 = [
  'manifest',
  'scoring',
  'budget',
  'render',
  'cxri',
  'inference',
  'telemetry',
  'permission',
];
/** Folders of level 3: each may import levels 0 to 2, never each other. */
const LEVEL_3 = [
  'compose',
  'write',
  'capture',
  'redact',
  'distill',
  'reconcile',
  'jobs',
  'code-lint',
];
/** What a project and its environment say, for the library and the command line alike. */
const SETTINGS = folder('settings');
const ENGINE = folder('engine');
const INDEX = '^src/index\\.ts$';
/** JSON from people, whose faults are told by line and column. */
const JSON_TEXT = '^src/text/json-text\\.ts$';
const CALENDAR = '^src/text/calendar\\.ts$';
/** One reading of fenced code, for what cuts documents and what renders them. */
const FENCES = '^src/text/fences\\.ts$';
const ROUGH_TOKENS = '^src/text/rough-tokens\\.ts$';
const VISIBLE_TEXT = '^src/text/visible-text\\.ts$';
/** The harness and its one door, so that a team gates its ranking from the installed package. */
const EVAL_INDEX = '^eval/index\\.ts$';
const EVAL_COMMAND = '^src/cli/(commands/eval\\.ts$|eval/)';
/** The one file that opens connectors, by name and lazily. */
const CONNECTOR_INDEX = '^connectors/index\\.ts$';
/** The lock of a folder on disk, for the connectors that keep one. */
const FOLDER_LOCK = '^connectors/folder-lock\\.ts$';
/** Every folder of connectors below the root that is checked: a new one needs no line here. */
const CONNECTORS = (
  existsSync('connectors') ? readdirSync('connectors', { withFileTypes: true }) : []
)
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const BELOW_2 = [...LEVEL_0, ...LEVEL_1.map(folder)];
const BELOW_3 = [...BELOW_2, LAYERS, ...LEVEL_2.map(folder)];
const BELOW_ENGINE = [...BELOW_3, ...LEVEL_3.map(folder), folder('look-back')];
/** What a connector may know of the engine: the words, the pure rules and its own interface. */
const FOR_CONNECTORS = [...BELOW_2, folder('cxri'), FOLDER_LOCK];
/** The oracle places versions by an algorithm of its own: what both shared, neither could find wrong. */
const FOR_THE_ORACLE = FOR_CONNECTORS.map((may) =>
  may === folder('ledger') ? '^src/ledger/(?!placing\\.ts$)' : may,
);

/**
 * `files` may import what `may` lists and themselves; nothing else of this repository.
 * First match wins: every file is in exactly one row.
 */
export const DIRECTIONS = [
  { name: 'codes', files: folder('codes'), may: [] },
  { name: 'model', files: folder('model'), may: [folder('codes')] },
  ...LEVEL_1.map((name) => ({ name, files: folder(name), may: LEVEL_0 })),
  { name: 'layers', files: LAYERS, may: [...BELOW_2, QUERY_TYPES] },
  // The ports of the connector are types here: a judge reads rights and writes the audit through them.
  { name: 'permission', files: folder('permission'), may: [...BELOW_2, LAYERS, folder('cxri')] },
  { name: 'manifest', files: folder('manifest'), may: [...BELOW_2, LAYERS] },
  ...LEVEL_2.filter((name) => name !== 'permission' && name !== 'manifest').map((name) => ({
    name,
    files: folder(name),
    may: BELOW_2,
  })),
  ...LEVEL_3.map((name) => ({ name, files: folder(name), may: BELOW_3 })),
  // A replay renders with the stages of a composition.
  {
    name: 'look-back',
    files: folder('look-back'),
    may: [...BELOW_3, folder('compose'), folder('write')],
  },
  { name: 'settings', files: SETTINGS, may: BELOW_3 },
  {
    name: 'engine',
    files: ENGINE,
    may: [...BELOW_ENGINE, SETTINGS, CONNECTOR_INDEX, folder('ingest')],
  },
  { name: 'surface', files: INDEX, may: [...BELOW_ENGINE, ENGINE, CONNECTOR_INDEX] },
  { name: 'conformance', files: folder('conformance'), may: FOR_CONNECTORS },
  // Chat loops of other libraries: what they know of the engine is what an application knows, and
  // how a composition shows a text.
  { name: 'chat', files: folder('chat'), may: [INDEX, VISIBLE_TEXT] },
  // Manifests in code: what they print is what the command line reads.
  { name: 'define', files: folder('define'), may: [...LEVEL_0, folder('manifest')] },
  // A client of the engine's surface, as types: the engine hands its own methods in.
  {
    name: 'ingest',
    files: folder('ingest'),
    may: [
      ...LEVEL_0,
      JSON_TEXT,
      CALENDAR,
      FENCES,
      ROUGH_TOKENS,
      '^src/engine/context-engine\\.ts$',
    ],
  },
  {
    name: 'cli-eval',
    files: EVAL_COMMAND,
    may: [INDEX, JSON_TEXT, folder('manifest'), folder('ingest'), folder('cli'), EVAL_INDEX],
  },
  {
    name: 'cli',
    files: '^src/cli/(?!commands/eval\\.ts$|eval/)',
    may: [
      INDEX,
      folder('codes'),
      folder('manifest'),
      folder('code-lint'),
      folder('ingest'),
      folder('telemetry'),
      SETTINGS,
      JSON_TEXT,
      // One reading of a database URL, and of what of it may be shown.
      '^src/model/database-url\\.ts$',
      // What the holder of a folder answers, and where.
      '^src/model/reading-calls\\.ts$',
      // The providers of embeddings, for a command that lists them.
      '^src/inference/providers?\\.ts$',
      EVAL_COMMAND,
      // Which tokenizer counts, for a command that states it.
      '^src/budget/(counter|encodings)\\.ts$',
      '^src/model/manifest\\.ts$',
      // The SQL of migrations, for a command that prints it.
      CONNECTOR_INDEX,
    ],
  },
  { name: 'browser', files: folder('browser'), may: [INDEX, folder('manifest')] },
  { name: 'folder-lock', files: FOLDER_LOCK, may: [folder('codes')] },
  {
    name: 'connector-index',
    files: CONNECTOR_INDEX,
    may: [...FOR_CONNECTORS, ...CONNECTORS.map((name) => `^connectors/${name}/`)],
  },
  ...CONNECTORS.map((name) => ({
    name: `connector-${name}`,
    files: `^connectors/${name}/`,
    may: name === 'reference' ? FOR_THE_ORACLE : FOR_CONNECTORS,
  })),
  { name: 'eval', files: '^eval/', may: [INDEX] },
];

/** One door per dependency: `only` these files import the package. */
export const DOORS = [
  {
    name: 'databases',
    packages: [
      'pg',
      'drizzle-orm',
      'pgvector',
      '@electric-sql/[^/]+',
      '@lancedb/[^/]+',
      'apache-arrow',
      'redis',
    ],
    only: '^connectors/',
  },
  { name: 'yaml', packages: ['yaml', 'ajv'], only: '^(src/manifest/|eval/read-yaml\\.ts$)' },
  { name: 'fsrs', packages: ['ts-fsrs'], only: '^src/scoring/retrievability\\.ts$' },
  // The build alone reads it: what ships are its tables, in a form of their own.
  { name: 'tokenizer', packages: ['gpt-tokenizer'], only: '^scripts/' },
  { name: 'stemmer', packages: ['wink-porter2-stemmer'], only: '^src/text/terms\\.ts$' },
  { name: 'typescript', packages: ['typescript'], only: '^src/code-lint/' },
  {
    name: 'openai',
    packages: ['openai'],
    only: '^src/(inference/openai-embedder|chat/openai)\\.ts$',
  },
  { name: 'ai-sdk', packages: ['ai'], only: '^src/chat/(ai-sdk|ui-messages)\\.ts$' },
  { name: 'langgraph', packages: ['@langchain/[^/]+'], only: '^src/chat/langgraph(-store)?\\.ts$' },
  { name: 'llama3', packages: ['llama3-tokenizer-js'], only: '^src/budget/llama3\\.ts$' },
  { name: 'llama2', packages: ['llama-tokenizer-js'], only: '^src/budget/llama2\\.ts$' },
  {
    name: 'transformers',
    packages: ['@huggingface/transformers'],
    only: '^src/inference/transformers-embedder\\.ts$',
  },
];

const SHIPPED = '^(src|connectors)/';
const OURS = '^(src|connectors|eval|test|scripts)/';

const directionRules = DIRECTIONS.map(({ name, files, may }) => ({
  name: `direction-${name}`,
  severity: 'error',
  from: { path: files },
  to: { path: OURS, pathNot: [files, ...may] },
}));

/** Resolved below node_modules, or the bare name where it is not installed. */
const packagePath = (name) => `(^|/)node_modules/(@types/)?${name}/|^${name}(/|$)`;

const doorRules = DOORS.map(({ name, packages, only }) => ({
  name: `door-${name}`,
  severity: 'error',
  from: { path: '^(src|connectors|eval)/', pathNot: only },
  to: { path: packages.map(packagePath) },
}));

export default {
  forbidden: [
    ...directionRules,
    ...doorRules,
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      comment:
        '@huggingface/transformers is an optional peer of 300 MB that nothing here installs; its types are declared beside its door.',
      severity: 'error',
      from: { path: SHIPPED },
      to: { couldNotResolve: true, pathNot: '^@huggingface/transformers$' },
    },
    {
      name: 'unlisted-file',
      comment: 'A file that no row of DIRECTIONS holds: give its folder a row.',
      severity: 'error',
      from: { path: SHIPPED, pathNot: DIRECTIONS.map(({ files }) => files) },
      to: {},
    },
    {
      name: 'not-a-dev-dependency',
      comment:
        'What ships imports only what is installed with it; drizzle-orm, openai, ai, LangGraph, LanceDB, redis, typescript and the words of Llama 2 and 3 are optional peers, each behind its door.',
      severity: 'error',
      from: { path: SHIPPED },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg'],
        pathNot: [
          '(^|/)node_modules/(ai|@langchain/[^/]+|@lancedb/lancedb|apache-arrow|drizzle-orm|llama3?-tokenizer-js|openai|redis|@redis/[^/]+|typescript|@types/[^/]+)/',
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type-only imports are imports: a cycle of types is a cycle.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
    skipAnalysisNotInRules: true,
  },
};
