/** From what the write surface takes to operations: the only place where defaults are filled in. */

import { assertThat, ContextEngineError } from '../codes/errors.ts';
import { checkInput } from '../inputs/check-input.ts';
import type {
  BlockContent,
  BlockRow,
  FactContent,
  LinkContent,
  Metadata,
  SummaryContent,
  TypedContent,
} from '../model/block.ts';
import { LINK_TYPES } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseUuid } from '../model/ids.ts';
import type { Collection } from '../model/manifest.ts';
import type { AddOperation, Operation } from '../model/operation.ts';
import { TURN_TYPE } from '../model/turn.ts';
import type {
  FactInput,
  LinkInput,
  ScopeInput,
  SummaryInput,
  TurnInput,
  TypedOptions,
} from '../model/write-input.ts';
import { checkUntil, instantOr, invalidWrite, sourcesOf, uuidsOf } from './check-content.ts';
import { withToolCalls } from './check-tool-calls.ts';
import { checkTyped } from './check-typed.ts';

export interface Making {
  readonly scope: Uuid;
  readonly now: Instant;
  readonly newId: () => Uuid;
}

const keyOf = (key: string | undefined): { readonly idempotency_key?: string } =>
  key === undefined ? {} : { idempotency_key: key };

/**
 * Marks an operation whose times are the engine's, so that its key stands for the same payload at
 * every retry.
 */
const clockOf = (given: unknown): { readonly is_time_defaulted?: true } =>
  given === undefined ? { is_time_defaulted: true } : {};

/** The scope block, and an `inherits` link to each outer scope. */
export function scopeOperations(input: ScopeInput, making: Making): Operation[] {
  checkInput('scope', input);
  const { scope, now } = making;
  const content: BlockContent = {
    parent_uuid: null,
    block_type: input.type,
    is_scope: true,
    role: null,
    author: null,
    occurred_at: now,
    title: input.title ?? null,
    content: '',
    tags: [],
    metadata: input.metadata ?? {},
    provenance: {},
  };
  const outer = uuidsOf(input.inherits, 'inherits');
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

/** The same scope under another title, from now on. */
export function scopeTitleOperation(
  block: BlockRow,
  title: string,
  { now, newId }: Pick<Making, 'now' | 'newId'>,
): Operation {
  const { parent_uuid, block_type, is_scope, role, author, occurred_at } = block;
  const { content, tags, metadata, provenance } = block;
  return {
    operation: 'UPDATE',
    table: 'blocks',
    scope: block.root_uuid,
    uuid: newId(),
    root_uuid: block.root_uuid,
    cause: 'change',
    valid_from: now,
    is_time_defaulted: true,
    content: {
      parent_uuid,
      block_type,
      is_scope,
      role,
      author,
      occurred_at,
      title,
      content,
      tags,
      metadata,
      provenance,
    },
  };
}

/** A tool that has nothing to say answers all the same. */
const answersCall = (role: string | null | undefined, { tool_call_id: id }: Metadata): boolean =>
  role === 'tool' && typeof id === 'string' && id !== '';

export function turnOperation(input: TurnInput, making: Making): Operation {
  checkInput('turn', input);
  const occurredAt = instantOr(input.occurred_at, 'occurred_at', making.now);
  const blockType = input.block_type ?? TURN_TYPE;
  const { metadata, hasCalls } = withToolCalls(blockType, input.metadata ?? {});
  const isBlank = input.content.trim() === '';
  const isOfTool = hasCalls || answersCall(input.role, metadata);
  if (isBlank && input.block_type !== 'document' && !isOfTool)
    throw invalidWrite(
      '`content` is empty.',
      'Leave the item out, or give `content` a text.',
      'content',
    );
  const content: BlockContent = {
    parent_uuid:
      input.parent_uuid === undefined ? null : parseUuid(input.parent_uuid, 'parent_uuid'),
    block_type: blockType,
    is_scope: false,
    role: input.role ?? null,
    author: input.author ?? null,
    occurred_at: occurredAt,
    title: input.title ?? null,
    // Blank is empty: a row without words waits for no vector.
    content: isBlank ? '' : input.content,
    tags: input.tags ?? [],
    metadata,
    provenance: input.provenance ?? {},
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
  checkInput('fact', input);
  const validFrom = instantOr(input.valid_from, 'valid_from', making.now);
  const content: FactContent = {
    content: input.content,
    subject: input.subject ?? null,
    category: input.category ?? null,
    class: input.class ?? 'fact',
    importance: input.importance ?? 0.5,
    confidence: input.confidence ?? 1,
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    provenance: input.provenance ?? {},
  };
  const common = {
    table: 'memory_open_set',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: validFrom,
    ...checkUntil(input.valid_until, validFrom),
    ...sourcesOf(input.sources),
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
  const { options, subject, collection, property } = input;
  checkInput('typed_options', options);
  checkInput('typed_key', { subject, collection, property });
  const validFrom = instantOr(options.valid_from, 'valid_from', making.now);
  const content: TypedContent = {
    subject,
    collection,
    property,
    ...checkTyped(input, making.collections),
    confidence: options.confidence ?? 1,
    provenance: options.provenance ?? {},
  };
  const common = {
    table: 'memory_schema_typed',
    scope: making.scope,
    uuid: making.newId(),
    content,
    valid_from: validFrom,
    ...checkUntil(options.valid_until, validFrom),
    ...sourcesOf(options.sources),
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
  checkInput('summary', input);
  const sources = sourcesOf(input.sources);
  if (sources.sources === undefined)
    throw invalidWrite(
      'A summary has no sources.',
      'Name the versions that it was made from: no derived row without a source.',
      'sources',
    );
  const content: SummaryContent = {
    kind: input.kind,
    content: input.content,
    covers_to_seq: input.covers_to_seq,
    model: input.model ?? null,
    cost_usd: input.cost_usd ?? 0,
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
  checkInput('link', input);
  const type = LINK_TYPES.find((known) => known === input.type);
  assertThat(type, 'the schema lets only known types pass');
  const content: LinkContent = {
    link_type: type,
    from_uuid: input.from === undefined ? making.scope : parseUuid(input.from, 'from'),
    to_uuid: parseUuid(input.to, 'to'),
    ordinal: input.ordinal ?? 0,
    weight: input.weight ?? 1,
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
