/** A call of a model for a capture: what was asked, what it answered, what it cost. */
import type { CandidateSpan } from './capture.ts';
import type { Instant, Uuid } from './ids.ts';

/** The turns of a batch, and who reads them. */
export interface ExtractionKey {
  readonly consumer: string;
  readonly scope_uuid: Uuid;
  readonly from_seq: number;
}

export interface Extraction extends ExtractionKey {
  /** Counts the calls of the batch, from 1. */
  readonly attempt: number;
  readonly to_seq: number;
  /** `failed`: no answer came, or it was erased with the words of a turn. */
  readonly state: 'asked' | 'answered' | 'failed';
  /** What the numbers of the question name, in order. */
  readonly segments: readonly CandidateSpan[];
  /** As it came, until the capture is finished. */
  readonly answer: string | null;
  /** After it, whoever asked is taken to have died. */
  readonly asked_until: Instant;
}

/** Of one scope, manifest, UTC day and model. */
export interface CostRecord {
  readonly scope_uuid: Uuid;
  /** Name of the manifest. */
  readonly manifest: string;
  /** `2026-05-01`. */
  readonly day: string;
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** A call whose answer never came counts as the most that it can have cost. */
  readonly usd: number;
}
