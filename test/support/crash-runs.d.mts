export interface CrashResult {
  readonly runs: number;
  /** Runs that were killed after at least one acknowledgement. */
  readonly killedAfterAck: number;
  readonly batches: number;
  readonly rows: number;
  readonly problems: readonly unknown[];
}
export interface TakeoverResult {
  readonly tries: number;
  readonly takenOver: number;
  readonly refused: number;
  readonly problems: readonly unknown[];
}
export interface ContendResult {
  readonly deaths: number;
  readonly violations: readonly unknown[];
}

export interface IngestResult {
  readonly runs: number;
  readonly killedBetweenReceiptAndEnd: number;
  /** Blocks in printed receipts. */
  readonly acknowledged: number;
  /** Ingests that were run again and then had every turn once. */
  readonly resumed: number;
  readonly problems: readonly unknown[];
}

export function crashRuns(options: {
  runs: number;
  seed: number;
  onRun?: (run: object) => void;
}): Promise<CrashResult>;
export function takeoverRuns(options: {
  tries: number;
  onTry?: (attempt: object) => void;
}): Promise<TakeoverResult>;
export function contendRuns(options: { rounds: number; processes: number }): Promise<ContendResult>;
export function ingestRuns(options: {
  cli: string;
  runs: number;
  seed: number;
  turns?: number;
  onRun?: (run: object) => void;
}): Promise<IngestResult>;
