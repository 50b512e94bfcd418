/** An ADD of a raw block, with every column filled in. */

import { parseInstant, parseUuid, type Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';

type BlockAdd = Extract<Operation, { readonly operation: 'ADD'; readonly table: 'blocks' }>;
type BlockContent = BlockAdd['content'];

export interface BlockParts {
  readonly blockType: string;
  readonly title: string | null;
  readonly content: string;
  readonly occurredAt: string;
  readonly parent: string | null;
  readonly role?: string | null;
  readonly author?: string | null;
  readonly tags?: readonly string[];
  readonly metadata: BlockContent['metadata'];
  readonly provenance: BlockContent['provenance'];
}

export const blockContent = (parts: BlockParts): BlockContent => ({
  parent_uuid: parts.parent === null ? null : parseUuid(parts.parent, 'parent_uuid'),
  block_type: parts.blockType,
  is_scope: false,
  role: parts.role ?? null,
  author: parts.author ?? null,
  occurred_at: parseInstant(parts.occurredAt, 'occurred_at'),
  title: parts.title,
  content: parts.content,
  tags: parts.tags ?? [],
  metadata: parts.metadata,
  provenance: parts.provenance,
});

/** Valid from when it happened. */
export const blockAdd = (add: {
  readonly scope: Uuid;
  readonly uuid: string;
  readonly key: string;
  readonly content: BlockContent;
  /** Its TTL. */
  readonly until?: string | undefined;
  /** The time is the clock's, not the source's. */
  readonly isTimeDefaulted?: boolean;
}): Operation => ({
  operation: 'ADD',
  table: 'blocks',
  scope: add.scope,
  uuid: parseUuid(add.uuid, 'uuid'),
  content: add.content,
  valid_from: add.content.occurred_at,
  ...(add.until !== undefined && { valid_until: parseInstant(add.until, 'valid_until') }),
  idempotency_key: add.key,
  ...(add.isTimeDefaulted === true && { is_time_defaulted: true }),
});
