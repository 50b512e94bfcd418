/** What of a batch has an outcome, as it goes: one that stops in its middle has a receipt of it. */
import type { CandidateReceipt } from '../../model/capture.ts';
import { keyOfFirst } from '../../model/capture-key.ts';
import type { PlannedRetraction, PlannedWrite } from '../state.ts';

export interface Made {
  add(planned: PlannedWrite | PlannedRetraction, receipt: CandidateReceipt): CandidateReceipt;
  of(planned: PlannedWrite | PlannedRetraction): CandidateReceipt | null;
  /** That a principal may not write some of it. */
  refuse(principal: string): void;
  readonly refused: ReadonlySet<string>;
}

export function madeSoFar(): Made {
  const receipts = new Map<string, CandidateReceipt>();
  const refused = new Set<string>();
  return {
    add: (planned, receipt) => {
      receipts.set(firstKeyOf(planned), receipt);
      return receipt;
    },
    of: (planned) => receipts.get(firstKeyOf(planned)) ?? null,
    refuse: (principal) => refused.add(principal),
    refused,
  };
}

/** The same in every attempt. */
export const firstKeyOf = (planned: PlannedWrite | PlannedRetraction): string =>
  keyOfFirst('operation' in planned ? (planned.operation.idempotency_key ?? '') : planned.key);
