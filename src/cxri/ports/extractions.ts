/**
 * The port of extractions: calls of a model, their answers and their cost. The most that a call can
 * cost is taken from the budget of the day before it is made.
 */
import type { CostRecord, Extraction, ExtractionKey } from '../../model/extraction.ts';
import type { Instant, TenantId } from '../../model/ids.ts';
import type { ReadableScopes } from '../../model/permission.ts';

export interface ExtractionRequest
  extends Omit<Extraction, 'state' | 'answer'>,
    Pick<CostRecord, 'manifest' | 'model' | 'day'> {
  readonly most_usd: number;
  /** Of the scope, manifest and day. */
  readonly cap_usd: number;
  readonly asked_at: Instant;
}
/** `taken`: another worker asked first. `over`: the cap does not allow it. */
export type Reservation =
  | { readonly outcome: 'reserved' | 'taken' }
  | { readonly outcome: 'over'; readonly spent_usd: number };

export interface ExtractionAnswer
  extends ExtractionKey,
    Pick<Extraction, 'attempt' | 'answer'>,
    Pick<CostRecord, 'input_tokens' | 'output_tokens' | 'usd'> {
  readonly state: 'answered' | 'failed';
}
export interface CostsAsked {
  readonly scopes: ReadableScopes;
  /** Both included: `2026-05-01`. */
  readonly from_day: string;
  readonly to_day: string;
  readonly limit: number;
}

export interface ExtractionsPort {
  /** The calls for a batch, in order. */
  extractionsOf(tenant: TenantId, of: ExtractionKey): Promise<readonly Extraction[]>;
  reserveExtraction(tenant: TenantId, request: ExtractionRequest): Promise<Reservation>;
  /** Once: what was settled first stays. */
  settleExtraction(tenant: TenantId, answer: ExtractionAnswer): Promise<void>;
  /** The answers of a batch are not kept beyond its receipt. */
  dropAnswers(tenant: TenantId, of: ExtractionKey): Promise<void>;
  /** The latest day first; then by scope, manifest and model. */
  listCosts(tenant: TenantId, asked: CostsAsked): Promise<readonly CostRecord[]>;
}
