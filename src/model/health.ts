export interface Health {
  readonly verdict: 'ok' | 'degraded' | 'down';
  readonly latency_ms: number;
  /** How far behind the authority, in committed operations; 0 for the authority. */
  readonly lag: number;
  /** What to do; empty when ok. */
  readonly advice: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}
