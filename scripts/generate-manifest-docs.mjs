/**
 * Writes manifests/README.md: every field of a manifest, from the schema and the tables of the
 * code.
 *
 *     node scripts/generate-manifest-docs.mjs    after a build, whose output it reads
 *
 * test/unit/manifest-docs.test.ts holds the page equal to what this would write, and parses its
 * examples.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EXAMPLES } from './manifest-examples.mjs';

const PAGE = fileURLToPath(new URL('../manifests/README.md', import.meta.url));

const code = (text) => `\`${text}\``;
/** A cell cannot hold a bar or a line end. */
const cell = (text) =>
  String(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ');

function table(titles, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

const example = (name) => `\`\`\`yaml\n${EXAMPLES[name].trim()}\n\`\`\``;

/** A schema as a reader says it. */
function typeOf(schema) {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(' ');
  if (schema.$ref) return 'map';
  const range = schema.minimum === undefined ? '' : `, ${schema.minimum} to ${schema.maximum}`;
  const named = {
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
    object: 'map',
    null: 'nothing',
  };
  if (schema.type === 'array')
    return `list of ${schema.items?.enum ? schema.items.enum.map(code).join(' ') : 'texts'}`;
  const types = [schema.type].flat().map((type) => named[type] ?? type);
  const rule = schema.patternErrorMessage === undefined ? '' : `: ${schema.patternErrorMessage}`;
  return `${types.join(' or ')}${range}${rule}`;
}

const defaultOf = ({ default: value }) =>
  value === undefined ? '' : code(Array.isArray(value) ? `[${value.join(', ')}]` : value);

/**
 * A row per key; keys of inner maps by their path. Maps of names that people choose end the path.
 */
function rowsOf(schema, path = '') {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const name = `${path}${key}`;
    const row = [
      code(name),
      typeOf(inner),
      required.has(key) ? '**required**' : defaultOf(inner),
      inner.description ?? (inner.$ref ? `As [${key}](#${key}) above.` : ''),
    ];
    return [row, ...(inner.type === 'object' && inner.properties ? rowsOf(inner, `${name}.`) : [])];
  });
}

const FIELD_TITLES = ['field', 'type', 'default', 'meaning'];
const fields = (schema) => table(FIELD_TITLES, rowsOf(schema));

/** One section of `spec`: its words, its fields, its example. */
function section(name, schema, definitions) {
  const target = schema.$ref ? definitions[schema.$ref.replace('#/definitions/', '')] : schema;
  const entry =
    typeof target.additionalProperties === 'object' ? target.additionalProperties : undefined;
  const parts = [`### ${name}`, schema.description ?? target.description];
  if (target.properties) parts.push(fields(target));
  else if (entry?.properties)
    parts.push(`Each ${name.replace(/s$/, '')}, under its name:`, fields(entry));
  else
    parts.push(
      `${typeOf(target)}${target.default === undefined ? '' : `; default ${defaultOf(target)}`}.`,
    );
  if (EXAMPLES[name]) parts.push(example(name));
  return parts.join('\n\n');
}

function modelSection(schema, { defaults }) {
  const rows = Object.entries(defaults.WINDOW_PRESETS).map(
    ([name, { totalTokens, reserve, blocks }]) => [
      code(name),
      totalTokens,
      reserve.query,
      reserve.response,
      reserve.safety,
      blocks.project,
      blocks.task,
      blocks.history,
      blocks.knowledge,
    ],
  );
  return [
    section('model', schema, {}),
    'What the window presets set, unless `budget` says otherwise:',
    table(
      [
        ...['preset', 'total_tokens', 'reserve.query', 'reserve.response', 'reserve.safety'],
        ...['project', 'task', 'history', 'knowledge'],
      ],
      rows,
    ),
    'The last four are kept for the layers of a block, shared evenly, as far as they can fill them and ' +
      '`min_per_layer` keeps nothing: `project` and `index`; `task`, `schema_typed` and `pinned`; ' +
      '`recent` and `summary`; all that are searched.',
    'Any other model brings its tokenizer and its window, and no budget: without ' +
      '`budget.total_tokens` the layers have 4,000 tokens in the largest window too, because what a ' +
      "call costs is the manifest's to say.",
  ].join('\n\n');
}

const CUTS = {
  never: 'never; too long is an error',
  oldest: 'oldest first',
  items: 'least item first',
  sentences: 'at a sentence',
};

function layersSection(schema, { definitions, layers }) {
  const kinds = layers.LAYERS.map((definition) => [definition.name, definition]);
  const rows = kinds.map(([kind, facts]) => [
    code(kind),
    definitions[`layer_${kind}`].description,
    facts.rank,
    CUTS[facts.cut],
  ]);
  const perKind = kinds.map(([kind]) => Object.keys(definitions[`layer_${kind}`].properties));
  const common = perKind[0].filter((key) => perKind.every((keys) => keys.includes(key)));
  const own = kinds.flatMap(([kind]) =>
    Object.entries(definitions[`layer_${kind}`].properties)
      .filter(([key]) => !common.includes(key))
      .map(([key, inner]) => ({ kind, key, inner })),
  );
  const ownKeys = [...new Set(own.map(({ key }) => key))].map((key) => {
    const uses = own.filter((use) => use.key === key);
    const defaults = uses
      .filter(({ inner }) => inner.default !== undefined)
      .map(({ kind, inner }) => ({ kind, shown: defaultOf(inner) }));
    const isSame =
      defaults.length === uses.length && new Set(defaults.map(({ shown }) => shown)).size === 1;
    const shown = isSame
      ? defaults[0].shown
      : defaults.map((one) => `${one.kind} ${one.shown}`).join(', ');
    return [
      code(key),
      typeOf(uses[0].inner),
      shown,
      uses[0].inner.description,
      uses.map(({ kind }) => kind).join(', '),
    ];
  });
  const commonRows = rowsOf(definitions[`layer_${kinds[0][0]}`])
    .filter(([name]) => common.map(code).includes(name))
    .map((row) =>
      row[0] === code('rank')
        ? [row[0], row[1], 'by kind', row[3]]
        : row[0] === code('kind')
          ? [row[0], 'a kind', 'its name', row[3]]
          : row,
    );
  return [
    '### layers',
    schema.description,
    'In the order in which they are rendered (`render.order: static_first`); rank 1 is the most important and is cut last:',
    table(['kind', 'what it brings', 'rank', 'cut'], rows),
    'Keys of every layer:',
    table(FIELD_TITLES, commonRows),
    'Keys of some kinds:',
    table([...FIELD_TITLES, 'kinds'], ownKeys),
    example('layers'),
  ].join('\n\n');
}

function intentsSection(schema, { intent }) {
  const names = (kinds) => kinds.map(code).join(' ');
  const rows = Object.entries(intent.BUILT_IN_INTENTS).map(([name, { lambda, fires, skips }]) => [
    code(name),
    fires === '*'
      ? skips.length === 0
        ? 'every layer'
        : `every layer but ${names(skips)}`
      : names(fires),
    `${code(lambda)} (${intent.DEFAULT_LAMBDA[lambda]})`,
  ]);
  return [
    section('intents', schema, {}),
    'The built-in ones, with the layers that they fire where the manifest has them, and their weight of forgetting:',
    table(['intent', 'fires', 'lambda'], rows),
  ].join('\n\n');
}

function scoringSection(schema, { definitions, signal, formulaPresets }) {
  const [knobs, numbers] = [true, false].map((isKnob) =>
    Object.entries(signal.SIGNALS).filter(([, { isParameter = false }]) => isParameter === isKnob),
  );
  const rows = (entries) =>
    entries.map(([name, { meaning, range }]) => [
      code(name),
      `${range[0]} to ${range[1]}`,
      meaning,
    ]);
  return [
    section('scoring', schema, definitions),
    'Presets:',
    table(
      ['preset', 'formula', 'meaning'],
      Object.entries(formulaPresets.FORMULA_PRESETS).map(([name, { formula, summary }]) => [
        code(name),
        code(formula),
        summary,
      ]),
    ),
    'Names that a formula may use, numbers about an item first and then those of the manifest:',
    table(['name', 'range', 'meaning'], [...rows(numbers), ...rows(knobs)]),
  ].join('\n\n');
}

function permissionSection(schema, { defaults }) {
  const rows = Object.entries(schema.properties).map(([key, { description }]) => [
    code(key),
    code(defaults.DEFAULT_PERMISSION[key]),
    description,
  ]);
  return [
    '### permission',
    schema.description,
    table(['action', 'default', 'meaning'], rows),
    example('permission'),
  ].join('\n\n');
}

const SECTIONS = {
  model: modelSection,
  layers: layersSection,
  intents: intentsSection,
  scoring: scoringSection,
  permission: permissionSection,
};

/** What of the table of codes is about manifests, by who finds it. */
const FINDERS = {
  load: 'Whenever a manifest is loaded, by an engine as well (an error keeps it from being loaded, a warning travels with its compositions)',
  lint: 'By `contextengine validate`, of manifests that load: what is allowed, and cannot do what it says',
  pin: 'Of what is kept beside the manifests: the lock, and the generated types',
};

const codesSection = ({ codeRows }) =>
  Object.entries(FINDERS).flatMap(([finder, title]) => [
    `${title}:`,
    table(
      ['code', 'severity', 'meaning'],
      codeRows().flatMap(([found, { finding, meaning }]) =>
        finding?.by === finder ? [[code(found), finding.severity, meaning]] : [],
      ),
    ),
  ]);

/** The text of manifests/README.md. */
export function manifestDocs(modules) {
  const { definitions } = modules.schema.manifestSchema;
  const facts = { ...modules, definitions };
  const { properties } = definitions.context_domain;
  const { collection } = definitions;
  const sections = Object.entries(properties.spec.properties).map(([name, schema]) =>
    SECTIONS[name] ? SECTIONS[name](schema, facts) : section(name, schema, definitions),
  );
  const links = Object.keys(properties.spec.properties).map((name) => `[${name}](#${name})`);
  return `${[
    '<!-- Written by scripts/generate-manifest-docs.mjs from the schema of manifests: change src/manifest/schema*.ts, then run it. -->',
    '# Manifests',
    'A manifest is a YAML file that says what one feature needs to know. A call finds it by the type of its scope: the one whose `metadata.scope_block_type` is the `block_type` of the scope. This page is every field of version 1; `contextengine validate` checks a file against it, `contextengine fmt` lays it out, and `contextengine schema` prints the same as JSON Schema.',
    'The first line gives an editor completion and this text at every key:',
    example('whole'),
    '## The document',
    `${properties.kind.description} Keys that begin with \`x-\` are yours, here, in \`metadata\` and in \`spec\`: they are never read.`,
    table(
      FIELD_TITLES,
      rowsOf({
        ...definitions.context_domain,
        properties: {
          ...properties,
          spec: { description: properties.spec.description, type: 'object' },
        },
      }),
    ),
    '## spec',
    `Every section is optional: ${links.join(', ')}.`,
    ...sections,
    '## Collection',
    collection.description,
    table(FIELD_TITLES, rowsOf(collection)),
    'Each property, under its name:',
    fields(collection.properties.spec.properties.properties.additionalProperties),
    example('collection'),
    '## Findings',
    'What the tools say about a manifest: a code, a file with line and column, what was found, and what to do. Errors leave with exit code 4; warnings do not.',
    ...codesSection(modules.codeTable),
  ].join('\n\n')}\n`;
}

async function main() {
  const from = (path) => import(new URL(`../dist/src/${path}.js`, import.meta.url).href);
  const modules = {
    schema: await from('manifest/schema'),
    defaults: await from('manifest/defaults'),
    codeTable: await from('codes/code-table'),
    formulaPresets: await from('manifest/formula-presets'),
    intent: await from('model/intent'),
    layers: await from('layers/index'),
    signal: await from('model/signals/index'),
  };
  await writeFile(PAGE, manifestDocs(modules));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
