export interface KilledFeeders {
  readonly kills: number;
  /** Feeders that came to their end before they were killed. */
  readonly ended: number;
  /** Kills by what the feeder was at. */
  readonly stages: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export function killFeeders(options: {
  kills: number;
  base?: number;
  seed?: number;
  onKill?: (kill: object) => void;
}): Promise<KilledFeeders>;
