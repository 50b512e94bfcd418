/**
 * The schemas of public inputs, as data. `npm run build` compiles them to `generated/validate.js`.
 */

import { LINK_TYPES } from '../model/block.ts';
import type { ComposeRequest } from '../model/composition.ts';
import { MAX_BYTES, MAX_CHARS } from '../model/content-limits.ts';
import { RENDER_FORMATS } from '../model/manifest.ts';
import type {
  CorrectionInput,
  FactInput,
  KeyedScopeInput,
  LinkInput,
  OutcomeInput,
  ScopeInput,
  SummaryInput,
  TurnInput,
  TypedOptions,
  UndoOptions,
} from '../model/write-input.ts';
import { CAPTURE_SCHEMAS } from './capture-schemas.ts';
import { ENGINE_SCHEMAS } from './engine-schemas.ts';
import {
  ANYTHING,
  CONTENT,
  type FieldSchema,
  INSTANT,
  type InputSchema,
  input,
  JSON_OBJECT,
  KEY,
  name,
  optionalText,
  SIGNAL,
  SOURCES,
  share,
  TAGS,
  text,
  UUID,
  uuids,
} from './schema.ts';

/** An item may be without words: a document that chunks hold, a turn that calls tools. */
const { notBlank: _, ...TURN_CONTENT } = CONTENT;

const nameOf = (field: string): FieldSchema => ({
  type: 'string',
  storable: true,
  fix: `Name the ${field} as text, or leave it out.`,
});

interface TypedKey {
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
}
interface TypedText {
  readonly value: string;
}

const SUMMARY_KINDS = ['rolling', 'per_doc', 'lineage'];

export const INPUT_SCHEMAS = {
  ...ENGINE_SCHEMAS,
  ...CAPTURE_SCHEMAS,
  scope: input<ScopeInput>(
    { what: 'scope' },
    {
      type: name('type', MAX_CHARS.block_type),
      title: optionalText(MAX_CHARS.title),
      inherits: uuids('inherits'),
      uuid: UUID,
      metadata: JSON_OBJECT,
      idempotency_key: KEY,
    },
    ['type'],
  ),
  keyed_scope: input<KeyedScopeInput>(
    { what: 'scope' },
    {
      type: name('type', MAX_CHARS.block_type),
      key: KEY,
      title: optionalText(MAX_CHARS.title),
      inherits: uuids('inherits'),
      metadata: JSON_OBJECT,
    },
    ['type', 'key'],
  ),
  scope_key: input<Pick<KeyedScopeInput, 'key'>>({ what: 'scope' }, { key: KEY }, ['key']),
  turn: input<TurnInput>(
    { what: 'turn' },
    {
      content: TURN_CONTENT,
      role: name('role', MAX_CHARS.role),
      author: optionalText(MAX_CHARS.author),
      occurred_at: INSTANT,
      block_type: name('block_type', MAX_CHARS.block_type, true),
      title: optionalText(MAX_CHARS.title),
      parent_uuid: UUID,
      tags: TAGS,
      metadata: JSON_OBJECT,
      provenance: JSON_OBJECT,
      idempotency_key: KEY,
      valid_until: INSTANT,
    },
    ['content'],
  ),
  fact: input<FactInput>(
    { what: 'fact' },
    {
      content: CONTENT,
      subject: optionalText(MAX_CHARS.subject),
      category: name('category', MAX_CHARS.category),
      class: name('class', MAX_CHARS.class, true),
      importance: share('importance'),
      confidence: share('confidence'),
      tags: TAGS,
      metadata: JSON_OBJECT,
      provenance: JSON_OBJECT,
      valid_from: INSTANT,
      valid_until: INSTANT,
      sources: SOURCES,
      replaces: { uuid: 'or_null' },
      corrects: { uuid: 'or_null' },
      idempotency_key: KEY,
    },
    ['content'],
  ),
  typed_options: input<TypedOptions>(
    { what: 'options' },
    {
      valid_from: INSTANT,
      valid_until: INSTANT,
      correction: { type: 'boolean', fix: 'Pass `true`, `false`, or leave it out.' },
      confidence: share('confidence'),
      provenance: JSON_OBJECT,
      sources: SOURCES,
      idempotency_key: KEY,
    },
  ),
  /** What a typed value is a value of. */
  typed_key: input<TypedKey>(
    { what: 'value' },
    {
      subject: text({ maxBytes: MAX_BYTES.typed_key }),
      collection: name('collection'),
      property: name('property'),
    },
    ['subject', 'collection', 'property'],
  ),
  /** A typed value, or an entry of it, that is a text. */
  typed_text: input<TypedText>({ what: 'value' }, { value: CONTENT }, ['value']),
  summary: input<SummaryInput>(
    { what: 'summary' },
    {
      kind: { enum: SUMMARY_KINDS, fix: 'Use `rolling`, `per_doc` or `lineage`.' },
      content: CONTENT,
      covers_to_seq: {
        type: 'number',
        whole: true,
        minimum: 0,
        fix: 'Pass the sequence number of the last turn that it covers.',
      },
      sources: SOURCES,
      model: optionalText(MAX_CHARS.model),
      cost_usd: {
        type: ['number', 'null'],
        minimum: 0,
        fix: 'Pass a number of 0 or more as `cost_usd`.',
      },
    },
    ['kind', 'content', 'covers_to_seq'],
  ),
  correction: input<CorrectionInput>(
    { what: 'correction' },
    {
      content: CONTENT,
      value: ANYTHING,
      at: INSTANT,
      sources: SOURCES,
      reason: text({ maxChars: MAX_CHARS.reason }),
    },
  ),
  undo: input<UndoOptions>({ what: 'options' }, { reason: text({ maxChars: MAX_CHARS.reason }) }),
  link: input<LinkInput>(
    { what: 'link' },
    {
      type: { enum: LINK_TYPES, fix: `Use ${LINK_TYPES.join(', ')}.` },
      from: UUID,
      to: UUID,
      ordinal: { type: ['number', 'null'], whole: true, fix: 'Pass a whole number as `ordinal`.' },
      weight: { type: ['number', 'null'], fix: 'Pass a number as `weight`.' },
    },
    ['type', 'to'],
  ),
  outcome: input<OutcomeInput>(
    { what: 'outcome' },
    {
      composition_id: UUID,
      used: uuids('used'),
      cited: uuids('cited'),
      confirmed: uuids('confirmed'),
      corrected: uuids('corrected'),
    },
    ['composition_id'],
  ),
  request: input<ComposeRequest>(
    { what: 'request', code: 'CONFIG.INVALID_VALUE' },
    {
      scope_block_uuid: UUID,
      intent: {
        type: 'string',
        // Not empty: a name is compared and kept as it is.
        pattern: '[\\s\\S]',
        storable: true,
        fix: 'Name an intent that the manifest declares, or a built-in one.',
      },
      query: {
        type: 'string',
        maxChars: MAX_CHARS.query,
        fix: `Pass a text of at most ${MAX_CHARS.query} characters; it may be empty.`,
      },
      permission_profile: ANYTHING,
      trace: ANYTHING,
      as_of: INSTANT,
      recorded_as_of: ANYTHING,
      inputs: { type: 'object', fix: 'Pass an object of texts, numbers and booleans.' },
      manifest: nameOf('manifest'),
      model: nameOf('model'),
      format: { enum: RENDER_FORMATS, fix: 'Use `xml` or `markdown`.' },
      include_scopes: {
        type: ['array', 'null'],
        items: UUID,
        fix: 'Pass a list of the UUIDs of scopes.',
      },
      approval: UUID,
      deadline_ms: {
        type: 'number',
        exclusiveMinimum: 0,
        fix: 'Pass a positive number of milliseconds, or leave it out for no deadline.',
      },
      signal: SIGNAL,
      after: { type: ['array', 'null'], fix: 'Pass a position: a list of `{ scope, head }`.' },
      time_zone: ANYTHING,
    },
    ['scope_block_uuid', 'intent', 'query'],
  ),
  /** Beside the content of every other call. */
  call_options: input<{ readonly permission_profile?: unknown; readonly signal?: AbortSignal }>(
    { what: 'options', code: 'CONFIG.INVALID_VALUE' },
    { permission_profile: ANYTHING, signal: SIGNAL },
  ),
} as const satisfies Readonly<Record<string, InputSchema>>;

export type InputName = keyof typeof INPUT_SCHEMAS;
