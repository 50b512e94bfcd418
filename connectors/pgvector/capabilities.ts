import type { Capabilities } from '../../src/cxri/contract.ts';

/**
 * `blobs` and `erase` have not landed: contents live in the rows, and redaction comes with its own
 * write path.
 */
export const PGVECTOR_CAPABILITIES: Capabilities = {
  vector: true,
  text: true,
  hybrid: true,
  structured: true,
  blobs: false,
  changes: true,
  write: true,
  atomic: true,
  idempotent: true,
  prefilter: true,
  temporal: true,
  ordered_changes: true,
  read_your_writes: true,
  erase: false,
};
