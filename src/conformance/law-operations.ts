/** Operations and times as the laws write them: complete, valid, and short to say. */
import type {
  BlockContent,
  FactContent,
  LinkContent,
  SummaryContent,
  TypedContent,
} from '../model/block.ts';
import { type Instant, toInstant, type Uuid } from '../model/ids.ts';
import type {
  AddOperation,
  DeleteOperation,
  Operation,
  UpdateOperation,
  Writer,
} from '../model/operation.ts';

const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** The n-th day of the suite's calendar. */
export const day = (n: number): Instant => toInstant(FIRST_DAY + n * DAY_MS);

export const WRITER: Writer = {
  principal: 'conformance',
  on_behalf_of: null,
  writer: 'conformance/1',
};

export const blockContent = (
  content: string,
  changes: Partial<BlockContent> = {},
): BlockContent => ({
  parent_uuid: null,
  block_type: 'turn',
  is_scope: false,
  role: 'user',
  author: null,
  occurred_at: day(0),
  title: null,
  content,
  tags: [],
  metadata: {},
  provenance: {},
  ...changes,
});
export const factContent = (content: string, changes: Partial<FactContent> = {}): FactContent => ({
  content,
  subject: null,
  category: null,
  class: 'fact',
  importance: 0.5,
  confidence: 1,
  tags: [],
  metadata: {},
  provenance: {},
  ...changes,
});
export const typedContent = (
  value: unknown,
  changes: Partial<TypedContent> = {},
): TypedContent => ({
  subject: 'user',
  collection: 'profile',
  property: 'city',
  type: 'text',
  value,
  cardinality: 'one',
  confidence: 1,
  provenance: {},
  ...changes,
});
export const summaryContent = (content: string, covers: number): SummaryContent => ({
  kind: 'rolling',
  content,
  covers_to_seq: covers,
  model: null,
  cost_usd: 0,
  provenance: {},
});
export const linkContent = (
  type: LinkContent['link_type'],
  ends: { readonly from: Uuid; readonly to: Uuid; readonly ordinal?: number },
): LinkContent => ({
  link_type: type,
  from_uuid: ends.from,
  to_uuid: ends.to,
  ordinal: ends.ordinal ?? 0,
  weight: 1,
  metadata: {},
});

/** What every ADD here can vary. */
export interface Extra {
  readonly from?: number;
  readonly until?: number;
  readonly key?: string;
  readonly sources?: readonly Uuid[];
}
type Place = { readonly scope: Uuid; readonly uuid: Uuid };

const added = ({ scope, uuid }: Place, extra: Extra) =>
  ({
    operation: 'ADD',
    scope,
    uuid,
    valid_from: day(extra.from ?? 0),
    ...(extra.until !== undefined && { valid_until: day(extra.until) }),
    ...(extra.key !== undefined && { idempotency_key: extra.key }),
    ...(extra.sources !== undefined && { sources: extra.sources }),
  }) as const;

export const addScope = (scope: Uuid, type = 'chat_session'): AddOperation<'blocks'> => ({
  ...added({ scope, uuid: scope }, {}),
  table: 'blocks',
  content: blockContent('', { block_type: type, is_scope: true, role: null }),
});
export const addBlock = (
  place: Place,
  content: BlockContent,
  extra: Extra = {},
): AddOperation<'blocks'> => ({
  ...added(place, extra),
  table: 'blocks',
  content,
});
export const addFact = (
  place: Place,
  content: FactContent,
  extra: Extra = {},
): AddOperation<'memory_open_set'> => ({
  ...added(place, extra),
  table: 'memory_open_set',
  content,
});
export const addTyped = (
  place: Place,
  content: TypedContent,
  extra: Extra = {},
): AddOperation<'memory_schema_typed'> => ({
  ...added(place, extra),
  table: 'memory_schema_typed',
  content,
});
export const addSummary = (
  place: Place,
  content: SummaryContent,
  extra: Extra = {},
): AddOperation<'subtree_summaries'> => ({
  ...added(place, extra),
  table: 'subtree_summaries',
  content,
});
export const addLink = (
  place: Place,
  content: LinkContent,
  extra: Extra = {},
): AddOperation<'context_links'> => ({
  ...added(place, extra),
  table: 'context_links',
  content,
});

export interface Revision extends Extra {
  readonly root: Uuid;
  readonly cause?: UpdateOperation['cause'];
  readonly expected?: Uuid;
}
const revised = (place: Place, revision: Revision) =>
  ({
    ...added(place, revision),
    operation: 'UPDATE',
    root_uuid: revision.root,
    cause: revision.cause ?? 'change',
    ...(revision.expected !== undefined && { expected_version: revision.expected }),
  }) as const;
export const updateFact = (
  place: Place,
  content: FactContent,
  revision: Revision,
): UpdateOperation<'memory_open_set'> => ({
  ...revised(place, revision),
  table: 'memory_open_set',
  content,
});
export const updateTyped = (
  place: Place,
  content: TypedContent,
  revision: Revision,
): UpdateOperation<'memory_schema_typed'> => ({
  ...revised(place, revision),
  table: 'memory_schema_typed',
  content,
});
export const removeFact = (
  scope: Uuid,
  root: Uuid,
  how: { readonly cause: DeleteOperation['cause']; readonly from: number },
): DeleteOperation => ({
  operation: 'DELETE',
  table: 'memory_open_set',
  scope,
  root_uuid: root,
  cause: how.cause,
  valid_from: day(how.from),
});
export const noop = (scope: Uuid, reason = 'nothing to do'): Operation => ({
  operation: 'NOOP',
  scope,
  reason,
});
