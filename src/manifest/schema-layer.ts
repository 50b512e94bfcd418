/** JSON Schema (draft-07) of a manifest's layers. */
import type { LayerDefinition } from '../layers/definition.ts';
import { KNOWN_BLOCK_TYPES, LAYER_KIND_NAMES, LAYERS, type LayerKind } from '../layers/index.ts';
import {
  COMMON_LAYER_KEYS,
  DEFAULT_MAX_LINES,
  DEFAULT_OVERFETCH,
  type LayerKey,
  SUMMARY_KINDS,
} from '../layers/keys.ts';
import { integer, type JsonSchema, list, NAME, number, text } from './schema-values.ts';

const LEADING_KEYS: readonly (typeof COMMON_LAYER_KEYS)[number][] = ['kind', 'enabled'];

/** In the order of `contextengine fmt`. */
const KEY_SCHEMAS: Readonly<Record<LayerKey, JsonSchema>> = {
  kind: {
    type: 'string',
    enum: LAYER_KIND_NAMES,
    description: 'What the layer brings. Default: the kind that the layer is named after.',
  },
  enabled: {
    type: 'boolean',
    description: 'false keeps the layer written down, but off.',
    default: true,
  },
  text: text(
    'Words of the manifest, rendered as they are. {{name}} stands for a declared input, or ' +
      'for now, query or scope.title.',
  ),
  file: text(
    'A text file, relative to the manifest. It is read when the manifest is loaded and ' +
      'enters the digest; {{name}} is filled as in `text`.',
  ),
  max_lines: integer(
    [1, 400],
    'Lines that core memory may have; a longer file is refused.',
    DEFAULT_MAX_LINES,
  ),
  limit: integer(
    [1, 500],
    'Entries read at most: turns, hooks, pinned things, values or summaries.',
  ),
  top_k: integer([1, 200], 'Items served at most.'),
  overfetch: number(
    [0.1, 20],
    'Candidates fetched per item served, for scoring to choose from; under 1 where ' +
      'neighbours bring the rest.',
    DEFAULT_OVERFETCH,
  ),
  category_share: number(
    [0.05, 1],
    'Of the items served, what those of one category may take while items of others wait.',
  ),
  tag_boost: number(
    [0, 1],
    'What each tag of an item that the query or its task names adds to the score.',
  ),
  neighbours: integer(
    [0, 4],
    'Blocks before and after each hit of the same conversation that are candidates as well. ' +
      'Default: 2 where the formula reads windows, else 0.',
  ),
  kinds: list(
    SUMMARY_KINDS,
    'Which summaries: rolling (of the conversation), per_doc (of documents), lineage (of ' +
      'what a thing derives from). Absent = all three.',
  ),
  collection: text('The Collection manifest whose properties the layer shows.', NAME),
  categories: list(undefined, 'Categories of facts; absent = any.'),
  classes: list(
    undefined,
    'Classes of facts, such as preference, decision, lesson, rule; absent = any but procedure, ' +
      'lesson and rule, which index and procedures bring.',
  ),
  tags: list(undefined, 'Items that carry these tags; absent = any.'),
  block_types: list(
    undefined,
    `Types of blocks: ${KNOWN_BLOCK_TYPES.join(', ')}, or those of the application; absent = the ` +
      'default of the layer kind.',
  ),
  hype_enabled: {
    type: 'boolean',
    description:
      'Match the query against questions that an item answers, written beside it. Has not ' +
      'landed: no effect.',
  },
  veto_threshold: number(
    [0, 1],
    'A cross-encoder drops candidates under this score. Has not landed: no effect.',
  ),
  rank: integer(
    [1, 5],
    'Importance: 1 is cut last, 5 first. A single-turn question answerer ranks knowledge ' +
      'before history.',
  ),
  max_tokens: integer([1, 1_000_000], 'Tokens that the layer may take at most, tags included.'),
  source: text('What is searched: `ledger`, the authority, or the name of a mount.', NAME),
  scoring: {
    $ref: '#/definitions/scoring',
    description: 'Settings for this layer alone; what is absent comes from spec.scoring.',
  },
};

function keyDefault({ rank, defaults }: LayerDefinition, key: string): unknown {
  if (key === 'rank') return rank;
  if (key === 'limit') return defaults.limit;
  if (key === 'top_k') return defaults.topK;
  if (key === 'category_share') return defaults.categoryShare;
  if (key === 'tag_boost') return defaults.tagBoost;
  return key === 'classes' ? defaults.classes : undefined;
}

function layerOf(definition: LayerDefinition): JsonSchema {
  // What the layer brings comes first, how it competes for the budget last: the order of
  // `contextengine fmt` and of the documentation.
  const common = COMMON_LAYER_KEYS.filter((key) => !LEADING_KEYS.includes(key));
  const keys: readonly LayerKey[] = [...LEADING_KEYS, ...definition.keys, ...common];
  const properties = keys.map((key) => {
    const byKind = keyDefault(definition, key);
    return [
      key,
      key === 'kind'
        ? { ...KEY_SCHEMAS.kind, enum: [definition.name] }
        : byKind === undefined
          ? KEY_SCHEMAS[key]
          : { ...KEY_SCHEMAS[key], default: byKind },
    ] as const;
  });
  return {
    type: ['object', 'boolean', 'null'],
    description: definition.summary,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/**
 * One definition a kind; a layer named otherwise takes any layer key and says its kind. Which keys
 * go with that kind is checked after.
 */
export const layerDefinitions: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    LAYERS.map((definition) => [`layer_${definition.name}`, layerOf(definition)]),
  ),
  layer_named: {
    type: 'object',
    description: 'A second layer of a kind, under a name of its own.',
    required: ['kind'],
    properties: KEY_SCHEMAS,
    additionalProperties: false,
  },
};

const { kind: _kind, enabled: _enabled, ...CHANGEABLE_KEYS } = KEY_SCHEMAS;

/** What a variant may change of a layer: which keys go with its kind is checked after. */
export const layerChanges: JsonSchema = {
  type: 'object',
  description: 'Settings of a layer, as in spec.layers.',
  properties: CHANGEABLE_KEYS,
  additionalProperties: false,
};

/**
 * Any key of any kind: what the validator checks. Which keys go with a kind is checked after, so
 * that the validator stays small.
 */
export const anyLayer: JsonSchema = {
  type: ['object', 'boolean', 'null'],
  properties: KEY_SCHEMAS,
  additionalProperties: false,
};

/** The layers of a manifest; `schemaOf` says what a layer named after a kind is checked by. */
export const layersSchema = (schemaOf: (kind: LayerKind) => JsonSchema): JsonSchema => ({
  type: 'object',
  description:
    'The layers that this feature draws from. A layer that is not named is off, but system ' +
    'and pinned. `recent: {}` or `recent: true` takes the defaults.',
  propertyNames: NAME,
  properties: Object.fromEntries(LAYER_KIND_NAMES.map((kind) => [kind, schemaOf(kind)])),
  additionalProperties: { $ref: '#/definitions/layer_named' },
});
