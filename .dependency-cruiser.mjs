/**
 * Which part of the code may import which, and through which door a package comes in, as data.
 * `node scripts/directions.mjs` checks it; test/unit/directions.test.ts plants violations and expects each to be found.
 */

const NOUNS = '^src/(errors\\.ts$|model/)';
const folder = (name) => `^src/${name}/`;

/** Folders of level 1: each may import the nouns, never each other. */
const LEVEL_1 = ['manifest', 'scoring', 'budget', 'render', 'cxri', 'inference', 'telemetry'];
/** Folders of level 2: each may import levels 0 and 1, never each other. */
const LEVEL_2 = ['pipeline', 'write', 'distill', 'reconcile'];
/** Level 3: where the parts are joined. */
const JOINTS = '^src/(compose|engine|engine-options|context-engine|writing|reading|preview)\\.ts$';
/** The harness and its one door: the command that runs it, so that a team can gate its own ranking from the installed package. */
const EVAL_INDEX = '^eval/index\\.ts$';
const EVAL_COMMAND = '^src/cli/(commands/eval\\.ts$|eval/)';
/** The one file that opens connectors, by name and lazily. */
const CONNECTOR_INDEX = '^connectors/index\\.ts$';
const CONNECTORS = ['pgvector', 'reference', 'lancedb', 'qdrant', 's3', 'external-kb'];

const ALL_LEVEL_1 = LEVEL_1.map(folder);
const BELOW_JOINTS = [NOUNS, ...ALL_LEVEL_1, ...LEVEL_2.map(folder)];

/** `files` may import what `may` lists and themselves; nothing else of this repository. First match wins: every file is in exactly one row. */
export const DIRECTIONS = [
  { name: 'nouns', files: NOUNS, may: [] },
  ...LEVEL_1.map((name) => ({ name, files: folder(name), may: [NOUNS] })),
  ...LEVEL_2.map((name) => ({ name, files: folder(name), may: [NOUNS, ...ALL_LEVEL_1] })),
  { name: 'joints', files: JOINTS, may: [...BELOW_JOINTS, CONNECTOR_INDEX] },
  { name: 'surface', files: '^src/index\\.ts$', may: [...BELOW_JOINTS, JOINTS, CONNECTOR_INDEX] },
  { name: 'conformance', files: folder('conformance'), may: [NOUNS, folder('cxri')] },
  { name: 'cli-eval', files: EVAL_COMMAND, may: ['^src/index\\.ts$', folder('manifest'), folder('cli'), EVAL_INDEX] },
  {
    name: 'cli',
    files: '^src/cli/(?!commands/eval\\.ts$|eval/)',
    may: ['^src/index\\.ts$', folder('manifest'), folder('telemetry'), EVAL_COMMAND],
  },
  { name: 'browser', files: folder('browser'), may: ['^src/index\\.ts$', folder('manifest')] },
  { name: 'connector-index', files: CONNECTOR_INDEX, may: [NOUNS, folder('cxri'), ...CONNECTORS.map((name) => `^connectors/${name}/`)] },
  ...CONNECTORS.map((name) => ({ name: `connector-${name}`, files: `^connectors/${name}/`, may: [NOUNS, folder('cxri')] })),
  { name: 'eval', files: '^eval/', may: ['^src/index\\.ts$'] },
];

/** One door per dependency: `only` these files import the package. */
export const DOORS = [
  { name: 'databases', packages: ['pg', 'drizzle-orm', 'pgvector', '@electric-sql/[^/]+', '@lancedb/[^/]+'], only: '^connectors/' },
  { name: 'yaml', packages: ['yaml', 'ajv'], only: '^(src/manifest/|eval/read-yaml\\.ts$)' },
  { name: 'fsrs', packages: ['ts-fsrs'], only: '^src/scoring/retrievability\\.ts$' },
  { name: 'tokenizer', packages: ['gpt-tokenizer'], only: '^src/budget/' },
  { name: 'stemmer', packages: ['wink-porter2-stemmer'], only: '^src/model/terms\\.ts$' },
  { name: 'typescript', packages: ['typescript'], only: '^src/manifest/code/' },
  { name: 'openai', packages: ['openai'], only: '^src/inference/openai-embedder\\.ts$' },
  { name: 'transformers', packages: ['@huggingface/transformers'], only: '^src/inference/transformers-embedder\\.ts$' },
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
      comment: 'What ships imports only what is installed with it; openai and typescript are optional peers, loaded lazily.',
      severity: 'error',
      from: { path: SHIPPED },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], pathNot: ['(^|/)node_modules/(openai|typescript|@types/[^/]+)/'] },
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
