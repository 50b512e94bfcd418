/** JSON Schema (draft-07) of a ContextDomain's `spec`. */
import { BYPASSES, DEFAULT_UNUSED_DAYS, RENDER_FORMATS } from '../model/manifest.ts';
import { PERMISSION_KEYS, TIERS } from '../model/permission.ts';
import { DEFAULT_HISTORY, DEFAULT_RESERVE, DEFAULT_TOTAL_TOKENS } from './defaults.ts';
import { layerChanges } from './schema-layer.ts';
import { scoringSchema } from './schema-scoring.ts';
import { integer, type JsonSchema, list, NAME, number, object, text } from './schema-values.ts';
import { writingSchema } from './schema-writing.ts';

const TIER: JsonSchema = { type: 'string', enum: TIERS };
const PERMISSION_TEXT: Readonly<Record<(typeof PERMISSION_KEYS)[number], string>> = {
  reads: 'Reading the scope and those it inherits.',
  writes: 'Derived memory: facts, typed values, summaries and links.',
  cross_scope: 'Reading outside the scope and those it inherits.',
  deletes: 'Closing or retiring rows.',
  grants: 'Links that give rights.',
  redactions: 'Suppressing and erasing.',
  approvals: 'Deciding what waits for approval.',
};

const inputsSchema: JsonSchema = {
  type: 'object',
  description: 'Values that a call hands in, for {{name}} in texts.',
  propertyNames: NAME,
  additionalProperties: {
    type: ['object', 'null'],
    description: 'A declared input.',
    properties: {
      required: {
        type: 'boolean',
        description: 'A call without it is refused. Default: false.',
        default: false,
      },
      default: {
        type: ['string', 'number', 'boolean'],
        description: 'The value where a call gives none; without it, an empty text.',
      },
      description: text('What to hand in, for whoever writes the call.'),
    },
    additionalProperties: false,
  },
};

const intentsSchema: JsonSchema = {
  type: 'object',
  description:
    'Built-in intents changed (follow_up, new_topic, compare, recall_decision, creative, ' +
    'fact, reasoning, temporal), and intents of your own.',
  propertyNames: NAME,
  additionalProperties: {
    ...object('What an intent fires.', {
      layers: {
        type: 'array',
        items: {
          type: 'string',
          pattern: '^[+-]?[a-z][a-z0-9_]*$',
          patternErrorMessage: 'a layer name, or one after `+` or `-`',
        },
        description:
          'The layers that fire, `[recent, open_set]`; or a change, `[+schema_typed, ' +
          '-semantic]`, of what the built-in intent fires, or of all layers for an intent of ' +
          'your own, which must have this key. system and core always fire.',
      },
      lambda: {
        type: ['string', 'number'],
        description: 'Class of forgetting (fact, temporal, reasoning), or its weight from 0 to 4.',
      },
      floor: number([0, 1], 'Items that score less are not served with this intent.'),
    }),
  },
};

/** Ranges are checked after the shape, because numbers of a budget are judged together. */
const tokens = (description: string, byDefault?: number): JsonSchema => ({
  type: 'integer',
  description,
  ...(byDefault !== undefined && { default: byDefault }),
});
const perLayer = (description: string): JsonSchema => ({
  type: 'object',
  description: `${description} \`typed\` is another name of schema_typed.`,
  additionalProperties: { type: 'integer' },
});

const budgetSchema = object('Tokens. Window = blocks + reserved for query and response + safety.', {
  total_tokens: tokens(
    'For all layers together, tags included; never exceeded.',
    DEFAULT_TOTAL_TOKENS,
  ),
  min_per_layer: perLayer('Kept for a layer that can fill it.'),
  max_per_layer: perLayer('What a layer may take at most.'),
  reserve: object('Kept free in the window of the model.', {
    query: tokens('For the words of the user.', DEFAULT_RESERVE.query),
    response: tokens('For the answer.', DEFAULT_RESERVE.response),
    safety: tokens(
      'For what the provider adds, and its tokenizer counts otherwise.',
      DEFAULT_RESERVE.safety,
    ),
  }),
  summary_share: number(
    [0.01, 1],
    'Of the tokens of a history, what a `summary` layer without `max_tokens` takes at most ' +
      'beside `recent`.',
    DEFAULT_HISTORY.summaryShare,
  ),
  history_share: number(
    [0, 1],
    'Of all tokens, what the turns before the last `limit` may take before anything is searched; ' +
      'more are shown where tokens are left.',
    DEFAULT_HISTORY.historyShare,
  ),
  history_kept: number(
    [0, 1],
    'Of these, what a longer history keeps at least each time that its beginning moves on. The ' +
      'less, the longer it begins at the same turn, as a prompt cache wants it.',
    DEFAULT_HISTORY.historyKept,
  ),
  short_history_tokens: tokens(
    'A history with a gap that has fewer is warned of as short.',
    DEFAULT_HISTORY.shortHistoryTokens,
  ),
});

const inert = (description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  object(`${description} Has not landed: validated, no effect.`, properties);

const POLICY = {
  type: 'string',
  pattern:
    '^(manual|nightly|(every_[1-9][0-9]*_turns|token_pressure_[1-9][0-9]?pct)( (OR|AND) ' +
    '(every_[1-9][0-9]*_turns|token_pressure_[1-9][0-9]?pct))*)$',
  patternErrorMessage:
    '`manual`, `nightly`, or conditions such as `every_3_turns OR token_pressure_70pct`',
};

const daysOf = (what: string): string =>
  `Days that ${what} are kept. Has not landed: validated, no effect.`;

const inertSettings: Readonly<Record<string, JsonSchema>> = {
  distillation: inert('When summaries are made, and for how much.', {
    policy: text(
      'When to distil: manual, nightly, or conditions joined by OR and AND: every_3_turns, ' +
        'token_pressure_70pct.',
      POLICY,
    ),
    cost_budget_usd_per_day: number(
      [0, 100_000],
      'What a model may cost at most, per user and UTC day.',
    ),
  }),
  retention: object('How long things are kept.', {
    grace_days: integer(
      [0, 3650],
      'Days from `forget` until `contextengine erase` erases. Where several manifests say it of ' +
        'what is forgotten, the fewest days hold; none: 30.',
    ),
    archive_under: number(
      [0, 1],
      'Upkeep archives facts whose importance, re-estimated from use and faded by the half-life ' +
        'of its category, fell under it and which nobody used for `unused_days`. Absent or 0: ' +
        'none. What is pinned or typed, or was cited within 30 days, stays whatever is written ' +
        'here. Where several manifests say it of a scope, the most careful numbers hold.',
    ),
    unused_days: integer(
      [1, 3650],
      'Days without use from which a fact can be archived.',
      DEFAULT_UNUSED_DAYS,
    ),
    prune_after_days: integer(
      [30, 3650],
      'Days after which an archived fact is pruned: retired, still in its history. Absent: never.',
    ),
    turns_days: integer([1, 36_500], daysOf('turns and other raw blocks')),
    facts_days: integer([1, 36_500], daysOf('facts')),
    summaries_days: integer([1, 36_500], daysOf('summaries')),
  }),
};

/** More are no experiment that anybody reads, and each is checked as a manifest of its own. */
const MAX_VARIANTS = 16;

const variantsSchema: JsonSchema = {
  type: 'object',
  description:
    "A/B: a share of the scopes is served with other settings. A hash of the manifest's name " +
    'and the scope decides, so a scope keeps its variant; what the weights leave is served by ' +
    'the manifest as written. Receipts, traces and `explain` name the variant. At most ' +
    `${MAX_VARIANTS}.`,
  propertyNames: NAME,
  maxProperties: MAX_VARIANTS,
  additionalProperties: object(
    'A variant: its share of the scopes and what it changes.',
    {
      weight: number([0.001, 1], 'Share of the scopes; all together at most 1.'),
      layers: {
        type: 'object',
        description:
          'Settings of layers that the manifest has, by the name of the layer. Maps are ' +
          'changed key by key, lists, `fusion` and `document_fusion` as a whole.',
        additionalProperties: { $ref: '#/definitions/layer_changes' },
      },
      budget: { $ref: '#/definitions/budget', description: 'Changes of spec.budget.' },
      scoring: { $ref: '#/definitions/scoring', description: 'Changes of spec.scoring.' },
      render: { $ref: '#/definitions/render', description: 'Changes of spec.render.' },
    },
    { required: ['weight'] },
  ),
};

const renderSchema = object('How the composition is written.', {
  format: text('xml or markdown.', { type: 'string', enum: RENDER_FORMATS, default: 'xml' }),
  order: text(
    'static_first keeps the stable layers in front, for prompt caches; as_written takes the ' +
      'order of spec.layers.',
    {
      type: 'string',
      enum: ['static_first', 'as_written'],
      default: 'static_first',
    },
  ),
  datamark: {
    type: 'boolean',
    description:
      'Mark every space of retrieved text, so that a model cannot take it for an instruction.',
    default: false,
  },
});

export const specSchema = (layers: JsonSchema): JsonSchema =>
  object(
    'What the feature needs.',
    {
      model: text(
        'A model name, for tokenizer and window; or window_4k, window_8k, window_128k, which ' +
          'also set the budget.',
        {
          type: 'string',
          pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$',
          patternErrorMessage: 'a model name',
          default: 'gpt-4o',
        },
      ),
      layers,
      inputs: inputsSchema,
      intents: intentsSchema,
      budget: { $ref: '#/definitions/budget' },
      scoring: { $ref: '#/definitions/scoring' },
      permission: object(
        'Tiers: T1 autonomous, T2 soft approval, T3 strong approval, excluded. The strictest ' +
          'of tenant, manifest, profile and principal holds.',
        Object.fromEntries(PERMISSION_KEYS.map((key) => [key, text(PERMISSION_TEXT[key], TIER)])),
      ),
      cache: object('Compositions kept for calls that ask the same.', {
        ttl_seconds: number(
          [0, 30],
          'Seconds; 0 = none. A write of the scope ends it at once.',
          30,
        ),
      }),
      render: { $ref: '#/definitions/render' },
      bypass: list(BYPASSES, 'Stages of a composition that are left out; no other can be.'),
      ...inertSettings,
      writing: writingSchema,
      variants: variantsSchema,
    },
    { isOpen: true },
  );

export const specDefinitions: Readonly<Record<string, JsonSchema>> = {
  scoring: scoringSchema,
  budget: budgetSchema,
  render: renderSchema,
  layer_changes: layerChanges,
};
