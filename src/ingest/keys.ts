/** Names that come out the same on every run: how ingesting twice finds what is there. */
import { createHash } from 'node:crypto';

/** SHA-256 (hex) over parts, kept apart by their lengths. */
export function digestOf(parts: readonly (string | null)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part === null ? '-:' : `${part.length}:${part}`);
  return hash.digest('hex');
}

/** Puts a digest under the key of the tenant. Digests of content are stored in no other form. */
export type Keyed = (digest: string) => string;

/** A UUID from a keyed digest of its parts. */
export const keyedUuid = (keyed: Keyed, parts: readonly (string | null)[]): string =>
  uuidOf(keyed(digestOf(parts)));

/** As ids were made before there were keys. What has such an id keeps it. */
export const earlierUuid = (parts: readonly (string | null)[]): string => uuidOf(digestOf(parts));

/** A UUID (version 8: of the application's own making) of a digest. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80)
    .toString(16)
    .padStart(2, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Counts equals: the first "ok" of a source is 0, the second 1. Holds digests only, so that memory
 * grows by 40 bytes a turn, not by its text.
 */
export function createOrdinals(): (digest: string) => number {
  const seen = new Map<string, number>();
  return (digest) => {
    const short = digest.slice(0, 24);
    const ordinal = seen.get(short) ?? 0;
    seen.set(short, ordinal + 1);
    return ordinal;
  };
}
