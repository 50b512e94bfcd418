/** What the content of each table may hold: the shapes of `model/block.ts`, as data. */
import type { Table } from '../model/block.ts';
import { LINK_TYPES } from '../model/block.ts';
import { MAX_BYTES, MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';
import { isStorable, isStorableJson } from '../model/storable.ts';
import { isInstant, isPlainObject, isUuid } from './refuse.ts';

/** True where the value may be stored. */
type Check = (value: unknown) => boolean;

const text =
  (max: number, min = 0): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max && isStorable(value);
/** Keys of an index entry are limited in bytes. */
const key =
  (maxBytes: number): Check =>
  (value) =>
    typeof value === 'string' &&
    value !== '' &&
    isStorable(value) &&
    Buffer.byteLength(value) <= maxBytes;
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
const json: Check = (value) => isStorableJson(value, MAX_CHARS.json);
const object: Check = (value) => isPlainObject(value) && json(value);
const tags: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_COUNT.tags &&
  value.every(
    (tag) => typeof tag === 'string' && isStorable(tag) && Buffer.byteLength(tag) <= MAX_BYTES.tag,
  );
/** Its length is checked apart, because it has a code of its own. */
const content: Check = (value) => typeof value === 'string' && isStorable(value);

export const CONTENT: Readonly<Record<Table, Readonly<Record<string, Check>>>> = {
  blocks: {
    parent_uuid: nullOr(isUuid),
    block_type: text(MAX_CHARS.block_type, 1),
    is_scope: flag,
    role: nullOr(text(MAX_CHARS.role)),
    author: nullOr(text(MAX_CHARS.author)),
    occurred_at: isInstant,
    title: nullOr(text(MAX_CHARS.title)),
    content,
    tags,
    metadata: object,
    provenance: object,
  },
  subtree_summaries: {
    kind: oneOf(['rolling', 'per_doc', 'lineage']),
    content,
    covers_to_seq: (value) => whole(value) && Number(value) >= 0,
    model: nullOr(text(MAX_CHARS.model)),
    cost_usd: (value) => finite(value) && Number(value) >= 0,
    provenance: object,
  },
  memory_open_set: {
    content,
    subject: nullOr(text(MAX_CHARS.subject)),
    category: nullOr(text(MAX_CHARS.category)),
    class: text(MAX_CHARS.class, 1),
    importance: share,
    confidence: share,
    tags,
    metadata: object,
    provenance: object,
  },
  memory_schema_typed: {
    subject: key(MAX_BYTES.typed_key),
    collection: key(MAX_BYTES.typed_key),
    property: key(MAX_BYTES.typed_key),
    type: oneOf(['text', 'int', 'date', 'bool', 'option', 'array']),
    value: json,
    cardinality: oneOf(['one', 'many']),
    confidence: share,
    provenance: object,
  },
  context_links: {
    link_type: oneOf(LINK_TYPES),
    from_uuid: isUuid,
    to_uuid: isUuid,
    ordinal: whole,
    weight: finite,
    metadata: object,
  },
};
