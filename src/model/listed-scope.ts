/** A scope as a list shows it. */
import type { Uuid } from './ids.ts';

export interface ListedScope {
  readonly scope_block_uuid: Uuid;
  readonly type: string;
  readonly title: string | null;
  readonly head: number;
  /** What `scopes.find` finds it by, for who asks; null = nothing. */
  readonly key: string | null;
  /** Outer scopes, in the order in which they are read; also those that are not held. */
  readonly inherits: readonly Uuid[];
}
