export interface MountStorm {
  readonly writes: number;
  /** Versions that were corrected or forgotten. */
  readonly gone: number;
  /** Versions that feeders brought in before they were killed. */
  readonly fed: number;
  readonly compositions: number;
  readonly kills: number;
  readonly failed: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly problems: readonly string[];
}

export const STORM_TENANT: string;
export function mountStorm(options: {
  database: { readonly url: string } | { readonly dataDir: string };
  writers: number;
  kills: number;
  seed?: number;
}): Promise<MountStorm>;
