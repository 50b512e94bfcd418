/** The port of what a redaction reaches: proposals to forget, or bring back, are judged by it. */
import type { ReachRequest, RedactionReach } from '../../model/erasure.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';

export interface ReachPort {
  /**
   * What a target would reach now, without what is out of sight already. Nothing is changed; where
   * it reaches nothing, `counts` is empty.
   */
  reachOf(request: ReachRequest): Promise<RedactionReach>;
  /** What a redaction took out of sight; null = there is none that may still come back. */
  reachOfRedaction(tenant: TenantId, redaction: Uuid): Promise<RedactionReach | null>;
  /**
   * Ends proposals with words that nobody settled in their time, and their words with them; gives
   * how many. `propose` does it as well.
   */
  lapseProposals(tenant: TenantId, at: Instant): Promise<number>;
}
