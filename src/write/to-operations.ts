/** From what the write surface takes to operations: the only place where defaults are filled in. */

import { ContextEngineError } from '../codes/errors.ts';
import type {
  BlockContent,
  FactContent,
  LinkContent,
  SummaryContent,
  TypedContent,
} from '../model/block.ts';
import { LINK_TYPES } from '../model/block.ts';
import { MAX_BYTES, MAX_CHARS } from '../model/content-limits.ts';
import { checkFields } from '../model/fields.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseUuid, shown } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import type { AddOperation, Operation } from '../model/operation.ts';
import { toolCallsOf } from '../model/turn.ts';
import type {
  FactInput,
  LinkInput,
  ScopeInput,
  SummaryInput,
  TurnInput,
  TypedOptions,
} from '../model/write-input.ts';
import {
  checkFinite,
  checkName,
  checkObject,
  checkOptionalText,
  checkShare,
  checkSources,
  checkTags,
  checkText,
  checkUntil,
  checkUuids,
  checkWhole,
  instantOr,
  invalidWrite,
} from './check-content.ts';
import { checkTyped } from './check-typed.ts';
import {
  FACT_FIELDS,
  LINK_FIELDS,
  SCOPE_FIELDS,
  SUMMARY_FIELDS,
  TURN_FIELDS,
  TYPED_FIELDS,
} from './input-fields.ts';

export interface Making {
  readonly scope: Uuid;
  readonly now: Instant;
  readonly newId: () => Uuid;
}

const keyOf = (key: string | undefined): { readonly idempotency_key?: string } => {
  if (key === undefined) return {};
  const maxBytes = MAX_BYTES.given_idempotency_key;
  return { idempotency_key: checkText(key, 'idempotency_key', { maxBytes }) };
};

/** Marks an operation whose times are the engine's, so that its key stands for the same payload at every retry. */
const clockOf = (given: unknown): { readonly is_time_defaulted?: true } =>
  given === undefined ? { is_time_defaulted: true } : {};

/** The scope block, and an `inherits` link to each outer scope. */
export function scopeOperations(input: ScopeInput, making: Making): Operation[] {
  checkFields(input, 'scope', SCOPE_FIELDS);
  const { scope, now } = making;
  const content: BlockContent = {
    parent_uuid: null,
    block_type: checkName(input.type, 'type', MAX_CHARS.block_type),
    is_scope: true,
    role: null,
    author: null,
    occurred_at: now,
    title: checkOptionalText(input.title, 'title', MAX_CHARS.title),
    content: '',
    tags: [],
    metadata: checkObject(input.metadata, 'metadata'),
    provenance: {},
  };
  const outer = checkUuids(input.inherits, 'inherits');
  if (new Set(outer).size < outer.length || outer.includes(scope))
    throw new ContextEngineError('SCOPE.CYCLE', {
      message: '`inherits` names a scope twice or the new scope itself.',
      fix: 'Name each outer scope once.',
      where: { field: 'inherits' },
    });
  const keyed = keyOf(input.idempotency_key);
  const { idempotency_key: key } = keyed;
  const create: Operation = {
    operation: 'ADD',
    table: 'blocks',
    scope,
    uuid: scope,
    content,
    valid_from: now,
    ...keyed,
    is_time_defaulted: true,
  };
  const links = outer.map(
    (to, ordinal): Operation => ({
      operation: 'ADD',
      table: 'context_links',
      scope,
      uuid: making.newId(),
      valid_from: now,
      ...(key !== undefined && { idempotency_key: `${key}/inherits/${ordinal}` }),
      is_time_defaulted: true,
      content: {
        link_type: 'inherits',
        from_uuid: scope,
        to_uuid: to,
        ordinal,
        weight: 1,
        metadata: {},
      },
    }),
  );
  return [create, ...links];
}

export function turnOperation(input: TurnInput, making: Making): Operation {
  checkFields(input, 'turn', TURN_FIELDS);
  const occurredAt = instantOr(input.occurred_at, 'occurred_at', making.now);
  const metadata = checkObject(input.metadata, 'metadata');
  const text = checkText(input.content, 'content', {
    isOptional: input.block_type === 'document' || toolCallsOf(metadata).length > 0,
  });
  const content: BlockContent = {
    parent_uuid:
      input.parent_uuid === undefined ? null : parseUuid(input.parent_uuid, 'parent_uuid'),
    block_type: checkName(input.block_type ?? 'turn', 'block_type', MAX_CHARS.block_type),
    is_scope: false,
    role: input.role === undefined ? null : checkName(input.role, 'role', MAX_CHARS.role),
    author: checkOptionalText(input.author, 'author', MAX_CHARS.author),
    occurred_at: occurredAt,
    title: checkOptionalText(input.title, 'title', MAX_CHARS.title),
    // Blank is empty: a row without words waits for no vector.
    content: text.trim() === '' ? '' : text,
    tags: checkTags(input.tags),
    metadata,
    provenance: checkObject(input.provenance, 'provenance'),
  };
  return {
    operation: 'ADD',
    table: 'blocks',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: occurredAt,
    ...checkUntil(input.valid_until, occurredAt),
    ...keyOf(input.idempotency_key),
    ...clockOf(input.occurred_at),
  };
}

export function factOperation(input: FactInput, making: Making): Operation {
  checkFields(input, 'fact', FACT_FIELDS);
  const validFrom = instantOr(input.valid_from, 'valid_from', making.now);
  const content: FactContent = {
    content: checkText(input.content, 'content'),
    subject: checkOptionalText(input.subject, 'subject', MAX_CHARS.subject),
    category:
      input.category === undefined
        ? null
        : checkName(input.category, 'category', MAX_CHARS.category),
    class: checkName(input.class ?? 'fact', 'class', MAX_CHARS.class),
    importance: checkShare(input.importance ?? 0.5, 'importance'),
    confidence: checkShare(input.confidence ?? 1, 'confidence'),
    tags: checkTags(input.tags),
    metadata: checkObject(input.metadata, 'metadata'),
    provenance: checkObject(input.provenance, 'provenance'),
  };
  const common = {
    table: 'memory_open_set',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: validFrom,
    ...checkUntil(input.valid_until, validFrom),
    ...checkSources(input.sources),
    ...keyOf(input.idempotency_key),
    ...clockOf(input.valid_from),
  } as const;
  if (input.replaces !== undefined && input.corrects !== undefined)
    throw invalidWrite(
      'A fact both `replaces` and `corrects`.',
      'Give one: `replaces` when the world changed, `corrects` when it was never so.',
      'replaces',
    );
  const root = input.replaces ?? input.corrects;
  if (root === undefined) return { operation: 'ADD', ...common };
  return {
    operation: 'UPDATE',
    ...common,
    root_uuid: parseUuid(root, input.replaces === undefined ? 'corrects' : 'replaces'),
    cause: input.replaces === undefined ? 'correction' : 'change',
  };
}

export interface TypedInput {
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
  readonly value: unknown;
  readonly options: TypedOptions;
}

/** `current` is the root of the value of the same key, where a correction needs one. */
export function typedOperation(
  input: TypedInput,
  making: Making & {
    readonly collections: Readonly<Record<string, Collection>>;
    readonly correctedRoot: Uuid | null;
  },
): Operation {
  const { options } = input;
  checkFields(options, 'options', TYPED_FIELDS);
  if (options.correction !== undefined && typeof options.correction !== 'boolean')
    throw invalidWrite(
      `\`correction\` is \`${shown(options.correction)}\`.`,
      'Pass `true`, `false`, or leave it out.',
      'correction',
    );
  const validFrom = instantOr(options.valid_from, 'valid_from', making.now);
  const content: TypedContent = {
    subject: checkText(input.subject, 'subject', { maxBytes: MAX_BYTES.typed_key }),
    collection: checkName(input.collection, 'collection'),
    property: checkName(input.property, 'property'),
    ...checkTyped(input, making.collections),
    confidence: checkShare(options.confidence ?? 1, 'confidence'),
    provenance: checkObject(options.provenance, 'provenance'),
  };
  const common = {
    table: 'memory_schema_typed',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: validFrom,
    ...checkUntil(options.valid_until, validFrom),
    ...checkSources(options.sources),
    ...keyOf(options.idempotency_key),
    ...clockOf(options.valid_from),
  } as const;
  if (making.correctedRoot === null) return { operation: 'ADD', ...common };
  return { operation: 'UPDATE', ...common, root_uuid: making.correctedRoot, cause: 'correction' };
}

export function summaryOperation(
  input: SummaryInput,
  making: Making,
): AddOperation<'subtree_summaries'> {
  checkFields(input, 'summary', SUMMARY_FIELDS);
  if (!['rolling', 'per_doc', 'lineage'].includes(input.kind))
    throw invalidWrite(
      `\`kind\` is \`${shown(input.kind)}\`.`,
      'Use `rolling`, `per_doc` or `lineage`.',
      'kind',
    );
  if (!Number.isSafeInteger(input.covers_to_seq) || input.covers_to_seq < 0)
    throw invalidWrite(
      `\`covers_to_seq\` is \`${shown(input.covers_to_seq)}\`.`,
      'Pass the sequence number of the last turn that it covers.',
      'covers_to_seq',
    );
  const sources = checkSources(input.sources);
  if (sources.sources === undefined)
    throw invalidWrite(
      'A summary has no sources.',
      'Name the versions that it was made from: no derived row without a source.',
      'sources',
    );
  const content: SummaryContent = {
    kind: input.kind,
    content: checkText(input.content, 'content'),
    covers_to_seq: input.covers_to_seq,
    model: checkOptionalText(input.model, 'model', MAX_CHARS.model),
    cost_usd: checkFinite(input.cost_usd ?? 0, 'cost_usd', 0),
    provenance: { source_class: 'model' },
  };
  return {
    operation: 'ADD',
    table: 'subtree_summaries',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: making.now,
    is_time_defaulted: true,
    ...sources,
  };
}

export function linkOperation(input: LinkInput, making: Making): AddOperation<'context_links'> {
  checkFields(input, 'link', LINK_FIELDS);
  const type = LINK_TYPES.find((known) => known === input.type);
  if (type === undefined)
    throw invalidWrite(
      `\`type\` is \`${shown(input.type)}\`.`,
      `Use ${LINK_TYPES.join(', ')}.`,
      'type',
    );
  const content: LinkContent = {
    link_type: type,
    from_uuid: input.from === undefined ? making.scope : parseUuid(input.from, 'from'),
    to_uuid: parseUuid(input.to, 'to'),
    ordinal: checkWhole(input.ordinal ?? 0, 'ordinal'),
    weight: checkFinite(input.weight ?? 1, 'weight'),
    metadata: {},
  };
  return {
    operation: 'ADD',
    table: 'context_links',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: making.now,
    is_time_defaulted: true,
  };
}

/** A link ends; what it meant stays readable in the past. */
export const unlinkOperation = (linkRoot: string, making: Making): Operation => ({
  operation: 'DELETE',
  table: 'context_links',
  scope: making.scope,
  root_uuid: parseUuid(linkRoot, 'link'),
  cause: 'change',
  valid_from: making.now,
  is_time_defaulted: true,
});
