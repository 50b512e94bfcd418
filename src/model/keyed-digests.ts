/** What whoever makes ids and keys of content needs, as an ingest does. */
import type { Uuid } from './ids.ts';

/** Of the names asked for, those whose row was forgotten. */
export interface ForgottenNames {
  readonly uuids: readonly Uuid[];
  readonly keys: readonly string[];
}

export interface KeyedDigests {
  /**
   * HMAC-SHA-256 of a text under the key of the tenant, 64 hexadecimal digits: the same at every
   * call, and of no use to check a guess once the key is destroyed.
   */
  digestOf(text: string): string;
  /** Whether the caller's scope was made before ids were keyed: it keeps the id of then. */
  isEarlierScope(scope: string): Promise<boolean>;
  /** Which of these ids, and of these idempotency keys of the scope, were forgotten. */
  forgotten(
    scope: string,
    named: { readonly uuids: readonly string[]; readonly keys: readonly string[] },
  ): Promise<ForgottenNames>;
}
