/** JSON Schema (draft-07) of a manifest's layers. */
import { LAYER_KIND_NAMES, LAYER_KINDS, type LayerKind } from '../model/layer.ts';
import {
  COMMON_LAYER_KEYS,
  DEFAULT_CLASSES,
  DEFAULT_LIMITS,
  DEFAULT_MAX_LINES,
  DEFAULT_OVERFETCH,
  DEFAULT_TOP_K,
  LAYER_KEYS,
  SUMMARY_KINDS,
} from './layer-keys.ts';
import { integer, type JsonSchema, list, NAME, number, text } from './schema-values.ts';

type LayerKey = (typeof COMMON_LAYER_KEYS)[number] | (typeof LAYER_KEYS)[LayerKind][number];

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
    'Words of the manifest, rendered as they are. {{name}} stands for a declared input, or for now, query or scope.title.',
  ),
  file: text(
    'A text file, relative to the manifest. It is read when the manifest is loaded and enters the digest; {{name}} is filled as in `text`.',
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
    'Candidates fetched per item served, for scoring to choose from; under 1 where neighbours bring the rest.',
    DEFAULT_OVERFETCH,
  ),
  neighbours: integer(
    [0, 4],
    'Blocks before and after each hit of the same conversation that are candidates as well. Default: 2 where the formula reads windows, else 0.',
  ),
  kinds: list(
    SUMMARY_KINDS,
    'Which summaries: rolling (of the conversation), per_doc (of documents), lineage (of what a thing derives from). Absent = all three.',
  ),
  collection: text('The Collection manifest whose properties the layer shows.', NAME),
  categories: list(undefined, 'Categories of facts; absent = any.'),
  classes: list(
    undefined,
    'Classes of facts, such as preference, decision, lesson, rule; absent = any, but for index and procedures.',
  ),
  tags: list(undefined, 'Items that carry these tags; absent = any.'),
  block_types: list(undefined, 'Types of blocks; absent = the default of the layer kind.'),
  hype_enabled: {
    type: 'boolean',
    description:
      'Match the query against questions that an item answers, written beside it. Has not landed: no effect.',
  },
  veto_threshold: number(
    [0, 1],
    'A cross-encoder drops candidates under this score. Has not landed: no effect.',
  ),
  rank: integer(
    [1, 5],
    'Importance: 1 is cut last, 5 first. A single-turn question answerer ranks knowledge before history.',
  ),
  max_tokens: integer([1, 1_000_000], 'Tokens that the layer may take at most, tags included.'),
  source: text(
    'The mounted connector that answers. Only `ledger`, the authority, has landed.',
    NAME,
  ),
  scoring: {
    $ref: '#/definitions/scoring',
    description: 'Settings for this layer alone; what is absent comes from spec.scoring.',
  },
};

const KIND_SUMMARIES: Readonly<Record<LayerKind, string>> = {
  system:
    'Instructions. On by itself; without a text, a built-in one says that retrieved text is data.',
  core: 'Core memory: one markdown file or block, always loaded, never cut.',
  project: 'Conventions that hold for every call.',
  index: 'One-line hooks of lessons and rules, always loaded.',
  pinned: 'What pinned links name. On by itself.',
  task: 'The task at hand: goals and constraints.',
  schema_typed: 'Typed properties of a collection; the nearest scope shadows.',
  procedures: 'Learned behaviours, by tags and meaning.',
  open_set: 'Atomic facts, by meaning.',
  semantic: 'Blocks of the scope and those it inherits, by hybrid search.',
  archival: 'Long-term memories. Has not landed.',
  documents: 'Class-aware index of documents and lessons. Has not landed.',
  neighbours: 'Facts that were used together, and cousins in the tree. Has not landed.',
  summary: 'Summaries of what `recent` does not reach.',
  recent: 'The last turns of the conversation.',
};

function keyDefault(kind: LayerKind, key: string): unknown {
  if (key === 'rank') return LAYER_KINDS[kind].rank;
  if (key === 'limit') return DEFAULT_LIMITS[kind];
  if (key === 'top_k') return DEFAULT_TOP_K[kind];
  return key === 'classes' ? DEFAULT_CLASSES[kind] : undefined;
}

function layerOf(kind: LayerKind): JsonSchema {
  // What the layer brings comes first, how it competes for the budget last: the order of `contextengine fmt` and of the documentation.
  const common = COMMON_LAYER_KEYS.filter((key) => !LEADING_KEYS.includes(key));
  const keys: readonly LayerKey[] = [...LEADING_KEYS, ...LAYER_KEYS[kind], ...common];
  const properties = keys.map((key) => {
    const byKind = keyDefault(kind, key);
    return [
      key,
      key === 'kind'
        ? { ...KEY_SCHEMAS.kind, enum: [kind] }
        : byKind === undefined
          ? KEY_SCHEMAS[key]
          : { ...KEY_SCHEMAS[key], default: byKind },
    ] as const;
  });
  return {
    type: ['object', 'boolean', 'null'],
    description: KIND_SUMMARIES[kind],
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** One definition a kind; a layer named otherwise takes any layer key and says its kind. Which keys go with that kind is checked after. */
export const layerDefinitions: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(LAYER_KIND_NAMES.map((kind) => [`layer_${kind}`, layerOf(kind)])),
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

/** Any key of any kind: what the validator checks. Which keys go with a kind is checked after, so that the validator stays small. */
export const anyLayer: JsonSchema = {
  type: ['object', 'boolean', 'null'],
  properties: KEY_SCHEMAS,
  additionalProperties: false,
};

/** The layers of a manifest; `schemaOf` says what a layer named after a kind is checked by. */
export const layersSchema = (schemaOf: (kind: LayerKind) => JsonSchema): JsonSchema => ({
  type: 'object',
  description:
    'The layers that this feature draws from. A layer that is not named is off, but system and pinned. `recent: {}` or `recent: true` takes the defaults.',
  propertyNames: NAME,
  properties: Object.fromEntries(LAYER_KIND_NAMES.map((kind) => [kind, schemaOf(kind)])),
  additionalProperties: { $ref: '#/definitions/layer_named' },
});
