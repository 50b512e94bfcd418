/** What the content of each table may hold: the shapes of `model/block.ts`, as data, with the limits that every store can keep. */
import type { Table } from '../model/block.ts';
import { LINK_TYPES } from '../model/block.ts';
import { isInstant, isPlainObject, isStorable, isStorableJson, isUuid } from './refuse.ts';

/** True where the value may be stored. */
type Check = (value: unknown) => boolean;

/** UTF-8 bytes: the limit of a content column. */
export const MAX_CONTENT_BYTES = 16_777_216;
const MAX_JSON_CHARS = 262_144;
const MAX_TAGS = 64;
const MAX_TAG_BYTES = 512;

const text =
  (max: number, min = 0): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max && isStorable(value);
/** Keys of an index entry are limited in bytes. */
const key =
  (maxBytes: number): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && isStorable(value) && Buffer.byteLength(value) <= maxBytes;
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const share: Check = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const whole: Check = (value) => Number.isSafeInteger(value);
const finite: Check = (value) => Number.isFinite(value);
const flag: Check = (value) => typeof value === 'boolean';
const json: Check = (value) => isStorableJson(value, MAX_JSON_CHARS);
const object: Check = (value) => isPlainObject(value) && json(value);
const tags: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_TAGS &&
  value.every((tag) => typeof tag === 'string' && isStorable(tag) && Buffer.byteLength(tag) <= MAX_TAG_BYTES);
/** Its length is checked apart, because it has a code of its own. */
const content: Check = (value) => typeof value === 'string' && isStorable(value);

export const CONTENT: Readonly<Record<Table, Readonly<Record<string, Check>>>> = {
  blocks: {
    parent_uuid: nullOr(isUuid),
    block_type: text(63, 1),
    is_scope: flag,
    role: nullOr(text(63)),
    author: nullOr(text(200)),
    occurred_at: isInstant,
    title: nullOr(text(1000)),
    content,
    tags,
    metadata: object,
    provenance: object,
  },
  subtree_summaries: {
    kind: oneOf(['rolling', 'per_doc', 'lineage']),
    content,
    covers_to_seq: (value) => whole(value) && Number(value) >= 0,
    model: nullOr(text(200)),
    cost_usd: (value) => finite(value) && Number(value) >= 0,
    provenance: object,
  },
  memory_open_set: {
    content,
    subject: nullOr(text(1000)),
    category: nullOr(text(200)),
    class: text(63, 1),
    importance: share,
    confidence: share,
    tags,
    metadata: object,
    provenance: object,
  },
  memory_schema_typed: {
    subject: key(512),
    collection: key(512),
    property: key(512),
    type: oneOf(['text', 'int', 'date', 'bool', 'option', 'array']),
    value: json,
    cardinality: oneOf(['one', 'many']),
    confidence: share,
    provenance: object,
  },
  context_links: { link_type: oneOf(LINK_TYPES), from_uuid: isUuid, to_uuid: isUuid, ordinal: whole, weight: finite, metadata: object },
};
