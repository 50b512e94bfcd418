/**
 * The port of what was served: to whom, in which session, when. A later session of the same
 * principal ranks it lower for an hour. It is no use of it: outcomes alone are.
 */
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';

export interface ServedMark {
  readonly principal: string;
  /** The scope of the composition. */
  readonly session_uuid: Uuid;
  readonly root_uuid: Uuid;
  readonly served_at: Instant;
}

export interface ServedQuestion {
  readonly principal: string;
  /** What this session was served is left out. */
  readonly except_session: Uuid;
  readonly after: Instant;
}

export interface ServedPort {
  /**
   * One mark for each principal, session and root: the latest. Marks from before `kept_since` go.
   * What was forgotten is not marked.
   */
  saveServed(tenant: TenantId, marks: readonly ServedMark[], kept_since: Instant): Promise<void>;
  /** Roots, each once. */
  servedTo(tenant: TenantId, asked: ServedQuestion, signal?: AbortSignal): Promise<readonly Uuid[]>;
}
