/**
 * Digests of content: HMAC-SHA-256 under the key of a tenant, so that none of them says anything
 * about what it was made of once the key is destroyed.
 */
import { createHmac } from 'node:crypto';

/** `key`: hexadecimal, as the keys port gives it. The digest has 64 hexadecimal digits. */
export const keyedDigest = (key: string, said: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(said, 'utf8').digest('hex');

/** Of the name or text that a proposal to forget names: what is signed and kept instead of it. */
export const digestOfTarget = (
  key: string,
  { kind, value }: { readonly kind: string; readonly value: string },
): string => keyedDigest(key, `redaction ${kind} ${value}`);

/** A UUID of version 8 (RFC 9562: the bits are the maker's own) of a digest. */
export const uuidOfDigest = (hex: string): string =>
  [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
