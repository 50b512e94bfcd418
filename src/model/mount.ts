/** What feeding a mount did, and how it is. */
import type { Health } from './health.ts';
import type { Uuid } from './ids.ts';

export interface FeedRun {
  readonly upserted: number;
  readonly removed: number;
  /** Versions that were forgotten, or whose scope is gone. */
  readonly erased: number;
  /** Scopes that wait for vectors of their rows. */
  readonly waiting: readonly Uuid[];
}
export interface MountReport extends FeedRun {
  readonly mount: string;
  readonly rows: number;
  readonly bytes: number;
}
export interface MountHealth extends Health {
  readonly mount: string;
}
