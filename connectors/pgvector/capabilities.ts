import type { Capabilities } from '../../src/cxri/contract.ts';

/** No `blobs`: contents live in the rows. */
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
  erase: true,
};
