/**
 * Short ways to write a ledger in integration tests. Times are days of 2026, ids are counted: every
 * run is the same.
 */
import type {
  BlockContent,
  FactContent,
  LinkContent,
  TypedContent,
} from '../../src/model/block.ts';
import { type Instant, parseTenant, parseUuid, toInstant, type Uuid } from '../../src/model/ids.ts';
import type { Operation, Writer } from '../../src/model/operation.ts';

export const WRITER: Writer = {
  principal: 'tester',
  on_behalf_of: null,
  writer: 'test/1',
};
export const tenantNamed = (name: string) => parseTenant(name);
export const day = (n: number): Instant => toInstant(Date.UTC(2026, 0, 1) + n * 86_400_000);

/** The n-th id of a family. */
export const id = (family: number, n: number): Uuid =>
  parseUuid(
    `${family.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
    'id',
  );

export const blockContent = (
  content: string,
  at: Instant,
  extra: Partial<BlockContent> = {},
): BlockContent => ({
  parent_uuid: null,
  block_type: 'turn',
  is_scope: false,
  role: 'user',
  author: null,
  occurred_at: at,
  title: null,
  content,
  tags: [],
  metadata: {},
  provenance: {},
  ...extra,
});
export const factContent = (content: string, extra: Partial<FactContent> = {}): FactContent => ({
  content,
  subject: null,
  category: null,
  class: 'fact',
  importance: 0.5,
  confidence: 1,
  tags: [],
  metadata: {},
  provenance: {},
  ...extra,
});
export const typedContent = (
  value: unknown,
  property = 'city',
  extra: Partial<TypedContent> = {},
): TypedContent => ({
  subject: 'user',
  collection: 'profile',
  property,
  type: 'text',
  value,
  cardinality: 'one',
  confidence: 1,
  provenance: {},
  ...extra,
});
export const linkContent = (type: LinkContent['link_type'], from: Uuid, to: Uuid): LinkContent => ({
  link_type: type,
  from_uuid: from,
  to_uuid: to,
  ordinal: 0,
  weight: 1,
  metadata: {},
});

export const makeScope = (scope: Uuid, at: Instant = day(0)): Operation => ({
  operation: 'ADD',
  table: 'blocks',
  scope,
  uuid: scope,
  valid_from: at,
  content: blockContent('', at, { is_scope: true, block_type: 'chat_session', role: null }),
});
