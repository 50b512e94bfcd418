/**
 * Generated stores, manifests and calls: all that a composition depends on, hostile wherever a user
 * could be.
 */
import fc from 'fast-check';
import { BUILT_IN_INTENTS } from '../../src/model/intent.ts';
import { HOSTILE } from './hostile-texts.ts';

/**
 * The scope of the calls, the two that it inherits from, one of the tenant that it does not, and
 * one of the same id in another tenant.
 */
export const PLACES = ['own', 'user', 'project', 'foreign', 'other'] as const;
export type Place = (typeof PLACES)[number];
/** Begins every text of a place, as one word: what is not granted must never show it. */
export const canaryOf = (place: Place): string => `qzx${place}`;

const WORDS = [
  'deploy',
  'release',
  'invoice',
  'garden',
  'coffee',
  'berlin',
  'owner',
  'moved',
  'prefers',
  'never',
  'friday',
  'the',
  'is',
];
const SCRIPTS = [
  '東京で会議',
  '안녕하세요',
  'привет мир',
  'שלום עולם',
  'مرحبا بالعالم',
  'สวัสดี',
  '👩‍👩‍👧‍👦',
  '❤️‍🔥👍🏽',
  'e\u0301',
  '🇩🇪',
];
const phrase = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 3, arbitrary: fc.constantFrom(...SCRIPTS) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
);
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');
const text = phrase.map((parts) => storable(parts.join(' ')));
const short = phrase.map((parts) =>
  storable(parts.slice(0, 4).join(' ')).slice(0, 150).toWellFormed(),
);
/** A name or a path, or only a UUID, as capture names the turn that a fact is from. */
const sourceId = fc.oneof(
  { weight: 3, arbitrary: short },
  fc.constantFrom('f483b449-8d4d-40e6-8500-c6e3af5b695b', 'F483B449-8D4D-40E6-8500-C6E3AF5B695C'),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const dayOfYear = fc.integer({ min: 0, max: 50 });

const block = fc.record({
  text,
  title: fc.option(short),
  author: fc.option(short),
  role: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'tool', 'system', 'reviewer'),
  /** Of an assistant's turn; a tool's turn answers the last of them. */
  calls: fc.option(
    fc.array(fc.record({ name: short, argument: short }), { minLength: 1, maxLength: 2 }),
  ),
  /** Of a part of a document. */
  heading: fc.option(short),
  source: fc.option(sourceId),
  type: fc.constantFrom(
    'turn',
    'turn',
    'turn',
    'document',
    'chunk',
    'convention',
    'task',
    'core_memory',
  ),
  day: dayOfYear,
});
const fact = fc.record({
  text,
  subject: fc.option(short),
  class: fc.constantFrom('fact', 'fact', 'preference', 'decision', 'lesson', 'rule', 'procedure'),
  importance: share,
  confidence: fc.oneof(share, fc.constant(1)),
  source: fc.option(sourceId),
  day: dayOfYear,
  ttl: fc.option(fc.integer({ min: 1, max: 40 })),
  isPinned: fc.boolean(),
});
const summary = fc.record({ text, kind: fc.constantFrom('rolling', 'per_doc', 'lineage') });
const typed = fc.record({
  property: fc.constantFrom('city', 'diet', 'team', 'plan', 'size'),
  value: fc.oneof(short, fc.array(short), fc.integer()),
});

const contentOf = (most: number) =>
  fc.record({
    title: short,
    blocks: fc.array(block, { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' }),
    facts: fc.array(fact, { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' }),
    summaries: fc.array(summary, { maxLength: 3 }),
    typed: fc.uniqueArray(typed, { selector: ({ property }) => property, maxLength: 5 }),
  });

/** Unbroken texts, which tokenizers and splitters dislike most; `<` grows fourfold by escaping. */
export const LONG_UNITS = ['a', '字', '👩‍👩‍👧‍👦', '<', '=-', '</recent>', ' '] as const;

export const storeContent = fc.record({
  own: contentOf(24),
  user: contentOf(10),
  project: contentOf(10),
  foreign: contentOf(6),
  other: contentOf(6),
});
type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type StoreContent = Generated<typeof storeContent>;

const FORMULAS = [
  'sim',
  '1 / (sim - sim)',
  '0 / 0',
  '-1 * sim',
  'pow(sim, -8) * 1000',
  'pow(R, lambda) * (1 + beta * U)',
  'clamp(age_days, 0, 5) - 2',
  'max(dense, lexical) + importance * recency',
  '1 / (depth - 1)',
  '1e300 * 1e300',
  '1',
];
const KINDS = [
  'project',
  'index',
  'pinned',
  'task',
  'schema_typed',
  'procedures',
  'open_set',
  'semantic',
  'summary',
  'recent',
  'core',
  'documents',
  'archival',
] as const;
const SCORED: readonly string[] = ['procedures', 'open_set', 'semantic', 'documents', 'archival'];
const LIMITED: readonly string[] = ['index', 'pinned', 'schema_typed', 'summary', 'recent'];
const TEXTS = [
  'Help. </semantic> <recent> stays here.',
  'Topic: {{topic}}.',
  '{{query}} at {{now}} in {{scope.title}}',
  '## semantic\nBe brief.',
  'Say <example>so</example>.',
];

/** Mostly the default. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const layer = fc.record({
  name: fc.oneof(fc.constantFrom(...KINDS), fc.constantFrom('notes', 'passages')),
  rank: fc.option(fc.integer({ min: 1, max: 5 })),
  most: seldom(fc.integer({ min: 20, max: 900 })),
  isMostOfBudget: fc.boolean(),
  leastShare: fc.option(share),
  count: seldom(fc.integer({ min: 1, max: 40 })),
  text: fc.option(fc.constantFrom(...TEXTS)),
  formula: seldom(fc.constantFrom(...FORMULAS)),
  floor: seldom(share),
  mmr: fc.option(share),
});

const WINDOWS = [
  'gpt-4o',
  'gpt-4',
  'window_4k',
  'window_8k',
  'claude-sonnet',
  'some-unknown-model',
] as const;
const manifest = fc.record({
  layers: fc.uniqueArray(layer, {
    selector: ({ name }) => name,
    minLength: 6,
    maxLength: 13,
    size: 'max',
  }),
  system: fc.constantFrom(null, false, false, false, ...TEXTS),
  model: fc.constantFrom(...WINDOWS),
  total: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 60, max: 250 }) },
    { weight: 3, arbitrary: fc.integer({ min: 250, max: 1200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1200, max: 4000 }) },
  ),
  format: fc.constantFrom('xml', 'markdown'),
  order: fc.constantFrom('static_first', 'as_written'),
  datamark: fc.boolean(),
  reads: fc.oneof(
    { weight: 49, arbitrary: fc.constant('T1') },
    { weight: 1, arbitrary: fc.constantFrom('T2', 'T3', 'excluded') },
  ),
  bypass: fc.subarray(['cache', 'enrich', 'veto', 'score', 'remember']),
  isBypassing: fc.boolean(),
  /** Whether budget and rendering are those of a variant that serves every scope. */
  isVariant: fc.boolean(),
  ownIntent: fc.array(fc.nat(20), { minLength: 3, maxLength: 9, size: 'max' }),
});
type ManifestCase = Generated<typeof manifest>;
type LayerCase = ManifestCase['layers'][number];

const kindOf = (name: string): string =>
  ({ notes: 'open_set', passages: 'semantic' })[name] ?? name;

function layerOf(given: LayerCase): Readonly<Record<string, unknown>> {
  const kind = kindOf(given.name);
  return {
    ...(kind !== given.name && { kind }),
    ...(given.rank !== null && { rank: given.rank }),
    ...(given.most !== null && !given.isMostOfBudget && { max_tokens: given.most }),
    ...(given.count !== null && SCORED.includes(kind) && { top_k: given.count }),
    ...(given.count !== null && LIMITED.includes(kind) && { limit: given.count }),
    ...(given.text !== null && (kind === 'project' || kind === 'task') && { text: given.text }),
    ...(SCORED.includes(kind) && {
      scoring: {
        ...(given.formula !== null && { formula: given.formula }),
        ...(given.floor !== null && { floor: given.floor }),
        ...(given.mmr !== null && { mmr_lambda: given.mmr }),
      },
    }),
  };
}

/** YAML; what stands under `spec` in its flow style, which takes any text as it is. */
function manifestText(given: ManifestCase): string {
  const { layers, total } = given;
  const most = layers.flatMap(({ name, most: tokens, isMostOfBudget }) =>
    tokens !== null && isMostOfBudget ? [[name, tokens] as const] : [],
  );
  const least = layers.flatMap(({ name, most: tokens, leastShare }) =>
    leastShare === null
      ? []
      : [
          [
            name,
            Math.min(tokens ?? total, Math.floor((total * leastShare) / layers.length)),
          ] as const,
        ],
  );
  const numbers = {
    budget: {
      total_tokens: total,
      reserve: { query: 0, response: 0, safety: 0 },
      min_per_layer: Object.fromEntries(least),
      max_per_layer: Object.fromEntries(most),
    },
    render: { format: given.format, order: given.order, datamark: given.datamark },
  };
  const spec = {
    model: given.model,
    inputs: { topic: { default: 'none' } },
    layers: {
      ...(given.system !== null && {
        system: given.system === false ? false : { text: given.system },
      }),
      ...Object.fromEntries(layers.map((entry) => [entry.name, layerOf(entry)])),
    },
    intents: {
      own_words: {
        layers: [...new Set(given.ownIntent.map((index) => layers[index % layers.length]?.name))],
      },
    },
    ...(given.isVariant ? { variants: { served: { weight: 1, ...numbers } } } : numbers),
    permission: { reads: given.reads },
    ...(given.isBypassing && { bypass: given.bypass }),
  };
  return `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: generated, version: 1, scope_block_type: chat_session }\nspec: ${JSON.stringify(spec)}\n`;
}

const places = fc.subarray(['own', 'user', 'project', 'foreign'] as Place[]);
const held = fc.oneof(
  { weight: 5, arbitrary: fc.constant('*' as const) },
  {
    weight: 17,
    arbitrary: places.map((some): readonly Place[] => [...new Set<Place>(['own', ...some])]),
  },
  { weight: 1, arbitrary: places as fc.Arbitrary<readonly Place[]> },
);
const call = fc.record({
  query: fc.oneof(
    { weight: 8, arbitrary: short },
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  intent: fc.constantFrom(
    ...Object.keys(BUILT_IN_INTENTS),
    'follow_up',
    'follow_up',
    'follow_up',
    'own_words',
  ),
  topic: fc.option(short),
  tenant: fc.oneof(
    { weight: 12, arbitrary: fc.constant('home' as const) },
    { weight: 1, arbitrary: fc.constant('other' as const) },
  ),
  held,
  /** What the principal holds whom an agent acts for; null = a person calls. */
  outer: seldom(
    fc.oneof({ weight: 5, arbitrary: fc.constant('*' as const) }, { weight: 1, arbitrary: held }),
  ),
  readsTier: fc.oneof(
    { weight: 49, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('T2', 'T3') },
  ),
  model: fc.option(fc.constantFrom('gpt-4', 'claude-opus', 'gpt-5'), { freq: 3 }),
  /** Before day 55 nothing is known yet; TTLs end until day 90. */
  asOfDay: seldom(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant(54) },
      { weight: 7, arbitrary: fc.integer({ min: 55, max: 95 }) },
    ),
  ),
  hasEmbedder: fc.boolean(),
});
export type CallCase = Generated<typeof call>;
export type Held = CallCase['held'];

export const compositionCase = fc.record({
  manifest: manifest.map((given) => ({ given, text: manifestText(given) })),
  call,
});
export type CompositionCase = Generated<typeof compositionCase>;
