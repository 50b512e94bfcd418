/**
 * How much the ledger keeps of each text, stated here alone: the write surface, whose errors are
 * about what its caller wrote, and the guard of every connector both read it. The columns hold at
 * least this.
 */

/** UTF-16 units. */
export const MAX_CHARS = {
  block_type: 63,
  role: 63,
  author: 200,
  title: 1000,
  model: 200,
  principal: 200,
  subject: 1000,
  category: 200,
  class: 63,
  reason: 10_000,
  /** Of a composition. A longer one is a document: it would be embedded and matched as a blur. */
  query: 100_000,
  /** Of a journal entry. */
  decision: 63,
  manifest_digest: 200,
  /** Metadata, provenance and typed values, as JSON. */
  json: 262_144,
  /** Of a content that the write surface takes. A longer one is a document: `ingest` cuts it. */
  content: 4_000_000,
} as const;

/** UTF-8. An entry of an index is limited in bytes, and so is a content column. */
export const MAX_BYTES = {
  content: 16_777_216,
  tag: 512,
  /** Subject, collection and property of a typed value. */
  typed_key: 512,
  idempotency_key: 1024,
  /** Of the write surface: leaves room for what the engine appends for the links of a scope. */
  given_idempotency_key: 1000,
} as const;

export const MAX_COUNT = {
  tags: 64,
  sources: 1000,
  operations: 10_000,
  values: 1000,
  /** Of a profile, or of a principal. */
  scopes: 10_000,
} as const;
